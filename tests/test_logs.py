"""No secret reaches a log line, however it was logged."""

import json
import logging
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace

import pytest
import structlog

from service import logs
from service.config import Config

KEY = "sk_live_" + "Ab3_-xYz" + "SECRETSECRETSECRETSECRETSECRETSECRE"
BASE64 = "iVBORw0KGgoAAAANSUhEUgAA" * 20


@contextmanager
def configured(form: str) -> Iterator[None]:
    root = logging.getLogger()
    before, level = root.handlers, root.level
    logs.configure(Config(log_format=form, log_level="info"))
    try:
        yield
    finally:
        root.handlers = before
        root.setLevel(level)
        structlog.reset_defaults()


@pytest.mark.parametrize("form", ["json", "console"])
def test_secrets_are_taken_out_of_every_kind_of_line(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    with configured(form):
        log = structlog.get_logger("service.test")
        log.info(f"got {KEY}", headers={"Authorization": f"Bearer {KEY}", "Accept": "x"}, body=BASE64)
        log.info("nested", items=[{"cookie": "SECRET"}, f"data:image/png;base64,SECRET {KEY}"], raw=b"SECRET")
        log.info("authorization", value="bearer SECRET", basic="Basic SECRET==")
        log.info("for tests", text=f"Bearer {KEY.replace('live', 'test')}")
        log.info("database", url="postgresql://mockup:SECRET@db/mockup", key_secret="SECRET")
        logging.getLogger("uvicorn.error").warning("GET /?key=%s %s", KEY, BASE64)
        try:
            raise ValueError(f"bad key {KEY} in {BASE64}")
        except ValueError:
            log.exception("failed")
            logging.getLogger("library").exception("failed too")

    text = capsys.readouterr().err
    assert "SECRET" not in text
    assert BASE64[:100] not in text
    assert "sk_live_Ab3_-xYz" in text, "the public prefix helps the operator and stays"
    assert "sk_test_Ab3_-xYz" in text
    assert "ValueError" in text
    assert "Traceback" in text
    assert "postgresql://mockup:" in text


def test_commands_print_no_secrets(capsys: pytest.CaptureFixture[str]) -> None:
    """Commands print neither secrets in messages nor the values of variables in tracebacks."""
    logs.quiet()
    hidden = {"password": "SECRET"}
    try:
        raise ValueError(f"bad key {KEY}", len(hidden))
    except ValueError:
        structlog.get_logger("service.test").exception("failed", key=KEY)
    finally:
        structlog.reset_defaults()
    text = capsys.readouterr().err
    assert "SECRET" not in text
    assert "Traceback" in text


def test_json_lines_are_objects(capsys: pytest.CaptureFixture[str]) -> None:
    with configured("json"):
        structlog.get_logger("service.test").info("rendered", ms=12.5, path="a\nb", pro=True)
        logging.getLogger("library").warning("two\nlines")
        logging.getLogger("library").debug("not at this level")
    first, second = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert (first["event"], first["level"], first["ms"], first["pro"]) == ("rendered", "info", 12.5, True)
    assert first["path"] == "a\\x0ab"
    assert second["event"] == "two\\x0alines"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (KEY, "sk_live_Ab3_-xYz"),
        (KEY.replace("live", "link"), "sk_link_Ab3_-xYz"),
        ("bEARER\tSECRET", "bEARER [redacted]"),
        ("BASIC SECRET", "BASIC [redacted]"),
        ("data:;base64,SECRET", "data:;base64,[base64]"),
        ("data:image/png;charset=utf-8;base64,", "data:image/png;charset=utf-8;base64,[base64]"),
        ("A/+b" * 25, "[base64]"),
        ("A-_b" * 25 + "==", "[base64]"),
        ("x://:SECRET@y", "x://:[redacted]@y"),
    ],
)
def test_a_text_that_is_nothing_but_a_secret_is_redacted(text: str, left: str) -> None:
    assert logs.scrub(text) == left


def test_ordinary_text_is_left_alone() -> None:
    text = (
        "/work/service/accounts/store.py rendered 1920x1080 for user 3f2b with key sk_live_Ab3_-xYz in 12 ms"
    )
    assert logs.scrub(text) == text


def test_strangers_cannot_fill_the_log(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    monkeypatch.setattr(logs, "time", SimpleNamespace(monotonic=lambda: now[0]))
    with configured("json"):
        bounded = logs.LineLimit(rate=0.001, burst=3)
        assert [bounded.allows() for _ in range(6)] == [True] * 3 + [False] * 3
        now[0] += 1000
        assert bounded.allows()
        (line,) = capsys.readouterr().err.splitlines()
        assert json.loads(line)["lines"] == 3


def test_at_debug_no_line_is_omitted() -> None:
    with configured("json"):
        logging.getLogger().setLevel(logging.DEBUG)
        bounded = logs.LineLimit(rate=0, burst=0)
        assert all(bounded.allows() for _ in range(10))


def test_the_server_loads_structlog_without_rich() -> None:
    code = (
        "import sys; from service.commands.serve import load_structlog; load_structlog();"
        "print('structlog' in sys.modules, 'rich' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "True False\n"
