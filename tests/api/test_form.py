from __future__ import annotations

import json
import tracemalloc
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.api.form import FormBody, file_of
from service.api.form_fields import named, request_in
from service.api.schema import MockupRequest
from service.errors import Detail, MockupError, refusal
from service.limits import FORM_BYTES, FORM_HEAD_BYTES, FORM_PARTS
from tests.support import pictures
from tests.support.live import SMALL, Answer, Live

TYPE = 'multipart/form-data; boundary="a b"'
HEAD = b'Content-Disposition: form-data; name="screenshot"; filename="a.png"\r\nContent-Type: image/png\r\n'


def form(*parts: bytes, end: bytes = b"--a b--\r\n") -> bytes:
    return b"".join(b"--a b\r\n" + part + b"\r\n" for part in parts) + end


def part(content: bytes, head: bytes = HEAD) -> bytes:
    return head + b"\r\n" + content


def field(name: str, content: str | bytes, filename: str = "") -> bytes:
    data = content.encode() if isinstance(content, str) else content
    also = f'; filename="{filename}"' if filename else ""
    return part(data, f'Content-Disposition: form-data; name="{name}"{also}\r\n'.encode())


def read(body: bytes, kind: str = TYPE, step: int = 2**16) -> FormBody:
    made = FormBody(kind)
    for at in range(0, len(body), step):
        made.feed(body[at : at + step])
    return made


def told(error: MockupError) -> str:
    return error.message + "".join(item.message for item in error.details)


@given(st.binary(), st.integers(1, 40))
def test_any_bytes_come_back_however_they_arrive(content: bytes, step: int) -> None:
    if b"\r\n--a b" not in content:
        assert file_of(read(form(part(content)), step=step)) == content


@pytest.mark.parametrize(
    "head",
    [
        b'Content-Disposition: form-data; name="screenshot"\r\n',
        b'content-disposition: form-data; name="photo"; filename="\xc3\xa4.png"\r\n',
    ],
)
def test_files_by_name_or_file_name(head: bytes) -> None:
    body = form(field("note", "other"), part(b"picture", head), field("more", "other"))
    assert file_of(read(body)) == b"picture"
    assert file_of(read(body + b"text after it")) == b"picture"


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        (b"", "does not contain its boundary"),
        (b"--ab\r\n", "malformed"),
        (form(), "missing; expected the picture as a file of the form"),
        (form(field("note", "x")), "missing"),
        (form(b"x"), "malformed"),
        (form(part(b"x"), field("photo", b"y", "b.png")), "expected one file, got 2"),
        (form(part(b"x"), part(b"y")), "expected one such part, got several"),
        (form(part(b"x"), end=b""), "cut off"),
        (form(part(b"x"), end=b"--a b"), "cut off"),
        (form(part(b"x"), end=b"--a bc--"), "cut off"),
        (form(part(b"x", HEAD + b"X: " + b"x" * FORM_HEAD_BYTES + b"\r\n")), "header"),
        (form(part(b"x", HEAD + (b"X: " + b"x" * 400 + b"\r\n") * 5)), "bytes of headers"),
        (form(*[field(str(number), "x") for number in range(FORM_PARTS + 1)]), "more than 64 parts"),
        (form(part(b"x" + b"\r\n--a bx" * FORM_PARTS)), "more than 64 parts"),
        (form(field("n" * 201, "x")), "a field's name has at most 200 characters"),
        (
            form(field("a", "x" * FORM_BYTES), field("b", "x")),
            f"more than {FORM_BYTES} bytes besides its file",
        ),
        (form(part(b"x", b"Content-Disposition: form-data\r\n")), "has no name"),
        (form(part(b"x", b'Content-Disposition: form-data; name="\xff"\r\n')), "not UTF-8"),
        (form(part(b"x", b"Content-Type: image/png\r\n")), "has no name"),
    ],
)
def test_forms_that_are_refused(body: bytes, fault: str) -> None:
    for step in (2**16, 7):
        with pytest.raises(MockupError) as refused:
            file_of(read(body, step=step))
        assert fault in told(refused.value)


@pytest.mark.parametrize(
    "kind",
    ["multipart/form-data", "multipart/form-data; boundary=", f"multipart/form-data; boundary={'b' * 300}"],
)
def test_media_types_without_a_boundary_are_refused(kind: str) -> None:
    with pytest.raises(MockupError, match="no valid boundary"):
        file_of(read(form(part(b"x")), kind))


def test_refused_forms_and_surplus_parts_take_no_memory() -> None:
    many = form(*[field(f"f{number}", "x" * 100) for number in range(10_000)])
    for body in (many, form(field("a", bytes(2**20))), form(part(b"x", b"A: " + b"x" * 2**20))):
        tracemalloc.start()
        made = read(body)
        held, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert made.size == 0
        assert peak < 2**18, "beside the body, which is the test's own"
        assert held < 2**15


def asked(**fields: str | bytes) -> Any:
    parts = [field(name, text) for name, text in fields.items()]
    return request_in(read(form(*parts, field("screenshot", b"x", "a.png"))).parts(), MockupRequest)


