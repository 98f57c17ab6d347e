"""The command line's output streams and exit codes."""

import json
import os
import pwd
import re
import subprocess
import sys
import tomllib
import uuid
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from PIL import features
from typer.testing import CliRunner

from service import cli
from service.accounts.migration import HEAD
from service.accounts.store import Accounts
from service.commands.bulk import store_set
from service.config import Config
from service.sources.remote import HEADERS
from service.version import version
from tests.commands.script import Mockup, run
from tests.support.live import ONE_AT_ONCE, SERVICE, running

# These tests start more processes than any others.
pytestmark = pytest.mark.long
UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"


def test_from_a_user_to_a_revoked_key(mockup: Mockup) -> None:
    assert mockup("users", "add", "Ada@example.com", "--plan", "pro").count("ada@example.com") == 1
    issued = run("keys", "issue", "ada@example.com")
    assert re.fullmatch(r"sk_live_[A-Za-z0-9_-]{43}\n", issued.stdout), "the key and nothing else"
    assert issued.stderr == ""
    key = issued.stdout.strip()
    with Accounts(Config()) as accounts:
        caller = accounts.authenticate(key)
        assert caller is not None
        assert (caller.email, caller.plan.renders) == ("ada@example.com", True)
        assert mockup("keys", "revoke", key[:12]) == f"revoked {key[:16]} of ada@example.com\n"
        assert accounts.authenticate(key) is None
    listed = mockup("keys", "list")
    assert key[:16] in listed
    assert key not in listed


def test_users_and_subscriptions(mockup: Mockup) -> None:
    mockup("users", "add", "ada@example.com")
    assert "free" in mockup("users", "list")
    assert "until 2031-01-01 00:00:00 UTC" in mockup(
        "subscription", "set", "ada@example.com", "--plan", "pro", "--until", "2030-12-31"
    )
    titles, line = mockup("users", "list").splitlines()
    assert titles.split() == ["EMAIL", "PLAN", "UNTIL", "ACTIVE", "PRO", "CREATED", "ID"]
    assert line.split()[:4] == ["ada@example.com", "pro", "2031-01-01T00:00:00Z", "yes"]
    past = ("--until", "2020-01-01T12:00+02:00")
    err = mockup("subscription", "set", "ada@example.com", "--plan", "free", *past, code=1)
    assert err == "mockup: 2020-01-01T12:00+02:00 is in the past; the plan free ends a subscription at once\n"
    assert mockup("users", "list").splitlines()[1].split()[3] == "yes", "nothing was changed"
    today = f"{datetime.now(UTC):%Y-%m-%d}"
    mockup("subscription", "set", "ada@example.com", "--plan", "pro", "--until", today)
    assert mockup("users", "list").splitlines()[1].split()[3] == "yes", "a day counts to its end"
    mockup("subscription", "set", "ada@example.com", "--plan", "free")
    assert mockup("users", "list").splitlines()[1].split()[3] == "no"
    assert "without an end" in mockup("subscription", "set", "ada@example.com", "--plan", "pro")


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["users", "add", "nobody"], 1, "mockup: not an e-mail address: 'nobody'"),
        (["keys", "issue", "bob@example.com"], 1, "mockup: no such user: bob@example.com"),
        (["keys", "revoke", "sk_live_AAAAAAAA"], 1, "mockup: no key begins with sk_live_AAAAAAAA"),
        (
            ["projects", "list", "bob@example.com"],
            1,
            "mockup: no such user: bob@example.com",
        ),
        (["projects", "save", "bob@example.com", "absent.json"], 1, "mockup: absent.json: cannot be read"),
        (["users", "add", "a@b.c", "--plan", "gold"], 1, "mockup: expected one of free, pro, got 'gold'"),
        (["subscription", "set", "a@b.c", "--plan", "pro", "--until", "soon"], 2, "expected a date such as"),
        (["keys", "issue", "a@b.c", "--expires", "9999-12-31"], 2, "expected a date such as"),
        (["render"], 2, "Missing argument"),
        (["devises"], 2, "No such command"),
        (["health", "--port"], 2, "No such option"),
    ],
)
def test_mistakes_are_reported_without_a_stack_trace(
    mockup: Mockup, arguments: list[str], code: int, said: str
) -> None:
    err = mockup(*arguments, code=code)
    assert said in err
    assert "Traceback" not in err


