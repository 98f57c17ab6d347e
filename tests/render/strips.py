"""Strips of rubber, bent like those of watches."""

from __future__ import annotations

from service.devices.device import Bend, Corner, Face, Slab

PLAIN = Face(surface="rubber")


def strip(bend: Bend, front: Face = PLAIN, back: Face = PLAIN) -> Slab:
    """A strip 20 mm wide and 40 mm long."""
    return Slab(
        name="strip",
        role="body",
        size=(20.0, 40.0, 3.0),
        corner=Corner(extent=2.0),
        edge=1.2,
        surface="rubber",
        bend=bend,
        front=front,
        back=back,
    )
