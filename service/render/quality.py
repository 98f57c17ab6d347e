"""The quality in which a body is painted: for pictures, for films in motion, and for quick previews."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Quality:
    """The quality in which a body is painted; previews leave out details that are hardly seen at half the
    size.

    Samples: walls have `density` samples per mm, but along each axis of a pixel at least the first number in
    `samples` and at most the second; layers have the first.

    Segments: those of corners, grooves and rounded edges are halved `halvings` times. They are halved once
    more if corners and grooves are smaller than `small_corner` px, or edges smaller than `small_edge` px. The
    wall that straps come out of has `case_rows` more rows of vertices. Parts on side walls narrower than
    `least_part` px are left out.

    Light: each vertex has `flat_rays` on straight walls and `wall_rays` on others, and each point of a face
    has `face_rays`. Between panels, light bounces `bounces` more times after the first bounce. It is gathered
    at `gather_points` along each side of a face over which something stands, and at `bend_rows` around an arc
    between such faces; with half as many rows, a hard line would cross the bend of an iMac's stand in the
    environment `window`. Between these points, it is interpolated to texels of `gather_texel` px or more.
    Faces, walls and edges narrower than `narrow` px hide no light from others, and nothing hides any from
    them.

    Contact shadows: `shadow_cell` cells of the sky along each axis count as one. A lobe has `shadow_rays`
    rays. Straight sides count up to a length of `shadow_side` part heights. Parts that rise less than
    `shadow_rise` px over a side wall have no shadow.

    - `batched`: walls that look alike are lit together.
    - `contact`: light changes where slabs meet.
    - `gloss_shadows`: in a contact shadow, gloss loses its own light, not that of the paint below it.
    - `reflections`: smooth surfaces show images of parts, and are shaded pixel by pixel where they bend.
    - `exact_pictures`: pictures are translucent pixel by pixel and wrap around edges.
    - `exact_edges`: halves of a fold and screens have exact edges.
    - `soft_edges`: edges inside a device are filtered more widely.
    - `shared_pixels`: pixels that slabs share are painted again on a finer canvas.
    - `grain`: surfaces have grain.
    """

    density: float = 16.0
    samples: tuple[int, int] = (3, 8)
    halvings: int = 0
    small_corner: float = 0.0
    small_edge: float = 0.0
    case_rows: int = 6
    least_part: float = 0.0
    flat_rays: int = 96
    wall_rays: int = 48
    face_rays: int = 96
    bounces: int = 2
    gather_points: int = 9
    bend_rows: int = 18
    gather_texel: float = 0.0
    narrow: float = 0.0
    shadow_cell: int = 1
    shadow_rays: int = 24
    shadow_side: float = math.inf
    shadow_rise: float = 0.0
    batched: bool = False
    contact: bool = True
    gloss_shadows: bool = True
    reflections: bool = True
    exact_pictures: bool = True
    exact_edges: bool = True
    soft_edges: bool = True
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

#: For a film's poses in motion: the outlines, pictures and samples are those of `FULL`. Frames differ from
#: still pictures by 0.02 code values on average, and the worst hundredth of their pixels by less than one.
#: Without exact pictures, the letters on a laptop's keys would differ visibly; so would its deck, if bounced
#: light were gathered at fewer points.
MOVING = replace(_COARSE, face_rays=48, gather_points=FULL.gather_points, exact_pictures=True)

#: For previews. Most are painted on a canvas of half the size; for the others, see `preview.whole`.
PREVIEW = replace(
    _COARSE,
    density=FULL.density / 3,  # at least two per pixel, where pictures have three
    samples=(2, 3),
    small_corner=4.0,
    small_edge=2.0,
    case_rows=0,
    least_part=2.5,
    gather_texel=2.5,
    narrow=4.0,
    batched=True,
    contact=False,
    reflections=False,
    exact_edges=False,
    soft_edges=False,
    grain=False,
)
