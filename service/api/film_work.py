"""Makes waiting films in the background, at a lower priority than pictures, and calls their webhooks."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterator
from contextlib import ExitStack, suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any, BinaryIO

import structlog
from anyio import to_thread

from ..accounts.films import StoredFilm
from ..errors import Code, MockupError, failed
from ..films.formats import program_for
from ..films.making import making
from ..films.messages import FilmJob, Finished, Progress
from ..processes.forks import Forks
from . import webhook
from .films import asked
from .services import Services

log = structlog.get_logger(__name__)

# Seconds between checks for films that other instances accepted, and between reports on a film.
POLL_S = 5.0
REPORT_S = 1.0


def workers(services: Services) -> Iterator[Coroutine[Any, Any, None]]:
    """The tasks that run as long as the server: one for each film that may be made at a time."""
    forks = services.renderers.forks
    if forks is None or not services.config.films_at_once:
        return
    for _ in range(services.config.films_at_once):
        yield _make_films(services, forks)
    yield webhook.call(services)


async def _make_films(services: Services, forks: Forks) -> None:
    """Make one film after another, until cancelled."""
    while True:
        film = None
        try:
            with suppress(MockupError):
                film = await to_thread.run_sync(services.accounts.films.claim)
        except Exception:
            # No error may end this task, which runs as long as the server.
            log.exception("no film could be begun")
        if film is None:
            await _wait(services.films_wanted)
            continue
        try:
            await _make(services, forks, film)
        except asyncio.CancelledError:
            with suppress(MockupError):
                await asyncio.shield(to_thread.run_sync(services.accounts.films.release, film))
            raise
        except Exception:
            log.exception("a film was given up", film=str(film.id))
        services.webhooks_wanted.set()


async def _wait(event: asyncio.Event) -> None:
    with suppress(TimeoutError):
        async with asyncio.timeout(POLL_S):
            await event.wait()
    event.clear()


async def _make(services: Services, forks: Forks, film: StoredFilm) -> None:
    """Make a film and store its result; stops when the film is cancelled."""
    films, at = services.accounts.films, _Frame()
    try:
        path = await to_thread.run_sync(films.begin)
    except MockupError as error:
        await to_thread.run_sync(films.fail, film, error)
        return
    try:
        work = asyncio.ensure_future(_made(services, forks, film, path, at))
        try:
            await _reported(services, film, work, at)
        finally:
            work.cancel()
            with suppress(asyncio.CancelledError, MockupError, OSError):
                await work
        if work.cancelled():
            log.info("a film was cancelled", film=str(film.id))
            return
        try:
            done = work.result()
            outcome = {
                "format": film.request["export"].get("format", "mp4"),
                "device": done.device,
                "warnings": [asdict(one) for one in done.warnings],
            }
            await to_thread.run_sync(films.finish, film, path, outcome)
        except MockupError as error:
            await to_thread.run_sync(films.fail, film, error)
        except OSError:
            log.exception("a film could not be made")
            await to_thread.run_sync(films.fail, film, failed())
    finally:
        path.unlink(missing_ok=True)


class _Frame:
    """The number of finished frames."""

    number = 0


async def _reported(services: Services, film: StoredFilm, work: asyncio.Future[Finished], at: _Frame) -> None:
    """Report progress until the work is done or the film is removed."""
    while True:
        done, _ = await asyncio.wait({work}, timeout=REPORT_S)
        if done:
            return
        # While the database is unavailable, the work continues, and other instances may begin the film,
        # too.
        with suppress(MockupError):
            if not await to_thread.run_sync(services.accounts.films.report, film, at.number):
                return


async def _made(services: Services, forks: Forks, film: StoredFilm, path: Path, at: _Frame) -> Finished:
    """The film in its file; raises MockupError."""
    config = services.config
    request = asked(film.request)
    program = await to_thread.run_sync(program_for, request.export.format)
    job = FilmJob(request, program, config.fonts_folder, config.max_film_bytes)
    place = services.accounts.recordings.path
    try:
        with ExitStack() as ends:
            shown = [ends.enter_context(_opened(place(id))) for id in film.all_recordings]
            file = ends.enter_context(path.open("r+b"))
            async with (
                asyncio.timeout(config.film_timeout_s),
                making(forks, job, [one.fileno() for one in shown], file.fileno(), nice=True) as said,
            ):
                async for message in said:
                    if isinstance(message, Progress):
                        at.number = message.frame
                    if isinstance(message, Finished):
                        return message
    except TimeoutError:
        text = f"The film took longer than {config.film_timeout_s:g} seconds"
        raise MockupError(Code.RENDER_TIMEOUT, text) from None
    raise failed()


def _opened(recording: Path) -> BinaryIO:
    """An open recording; raises a 404."""
    try:
        return recording.open("rb")
    except FileNotFoundError:
        text = "The recording has been deleted, or has expired"
        raise MockupError(Code.NOT_FOUND, text) from None