def test_projects_are_validated_saved_and_listed(mockup: Mockup, place: Path) -> None:
    mockup("users", "add", "ada@example.com")
    good = place / "launch.json"
    good.write_text('{"device": "auto", "deviceTransform": {"rotationY": -20}}')
    project_id = mockup("projects", "save", "ada@example.com", str(good))
    assert re.fullmatch(UUID + "\n", project_id)
    with Accounts(Config()) as accounts:
        project = accounts.projects.get(project_id.strip())
        assert project is not None
        assert (project.name, project.settings) == ("launch", json.loads(good.read_text()))
    assert mockup("projects", "list").splitlines()[1].split()[:3] == [
        project_id.strip(),
        "ada@example.com",
        "launch",
    ]

    bad = place / "bad.json"
    bad.write_text('{"deviceTransform": {"rotationY": 181}, "shadw": {}}')
    err = mockup("projects", "save", "ada@example.com", str(bad), code=1)
    assert "settings.deviceTransform.rotationY" in err
    assert "settings.shadw" in err
    bad.write_text("[1]")
    assert "bad.json: expected a JSON object" in mockup(
        "projects", "save", "ada@example.com", str(bad), code=1
    )
    bad.write_text('{"device": ')
    assert "bad.json: not JSON" in mockup("projects", "save", "ada@example.com", str(bad), code=1)
    assert len(mockup("projects", "list", "ada@example.com").splitlines()) == 2


def test_a_whole_project_is_saved_renamed_and_taken_by_its_commands(mockup: Mockup, place: Path) -> None:
    mockup("users", "add", "ada@example.com")
    whole: dict[str, Any] = {
        "settings": {"layout": "desk", "language": "de", "captions": [{"text": "Hi"}, {"text": "there"}]},
        "devices": [{"device": "macbook-pro-14"}, {"device": "iphone-16-pro"}],
        "set": {
            "locales": ["de", "ar"],
            "screens": [{"name": "home", "captions": [{"de": "Hallo", "ar": "مرحبا"}, ""]}],
            "sizes": [
                {"name": "phone", "preset": "play-phone"},
                {"name": "card", "device": {"kind": "card", "screen": {"width": 800, "height": 600}}},
            ],
        },
        "film": {"motion": {"duration": 2, "move": {"name": "orbit"}}},
    }
    file = place / "launch.json"
    file.write_text(json.dumps(whole))
    project = mockup("projects", "save", "ada@example.com", str(file)).strip()
    assert mockup("projects", "rename", project, "Later") == f"renamed {project}\n"
    assert "Later" in mockup("projects", "list")
    assert mockup("projects", "rename", str(uuid.uuid4()), "x", code=1).startswith("mockup: no such project")
    assert json.loads(mockup("projects", "show", project)) == whole

    def shown(part: str) -> Any:
        text = mockup("projects", "show", project, "--part", part)
        (place / f"{part}.json").write_text(text)
        return json.loads(text)

    assert shown("settings") == whole["settings"]
    assert shown("scene") == {name: whole[name] for name in ("settings", "devices")}
    assert shown("film") == {**shown("scene"), **whole["film"]}
    assert shown("set")["screenshot"] == "shots/{screen}-{device}.png"
    rows = store_set.read(place / "set.json")
    found = [(row.id, row.settings["captions"], row.output) for row in store_set.rows(rows, {})]
    assert [id for id, _, _ in found] == ["de/home/phone", "de/home/card", "ar/home/phone", "ar/home/card"]
    assert {len(captions) for _, captions, _ in found} == {1}, "the second has no text"
    assert found[0][2] == "pictures/metadata/android/de/images/phoneScreenshots/1_home.png"
    file.write_text('{"devices": [{"device": "nokia"}], "film": {"motion": {"fps": 1}}}')
    err = mockup("projects", "save", "ada@example.com", str(file), code=1)
    assert "devices[0].device" in err
    assert "film.motion.fps" in err


