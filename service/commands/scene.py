"""`scene`: renders several devices in one picture without a server."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field, ValidationError

from ..api import scene_body
from ..api.scene_body import ListedDevice, ParsedScreenshot
from ..clock import Clock
from ..errors import Detail, MockupError, invalid, refusal
from ..limits import CAPTIONS, SCENE_DEVICES
from ..settings import templates
from ..settings.background_image import PATH
from ..settings.captions import Text
from ..settings.merge import merge, without_nulls
from ..settings.scene_device import SceneSettings
from ..settings.schema import Settings
from ..settings.templates import TEMPLATES, under
from ..validation import aliases, messages
from ..validation.group import Group, Whole
from ..validation.messages import ValidatedAs
from . import settings_file
from .background_images import BackgroundImages
from .render import Destination, fetcher_of, output_for, read_background, settings_for, write
from .render import read as read_screenshot
from .reporter import Reporter
from .screenshots import STDIN, ScreenshotFile, find, is_url
from .settings_file import Assigned

if TYPE_CHECKING:
    from ..config import Config
    from ..processes.forks import ForkServer
    from ..settings.rendering import Rendering
    from ..workers.renderers import Renderers


_PICTURE = "a picture; the first file describes the scene, or --template ID takes screenshots alone"


class FiledScreenshot(Group):
    """The screenshot of a device in a scene's file."""

    other_names = aliases.SCREENSHOT

    type: Literal["file", "url", "base64", "same"] = Field(description="form of src")
    src: str | None = Field(None, min_length=1, description="a file's name, a URL or base64 data")
    index: Whole | None = Field(
        None, ge=0, le=SCENE_DEVICES - 1, description="for same: another device's place"
    )


class FiledDevice(ListedDevice):
    """A device in a scene's file."""

    screenshot: FiledScreenshot = Field(description="the screenshot's source")


class SceneFile(Group):
    """A scene's file."""

    other_names = aliases.REQUEST

    type: Literal["scene"] | None = Field(None, description="optional")
    devices: tuple[FiledDevice, ...] = Field(
        min_length=1, max_length=SCENE_DEVICES, description="the devices"
    )
    settings: Annotated[dict[str, Any] | None, ValidatedAs(Settings)] = Field(None, description="settings")
    template: Annotated[str | None, TEMPLATES] = Field(
        None, description="a template, which lies beneath devices and settings"
    )
    texts: tuple[Text, ...] | None = Field(
        None,
        max_length=CAPTIONS,
        description="the captions' texts, in order; captions without one are left out",
    )


@dataclass(frozen=True, slots=True)
class SceneTask:
    """A scene, its screenshots, and where the picture goes; `shown` names it in messages."""

    shown: str
    wanted: SceneSettings
    screenshots: tuple[ParsedScreenshot, ...]
    output: Destination
    folder: Path


@dataclass(frozen=True, slots=True)
class SceneSource:
    """The source of a scene: a file, or a template with the texts of its captions; and screenshots.

    The screenshots go to the devices that have none, in order.
    """

    file: Path | None
    template: str | None
    texts: tuple[str, ...] | None
    inputs: tuple[str, ...]

    @property
    def shown(self) -> str:
        """The scene's name in messages."""
        return str(self.file or self.template)

    def members(self) -> dict[str, Any]:
        """The members of the scene's file; raises a 400."""
        given = {} if self.file is None else settings_file.read(self.file, refusing_pictures=_PICTURE)
        if self.template is not None:
            given = {**given, "template": self.template}
        return given if self.texts is None else {**given, "texts": list(self.texts)}


def read(source: SceneSource, output: str, over: Assigned, config: Config) -> SceneTask:
    """A scene from its source; raises a 400."""
    folder = Path() if source.file is None or source.shown == STDIN else source.file.parent
    given = source.members()
    return parse(given, source.inputs, output, over, config, shown=source.shown, folder=folder)


def parse(
    given: dict[str, Any],
    inputs: Sequence[str] | None,
    output: str,
    over: Assigned,
    config: Config,
    *,
    shown: str,
    folder: Path,
) -> SceneTask:
    """A scene whose files are in `folder`, with `inputs` for devices without a screenshot; as `read`."""
    place = output_for(output, [], [ScreenshotFile(STDIN, shown, Path(shown).stem)])
    if place.is_folder:
        raise invalid(f"{output}: names a folder; a scene is one picture, so name a file")
    wanted, screenshots = validated(given, inputs, place, over, config)
    slices = wanted.settings.canvas.slices
    if slices > 1 and place.is_stdout:
        raise invalid(f"-: stdout takes one picture, but canvas.slices makes {slices}")
    return SceneTask(shown, wanted, screenshots, place, folder)


