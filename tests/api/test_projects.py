from __future__ import annotations

import uuid
from typing import Any

import pytest

from service.api.answers import PIXEL
from tests.support.live import Answer, Live

PROJECTS = "/api/v1/projects"


def save(server: Live, key: str, settings: dict[str, Any] | None = None, name: str = "Launch") -> Any:
    answer = server.send("POST", PROJECTS, {"name": name, "settings": settings or {}}, key=key)
    assert answer.status == 201, answer.body
    assert answer.headers["Location"] == f"{PROJECTS}/{answer.json['id']}"
    return answer.json


def test_a_projects_life(server: Live) -> None:
    key = server.key("free")  # projects need a key, not a subscription
    assert server.send("GET", PROJECTS, key=key).json == {"projects": [], "next": None}
    made = save(server, key, {"shadow": {"blur": 3}})
    assert set(made) == {"id", "name", "settings", "createdAt", "updatedAt"}
    assert uuid.UUID(made["id"])
    path = f"{PROJECTS}/{made['id']}"
    assert server.send("GET", path, key=key).json == made
    assert server.send("GET", PROJECTS, key=key).json == {"projects": [made], "next": None}
    changed = server.send("PUT", path, {"name": "Later", "settings": {"device": "auto"}}, key=key)
    assert changed.status == 200
    assert (changed.json["name"], changed.json["settings"]) == ("Later", {"device": "auto"})
    assert changed.json["createdAt"] == made["createdAt"]
    assert changed.json["updatedAt"] >= made["updatedAt"]
    assert (
        server.send("GET", path.upper().replace("/API/V1/PROJECTS", PROJECTS), key=key).json == changed.json
    )
    gone = server.send("DELETE", path, key=key)
    assert (gone.status, gone.body) == (204, b"")
    for method in ("GET", "DELETE"):
        answer = server.send(method, path, key=key)
        assert (answer.status, answer.code) == (404, "PROJECT_NOT_FOUND")
    answer = server.send("PUT", path, {"name": "x", "settings": {}}, key=key)
    assert (answer.status, answer.code) == (404, "PROJECT_NOT_FOUND")


def test_others_projects(server: Live, key: str) -> None:
    path = f"{PROJECTS}/{save(server, server.key())['id']}"
    for method in ("GET", "PUT", "DELETE"):
        body = {"name": "mine", "settings": {}} if method == "PUT" else None
        answer = server.send(method, path, body, key=key)
        assert (answer.status, answer.code) == (403, "PROJECT_ACCESS_DENIED")
    assert server.send("GET", PROJECTS, key=key).json == {"projects": [], "next": None}


@pytest.mark.parametrize(("key", "code"), [(None, "MISSING_AUTH"), ("unknown", "INVALID_API_KEY")])
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_projects_need_a_key(server: Live, method: str, key: str | None, code: str) -> None:
    answer = server.send(method, PROJECTS, key=key)
    assert (answer.status, answer.code) == (401, code)
    assert answer.headers["WWW-Authenticate"] == "Bearer"


def test_an_id_that_is_no_uuid(server: Live, key: str) -> None:
    answer = server.send("GET", f"{PROJECTS}/42", key=key)
    assert (answer.status, answer.code) == (400, "INVALID_REQUEST")


@pytest.mark.parametrize(
    ("body", "paths"),
    [
        ({}, {"name", "settings"}),
        ({"name": "", "settings": {}}, {"name"}),
        ({"name": 3, "settings": []}, {"name", "settings"}),
        ({"name": "x" * 201, "settings": {}}, {"name"}),
        ({"name": "a\u0000b", "settings": {}}, {"name"}),
        ({"name": "x", "settings": {}, "owner": "me"}, {"owner"}),
        ({"name": "x", "settings": {"shadow": {"blur": 99}, "a": 1}}, {"settings.shadow.blur", "settings.a"}),
        (
            {"name": "x", "settings": {"canvas": {"preset": "4k"}, "export": {"scale": 4}}},
            {"settings.export.scale"},
        ),
        ({"settings": {"shadow": 1}}, {"name", "settings.shadow"}),
    ],
)
def test_projects_are_validated_when_saved(
    server: Live, key: str, body: dict[str, Any], paths: set[str]
) -> None:
    answer = server.send("POST", PROJECTS, body, key=key)
    assert (answer.status, answer.code) == (400, "INVALID_REQUEST")
    assert set(answer.details) == paths


