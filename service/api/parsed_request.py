"""Validates request bodies: a request's parts beside its settings, or a 400 that names every fault."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, TypeVar

from pydantic import ValidationError

from ..engine.request import PATH, Reduced
from ..errors import Detail, counted, refusal
from ..limits import SCENE_DEVICES
from ..settings import templates
from ..settings.merge import PROJECT_NOTE, MergedSettings, without_nulls
from ..settings.scene_device import Member, SceneSettings
from ..settings.schema import Settings
from ..settings.templates import Template
from ..validation import messages
from ..validation.group import Group
from . import scene_body
from .form import FILE
from .form_fields import TWO
from .json_body import JSONBody, LongTexts
from .scene_body import ParsedScreenshot, SourceForm
from .schema import FLAT, MockupRequest, PreviewRequest, ProjectBody, RenamedProject, UploadBody
from .uuids import is_uuid

R = TypeVar("R", bound=Group)


@dataclass(frozen=True, slots=True)
class ParsedRequest:
    """A valid request for a mockup or, if `reduced`, a preview.

    `settings` are the request's own, not yet merged with a project's. `members` are the devices of a scene,
    empty for a single screenshot. `texts` are the long texts of the body.
    """

    screenshots: tuple[ParsedScreenshot, ...]
    settings: MergedSettings
    fast: bool
    project_id: str | None
    geometry: bool = False
    reduced: Reduced | None = None
    members: tuple[Member, ...] = ()
    texts: LongTexts = field(default_factory=dict)

    def scene(self, settings: Settings) -> SceneSettings:
        """The pictured scene, with the request's `settings` merged over its project's."""
        return SceneSettings(settings, self.members, named=True) if self.members else SceneSettings(settings)


def parse_request(sent: JSONBody, beneath: Sequence[Mapping[str, Any]] = ()) -> ParsedRequest:
    """Validate a mockup request; raises a 400 that names every offending path, in its settings too.

    `beneath` are the devices of its project's scene, which the request's own override.
    """
    file = sent.files.get(FILE)
    forms = partial(_forms, with_file=file is not None, untyped=bool(sent.fields))
    alone = [name for name in ("screenshot", *FLAT) if name in sent.value] or ([FILE] if file else [])
    request, settings = validated(_on_project(sent.value, beneath, alone), MockupRequest, forms, beneath)
    members: tuple[Member, ...] = ()
    if request.devices is not None:
        screenshots, members = scene_body.parse(request.devices, sent.texts, sent.files)
    elif file is not None:
        screenshots = (ParsedScreenshot("file", memoryview(file), FILE),)
    else:
        screenshots = (_source(request, sent),)
    return ParsedRequest(
        screenshots,
        settings,
        fast=request.fast,
        project_id=lower(request.project_id),
        geometry="geometry" in request.include,
        members=members,
        texts=sent.texts,
    )


def parse_preview(sent: JSONBody, beneath: Sequence[Mapping[str, Any]] = ()) -> ParsedRequest:
    """Validate a request for a preview; raises as `parse_request`."""
    alone = ["screenshot"] if "screenshot" in sent.value else []
    body = _on_project(sent.value, beneath, alone)
    request, settings = validated(body, PreviewRequest, _previewed, beneath)
    members: tuple[Member, ...] = ()
    if request.devices is not None:
        screenshots, members = scene_body.parse(request.devices, sent.texts)
    else:
        form: SourceForm = "upload" if request.screenshot else "sample"
        src = request.screenshot.src if request.screenshot else ""
        screenshots = (ParsedScreenshot(form, sent.texts.get(src, src), PATH),)
    return ParsedRequest(
        screenshots,
        settings,
        fast=True,
        project_id=lower(request.project_id),
        geometry=True,
        reduced=request.reduced,
        members=members,
        texts=sent.texts,
    )


def validated(
    body: dict[str, Any],
    model: type[R],
    also: Callable[[dict[str, Any]], list[Detail]] = lambda data: [],
    beneath: Sequence[Mapping[str, Any]] = (),
) -> tuple[R, MergedSettings]:
    """A request and its own settings; raises a 400 that names every offending path and the faults in `also`.

    If there are devices `beneath`, the request has passed these checks without them, so any faults are the
    project's.
    """
    body, template = _layered(body, beneath) if "template" in model.model_fields else (body, None)
    given = body.get("settings")
    data = without_nulls({**body, "settings": None if isinstance(given, dict) else given}, model)
    found: list[Detail] = []
    request: R | None = None
    try:
        request = model.model_validate(data)
    except ValidationError as error:
        found += messages.details(error, model)
    texts = getattr(request, "texts", None)
    layer = template.layer(texts) if template else None
    settings = MergedSettings(given if isinstance(given, dict) else {}, template=layer, texts=texts)
    found += also(data)
    if devices := getattr(request, "devices", None):
        found += scene_body.faults(devices)
    project_id = data.get("projectId")
    if isinstance(project_id, str) and not is_uuid(project_id):
        found.append(Detail("projectId", f"expected a UUID, got {messages.shown(project_id)}"))
    # A project's device description may complete the request's, and its captions take the request's texts,
    # so the two are validated together.
    whole = project_id is None
    later = ("settings.device.", "texts")
    found += [fault for fault in settings.faults if whole or not fault.path.startswith(later)]
    if found or request is None:
        raise refusal(*(map(of_project, found) if beneath else found))
    return request, settings


def of_project(fault: Detail) -> Detail:
    """A fault of a device, with a note that a saved project has the device; a missing screenshot is the
    request's fault."""
    if fault.path.endswith(".screenshot"):
        return fault
    return replace(fault, message=fault.message + PROJECT_NOTE)


