"""The quality in which a body is painted: for pictures, for films in motion, and for quick previews."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Quality:
    """The quality of a body's painting: previews leave out details that are hardly seen at half the size.

    Samples: walls have `density` samples per mm, within the least and the most `samples` a pixel and axis;
    layers have the least.

    Segments: those of corners and rounded edges are halved `halvings` times, and once more where corners have
    less than `small_corner` px and edges less than `small_edge`. The wall that straps come out of has
    `case_rows` more rows of vertices.

    Light: rays for each vertex of straight walls (`flat_rays`) and of others (`wall_rays`), and for each
    point of a face (`face_rays`); `bounces` between panels after the first; points along a side of a face
    that something stands over (`gather_points`) and around an arc between such faces (`bend_rows`).

    Contact shadows: `shadow_cell` cells of the sky along each axis count as one; a lobe has `shadow_rays`;
    straight sides count up to `shadow_side` part heights; parts that rise less than `shadow_rise` px over a
    side wall have none.

    Whether walls that look alike are lit together (`batched`), lobes see occluders as sharply as each of
    their rays (`sharp_occluders`), light changes where slabs meet (`contact`), gloss loses other light than
    the paint below it (`gloss_shadows`), smooth surfaces show images of parts and mirror pixel by pixel where
    they bend (`reflections`), pictures are translucent pixel by pixel and wrap around edges
    (`exact_pictures`), halves of a fold and screens end exactly (`exact_edges`), pixels that slabs share are
    painted again more finely (`shared_pixels`), and surfaces have their `grain`.
    """

    density: float = 16.0
    samples: tuple[int, int] = (3, 8)
    halvings: int = 0
    small_corner: float = 0.0
    small_edge: float = 0.0
    case_rows: int = 6
    flat_rays: int = 96
    wall_rays: int = 48
    face_rays: int = 96
    bounces: int = 2
    gather_points: int = 9
    bend_rows: int = 9
    shadow_cell: int = 1
    shadow_rays: int = 24
    shadow_side: float = math.inf
    shadow_rise: float = 0.0
    batched: bool = False
    sharp_occluders: bool = True
    contact: bool = True
    gloss_shadows: bool = True
    reflections: bool = True
    exact_pictures: bool = True
    exact_edges: bool = True
    shared_pixels: bool = True
    grain: bool = True


#: For pictures. With fewer samples per mm, the edge of a thin rim flickers.
FULL = Quality()

# The lower quality of light that previews and frames in motion share.
_COARSE = replace(
    FULL,
    halvings=1,
    flat_rays=24,
    wall_rays=24,
    bounces=1,
    gather_points=6,
    bend_rows=5,
    shadow_cell=2,
    shadow_rays=12,
    shadow_side=8.0,
    shadow_rise=1.0,
    exact_pictures=False,
    gloss_shadows=False,
    shared_pixels=False,
)

#: For a film's poses in motion: the outlines, pictures and samples of `FULL`.
#: Frames differ from still pictures by a tenth of a code value, and by two in their worst hundredth.
MOVING = replace(_COARSE, face_rays=48)

#: For previews, which are painted on a canvas half the size.
PREVIEW = replace(
    _COARSE,
    density=FULL.density / 3,  # at least two per pixel, where pictures have three
    samples=(2, 3),
    small_corner=4.0,
    small_edge=2.0,
    case_rows=0,
    batched=True,
    sharp_occluders=False,
    contact=False,
    reflections=False,
    exact_edges=False,
    grain=False,
)