def test_settings_too_large(server: Live, key: str) -> None:
    wide = {"appearance": {"deviceColor": "x" * 20_000}}
    answer = server.send("POST", PROJECTS, {"name": "x", "settings": wide}, key=key)
    assert (answer.status, set(answer.details)) == (400, {"settings.appearance.deviceColor"})
    wide["appearance"]["deviceColor"] *= 20
    answer = server.send("POST", PROJECTS, {"name": "x", "settings": wide}, key=key)
    assert (answer.status, answer.code) == (413, "PAYLOAD_TOO_LARGE")


def test_content_type(server: Live, key: str) -> None:
    answer = server.send("POST", PROJECTS, b"{}", key=key, headers={"Content-Type": "text/plain"})
    assert (answer.status, answer.code) == (415, "UNSUPPORTED_MEDIA_TYPE")


def test_the_projects_settings_are_the_base(server: Live, key: str) -> None:
    canvas = {"width": 200, "height": 150}
    project = save(server, key, {"canvas": canvas, "export": {"format": "jpeg"}, "device": "pixel-9-pro"})
    answer = server.mockup(key, projectId=project["id"], settings={"device": "ipad-pro-11-m4"})
    assert answer.status == 200, answer.body
    assert answer.json["device"] == "ipad-pro-11-m4"
    image = answer.json["image"]
    assert (image["width"], image["height"], image["mimeType"]) == (200, 150, "image/jpeg")


def test_null_restores_the_default_of_a_project_setting(server: Live, key: str) -> None:
    project = save(server, key, {"canvas": {"width": 200, "height": 150}, "export": {"format": "jpeg"}})
    answer = server.mockup(key, projectId=project["id"].upper(), settings={"export": {"format": None}})
    image = answer.json["image"]
    assert (image["width"], image["mimeType"]) == (200, "image/png")


def test_an_error_that_comes_from_the_project_says_so(server: Live, key: str) -> None:
    user = server.accounts.authenticate(key)
    assert user is not None
    old = server.accounts.projects.save(user.user_id, "saved long ago", {"shadow": {"blur": 99}})
    answer = server.mockup(key, projectId=str(old.id))
    assert answer.details == {
        "settings.shadow.blur": "expected a number from 0 to 20, got 99 (set by the saved project)"
    }
    cured = server.mockup(key, projectId=str(old.id), settings={"shadow": {"blur": 1}, "device": "nokia"})
    assert set(cured.details) == {"settings.device"}


def listed(server: Live, key: str, query: str = "") -> Any:
    answer = server.send("GET", f"{PROJECTS}{query}", key=key)
    assert answer.status == 200, answer.body
    return answer.json


def test_lists_come_in_pages(server: Live) -> None:
    key = server.key("free")
    made = [save(server, key, name=f"{number}") for number in range(7)]
    seen, query = [], "?limit=3"
    while True:
        page = listed(server, key, query)
        seen.append([project["name"] for project in page["projects"]])
        for project in page["projects"]:
            # A caller who deletes each page of projects before listing the next still sees every project.
            assert server.send("DELETE", f"{PROJECTS}/{project['id']}", key=key).status == 204
        if page["next"] is None:
            break
        query = f"?after={page['next']}&limit=3"
    assert seen == [["0", "1", "2"], ["3", "4", "5"], ["6"]]
    assert listed(server, key) == {"projects": [], "next": None}
    assert len(made) == 7


def test_a_list_is_never_large(server: Live) -> None:
    key = server.key("free")
    user = server.accounts.authenticate(key)
    assert user is not None
    for number in range(120):
        filler = {"device": "x" * (16_000 if number < 60 else 10)}
        server.accounts.projects.save(user.user_id, f"{number}", filler)
    sizes, names, query = [], [], ""
    while query is not None:
        answer = server.send("GET", f"{PROJECTS}{query}", key=key)
        sizes.append(len(answer.body))
        names += [project["name"] for project in answer.json["projects"]]
        query = answer.json["next"] and f"?after={answer.json['next']}"
    assert names == [f"{number}" for number in range(120)]
    assert max(sizes) < 300_000


