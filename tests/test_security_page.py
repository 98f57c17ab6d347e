"""The page on security names every limit as it is."""

import re
from pathlib import Path

import pytest

from service.accounts import pages, projects
from service.api import json_body, live_preview, multipart, query
from service.codec.picture import MAX_ICC, PictureLimits
from service.config import Config
from service.http.protocol import ConnectionLimits
from service.sources import location, remote, resolver
from service.workers import screenshot_cache

PAGE = (Path(__file__).parent.parent / "docs" / "security.md").read_text(encoding="utf-8")
LIMITS = {
    name.lower(): shown for shown, name in re.findall(r"\| ([^|]+) \| `MOCKUP_(\w+)` \|$", PAGE, re.MULTILINE)
}
UNITS = {"KiB": 2**10, "MiB": 2**20, "megapixels": 10**6}
# What sets a bound on something, as opposed to where and how the service runs.
BOUNDS = re.compile(
    r"max_|_timeout_s$|_s$|rate_|renders_|queue_|fetch_(?!denied)|cache_|uploads_|memory_|_threads$"
)


def number(shown: str) -> float:
    value, _, unit = shown.replace(",", "").partition(" ")
    return float(value) * UNITS.get(unit, 1)


def test_every_variable_it_names_exists() -> None:
    named = {name.lower() for name in re.findall(r"MOCKUP_(\w+)", PAGE)}
    assert named <= set(Config.model_fields)


def test_every_limit_is_in_the_table() -> None:
    assert {name for name in Config.model_fields if BOUNDS.search(name)} == set(LIMITS)


@pytest.mark.parametrize("name", LIMITS)
def test_every_default_is_true(name: str) -> None:
    default = Config.model_fields[name].default
    if isinstance(default, int | float):
        assert number(LIMITS[name]) == default
    elif default is not None:
        assert {int(port) for port in LIMITS[name].split(", ")} == default


def test_fixed_limits_are_true() -> None:
    fixed = dict(re.findall(r"^\| ([^|]+) \| ([^|]+) \| fixed \|$", PAGE, re.MULTILINE))
    pictures, connection = PictureLimits(), ConnectionLimits()
    assert fixed == {
        "time a decoded screenshot is kept after its last use": f"{screenshot_cache.KEPT_S:g} s",
        "size of a request's head; headers": f"{connection.head_bytes // 1024} KiB; {connection.headers}",
        "what is dropped after a last response": f"{connection.discarded_bytes >> 20} MiB",
        "framing of chunks": f"{connection.framing_bytes // 1024} KiB",
        "size of a preview's body; time it waits for its turn": f"{live_preview.MAX_BODY // 1024} KiB; "
        f"{live_preview.PATIENCE_S:g} s",
        "query parameters": str(query.MAX_PARAMETERS),
        "bytes behind the request being served": f"{connection.ahead_bytes // 1024} KiB",
        "JSON beside a screenshot; strings": f"{json_body.MAX_REST // 1024} KiB; {json_body.MAX_STRINGS:,}",
        "parts of an upload's form; headers of one": f"{multipart.MOST_PARTS}; "
        f"{multipart.MOST_HEAD // 1024} KiB",
        "depth of JSON; members and items in all": f"{json_body.MAX_DEPTH}; {json_body.MAX_MEMBERS}",
        "parts of a screenshot's file; JPEG scans; ICC profile": f"{pictures.parts:,}; {pictures.scans}; "
        f"{MAX_ICC >> 20} MiB",
        "projects listed at once; their settings": f"{pages.PAGE}; {projects.PAGE_BYTES >> 10} KiB, "
        "or one project",
        "names looked up at once": f"{resolver.THREADS}",
        "redirects; length of a URL": f"{remote.MAX_REDIRECTS}; {location.MAX_LENGTH:,} characters",
    }


def test_its_links_lead_somewhere() -> None:
    folder = Path(__file__).parent.parent / "docs"
    links = re.findall(r"\]\(([^)#:]+)\)", PAGE)
    assert links
    assert [link for link in links if not (folder / link).exists()] == []