def _on_project(
    body: dict[str, Any], beneath: Sequence[Mapping[str, Any]], alone: list[str]
) -> dict[str, Any]:
    """The request's members; raises a 400 if it shows a single screenshot, `alone`, with a project that is a
    scene."""
    if beneath and alone and body.get("devices") is None:
        told = f"the saved project is a scene of {counted(len(beneath), 'device')}: name them in devices, "
        raise refusal(Detail(alone[0], f"{told}each with its screenshot"))
    return body


def _layered(
    body: dict[str, Any], beneath: Sequence[Mapping[str, Any]]
) -> tuple[dict[str, Any], Template | None]:
    """A request's members and its template; the devices are merged over those of its project and template."""
    template = templates.named(body.get("template"))
    below = templates.layered(template.devices if template else (), beneath)
    given = body.get("devices")
    if not below and (template is None or not isinstance(given, list)):
        return body, template
    own = {name: value for name, value in body.items() if name != "type" or value is not None}
    return {"type": "scene", **own, "devices": templates.under(below, given)}, template


def lower(project_id: str | None) -> str | None:
    """A project's id in its stored form."""
    return project_id.lower() if project_id else None


def parse_project(body: dict[str, Any], max_pixels: int) -> ProjectBody:
    """Validate a project to be saved; raises a 400 that names every offending path."""
    found: list[Detail] = []
    project: ProjectBody | None = None
    given = body.get("settings")
    data = without_nulls({**body, "settings": None}, ProjectBody)
    try:
        project = ProjectBody.model_validate(data | {"settings": given} if "settings" in body else data)
    except ValidationError as error:
        found += messages.details(error, ProjectBody)
    settings = MergedSettings(given if isinstance(given, dict) else {})
    found += settings.faults
    if found or project is None:
        raise refusal(*found)
    settings.resolve(max_pixels)
    return project.model_copy(update={"settings": settings.canonical()})


def parse_rename(body: dict[str, Any]) -> RenamedProject:
    """Validate a project's new name; raises a 400 that names every offending path."""
    try:
        return RenamedProject.model_validate(body)
    except ValidationError as error:
        raise refusal(*messages.details(error, RenamedProject)) from None


def parse_upload(body: dict[str, Any]) -> UploadBody:
    """Validate an upload by URL; raises a 400 that names every offending path."""
    try:
        return UploadBody.model_validate(body)
    except ValidationError as error:
        raise refusal(*messages.details(error, UploadBody)) from None


def _forms(data: dict[str, Any], *, with_file: bool, untyped: bool) -> list[Detail]:
    given = [name for name in ("screenshot", *FLAT) if name in data]
    if data.get("type") == "scene" or "devices" in data:
        return _scene(data, ["a file", *given] if with_file else given)
    if with_file:
        return [Detail(name, TWO) for name in given]
    found = []
    if not given:
        expected = "expected an object of type, src, or screenshot_url, or screenshot_base64"
        found.append(Detail("screenshot", f"missing; {expected}"))
    found += [Detail(name, f"expected one screenshot, but {given[0]} is given too") for name in given[1:]]
    if "type" not in data and not untyped and not any(name in FLAT for name in given):
        found.append(Detail("type", 'missing; expected "screenshot"'))
    return found


def _previewed(data: dict[str, Any]) -> list[Detail]:
    if data.get("type") == "scene" or "devices" in data:
        return _scene(data, ["screenshot"] if "screenshot" in data else [])
    return []


def _scene(data: dict[str, Any], beside: list[str]) -> list[Detail]:
    """The members that a scene lacks, or must not have `beside` its devices."""
    found = []
    if "devices" not in data:
        found.append(Detail("devices", f"missing; expected a list of 1 to {SCENE_DEVICES} devices"))
    if data.get("type") != "scene":
        said = "missing" if "type" not in data else f"got {messages.shown(data['type'])}"
        found.append(Detail("type", f'{said}; expected "scene" where there are devices'))
    found += [
        Detail("screenshot" if name == "a file" else name, "a scene's devices each have their own screenshot")
        for name in beside
    ]
    return found


def _source(request: MockupRequest, sent: JSONBody) -> ParsedScreenshot:
    form: SourceForm
    if request.screenshot is not None:
        form, text, path = request.screenshot.type, request.screenshot.src, PATH
    elif request.screenshot_url is not None:
        form, text, path = "url", request.screenshot_url, "screenshot_url"
    else:
        form, text, path = "base64", request.screenshot_base64 or "", "screenshot_base64"
    return ParsedScreenshot(form, sent.texts.get(text, text), path)