def test_fields_are_members_and_settings_by_their_paths() -> None:
    sent = asked(
        **{
            "settings": '{"canvas": {"width": 100, "height": 200}, "shadow": {"blur": 3}}',
            "canvas.width": "1600",
            "device": "iPhone 16 Pro",
            "screen.title": "12",
            "captions[0].text": "Hello",
            "appearance.backgroundColor": "#fff",
            "postProcessing.bloom": "true",
            "fast": "true",
            "include": '["geometry"]',
            "projectId": "3f2b8c1e-7a4d-4f0e-9c55-2d1b6a7e8f90",
        }
    )
    assert sent.files == {"screenshot": b"x"}
    assert sent.value == {
        "settings": {
            "canvas": {"width": 1600, "height": 200},
            "shadow": {"blur": 3},
            "device": "iPhone 16 Pro",
            "screen": {"title": "12"},
            "captions": [{"text": "Hello"}],
            "appearance": {"backgroundColor": "#fff"},
            "postProcessing": {"bloom": True},
        },
        "fast": True,
        "include": ["geometry"],
        "projectId": "3f2b8c1e-7a4d-4f0e-9c55-2d1b6a7e8f90",
    }


@pytest.mark.parametrize(
    ("name", "text", "fault"),
    [
        ("settings.canvas.width", "1600", "a setting's field is named by its path: canvas.width"),
        ("screenshot.type", "url", "expected the whole screenshot as JSON, in one field"),
        ("divice", "x", "unknown field; did you mean device?"),
        ("zzzzzz", "x", "unknown field; expected a member of the request, or a setting's path"),
        ("captions[3].text", "x", "numbered from 0 on"),
        ("shadow..blur", "3", "expected a setting's path"),
        ("device", b"\xff", "expected text in UTF-8"),
        ("shadow", '{"blur": 1, "blur": 2}', "duplicate member"),
        ("shadow", "[" * 40 + "]" * 40, "nested more than 32 levels"),
        (".".join("a" * 90), "1", "nested more than 32 levels"),
    ],
)  # fmt: skip
def test_fields_at_fault_are_named(name: str, text: str | bytes, fault: str) -> None:
    with pytest.raises(MockupError) as refused:
        asked(**{name: text})
    (detail,) = refused.value.details
    assert fault in detail.message
    assert detail.path.startswith(name[:10])


_PATHS = ("canvas.width", "canvas.height", "captions[0].text")


def test_faults_of_settings_have_the_names_of_their_fields() -> None:
    sent = asked(**{"canvas.width": "1", "settings": "{}", "captions": "[{}]"})
    faults = [
        Detail(f"settings.{path}", "") for path in ("canvas.width", "canvas.height", "captions[0].text")
    ]
    paths = [item.path for item in named(refusal(*faults), sent).details]
    assert paths == ["canvas.width", "settings.canvas.height", "captions[0].text"]
    alone = asked(**{"captions[0].txt": "Hello"})
    (missing,) = named(refusal(faults[2]), alone).details
    assert missing.path == "captions[0].text"


def post(server: Live, key: str | None, body: bytes, query: str = "") -> Answer:
    return server.send("POST", f"/api/v1/mockup{query}", body, key=key, headers={"Content-Type": TYPE})


def send(server: Live, key: str, *parts: bytes, query: str = "?output=raw") -> Answer:
    return post(server, key, form(*parts), query)


def test_a_form_makes_the_picture_of_the_same_json(server: Live) -> None:
    key, file = server.key(), field("screenshot", pictures.png(), "shot.png")
    settings = {**SMALL, "device": "pixel-9-pro"}
    small, whole = json.dumps(SMALL), json.dumps(settings)
    wanted = server.mockup(key, "?output=raw", settings=settings, screenshot_base64=pictures.text())
    kind = {"Content-Type": "image/png"}
    upload = server.send("POST", "/api/v1/screenshots", pictures.png(), key=key, headers=kind)
    by_id = json.dumps({"type": "upload", "src": upload.json["id"]})
    answers = [
        send(server, key, file, field("settings", whole)),
        send(server, key, file, field("settings", small, "s.json"), field("device", "Pixel 9 Pro")),
        send(server, key, field("device", "pixel-9-pro"), field("canvas", json.dumps(SMALL["canvas"])), file),
        send(server, key, field("screenshot", by_id), field("settings", whole)),
    ]
    for answer in answers:
        assert answer.status == 200, answer.body
        assert answer.body == wanted.body
    assert send(server, key, file, field("settings", small), query="").json["success"] is True


