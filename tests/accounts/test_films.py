"""Films in the database: of several instances that make the same film, one stores it."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from service.accounts import films as module
from service.accounts.films import StoredFilm
from service.accounts.store import Accounts, User
from service.accounts.tables import now
from service.errors import Code, MockupError
from service.limits import WEBHOOK_S, WEBHOOK_TRIES
from tests.support.films import change, submitted


@pytest.fixture
def film(accounts: Accounts, user: User) -> StoredFilm:
    """A film that an instance has begun."""
    submitted(accounts, user)
    return claimed(accounts)


def claimed(accounts: Accounts) -> StoredFilm:
    found = accounts.films.claim()
    assert found is not None
    return found


def lost(accounts: Accounts) -> None:
    """Let all claims end, as if their instances had not reported for a while."""
    change(accounts, due=now() - timedelta(seconds=1))


def made(accounts: Accounts, content: bytes) -> Path:
    file = accounts.films.begin()
    file.write_bytes(content)
    return file


def test_a_late_instance_leaves_the_film_of_another_alone(accounts: Accounts, film: StoredFilm) -> None:
    lost(accounts)
    again = claimed(accounts)
    assert (again.id, again.attempts) == (film.id, 2)
    assert accounts.films.finish(again, made(accounts, b"second"), {"format": "gif"})
    late = made(accounts, b"first")
    assert not accounts.films.finish(film, late, {"format": "gif"})
    assert accounts.films.path(film.id).read_bytes() == b"second"
    assert late.exists()


def test_a_late_instance_stores_nothing_while_another_makes_the_film(
    accounts: Accounts, film: StoredFilm
) -> None:
    lost(accounts)
    again = claimed(accounts)
    assert not accounts.films.finish(film, made(accounts, b"first"), {"format": "gif"})
    assert not accounts.films.path(film.id).exists()
    assert accounts.films.finish(again, made(accounts, b"second"), {"format": "gif"})


def test_a_webhook_is_called_by_one_instance_at_a_time(
    accounts: Accounts, user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    moment = now()
    monkeypatch.setattr(module, "now", lambda: moment)

    submitted(accounts, user, {"url": "https://example.com/", "secret": "0123456789abcdef"})
    film = claimed(accounts)

    def wait() -> float | None:
        """Seconds until the webhook is called again."""
        found = accounts.films.find(film.user_id, film.id)
        assert found is not None
        return None if found.webhook_due is None else (found.webhook_due - moment).total_seconds()

    accounts.films.fail(film, MockupError(Code.RENDER_FAILED, "No"))
    waits = []
    for _ in range(WEBHOOK_TRIES):
        change(accounts, webhook_due=moment)
        (called,) = accounts.films.webhooks()
        assert not accounts.films.webhooks()
        meanwhile = wait()
        accounts.films.repeat_webhook(called)
        waits.append((meanwhile, wait()))
    assert waits == [*((2 * WEBHOOK_S + one, one) for one in (2, 8, 32, 128, 512)), (None, None)]


def test_a_cancelled_film_is_not_stored(accounts: Accounts, film: StoredFilm) -> None:
    assert accounts.films.cancel(film.user_id, film.id)
    assert not accounts.films.finish(film, made(accounts, b"film"), {"format": "gif"})
    assert not accounts.films.path(film.id).exists()
