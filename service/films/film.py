"""A film, resolved once from its request for all later steps."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from pydantic import ValidationError

from ..devices.categories import WINDOWS
from ..devices.content import Content
from ..errors import Detail, refusal
from ..limits import FILM_FRAMES, FILM_LARGE_PIXELS, FILM_LARGE_S, FILM_PIXELS, FILM_S
from ..render.compose import shot
from ..render.geometry.camera import aim
from ..render.paint import screens
from ..settings import stores, warnings
from ..settings.motion import Motion
from ..settings.resolve import Source, resolve_scene
from ..settings.scene import PlateSpec, Scene, Transform
from ..settings.scene_device import Member, SceneSettings
from ..settings.warnings import Warning
from ..validation import messages
from . import lid, motion, schedule
from .encoders.encoder import Reel
from .formats import FILM_FORMATS
from .messages import FilmRequest
from .motion import FramePose, Path, ScrollRun
from .schedule import Schedule
from .source import RecordingFacts

STILL_S = 4.0  # duration of a film of a still picture
GIF_FPS = 50
# Members of `settings.export` that only pictures have.
OF_PICTURES = ("format", "quality", "store", "metadata")
# Decimals to which poses and lid angles are rounded, so that rounding errors do not make equal ones differ.
PLACES, LID_PLACES = 4, 2


@dataclass(frozen=True, slots=True)
class Film:
    """A resolved film: the scene at rest, the poses, the times of the frames, and the file format.

    `shows` has, for each recording, the part of it that is shown, None for a still picture; `shown` has the
    index of the recording that each device shows.
    `run` scrolls a long screenshot, if there is one, by `run_px` on the canvas from its top to its end.
    `framed` is the transform that frames the whole film.
    """

    scene: Scene
    path: Path
    framed: Transform
    schedule: Schedule
    run: ScrollRun | None
    reel: Reel
    flattened: bool
    warnings: tuple[Warning, ...]
    run_px: float = 0.0
    shows: tuple[Schedule | None, ...] = ()
    shown: tuple[int, ...] = (0,)

    def spec(self, time: float) -> PlateSpec:
        """The plate spec at a time, seconds."""
        if not self.path.moves:
            return replace(self.scene.spec, transform=_rounded(self.framed))
        pose = self._pose(time)
        moving = pose != self._pose(time + 1 / self.schedule.fps)
        return opened(replace(self.scene.spec, transform=pose.transform, moving=moving), pose)

    def _pose(self, time: float) -> FramePose:
        pose = self.path.pose(time)
        return FramePose(_rounded(pose.transform), None if pose.lid is None else round(pose.lid, LID_PLACES))


def opened(spec: PlateSpec, pose: FramePose) -> PlateSpec:
    """A plate spec with the lids of its devices at a pose's angle, if the pose has one."""
    if pose.lid is None:
        return spec
    instances = tuple(
        one if lid.opening(one.device) is None else replace(one, device=lid.at(one.device, pose.lid))
        for one in spec.instances
    )
    return replace(spec, instances=instances)


def _opening(spec: PlateSpec) -> float | None:
    """The angle of the first lid, degrees; None without any."""
    angles = (lid.opening(one.device) for one in spec.instances)
    return next((angle for angle in angles if angle is not None), None)


@dataclass(frozen=True, slots=True)
class FilmedFile:
    """A file that screens show: the facts of a recording, or of a `still` picture with the given
    `content`."""

    facts: RecordingFacts
    still: bool = False
    content: Content | None = None

    @property
    def size(self) -> tuple[int, int]:
        """Width and height, px."""
        return self.facts.width, self.facts.height