def validated(
    given: Mapping[str, Any],
    inputs: Sequence[str] | None,
    place: Destination,
    over: Assigned,
    config: Config,
) -> tuple[SceneSettings, tuple[ParsedScreenshot, ...]]:
    """The settings and screenshots of a scene's members; raises a 400 that names every offending path.

    Without `inputs`, all screenshots are in the members.
    """
    template = templates.named(given.get("template"))
    devices = given.get("devices")
    if template is not None:
        # A template of a single device becomes a scene of one device.
        devices = under(template.devices, devices) or [{}]
    sent = {**given, "devices": _with_inputs(devices, inputs or ()), "settings": None}
    found: list[Detail] = []
    file: SceneFile | None = None
    try:
        file = SceneFile.model_validate(without_nulls(sent, SceneFile))
    except ValidationError as error:
        faults = messages.details(error, SceneFile)
        found += faults if inputs is None else map(_asking, faults)
    else:
        found += scene_body.faults(file.devices)
    base = given.get("settings") or {}
    if not isinstance(base, dict):
        found.append(Detail("settings", "expected an object"))
        base = {}
    texts = file.texts if file else None
    base = merge(template.layer(texts) if template else {}, base)
    settings = settings_for(place, base, over.settings, config, [*found, *over.faults], texts)
    assert file is not None
    screenshots, members = scene_body.parse(file.devices, {})
    return SceneSettings(settings, members, named=True), screenshots


def _asking(fault: Detail) -> Detail:
    """A fault of a scene's members; that of a device without a screenshot asks for one more input."""
    lacks = fault.message.startswith("missing") and fault.path.endswith(".screenshot")
    return Detail(fault.path, "missing; give another file, for this device") if lacks else fault


def _with_inputs(devices: Any, inputs: Sequence[str]) -> Any:
    """A scene's devices, of which those without a screenshot take the `inputs`, in order."""
    if not isinstance(devices, list):
        return devices
    # Each argument separately, because several devices may show the same file.
    left = [one.place for text in inputs for one in find([text])]
    filled: list[Any] = []
    for device in devices:
        shot = device.get("screenshot") if isinstance(device, Mapping) else ""
        if shot is None and left:
            # Relative paths start at the working directory, not at the scene's folder.
            place = left.pop(0)
            shot = place if is_url(place) else str(Path(place).absolute())
        if isinstance(shot, str) and isinstance(device, Mapping):
            device = {**device, "screenshot": {"type": "url" if is_url(shot) else "file", "src": shot}}
        filled.append(device)
    if left:
        raise invalid(f"{left[0]}: no device is left without a screenshot")
    return filled


def run(task: SceneTask, fast: bool, config: Config, fork_server: ForkServer, reporter: Reporter) -> None:
    """Render the scene and write its picture; raises MockupError, and OSError for files."""
    made = asyncio.run(_rendered(task, fast, config, fork_server))
    target = None if task.output.is_stdout else Path(task.output.place)
    write(target, made)
    for warning in made.warnings:
        reporter.warn(f"{task.shown}: warning: {warning.message}")
    reporter.result(
        {
            "scene": task.shown,
            "output": task.output.place,
            "bytes": len(made.data),
            "mimeType": made.mime,
            "width": made.width,
            "height": made.height,
            "devices": list(made.devices),
            "warnings": [{"code": one.code, "message": one.message} for one in made.warnings],
        }
    )


async def _rendered(task: SceneTask, fast: bool, config: Config, fork_server: ForkServer) -> Rendering:
    from ..workers.opening import open_renderers

    config = config.model_copy(update={"render_threads": 1})
    with closing(open_renderers(config, fork_server)) as renderers:
        return await rendered(task, config, renderers, fast=fast, files_behind=True)


async def rendered(
    task: SceneTask,
    config: Config,
    renderers: Renderers,
    *,
    fast: bool = False,
    geometry: bool = False,
    files_behind: bool = False,
) -> Rendering:
    """Render a scene, with the `geometry` of its devices if requested; raises MockupError.

    With `files_behind`, the background image may be any file that this user can read.
    """
    from ..admission.footprint import source_limits
    from ..engine.request import GivenScreenshot, RenderOptions, prepare
    from ..sources import inline

    image = task.wanted.settings.appearance.background_image
    remote = image is not None and image.type == "url" and (not files_behind or is_url(image.src or ""))
    remote = remote or any(one.form == "url" for one in task.screenshots)
    fetcher = fetcher_of(config) if remote else None

    async def fetch(place: str) -> bytes:
        if files_behind:
            return await read_background(place, fetcher, config.max_source_bytes)
        assert fetcher is not None
        return await fetcher.fetch(place, Clock(), user="command line", path=PATH)

    async def given(one: ParsedScreenshot) -> GivenScreenshot:
        if one.form == "base64":
            return GivenScreenshot(inline.decode(one.src, config.max_source_bytes, one.path))
        place = one.text if one.form == "url" else str(task.folder / one.text)
        file = ScreenshotFile(place, place, "")
        try:
            data = await read_screenshot(file, fetcher, config.max_source_bytes)
        except MockupError as error:
            raise refusal(Detail(one.path, error.message)) from error
        except OSError as error:
            raise refusal(Detail(one.path, f"{place}: {error.strerror}")) from error
        return GivenScreenshot(data, host=file.host)

    try:
        files = [await given(one) for one in task.screenshots]
        images = BackgroundImages(fetch, config.max_source_bytes)
        behind = await images.read(task.wanted.settings, task.folder if files_behind else None)
        limits = source_limits(config)
        options = RenderOptions(fast, geometry=geometry)
        request = prepare(files, task.wanted, limits, options, behind=behind)
        return await renderers.render(request, Clock())
    finally:
        if fetcher is not None:
            await fetcher.close()