@pytest.mark.parametrize(
    ("query", "path", "told"),
    [
        ("limit=0", "limit", 'expected a whole number from 1 to 100, got "0"'),
        ("limit=101", "limit", 'expected a whole number from 1 to 100, got "101"'),
        ("limit=-1", "limit", 'expected a whole number from 1 to 100, got "-1"'),
        ("limit=1e1", "limit", 'expected a whole number from 1 to 100, got "1e1"'),
        ("limit=", "limit", 'expected a whole number from 1 to 100, got ""'),
        ("limit=%D9%A1", "limit", 'expected a whole number from 1 to 100, got "\u0661"'),
        ("limit=" + "9" * 5000, "limit", "expected a whole number from 1 to 100"),
        ("limit=1&limit=2", "limit", "expected one value, got several"),
        ("after=1", "after", 'expected next from another response, got "1"'),
        ("after=", "after", 'expected next from another response, got ""'),
        ("after=" + "%00" * 32, "after", "expected next from another response"),
        ("page=2", "page", "unknown query parameter; known: limit, after"),
    ],
)
def test_invalid_list_parameters_are_refused(
    server: Live, key: str, query: str, path: str, told: str
) -> None:
    answer = server.send("GET", f"{PROJECTS}?{query}", key=key)
    assert (answer.status, answer.code) == (400, "INVALID_REQUEST")
    assert answer.details[path].startswith(told)


@pytest.mark.parametrize("after", ["_" * 32, "A" * 32, "-" * 32])
def test_invented_cursors_are_refused(server: Live, key: str, after: str) -> None:
    made = save(server, key)
    assert listed(server, key, f"?after={after}")["projects"] == ([made] if after[0] == "A" else [])


def test_saves_per_window_are_limited(server: Live) -> None:
    key, other = server.key(), server.key()
    path = f"{PROJECTS}/{save(server, key)['id']}"
    body = {"name": "again", "settings": {}}
    statuses = [server.send("PUT", path, body, key=key).status for _ in range(30)]
    statuses += [server.send("POST", PROJECTS, {}, key=key).status for _ in range(29)]
    assert statuses == [200] * 30 + [400] * 29
    for method, where in (("POST", PROJECTS), ("PUT", path)):
        answer = server.send(method, where, body, key=key)
        wait = int(answer.headers["Retry-After"])
        assert answer.status == 429
        assert answer.json == {
            "success": False,
            "error": "Too Many Requests",
            "code": "RATE_LIMITED",
            "message": f"Rate limit exceeded. Try again in {wait} seconds",
            "retryAfter": wait,
        }
        assert answer.headers["X-RateLimit-Remaining"] == "60", "mockups are counted apart"
    assert server.mockup(key).status == 200
    assert server.send("GET", PROJECTS, key=key).status == 200
    assert server.send("DELETE", path, key=key).status == 204
    assert server.send("POST", PROJECTS, body, key=other).status == 201


SCENE: list[dict[str, Any]] = [
    {"device": "macbook-pro-14"},
    {"device": "iPhone 16 Pro", "deviceTransform": {"rotationY": -8}},
]
SET: dict[str, Any] = {
    "locales": ["en", "ar"],
    "screens": [{"name": "home", "captions": [{"en": "Hello", "ar": "مرحبا"}, ""]}],
    "sizes": [{"name": "phone", "preset": "App Store 6.9", "device": "iphone-16-pro-max"}],
}
FILM: dict[str, Any] = {
    "motion": {"duration": 1, "keyframes": [{"at": 0}, {"at": 0.5, "deviceTransform": {"rotationY": 9}}]},
    "recording": {"start": 1},
    "export": {"format": "gif"},
}
TINY: dict[str, Any] = {"canvas": {"width": 96, "height": 72}, "layout": "desk"}