def resolve_film(request: FilmRequest, *sources: FilmedFile) -> Film:
    """The film of some recordings, in the order of the request's; raises a 400."""
    asked = request.motion
    shown = tuple(Source(one.size, one.content, request.host) for one in sources)
    scene = resolve_scene(_wanted(request), shown, fast=request.fast)
    shows = _shows(request, sources)
    length = max((one.duration for one in shows if one), default=asked.duration or STILL_S)
    times = Schedule(length, asked.fps, 0.0, length)
    shows = tuple(one and replace(one, duration=length) for one in shows)
    _check(request, scene, times)
    path = Path(asked, scene.spec.transform, times.duration, _opening(scene.spec))
    framed = _framed(scene.spec, path, times)
    path = replace(path, rest=framed)
    solid = scene.spec.background.solid
    keeps = FILM_FORMATS[request.export.format].alpha and request.export.alpha
    spec = scene.spec
    reel = Reel(
        request.export.format,
        spec.width,
        spec.height,
        times.fps,
        times.count,
        keeps and not solid,
        request.export.quality,
        request.export.max_bytes,
    )
    run = motion.run(asked, times.duration)
    sizes = _sizes(request, scene, sources)
    if run is not None and not _is_long(scene, sizes):
        raise refusal(
            Detail("motion.scroll", "expected a screenshot taller than the screen, with screen.fit cover")
        )
    return Film(
        scene,
        path,
        framed,
        times,
        run,
        reel,
        flattened=not solid and not keeps,
        warnings=scene.warnings
        + _warnings(
            request,
            [(one.facts.fps, part) for one, part in zip(sources, shows, strict=True) if part],
            flat=not solid and not keeps,
            framed=_framed_by_device(scene),
        ),
        run_px=_run_px(replace(scene.spec, transform=framed), scene, sizes) if run is not None else 0.0,
        shows=shows,
        shown=_shown(request, scene),
    )


def _shown(request: FilmRequest, scene: Scene) -> tuple[int, ...]:
    """The index of the recording that each device shows."""
    return request.shown or (0,) * len(scene.spec.instances)


def _shows(request: FilmRequest, sources: Sequence[FilmedFile]) -> tuple[Schedule | None, ...]:
    """The part of each recording that is shown, None for still pictures; raises a 400."""
    asked, problems = request.motion, list[Detail]()
    most, found = min(FILM_S, FILM_FRAMES / asked.fps), list[Schedule | None]()
    for one, playback, name in zip(sources, request.playbacks, request.names, strict=True):
        part = None
        if not one.still:
            try:
                part = schedule.schedule(playback, one.facts.length, asked.duration, asked.fps, most)
            except ValueError as error:
                problems.append(Detail(f"{name}.start", str(error)))
        found.append(part)
    if problems:
        raise refusal(*problems)
    return tuple(found)


def _sizes(request: FilmRequest, scene: Scene, sources: Sequence[FilmedFile]) -> list[tuple[int, int]]:
    """The size, px, of the recording or picture on each screen."""
    pairs = zip(scene.spec.instances, _shown(request, scene), strict=True)
    return [sources[index].size for one, index in pairs for _ in one.device.screens]


def _wanted(request: FilmRequest) -> SceneSettings:
    if not request.devices:
        return SceneSettings(request.settings)
    shown = request.shown or (0,) * len(request.devices)
    members = tuple(map(Member, request.devices, shown))
    return SceneSettings(request.settings, members, named=True)


def _check(request: FilmRequest, scene: Scene, times: Schedule) -> None:
    """Raise a 400 for a film that is too long or large, or moves a part that the device does not have."""
    problems: list[Detail] = []
    spec, asked, export = scene.spec, request.motion, request.export
    # Check again, because the duration may have come from the recording.
    given = {**asked.model_dump(by_alias=True, exclude_unset=True), "duration": times.duration}
    try:
        Motion.model_validate(given)
    except ValidationError as error:
        problems += messages.details(error, Motion, "motion.")
    most = FILM_LARGE_PIXELS if times.duration <= FILM_LARGE_S else FILM_PIXELS
    if spec.width * spec.height > most:
        problems.append(
            Detail(
                "settings.canvas",
                f"expected at most {most / 1e6:g} megapixels for {times.duration:.3g} s, "
                f"got {spec.width} x {spec.height} pixels",
            )
        )
    if FILM_FORMATS[export.format].coder and (spec.width % 2 or spec.height % 2):
        message = f"expected an even width and height for {export.format}, got {spec.width} x {spec.height}"
        problems.append(Detail("settings.canvas", message))
    if export.format == "gif" and times.fps > GIF_FPS:
        problems.append(Detail("motion.fps", f"expected at most {GIF_FPS} for gif, got {times.fps}"))
    if export.store is not None:
        refused = stores.refused_preview(
            (spec.width, spec.height),
            seconds=times.duration,
            fps=times.fps,
            kind=export.format,
            framed=_framed_by_device(scene),
        )
        problems += [Detail("export.store", f"the App Store {text}") for text in refused]
    if (slices := request.settings.canvas.slices) > 1:
        problems.append(Detail("settings.canvas.slices", f"expected 1 for a film, got {slices}"))
    if request.settings.appearance.background_image is not None:
        problems.append(Detail("settings.appearance.backgroundImage", "expected none for a film"))
    if spec.depth:
        problems.append(Detail("settings.postProcessing.depth", "expected none for a film"))
    lids = [one.lid for one in asked.keyframes if one.lid is not None]
    if (lids or (asked.move and asked.move.name == "lid-open")) and _opening(spec) is None:
        names = ", ".join(dict.fromkeys(one.device.id for one in spec.instances))
        problems.append(Detail("motion", f"{names} has no lid; laptops have one"))
    if problems:
        raise refusal(*problems)