def test_a_form_makes_the_scene_of_the_same_json(server: Live) -> None:
    key, first, second = server.key(), pictures.png(), pictures.png(50, 60)
    kind = {"Content-Type": "image/png"}
    upload = server.send("POST", "/api/v1/screenshots", second, key=key, headers=kind).json["id"]
    by_id = {"type": "upload", "src": upload}
    devices: list[dict[str, Any]] = [
        {"device": "macbook-pro-14", "screenshot": {"type": "base64", "src": pictures.text()}},
        {"device": "iphone-16-pro", "screenshot": by_id, "deviceTransform": {"rotationY": -8}},
        {"device": "pixel-9-pro", "screenshot": {"type": "same", "index": 1}},
    ]
    asked = {"type": "scene", "devices": devices, "settings": {**SMALL, "layout": "desk"}}
    wanted = server.send("POST", "/api/v1/mockup?output=raw", json.dumps(asked).encode(), key=key)
    assert wanted.status == 200, wanted.body
    listed = [{"device": one["device"]} for one in devices]
    whole = [field("type", "scene"), field("layout", "desk"), field("settings", json.dumps(SMALL))]
    files = [
        field("devices[0].screenshot", first, "a.png"),
        field("devices[1].screenshot", second, "b.png"),
        field("devices[1].deviceTransform.rotationY", "-8"),
        field("devices[2].screenshot", '{"type": "same", "index": 1}'),
    ]
    named = [field(f"devices[{number}].device", one["device"]) for number, one in enumerate(listed)]
    mixed = [
        field("devices[2].screenshot.type", "same"),
        field("devices[2].screenshot.index", "1"),
        *files[:3],
    ]
    for parts in ([*whole, *named, *files], [*files[::-1], *named, *whole], [*mixed, *named, *whole],
                  [*files, *whole, field("devices", json.dumps(listed))]):  # fmt: skip
        answer = send(server, key, *parts)
        assert answer.status == 200, answer.body
        assert answer.body == wanted.body

    cases: list[tuple[list[bytes], str, str]] = [
        ([files[1], *named[:1]], "devices[0].screenshot", "missing"),
        ([files[0], field("devices[2].depth", "1")], "devices[2].depth", "numbered from 0 on"),
        ([files[0], field("devices[0].depth", "far")], "devices[0].depth", "a number"),
        ([files[0], field("devices[0].dept", "1")], "devices[0].dept", "did you mean depth?"),
        ([files[0], field("devices[0].screenshot.type", "url")], "devices[0].screenshot.type", "a file is"),
        ([files[0], field("devices", json.dumps(devices[:1]))], "devices[0].screenshot", "a file is"),
        ([files[0], field("devices[0].image", b"x", "x.png")], "devices[0].image", "unknown file; send"),
        ([files[0], field("devices[1].screenshot", b"", "b.png")], "devices[1].screenshot", "is empty"),
        ([files[0], field("devices[1].screenshot", b"GIF", "b.png")], "devices[1].screenshot", ""),
        ([files[0], field("screenshot", b"x", "x.png")], "screenshot", "devices each have their own"),
        ([field("screenshot", b"x", "x.png")], "devices", "missing"),
        ([files[0], field("devices", "phone")], "devices", "expected a list"),
        ([field("devices[00].screenshot", first, "a.png")], "devices[00].screenshot", "unknown file; send"),
        ([field("devices[\u0661].depth", "1")], "devices[\u0661].depth", ""),
    ]  # fmt: skip
    for faulty, path, fault in cases:
        answer = send(server, key, *whole, *faulty)
        assert (answer.status, answer.code) == (400, "INVALID_REQUEST"), answer.body
        assert fault in answer.details[path], answer.details


def test_forms_at_fault(server: Live) -> None:
    key, file = server.key(), field("screenshot", pictures.png(), "shot.png")
    cases: list[tuple[tuple[bytes, ...], str, str]] = [
        ((file, field("canvas.width", "wide")), "canvas.width", "a whole number"),
        ((file, field("shadow.blr", "1")), "shadow.blr", "did you mean blur?"),
        ((file, field("settings", '{"shadow": {"blr": 1}}')), "settings.shadow.blr", "did you mean blur?"),
        ((file, field("settings", "device=x")), "settings", "an object"),
        ((file, field("screenshot_url", "https://example.com/a")), "screenshot_url", "a file is given too"),
        ((field("screenshot", b"", "a.png"),), "screenshot", "is empty"),
        ((field("screenshot", b"GIF", "a.png"),), "screenshot", ""),
        ((field("device", "pixel-9-pro"),), "screenshot", "missing"),
        ((file, field("photo", b"x", "b.png")), "photo", "unknown file; send the screenshot as screenshot"),
        ((file, field("settings", b" " * (FORM_BYTES + 1), "s.json")), "settings", f"at most {FORM_BYTES}"),
        ((file, file), "screenshot", "expected one such part, got several"),
        ((file, field("orientation", "sideways")), "orientation", ""),
    ]  # fmt: skip
    for parts, path, fault in cases:
        answer = send(server, key, *parts)
        assert (answer.status, answer.code) == (400, "INVALID_REQUEST"), answer.body
        assert fault in answer.details[path], answer.details
    cut = post(server, key, form(file)[:-9])
    assert (cut.status, cut.message) == (400, "the form is cut off, or does not contain its boundary")


def test_forms_come_after_the_key_and_within_the_size(small_bodies: Live) -> None:
    body = form(field("screenshot", bytes(3000), "a.png"))
    assert post(small_bodies, small_bodies.key(), body).status == 413
    assert post(small_bodies, None, b"no form").status == 401
