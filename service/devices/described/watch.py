"""Sheets of described watches: rounded rectangles, or round if the screen is."""

from __future__ import annotations

from ..device import Corner
from ..families.sheet import Button, Crown, Disc, Watch, WatchStrap
from .handheld import ID, SURFACES, finish, panel
from .measures import Measured

USUAL = 38.0  # mm; the width of a case with these parts
ROUND = 0.47  # least radius of a round screen's corners, as a share of its shorter side


def watch(made: Measured) -> Watch:
    """The sheet of a described watch."""
    width, height, depth = made.body
    bezel = min(made.bezel)
    scale = min(width / USUAL, height / 44.0)
    round_ = made.radius >= ROUND * min(made.screen) and abs(width - height) < 0.1
    # Real round watches have flat backs, so their edges are less round. A rounder edge would also cut the
    # straps in steps.
    edge = min((1.6 if round_ else 3.0) * scale, 0.36 * depth, bezel - 0.25)
    rim = min(1.3 * scale, 0.35 * bezel)
    radius = min(max(made.radius + bezel, 1.6 * edge + 0.6), 0.499 * min(width, height))
    screen = panel(made)
    case = Corner(extent=round(width / 2 - 0.001, 4)) if round_ else None
    return Watch(
        id=ID,
        name="Custom watch",
        brand=None,
        category="watch",
        year=None,
        screen=screen.model_copy(update={"corner": Corner(extent=made.radius)}) if round_ else screen,
        finishes=(finish(made),),
        body=made.body,
        corner=case,
        radius=round(radius, 4),
        edge=round(edge, 4),
        rim=round(rim, 4),
        frame=SURFACES[made.description.material][0],
        back=SURFACES[made.description.material][0],
        sensor=Disc(
            diameter=round(min(26.0 * scale, 0.6 * min(width, height)), 4), rise=1.8, windows="eight"
        ),
        crowns=(
            Crown(
                center=round(height / 2 if round_ else 0.316 * height, 4),
                diameter=round(min(6.3 * scale, depth - 1.0), 4),
                protrusion=1.2,
            ),
        ),
        buttons=()
        if round_
        else (
            Button(
                side="right",
                name="side",
                center=round(0.636 * height, 4),
                length=round(min(11.5, 0.26 * height), 4),
                width=min(2.4, 0.3 * depth),
                protrusion=0.2,
            ),
        ),
        band=WatchStrap(
            width=round((0.54 if round_ else 0.63) * width, 4),
            thickness=2.6,
            length=round(54.0 * scale, 4),
            root=(round((0.475 if round_ else 0.468) * height, 4), -0.6 if round_ else -1.2),
            lean=20.0 if round_ else 17.0,
            angle=130.0,
            taper=0.11 if round_ else 0.05,
            weave="holes",
        ),
    )
