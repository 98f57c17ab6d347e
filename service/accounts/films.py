"""Films: their requests, progress and results; instances share the work of making them."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Literal
from uuid import UUID

import orjson
from sqlalchemy import and_, case, delete, insert, literal, null, or_, select, update

from ..errors import Code, MockupError
from ..limits import FILM_ATTEMPTS, FILM_LEASE_S, FILM_WAIT_S, WEBHOOK_S, WEBHOOK_TRIES
from .database import Database
from .stored_files import StoredFiles, StoredKind, StoredLimits
from .tables import UTCDateTime, films, now, users

FilmStatus = Literal["queued", "running", "done", "failed"]
# Seconds until the next call of a webhook; each further wait is four times as long.
WEBHOOK_AGAIN_S = 2.0

KIND = StoredKind(
    films,
    0x66696C6D73,
    "film",
    "film",
    "kept",
    path="",
    reached=", or delete some",
    instead="",
)


@dataclass(frozen=True, slots=True)
class StoredFilm:
    """A film: its request as JSON, its progress in frames, and its outcome.

    The `outcome` is the mime type, device and warnings of a film that is `done`, or the error of one that has
    `failed`. `size` is the size of the film's file in bytes. The instance that makes the film holds the
    `claim` until `due`.
    """

    id: UUID
    user_id: UUID
    status: FilmStatus
    request: Mapping[str, Any]
    recording_id: UUID
    frame: int
    frames: int
    fps: int
    width: int
    height: int
    size: int
    outcome: Mapping[str, Any] | None
    attempts: int
    claim: UUID | None
    due: datetime | None
    created_at: datetime
    started_at: datetime | None
    expires_at: datetime
    webhook: Mapping[str, str] | None
    webhook_due: datetime | None
    webhook_tries: int

    @property
    def all_recordings(self) -> list[UUID]:
        """The recordings that the film shows: its first, and those of its further devices."""
        return [self.recording_id, *map(UUID, self.request.get("recordings", ()))]


@dataclass(frozen=True, slots=True)
class FilmSize:
    """The number of a film's frames, their rate, and their size."""

    frames: int
    fps: int
    width: int
    height: int


