"""Films that are made in the background: what happens when something is missing."""

from __future__ import annotations

import uuid
from pathlib import Path

from service.accounts.films import FilmSize
from service.api import film_work
from tests.api.application import application


async def test_a_film_fails_where_its_file_has_no_room(tmp_path: Path) -> None:
    (tmp_path / "uploads").write_bytes(b"a file in place of the folder")
    with application(tmp_path) as app:
        services = app.app.state.services
        films, user = services.accounts.films, services.accounts.users.add("ada@example.com", "pro")
        made = films.submit(user.id, {"export": {}}, uuid.uuid4(), FilmSize(2, 25, 160, 120), None)
        await film_work._make(services, object(), films.claim())  # type: ignore[arg-type]
        found = films.find(user.id, made.id)
        assert (found.status, found.outcome["code"]) == ("failed", "SERVER_BUSY")