def _framed_by_device(scene: Scene) -> bool:
    return any(one.device.category not in WINDOWS for one in scene.spec.instances)


def _framed(spec: PlateSpec, path: Path, times: Schedule) -> Transform:
    """The transform at rest with `upright` framing: the same picture, but poses in motion are not reframed.

    With `auto`, the device is as large as possible without coming too near an edge in any pose.
    """
    at_rest = aim(spec)
    unit = aim(replace(spec, transform=replace(spec.transform, scale=1.0, framing="upright"))).k
    scale = at_rest.k / unit
    if spec.transform.framing == "auto" and path.moves:
        scale = min([scale, *(spec.transform.scale * share for share in _shares(spec, path, times, unit))])
    x, y = at_rest.center
    return replace(
        spec.transform,
        scale=scale,
        x=2 * x / spec.width - 1,
        y=1 - 2 * y / spec.height,
        framing="upright",
    )


def _shares(spec: PlateSpec, path: Path, times: Schedule, unit: float) -> list[float]:
    """The factors by which `auto` framing would make the device smaller, in a sample of the poses."""
    found = []
    for number in range(0, times.count, max(1, times.count // 24)):
        pose = path.pose(times.time(number))
        turned = replace(pose.transform, scale=1.0, x=0.0, y=0.0)
        found.append(aim(opened(replace(spec, transform=turned), pose)).k / unit)
    return found


def _rounded(transform: Transform) -> Transform:
    return replace(
        transform,
        scale=round(transform.scale, PLACES + 2),
        x=round(transform.x, PLACES + 2),
        y=round(transform.y, PLACES + 2),
        rx=round(transform.rx, PLACES) + 0.0,
        ry=round(transform.ry, PLACES) + 0.0,
        rz=round(transform.rz, PLACES) + 0.0,
        fov=round(transform.fov, PLACES),
    )


def _is_long(scene: Scene, sizes: Sequence[tuple[int, int]]) -> bool:
    """Whether a screen crops its screenshot, of the given size in px, at the top or the bottom."""
    sides = (one.size for one in screens.view(scene.spec).screens)
    return any(
        one.fit.fit == "cover" and size[1] / size[0] > 1.02 * height / width
        for one, (width, height), size in zip(scene.each_screen, sides, sizes, strict=True)
    )


def _run_px(spec: PlateSpec, scene: Scene, sizes: Sequence[tuple[int, int]]) -> float:
    """The largest distance, canvas px, that a screenshot scrolls from its top to its end; `sizes` are the
    screenshots' sizes, px, one per screen."""
    found = []
    for one, plane, size in zip(scene.each_screen, screens.view(spec).screens, sizes, strict=True):
        placement = shot.place(size, plane.size, one.fit)
        found.append(shot.demand([placement], [plane])[1] * (1 - placement.crop[3]))
    return max(found)


def _warnings(
    request: FilmRequest, played: Iterable[tuple[float, Schedule]], *, flat: bool, framed: bool
) -> tuple[Warning, ...]:
    """Warnings about a film; `played` has the frame rate and the schedule of each recording."""
    preview = (request.settings.canvas.preset or "").startswith(stores.PREVIEW_PRESETS)
    given = [f"export.{name}" for name in OF_PICTURES if name in request.settings.export.model_fields_set]
    possible = (
        warnings.no_effect(given, "on films; the film's file is the request's own export"),
        warnings.frame_forbidden() if preview and framed else None,
        *(
            warnings.frames_resampled(fps, part.fps, part.speed)
            for fps, part in played
            if not math.isclose(fps * part.speed, part.fps, rel_tol=0.01)
        ),
        warnings.audio_dropped() if request.sound else None,
        warnings.film_flattened(request.export.format) if flat else None,
    )
    # Several recordings with the same rate need only one warning.
    return tuple(dict.fromkeys(one for one in possible if one))