class Films(StoredFiles):
    """All films. Instances claim those that they make in the database, so that one of them does the work."""

    def __init__(self, database: Database, folder: Path, limits: StoredLimits) -> None:
        super().__init__(database, folder, limits, KIND)

    def submit(
        self,
        user_id: UUID,
        request: Mapping[str, Any],
        recording_id: UUID,
        size: FilmSize,
        webhook: Mapping[str, str] | None,
    ) -> StoredFilm:
        """Have a film made; raises `INVALID_REQUEST` if the user has too many."""
        at = now()
        film = StoredFilm(
            id=uuid.uuid4(),
            user_id=user_id,
            status="queued",
            request=request,
            recording_id=recording_id,
            frame=0,
            **asdict(size),
            size=0,
            outcome=None,
            attempts=0,
            claim=None,
            due=None,
            created_at=at,
            started_at=None,
            expires_at=at + timedelta(seconds=FILM_WAIT_S),
            webhook=webhook,
            webhook_due=None,
            webhook_tries=0,
        )
        row = asdict(film) | {
            "request": orjson.dumps(request).decode(),
            "webhook": webhook and orjson.dumps(webhook).decode(),
        }
        with self._database.write() as connection:
            # As in `StoredFiles.add`.
            connection.execute(select(users.c.id).where(users.c.id == user_id).with_for_update())
            self._check(connection, user_id, 0, self._limits)
            connection.execute(insert(films).values(**row))
        return film

    def find(self, user_id: UUID, name: UUID) -> StoredFilm | None:
        """The user's film of this id; None if there is none, it has expired, or it is another user's."""
        row = self.row(name, user_id)
        return None if row is None else _film(row)

    def claim(self) -> StoredFilm | None:
        """The next film to be made, claimed for `FILM_LEASE_S` seconds; None if there is none.

        Only one film of each user is made at a time; among users, the film that has waited longest comes
        first. A film whose claim has expired is started again, up to `FILM_ATTEMPTS` times in all.
        """
        at = now()
        lost = and_(films.c.status == "running", films.c.due <= at)
        # Look without a lock first: usually there is nothing to claim.
        some = select(films.c.id).where(or_(films.c.status == "queued", lost)).limit(1)
        if self._database.first(some) is None:
            return None
        with self._database.write() as connection:
            self._database.take_turn(connection, KIND.turn)
            given_up = and_(lost, films.c.attempts >= FILM_ATTEMPTS)
            connection.execute(update(films).where(given_up).values(**self._settled("failed", LOST)))
            busy = select(films.c.user_id).where(films.c.status == "running", films.c.due > at)
            waits = or_(films.c.status == "queued", lost)
            free = and_(waits, films.c.expires_at > at, films.c.user_id.not_in(busy))
            row = connection.execute(select(films).where(free).order_by(films.c.created_at).limit(1)).first()
            if row is None:
                return None
            changed = {
                "status": "running",
                "attempts": row.attempts + 1,
                "claim": uuid.uuid4(),
                "due": at + timedelta(seconds=FILM_LEASE_S),
                "started_at": at,
                "frame": 0,
            }
            connection.execute(update(films).where(films.c.id == row.id).values(**changed))
        return replace(_film(row), **changed)

    def report(self, film: StoredFilm, frame: int) -> bool:
        """Record how many frames are done, and renew the claim; False if the claim or the film is gone."""
        end = now() + timedelta(seconds=FILM_LEASE_S)
        return self._change(film, frame=frame, due=end)

    def release(self, film: StoredFilm) -> None:
        """Give up a film, so that another instance starts it again."""
        self._change(film, status="queued", attempts=film.attempts - 1, claim=None, due=None, frame=0)

    def finish(self, film: StoredFilm, file: Path, outcome: Mapping[str, Any]) -> bool:
        """Move the file of a finished film into place; False if the claim or the film is gone.

        Raises `INVALID_REQUEST` if the user's films take too many bytes, `SERVER_BUSY` if those of all users
        do.
        """
        size = file.stat().st_size
        self.check_size(film, size)
        changed = self._settled("done", outcome) | {"frame": film.frames, "size": size}
        with self._database.write():
            # The file of an instance that has lost the claim must not replace that of another.
            kept = self._change(film, **changed)
            if kept:
                file.replace(self.path(film.id))
        return kept

    def check_size(self, film: StoredFilm, size: int) -> None:
        """Raise as `finish` would for a file of `size` bytes."""
        with self._database.read() as connection:
            count = replace(self._limits, count=self._limits.count + 1)
            self._check(connection, film.user_id, size, count)

    def fail(self, film: StoredFilm, error: MockupError) -> None:
        """Record why a film could not be made."""
        self._change(film, **self._settled("failed", failure(error)))

    def webhooks(self) -> list[StoredFilm]:
        """Films whose webhooks are due.

        A call may take twice `WEBHOOK_S` seconds: waiting for a connection, and the call itself. The next
        attempt is scheduled for after that, in case this instance ends during the call.
        """
        at = now()
        if self._database.first(select(films.c.id).where(films.c.webhook_due <= at)) is None:
            return []
        with self._database.write() as connection:
            self._database.take_turn(connection, KIND.turn)
            found = [
                _film(row)
                for row in connection.execute(select(films).where(films.c.webhook_due <= at).limit(16))
            ]
            for film in found:
                due = _next_call(film)
                changed = {
                    "webhook_tries": film.webhook_tries + 1,
                    "webhook_due": due and due + timedelta(seconds=2 * WEBHOOK_S),
                }
                connection.execute(update(films).where(films.c.id == film.id).values(**changed))
        return found

    def repeat_webhook(self, film: StoredFilm) -> None:
        """Schedule the next attempt, if there is one, after a webhook call that was not accepted."""
        same = (films.c.id == film.id) & (films.c.webhook_tries == film.webhook_tries + 1)
        with self._database.write() as connection:
            connection.execute(update(films).where(same).values(webhook_due=_next_call(film)))

    def settle_webhook(self, film: StoredFilm) -> None:
        """Record that a webhook call was accepted, so that it is not repeated."""
        with self._database.write() as connection:
            done = update(films).where(films.c.id == film.id)
            connection.execute(done.values(webhook=None, webhook_due=None))

    def recordings(self) -> list[UUID]:
        """The recordings of films that are yet to be made."""
        needed = select(films).where(films.c.status.in_(("queued", "running")))
        with self._database.read() as connection:
            return list({id for row in connection.execute(needed) for id in _film(row).all_recordings})

    def _settled(self, status: FilmStatus, outcome: Mapping[str, Any]) -> dict[str, Any]:
        at = now()
        return {
            "status": status,
            "outcome": orjson.dumps(outcome).decode(),
            "claim": None,
            "due": None,
            "expires_at": at + timedelta(seconds=self._limits.lifetime_s),
            "webhook_due": case((films.c.webhook.is_not(None), literal(at, UTCDateTime)), else_=null()),
        }

    def _change(self, film: StoredFilm, **values: Any) -> bool:
        mine = (films.c.id == film.id) & (films.c.claim == film.claim)
        with self._database.write() as connection:
            return connection.execute(update(films).where(mine).values(**values)).rowcount > 0

    def cancel(self, user_id: UUID, name: UUID) -> bool:
        """Delete a user's film, which stops the instance that makes it; False if there is none."""
        mine = (films.c.id == name) & (films.c.user_id == user_id) & (films.c.expires_at > now())
        with self._database.write() as connection:
            gone = connection.execute(delete(films).where(mine)).rowcount > 0
        if gone:
            self.remove_files([name])
        return gone


def failure(error: MockupError) -> dict[str, Any]:
    """An error in the form in which it is stored."""
    details = [{"path": one.path, "message": one.message} for one in error.details]
    return {"code": error.code, "message": error.message, **({"details": details} if details else {})}


def _next_call(film: StoredFilm) -> datetime | None:
    """When a webhook is called again after the call that is due; None if that is the last one."""
    if film.webhook_tries + 1 >= WEBHOOK_TRIES:
        return None
    return now() + timedelta(seconds=WEBHOOK_AGAIN_S * 4**film.webhook_tries)


def _film(row: Any) -> StoredFilm:
    found = row._asdict()
    for name in ("request", "outcome", "webhook"):
        found[name] = found[name] and orjson.loads(found[name])
    return StoredFilm(**found)


LOST = failure(
    MockupError(
        Code.RENDER_FAILED, f"The server ended during each of {FILM_ATTEMPTS} attempts to make the film"
    )
)
