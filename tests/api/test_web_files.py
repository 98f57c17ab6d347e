"""The studio's files: which are served, their types and caching, and that no others can be reached."""

from __future__ import annotations

import gzip
import re

import pytest

from service.api.web_files import TYPES, WEB, web_files
from tests.support.live import Live


def address(name: str) -> str:
    return f"/studio/{web_files().tag}/{name}"


def test_the_page_has_a_strict_policy_and_nothing_inline(server: Live) -> None:
    answer = server.send("GET", "/")
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    page = answer.body.decode()
    assert re.findall(r"<script(?! type=\"module\" src=\"/studio/)|<style|style=|\son\w+=", page) == []
    addresses = re.findall(r"(?:src|href)=\"([^\"]+)\"", page)
    assert all(one.startswith("/") and not one.startswith("//") for one in addresses)
    for one in addresses:
        assert server.send("GET", one).status == 200, one


def test_files_are_cached_forever_and_the_page_is_not(server: Live) -> None:
    page = server.send("GET", "/")
    assert page.headers["Cache-Control"] == "no-cache"
    script = server.send("GET", address("main.js"))
    assert script.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    for path, answer in (("/", page), (address("main.js"), script)):
        again = server.send("GET", path, headers={"If-None-Match": answer.headers["ETag"]})
        assert (again.status, again.body) == (304, b"")
    older = server.send("GET", "/studio/older/main.js")
    assert older.body == script.body
    assert older.headers["Cache-Control"] == "no-cache"


def test_files_are_compressed_for_clients_that_accept_it(server: Live) -> None:
    plain = server.send("GET", address("main.js"))
    packed = server.send("GET", address("main.js"), headers={"Accept-Encoding": "gzip, br"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.body) == plain.body == (WEB / "main.js").read_bytes()
    assert plain.headers["Vary"] == packed.headers["Vary"] == "Accept-Encoding"
    assert plain.headers["ETag"] != packed.headers["ETag"]
    headers = {"Accept-Encoding": "gzip", "If-None-Match": packed.headers["ETag"]}
    assert server.send("GET", address("main.js"), headers=headers).status == 304
    for refused in ("identity", "gzip;q=0", "br, gzip; q=0.0", "x-gzip-like"):
        answer = server.send("GET", address("main.js"), headers={"Accept-Encoding": refused})
        assert "Content-Encoding" not in answer.headers


def test_each_kind_of_file_has_its_type(server: Live) -> None:
    kinds = {name.rpartition(".")[2]: name for name in web_files().files}
    for ending, name in kinds.items():
        answer = server.send("GET", address(name))
        assert answer.headers["Content-Type"] == TYPES[f".{ending}"]
        assert answer.headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize(
    "name",
    ["README.md", "index.html", "nothing.js", "../app.py", "..%2f..%2fapp.py", "%2fetc%2fpasswd", "vendor"],
)
def test_no_other_file_can_be_reached(server: Live, name: str) -> None:
    assert server.send("GET", address(name)).status == 404


def test_modules_import_files_that_exist() -> None:
    files = web_files().files
    for name, data in files.items():
        if name.endswith(".js"):
            folder = (WEB / name).parent
            for found in re.findall(r"(?:from ?|import )[\"']([^\"']+)[\"']", data.decode()):
                if name.startswith("snippets/") and found.startswith("node:"):
                    # Snippets are text that users copy and run elsewhere.
                    continue
                assert found.startswith("."), f"{name} imports {found}"
                assert (folder / found).resolve().is_relative_to(WEB), found
                assert (folder / found).is_file(), f"{name} imports {found}"
