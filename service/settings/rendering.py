"""The result of a render."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise

import pybase64

from ..devices.geometry import Geometry, Shape
from .warnings import Warning


@dataclass(frozen=True, slots=True)
class Rendering:
    """An encoded picture, or its base64, and the response's information about it.

    `data` has the slices of a picture one after the other, with the byte counts in `sizes`; without
    `sizes`, it is one picture. `width` and `height` are those of each slice. `geometry` and `shape` of each
    device are present if requested; if only the shape is requested, there is no picture. `devices` are the
    devices of a scene, of which `device` is the first.
    """

    data: bytes | memoryview
    mime: str
    width: int
    height: int
    device: str
    warnings: tuple[Warning, ...]
    geometry: tuple[Geometry, ...] = ()
    shape: tuple[Shape, ...] = ()
    sizes: tuple[int, ...] = ()
    devices: tuple[str, ...] = ()

    @property
    def pictures(self) -> tuple[memoryview, ...]:
        """The data of each picture."""
        whole = memoryview(self.data)
        ends = accumulate(self.sizes or (len(whole),), initial=0)
        return tuple(whole[start:end] for start, end in pairwise(ends))

    def several(self, pictures: Sequence[bytes]) -> Rendering:
        """The rendering with several `pictures` as its data."""
        return replace(self, data=b"".join(pictures), sizes=tuple(map(len, pictures)))

    def in_base64(self) -> Rendering:
        """The rendering with its data in base64."""
        if self.sizes:
            return self.several([pybase64.b64encode(data) for data in self.pictures])
        return replace(self, data=pybase64.b64encode(self.data))
