from __future__ import annotations

import gzip
import re
from pathlib import Path

from service.api.operations import OPERATIONS
from service.errors import Code
from tests.support.live import Live


def test_the_reference_needs_no_other_host(server: Live) -> None:
    answer = server.send("GET", "/docs")
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    assert not re.search(rb"(src|href)\s*=\s*[\"']?(https?:)?//", answer.body)
    # The page's only script is a file on this server; there is no inline script.
    assert re.findall(rb"<script[^>]* src=\"([^\"]*)\"", answer.body) == [b"/docs/viewer.js"]
    assert re.findall(rb"<script[^>]*>([^<]+)", answer.body) == []
    assert "script-src 'self';" in answer.headers["Content-Security-Policy"]


def test_the_viewer_is_sent_packed_or_not(server: Live) -> None:
    plain = server.send("GET", "/docs/viewer.js")
    packed = server.send("GET", "/docs/viewer.js", headers={"Accept-Encoding": "gzip"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.body) == plain.body
    assert "text/javascript" in plain.headers["Content-Type"]
    again = server.send("GET", "/docs/viewer.js", headers={"If-None-Match": plain.headers["ETag"]})
    assert (again.status, again.body) == (304, b"")


def test_docs_list_every_operation(server: Live) -> None:
    page = server.send("GET", "/docs").body.decode()
    for operation in OPERATIONS:
        if operation.listed:
            assert f"<code>{operation.path}</code>" in page
            assert operation.summary in page
    assert "deviceTransform.rotationX" in page


def test_openapi_document(server: Live) -> None:
    document = server.send("GET", "/openapi.json").json
    assert document["openapi"].startswith("3.1")
    listed = {(method.upper(), path) for path, methods in document["paths"].items() for method in methods}
    assert listed == {(operation.method, operation.path) for operation in OPERATIONS if operation.listed}
    text = str(document)
    for name in re.findall(r"#/components/schemas/(\w+)", text):
        assert name in document["components"]["schemas"]
    mockup = document["paths"]["/api/v1/mockup"]["post"]
    assert {"400", "401", "403", "404", "413", "415", "429", "500", "503", "504"} < set(mockup["responses"])
    rotation = document["components"]["schemas"]["DeviceTransform"]["properties"]["rotationX"]
    assert {"type": "number", "minimum": -180, "maximum": 180}.items() <= rotation["anyOf"][0].items()
    assert (
        "iphone-16-pro"
        in document["components"]["schemas"]["Settings"]["properties"]["device"]["anyOf"][0]["enum"]
    )


def test_the_guide_names_every_operation_and_error() -> None:
    guide = (Path(__file__).resolve().parents[2] / "docs" / "api.md").read_text(encoding="utf-8")
    for operation in OPERATIONS:
        assert f"`{operation.path}`" in guide or f"`{operation.path}?" in guide, operation.path
    for code in Code:
        assert f"`{code}`" in guide, code