def test_a_whole_document_is_saved_read_listed_renamed_and_replaced(server: Live) -> None:
    key = server.key("free")
    whole = {"name": "Launch", "settings": TINY, "devices": SCENE, "set": SET, "film": FILM}
    made = server.send("POST", PROJECTS, whole, key=key)
    assert made.status == 201, made.body
    path = f"{PROJECTS}/{made.json['id']}"
    assert made.json["devices"] == [SCENE[0], {**SCENE[1], "device": "iphone-16-pro"}], "canonical names"
    assert made.json["set"]["sizes"][0]["preset"] == "app-store-6.9"
    assert made.json["set"]["screens"] == SET["screens"]
    assert made.json["film"] == FILM
    assert server.send("GET", path, key=key).json == made.json
    assert listed(server, key)["projects"] == [made.json]
    renamed = server.send("PATCH", path, {"name": "Later"}, key=key)
    assert renamed.status == 200, renamed.body
    assert renamed.json == {**made.json, "name": "Later", "updatedAt": renamed.json["updatedAt"]}
    assert server.send("PATCH", path, {"name": "Later"}, key=server.key()).code == "PROJECT_ACCESS_DENIED"
    again = server.send("PUT", path, {"name": "Later", "settings": {}, "film": None}, key=key)
    assert set(again.json) == {"id", "name", "settings", "createdAt", "updatedAt"}, "all is replaced"
    assert server.send("DELETE", path, key=key).status == 204
    assert server.send("PATCH", path, {"name": "Gone"}, key=key).code == "PROJECT_NOT_FOUND"


@pytest.mark.parametrize(
    ("part", "paths"),
    [
        ({"devices": []}, {"devices"}),
        ({"devices": [{}] * 9}, {"devices"}),
        ({"devices": [{"device": "nokia"}, {"depht": 1}]}, {"devices[0].device", "devices[1].depht"}),
        ({"devices": [{"screenshot": {"type": "url", "src": "https://a.b"}}]}, {"devices[0].screenshot"}),
        ({"set": {"screens": [{"name": "../x"}]}}, {"set.screens[0].name"}),
        ({"set": {"screens": [{"name": "a", "captions": ["x" * 501]}]}}, {"set.screens[0].captions[0]"}),
        ({"set": {"locales": ["?"], "sizes": [{"preset": "a4"}]}}, {"set.locales[0]", "set.sizes[0].name"}),
        ({"film": {"motion": {"move": {"name": "jump"}}}}, {"film.motion.move.name"}),
        ({"film": {"motion": {"fps": 23}, "times": []}}, {"film.motion.fps", "film.times"}),
    ],
)
def test_every_part_is_validated(server: Live, key: str, part: dict[str, Any], paths: set[str]) -> None:
    answer = server.send("POST", PROJECTS, {"name": "x", "settings": {}, **part}, key=key)
    assert (answer.status, answer.code) == (400, "INVALID_REQUEST")
    assert paths <= set(answer.details)


@pytest.mark.parametrize("body", [{}, {"name": ""}, {"name": "x", "settings": {}}])
def test_renaming_requires_a_valid_name(server: Live, key: str, body: dict[str, Any]) -> None:
    path = f"{PROJECTS}/{save(server, key)['id']}"
    assert server.send("PATCH", path, body, key=key).status == 400


def test_parts_count_towards_the_size(server: Live, key: str) -> None:
    screens = [{"name": f"s{number}", "captions": ["x" * 499] * 8} for number in range(20)]
    answer = server.send(
        "POST", PROJECTS, {"name": "x", "settings": {}, "set": {"screens": screens}}, key=key
    )
    assert (answer.status, set(answer.details)) == (400, {"set"})
    assert "65536 bytes" in answer.details["set"]


@pytest.fixture(scope="module")
def scene(server: Live) -> tuple[str, str]:
    """A key, and the id of its project of a scene with a film."""
    key = server.key()
    body = {"name": "Scene", "settings": TINY, "devices": SCENE, "film": FILM}
    return key, server.send("POST", PROJECTS, body, key=key).json["id"]


