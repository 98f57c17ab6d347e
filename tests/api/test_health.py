from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from service.version import version
from tests.api.application import application
from tests.support.live import Live


@pytest.mark.parametrize("path", ["/health", "/api/v1/health"])
def test_the_service_reports_that_it_is_alive(server: Live, path: str) -> None:
    answer = server.send("GET", path)
    assert (answer.status, answer.json) == (200, {"status": "ok", "version": version()})
    assert answer.headers["Cache-Control"] == "no-store"


def test_the_service_reports_that_it_is_ready(server: Live) -> None:
    answer = server.send("GET", "/health/ready")
    assert (answer.status, answer.json["status"]) == (200, "ready")


def test_not_ready_while_stopping(tmp_path: Path) -> None:
    with application(tmp_path) as app:
        app.app.state.services.readiness.open = False
        reply = asyncio.run(app.send(key="", method="GET", path="/health/ready"))
    assert (reply.status, reply.json["status"]) == (503, "unavailable")
    assert reply.json["checks"]["accepting"] is False


def test_not_ready_without_renderers(tmp_path: Path) -> None:
    with application(tmp_path) as app:
        app.studio.up = False
        reply = asyncio.run(app.send(key="", method="GET", path="/health/ready"))
    assert (reply.status, reply.json["checks"]["renderers"]) == (503, False)


def test_not_ready_without_its_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(key: str) -> None:
        raise OSError("no disk")

    with application(tmp_path) as app:
        monkeypatch.setattr(app.app.state.services.accounts, "authenticate", broken)
        reply = asyncio.run(app.send(key="", method="GET", path="/health/ready"))
    assert (reply.status, reply.json["checks"]["database"]) == (503, False)
    assert b"no disk" not in reply.body