def test_a_project_can_come_through_a_pipe(mockup: Mockup) -> None:
    mockup("users", "add", "ada@example.com")
    saved = run("projects", "save", "ada@example.com", "-", "--name", "Piped", text='{"device": "auto"}')
    assert re.fullmatch(UUID + "\n", saved.stdout)
    assert "Piped" in mockup("projects", "list")


def test_all_mistakes_in_the_configuration_are_reported_at_once(
    mockup: Mockup, monkeypatch: pytest.MonkeyPatch
) -> None:
    variables = {
        "MOCKUP_PORT": "eighty",
        "MOCKUP_RENDER_THREADS": "0",
        "MOCKUP_LOG_FORMAT": "xml",
        "MOCKUP_FETCH_PORTS": "80, 70000",
        "MOCKUP_TRUSTED_PROXIES": "10.0.0.0/8 proxy",
        "MOCKUP_KEY_SECRET": "tooshort",
        "MOCKUP_DATABASE_URL": "mysql://root:hunter2@db",
        "MOCKUP_REDIS_URL_FILE": "/nowhere/redis",
        "MOCKUP_HOST": "a",
        "MOCKUP_HOST_FILE": "b",
    }
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    err = mockup("keys", "list", code=2)
    lines = err.splitlines()
    assert lines[0] == "mockup: the configuration is wrong:"
    told = {line.split()[0].rstrip(":") for line in lines[1:]}
    assert told == set(variables) - {"MOCKUP_HOST_FILE"}
    assert 'got "eighty"' in err
    assert "/nowhere/redis cannot be read: No such file" in err
    assert "tooshort" not in err, "secrets are not repeated"
    assert "hunter2" not in err


def test_values_can_come_from_files(place: Path, mockup: Mockup, monkeypatch: pytest.MonkeyPatch) -> None:
    (place / "secret").write_text("0123456789abcdef\n")
    (place / "ports").write_text("80,8080")
    monkeypatch.setenv("MOCKUP_KEY_SECRET_FILE", "secret")
    monkeypatch.setenv("MOCKUP_FETCH_PORTS_FILE", "ports")
    config = Config()
    assert config.key_secret is not None
    assert config.key_secret.get_secret_value() == "0123456789abcdef"
    assert config.fetch_ports == {80, 8080}
    mockup("users", "add", "ada@example.com")
    mockup("keys", "issue", "ada@example.com")
    assert not (place / "var" / "key.secret").exists()


def test_an_upgrade_reports_its_version(mockup: Mockup) -> None:
    assert mockup("db", "upgrade") == f"the database is at version {HEAD}, from none\n"
    assert mockup("db", "upgrade") == f"the database is at version {HEAD} already\n"


