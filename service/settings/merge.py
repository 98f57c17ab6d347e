"""Merge defaults, a saved project and a request into one set of settings, then validate the result."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic.alias_generators import to_camel

from ..errors import Detail, refusal
from ..limits import MAX_PIXELS, MAX_SIDE
from ..validation import messages
from ..validation.names import index, match, plain
from . import stores
from .poses import Turn
from .schema import PRESETS, Settings

# The members of `deviceTransform` that a pose sets, by their JSON names.
POSED = frozenset(map(to_camel, Turn._fields))
# Pairs of a device description's members: if a request has the first, it also replaces the second in a
# project.
RIVALS = (("ppi", "body"), ("body", "ppi"))
PROJECT_NOTE, TEMPLATE_NOTE = " (set by the saved project)", " (set by the template)"


def merge(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """Return `over` merged into `base`: objects member by member; lists, scalars and nulls replace.

    A pose in `over` also replaces the rotation and view that `base` gives; see `POSED`. A width or height
    replaces that of a preset in `base`. A described device replaces one of another `kind`. Of `ppi` and
    `body`, the one in `over` also replaces the other in `base`.
    """
    base = _with_sides(base, over)
    transform = over.get("deviceTransform")
    if isinstance(transform, Mapping) and transform.get("pose") is not None:
        base = _without_view(base)
    if _image(over).get("type") is not None:
        # The source belongs to the type, so it is dropped with it.
        image = {name: value for name, value in _image(base).items() if name not in ("type", "src")}
        base = _deep_merge(base, {"appearance": {"backgroundImage": None}} if _image(base) else {})
        base = _deep_merge(base, {"appearance": {"backgroundImage": image}} if image else {})
    own, below = over.get("device"), base.get("device")
    if isinstance(own, Mapping) and isinstance(below, Mapping):
        base = {**base, "device": _without_rivals(below, own)}
    return _deep_merge(base, over)


def _with_sides(base: Mapping[str, Any], over: Mapping[str, Any]) -> Mapping[str, Any]:
    """`base` with width and height in place of its preset, which would win over those in `over`."""
    own, below = over.get("canvas"), base.get("canvas")
    if not isinstance(own, Mapping) or not isinstance(below, Mapping) or "preset" in own:
        return base
    name = match(str(below.get("preset")), index(PRESETS))
    if name is None or (own.get("width") is None and own.get("height") is None):
        return base
    width, height = PRESETS[name]
    rest = {one: value for one, value in below.items() if one != "preset"}
    return {**base, "canvas": {**rest, "width": width, "height": height}}


def _image(settings: Mapping[str, Any]) -> Mapping[str, Any]:
    """The members of a background image."""
    appearance = settings.get("appearance")
    image = appearance.get("backgroundImage") if isinstance(appearance, Mapping) else None
    return image if isinstance(image, Mapping) else {}


def _deep_merge(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(base)
    for name, value in over.items():
        below = merged.get(name)
        merged[name] = (
            _deep_merge(below, value) if isinstance(below, dict) and isinstance(value, dict) else value
        )
    return merged


def _without_view(settings: Mapping[str, Any]) -> Mapping[str, Any]:
    transform = settings.get("deviceTransform")
    if not isinstance(transform, Mapping):
        return settings
    kept = {name: value for name, value in transform.items() if name not in POSED}
    return {**settings, "deviceTransform": kept}


def _without_rivals(device: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """The members of a description that still apply under another one."""
    kinds = [str(one.get("kind")) for one in (device, over)]
    if "kind" in over and plain(kinds[0]) != plain(kinds[1]):
        return {}
    gone = {other for given, other in RIVALS if over.get(given) is not None}
    return {name: value for name, value in device.items() if name not in gone}


def without_nulls(data: Mapping[str, Any], model: type[BaseModel] = Settings) -> dict[str, Any]:
    """Return the members that are not null; unknown members stay, so that validation still reports them."""
    known = messages.members(model)
    kept: dict[str, Any] = {}
    for name, value in data.items():
        field = known.get(name)
        if field is None:
            kept[name] = value
        elif value is not None:
            group = messages.group_of(field)
            item = messages.items_of(field)
            if item and isinstance(value, list):
                value = [without_nulls(one, item) if isinstance(one, dict) else one for one in value]
            kept[name] = without_nulls(value, group) if group and isinstance(value, dict) else value
    return kept


CaptionTexts = Sequence[str | dict[str, str]]


def with_texts(settings: dict[str, Any], texts: CaptionTexts) -> dict[str, Any]:
    """Settings whose captions have these texts, in order; captions without a text are left out.

    Raises ValueError for more texts than captions.
    """
    captions = settings.get("captions") or ()
    if not isinstance(captions, Sequence) or len(texts) > len(captions):
        raise ValueError(
            f"expected at most {len(captions)}, one for each caption of the settings, got {len(texts)}"
        )
    own = [{"text": text} for text in texts] + [{}] * (len(captions) - len(texts))
    pairs = zip(captions, own, strict=True)
    filled = [{**one, **text} if isinstance(one, Mapping) else one for one, text in pairs]
    kept = [one for one in filled if not isinstance(one, Mapping) or one.get("text")]
    return {**settings, "captions": kept} if captions else settings


class MergedSettings:
    """A request's settings over a saved project's, over a template's, over the defaults.

    They are merged and validated when made. `texts` are the captions' texts. `faults` is empty for valid
    settings; otherwise it names every offending path, which begins with `settings.` unless it is a path of
    the texts.
    """

    def __init__(
        self,
        request: Mapping[str, Any],
        project: Mapping[str, Any] | None = None,
        template: Mapping[str, Any] | None = None,
        texts: CaptionTexts | None = None,
    ) -> None:
        self._request, self._project = request, project
        self._template, self._texts = template, texts
        self._settings: Settings | None = None
        self.faults: list[Detail] = []
        merged = merge(merge(template or {}, project or {}), request)
        if texts is not None:
            try:
                merged = with_texts(merged, texts)
            except ValueError as error:
                self.faults.append(Detail("texts", str(error)))
                merged["captions"] = None
        try:
            self._settings = Settings.model_validate(without_nulls(merged))
        except ValidationError as error:
            details = messages.details(error, Settings, "settings.")
            self.faults += [self.with_origin(item) for item in details]

    def over(self, project: Mapping[str, Any]) -> MergedSettings:
        """The request's settings, merged over those of `project` instead."""
        return MergedSettings(self._request, project, self._template, self._texts)

    def resolve(self, max_pixels: int = MAX_PIXELS) -> Settings:
        """Return the valid settings; raises a 400 that names every offending path.

        The area of the output, the canvas times the square of the scale, is at most `max_pixels`.
        """
        faults = self.faults or self._oversize(max_pixels) or self._refused()
        if self._settings is None or faults:
            raise refusal(*faults)
        return self._settings

    def canonical(self) -> dict[str, Any]:
        """Return the request's own valid settings as sent, with every name in its canonical form."""
        return _canonical(self._request, Settings)

    def whole(self) -> dict[str, Any]:
        """The request's settings over the project's, as sent."""
        return merge(self._project or {}, self._request)

    def with_origin(self, detail: Detail) -> Detail:
        """Add a note to `detail` if its value comes from the project or template and not from the request."""
        root, _, rest = detail.path.partition(".")
        # Lists are replaced whole, so members have the list's origin.
        path = rest.partition("[")[0].split(".")
        if root != "settings" or _sets(self._request, path):
            return detail
        if _sets(self._project, path):
            return Detail(detail.path, detail.message + PROJECT_NOTE)
        if _sets(self._template, path):
            return Detail(detail.path, detail.message + TEMPLATE_NOTE)
        return detail

    def _oversize(self, max_pixels: int) -> list[Detail]:
        settings = self._settings
        if settings is None or math.prod(settings.output_size) <= max_pixels:
            return []
        scale = settings.export.scale
        width, height = (round(side / scale) for side in settings.output_size)
        most = math.floor(math.sqrt(max_pixels / (width * height)) * 100) / 100
        message = (
            f"expected at most {most:g} for a canvas of {width} x {height}, got {scale:g}: "
            f"the output is limited to {max_pixels / 1e6:g} megapixels"
        )
        if settings.canvas.slices > 1 and most < 1:
            message = (
                f"expected fewer or smaller slices: the canvas of {width} x {height} that they are cut from "
                f"is larger than {max_pixels / 1e6:g} megapixels"
            )
            return [self.with_origin(Detail("settings.canvas.slices", message))]
        request = self._request
        if self._project is not None and not (
            _sets(request, ["export", "scale"]) or _sets(request, ["canvas"])
        ):
            message += PROJECT_NOTE
        return [Detail("settings.export.scale", message)]

    def _refused(self) -> list[Detail]:
        """The faults of a picture: that it is too wide, or that its store refuses it."""
        settings = self._settings
        assert settings is not None
        export, found = settings.export, []
        if settings.output_size[0] > MAX_SIDE:
            text = f"expected fewer or narrower slices: together they are {settings.output_size[0]} px wide, "
            found.append(Detail("settings.canvas.slices", f"{text}more than {MAX_SIDE}"))
        if export.store is not None:
            count, clear = settings.canvas.slices, not settings.appearance.solid
            size = settings.slice_size
            found += stores.refused(export.store, size, kind=export.format, alpha=clear, count=count)
        return [self.with_origin(one) for one in found]


def _canonical(data: Mapping[str, Any], model: type[BaseModel]) -> dict[str, Any]:
    known = messages.members(model)
    renamed: dict[str, Any] = {}
    for name, value in data.items():
        field = known[name]
        group = messages.group_of(field)
        item = messages.items_of(field)
        if item and isinstance(value, list):
            renamed[name] = [_canonical(one, item) for one in value]
            continue
        nested = group is not None and isinstance(value, dict)
        renamed[name] = _canonical(value, group) if group and nested else messages.canonical(field, value)
    return renamed


def _sets(data: Any, path: list[str]) -> bool:
    """Whether `data` has a value at `path`, or anything but an object on the way there."""
    if data is None:
        return False
    for name in path:
        if not isinstance(data, Mapping):
            return True
        if name not in data:
            return False
        data = data[name]
    return data is not None
