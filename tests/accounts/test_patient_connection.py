"""How long a connection to PostgreSQL waits for a reply, without a database."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import psycopg
import pytest

from service.accounts.patient_connection import PatientConnection


class Connection(PatientConnection):
    """A connection to nowhere, whose driver answers as `waited` does."""

    def __init__(self, patience: float | None) -> None:
        self.patience_s = patience
        self.pgconn: Any = SimpleNamespace(finish=Mock(), status=None, socket=0)

    def __del__(self, *_: object) -> None:
        """There is nothing to close."""


@pytest.fixture
def waited(monkeypatch: pytest.MonkeyPatch) -> Mock:
    waited = Mock(return_value="reply")
    monkeypatch.setattr(psycopg.Connection, "wait", lambda _, *given: waited(*given))
    return waited


@pytest.mark.parametrize(
    ("patience", "asked", "used"), [(None, None, None), (None, 3.0, 3.0), (7.0, 3.0, 3.0), (7.0, None, 7.0)]
)
def test_patience_is_for_replies_without_a_time_of_their_own(
    waited: Mock, patience: float | None, asked: float | None, used: float | None
) -> None:
    assert Connection(patience).wait("generator", 0.5, asked) == "reply"
    waited.assert_called_once_with("generator", 0.5, used)


@pytest.mark.parametrize(
    ("error", "closed"), [(psycopg.OperationalError, True), (psycopg.errors.AdminShutdown, False)]
)
def test_a_connection_whose_reply_is_late_is_closed(
    waited: Mock, error: type[psycopg.OperationalError], closed: bool
) -> None:
    waited.side_effect = error
    connection = Connection(7.0)
    with pytest.raises(error):
        connection.wait("generator")
    assert connection.pgconn.finish.called is closed