def test_an_unreachable_database_is_reported(mockup: Mockup, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MOCKUP_DATABASE_URL", "postgresql://ada:hunter2@127.0.0.1:1/mockup")
    err = mockup("keys", "list", code=1)
    assert "unavailable" in err
    assert "Connection refused" in err, "the operator, unlike a caller, is told the cause"
    assert "sqlalche.me" not in err
    assert "hunter2" not in err
    assert "Traceback" not in err


def test_the_devices_are_listed(mockup: Mockup) -> None:
    lines = mockup("devices").splitlines()
    assert any(line.startswith("iphone-16-pro ") and "1206x2622" in line for line in lines)


def test_the_openapi_document_is_printed(mockup: Mockup) -> None:
    assert "/api/v1/mockup" in json.loads(mockup("openapi"))["paths"]


@pytest.mark.parametrize("arguments", [["demo"], ["render", "a.png", "-o", "b.png"]], ids=["demo", "render"])
def test_nothing_starts_without_the_image_formats(
    mockup: Mockup, place: Path, arguments: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(features, "check", lambda name: name != "webp")
    assert "built without WebP" in mockup(*arguments, code=1)
    assert list(place.iterdir()) == []


def test_light_commands_load_no_heavy_modules(mockup: Mockup) -> None:
    heavy = ["numpy", "cv2", "PIL", "starlette", "aiohttp", "alembic", "uvicorn"]
    mockup("db", "upgrade")
    code = (
        "import sys\nfrom service.cli import main\ntry:\n    main(['keys', 'list'])\n"
        f"except SystemExit:\n    print([name for name in {heavy} if name in sys.modules])"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.splitlines()[-1] == "[]"


def test_the_server_loads_no_pixels() -> None:
    code = "import sys, service.app; print([name for name in ('numpy', 'cv2', 'PIL') if name in sys.modules])"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "[]"


def test_a_running_server_loads_no_pixels(place: Path) -> None:
    """This server starts from scratch, as users' do; those of most tests begin with everything loaded."""
    with running(place, program=SERVICE, **ONE_AT_ONCE) as live:
        assert live.mockup().status == 200
        assert live.send("GET", "/api/v1/devices/iphone-16-pro/preview.png").status == 200
        loaded = Path(f"/proc/{live.process.pid}/maps").read_text()
    assert "pydantic_core" in loaded
    assert not re.search("numpy|cv2|service/render", loaded)


def test_names_from_callers_cannot_move_the_cursor(mockup: Mockup) -> None:
    mockup("users", "add", "ada@example.com")
    with Accounts(Config()) as accounts:
        accounts.projects.save(accounts.users.find("ada@example.com").id, "a\u202eb", {})
    assert "a?b" in mockup("projects", "list")


def test_a_project_is_shown_and_deleted(mockup: Mockup) -> None:
    mockup("users", "add", "ada@example.com")
    settings = {"device": "auto", "appearance": {"backgroundColor": "#3366FF"}}
    with Accounts(Config()) as accounts:
        saved = accounts.projects.save(accounts.users.find("ada@example.com").id, "one", settings)
    assert json.loads(mockup("projects", "show", str(saved.id))) == settings
    assert mockup("projects", "delete", str(saved.id)) == f"deleted {saved.id}\n"
    for command in ("show", "delete"):
        err = mockup("projects", command, str(saved.id), code=1)
        assert err == f"mockup: no such project: {saved.id}\n"
        assert "{UUID}" in mockup("projects", command, "one", code=2)


def test_a_key_is_named_rotated_and_listed(mockup: Mockup) -> None:
    mockup("users", "add", "ada@example.com")
    key = mockup(
        "keys", "issue", "ada@example.com", "--name", "build server", "--expires", "2090-12-31"
    ).strip()
    titles, line = mockup("keys", "list").splitlines()
    assert re.split("  +", titles) == [
        "PREFIX",
        "EMAIL",
        "CREATED",
        "EXPIRES",
        "REVOKED",
        "LAST USED",
        "SCOPES",
        "ORIGINS",
        "NAME",
    ]
    cells = re.split("  +", line)
    assert (cells[0], *cells[3:]) == (key[:16], "2091-01-01T00:00:00Z", "-", "-", "-", "-", "build server")
    rotated = run("keys", "rotate", key[:16], "--overlap", "90m")
    assert re.fullmatch(r"sk_live_[A-Za-z0-9_-]{43}\n", rotated.stdout), "the key and nothing else"
    assert rotated.stderr.startswith(f"{key[:16]} of ada@example.com is valid until ")
    mockup("keys", "rotate", rotated.stdout.strip())
    assert len(mockup("keys", "list").splitlines()) == 4
    for wrong in ("1 day", "-1h", "24", "99999d"):
        mockup("keys", "rotate", key, f"--overlap={wrong}", code=2)
    err = mockup("keys", "issue", "ada@example.com", "--expires", "2020-01-01", code=1)
    assert err == "mockup: 2020-01-01 is in the past; revoke a key to end it at once\n"


def test_keys_may_be_restricted(mockup: Mockup) -> None:
    mockup("users", "add", "ada@example.com")
    page = ("--scope", "render", "--origin", "https://app.example.com")
    key = mockup("keys", "issue", "ada@example.com", "--test", *page).strip()
    assert re.fullmatch(r"sk_test_[A-Za-z0-9_-]{43}", key)
    cells = re.split("  +", mockup("keys", "list").splitlines()[1])
    assert (cells[0], *cells[6:8]) == (key[:16], "render", "https://app.example.com")
    assert mockup("keys", "rotate", key[:16], "--overlap", "0s").startswith("sk_test_")
    err = mockup("keys", "issue", "ada@example.com", "--scope", "all", code=1)
    assert err == "mockup: expected scopes among render, upload, projects, admin, got 'all'\n"


def test_removing_a_user_asks_first(mockup: Mockup) -> None:
    mockup("users", "add", "ada@example.com")
    mockup("keys", "issue", "ada@example.com")
    for answer in ("n\n", ""):
        asked = run("users", "remove", "ada@example.com", text=answer)
        assert asked.returncode == 1
        assert asked.stdout == ""
        assert "remove ada@example.com with 1 valid key and 0 projects?" in asked.stderr
    assert "ada@example.com" in mockup("users", "list")
    assert run("users", "remove", "ada@example.com", text="y\n").stdout == "removed ada@example.com\n"
    assert "ada@example.com" not in mockup("users", "list") + mockup("keys", "list")
    mockup("users", "add", "ada@example.com")
    assert mockup("users", "remove", "Ada@example.com", "--yes") == "removed ada@example.com\n"
    err = mockup("users", "remove", "ada@example.com", "--yes", code=1)
    assert err == "mockup: no such user: ada@example.com\n"


def test_changes_are_audited(mockup: Mockup) -> None:
    mockup("users", "add", "ada@example.com")
    key = mockup("keys", "issue", "ada@example.com", "--name", "build server").strip()
    mockup("subscription", "set", "ada@example.com", "--plan", "pro")
    titles, newest, issued, first = mockup("audit").splitlines()
    assert re.split("  +", titles) == ["TIME", "ACTOR", "KEY", "ACTION", "TARGET", "DETAILS"]
    me = pwd.getpwuid(os.getuid()).pw_name
    assert re.split("  +", first)[1:] == [
        *(f"command line: {me}", "-", "users.add", "ada@example.com", "plan=free")
    ]
    assert re.split("  +", issued)[3:] == ["keys.issue", key[:16], "user=ada@example.com name=build server"]
    assert len(mockup("audit", "--limit", "1").splitlines()) == 2
    assert newest.endswith(" plan=pro")
    assert key not in titles + newest + issued + first


def test_there_is_one_version(mockup: Mockup) -> None:
    root = Path(__file__).resolve().parents[2]
    said = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    assert version() == said, "installed before the version changed; make install puts it right"
    assert mockup("--version") == f"mockup {said}\n"
    assert json.loads(mockup("openapi"))["info"]["version"] == said
    assert f"mockup: {said}" in mockup("doctor")
    assert HEADERS["User-Agent"] == f"mockup/{said}"


def test_typer_knows_every_command() -> None:
    result = CliRunner().invoke(cli.app, ["--help"])
    assert result.exit_code == 0
    for name in ("serve", "render", "devices", "users", "subscription", "keys", "projects", "db", "doctor"):
        assert name in result.output