def names(answer: Answer) -> list[str]:
    return [one["device"] for one in answer.json["devices"]]


def test_a_scene_is_drawn_by_its_project(server: Live, scene: tuple[str, str]) -> None:
    key, project = scene
    shot = {"screenshot": {"type": "base64", "src": PIXEL}}
    shots: list[dict[str, Any]] = [shot, {"screenshot": {"type": "same", "index": 0}}]
    body = {"type": "scene", "projectId": project, "devices": shots}
    drawn = server.send("POST", "/api/v1/mockup", body, key=key)
    assert drawn.status == 200, drawn.body
    assert names(drawn) == ["macbook-pro-14", "iphone-16-pro"]
    assert drawn.json["image"]["width"] == 96
    devices = [{**own, **one} for own, one in zip(SCENE, shots, strict=True)]
    spelled = {"type": "scene", "devices": devices, "settings": TINY}
    same = server.send("POST", "/api/v1/mockup", spelled, key=key)
    assert same.json["image"] == drawn.json["image"]
    own = [{**shot, "device": "ipad-pro-11-m4"}, shot, {**shot, "device": "pixel-9-pro"}]
    over = server.send("POST", "/api/v1/mockup", {**body, "devices": own}, key=key)
    assert names(over) == ["ipad-pro-11-m4", "iphone-16-pro", "pixel-9-pro"]


def test_missing_parts_of_a_project_scene_are_named(server: Live, scene: tuple[str, str]) -> None:
    key, project = scene
    shot = {"screenshot": {"type": "base64", "src": PIXEL}}
    few = server.send(
        "POST", "/api/v1/mockup", {"type": "scene", "projectId": project, "devices": [shot]}, key=key
    )
    assert set(few.details) == {"devices[1].screenshot"}
    alone = server.mockup(key, projectId=project)
    assert alone.status == 400
    assert "a scene of 2 devices" in alone.details["screenshot"]


def test_errors_attribute_removed_devices_to_the_project(server: Live, key: str) -> None:
    user = server.accounts.authenticate(key)
    assert user is not None
    old = server.accounts.projects.save(user.user_id, "old", TINY, {"devices": [{"device": "nokia"}, {}]})
    answer = server.send("POST", "/api/v1/previews", {"projectId": str(old.id)}, key=key)
    assert answer.details["devices[0].device"].endswith("(set by the saved project)")
    devices = [{"device": "card"}]
    cured = server.send(
        "POST", "/api/v1/previews", {"projectId": str(old.id), "type": "scene", "devices": devices}, key=key
    )
    assert cured.status == 200, cured.body


def test_a_scene_of_a_project_is_previewed_with_samples(server: Live, scene: tuple[str, str]) -> None:
    key, project = scene
    answer = server.send("POST", "/api/v1/geometry", {"projectId": project}, key=key)
    assert answer.status == 200, answer.body
    assert names(answer) == ["macbook-pro-14", "iphone-16-pro"]


def test_a_film_uses_the_settings_of_its_project(server: Live, scene: tuple[str, str]) -> None:
    key, project = scene
    shot = {"type": "base64", "src": PIXEL}
    body = {"projectId": project, "screenshot": shot, "times": [0.25], "fast": True}
    stills = server.send("POST", "/api/v1/films/frames", body, key=key)
    assert stills.status == 200, stills.body
    spelled = {"devices": SCENE, "settings": TINY, "motion": FILM["motion"], "screenshot": shot}
    same = server.send("POST", "/api/v1/films/frames", {**spelled, "times": [0.25], "fast": True}, key=key)
    assert same.json["images"] == stills.json["images"]
    moved = {**body, "motion": {"move": {"name": "tilt-in"}}}
    other = server.send("POST", "/api/v1/films/frames", moved, key=key)
    assert other.status == 200, other.body
    assert other.json["images"] != stills.json["images"], "a move replaces the keyframes"
    late = server.send("POST", "/api/v1/films/frames", {**body, "motion": {"duration": 0.2}}, key=key)
    assert late.details["motion.keyframes[1].at"].endswith("(set by the saved project)")
