"""Geometry and shapes as JSON."""

from __future__ import annotations

from typing import Any

from service.devices.geometry import Geometry, Shape


def geometry_json(place: Geometry) -> dict[str, Any]:
    """Where the device is in a picture."""
    return {
        "width": place.width,
        "height": place.height,
        "k": place.k,
        "D": place.distance,
        "center": place.center,
        "turn": place.turn,
        "body": place.body,
        "box": place.box,
        "screens": [
            {"corners": screen.corners, "homography": screen.homography, "hidden": screen.hidden}
            for screen in place.screens
        ],
    }


def shape_json(shape: Shape) -> dict[str, Any]:
    """The device's shape."""
    return {
        "body": shape.body,
        "portrait": shape.portrait,
        "turned": shape.turned,
        "points": shape.points,
        "screens": [{"corners": corners} for corners in shape.screens],
    }
