"""Blender materials for the surfaces of a device file: the same numbers that the renderer lights with."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import bpy
import cv2
import numpy as np

from benchmarks.masks import mask
from benchmarks.solid import BACK, FRONT, GASKET, SCREEN, WALL
from service.arrays import U8
from service.devices.device import Decal, Device, Face, Layer, Screen, Slab, Tone
from service.render.light.tint import PALE
from service.render.material import SURFACES, Material
from service.render.paint.textures import TextureFiles

Color = tuple[float, float, float]
GASKET_RADIANCE = 0.006
BLACK: Color = (0.0, 0.0, 0.0)
# The attributes of a mesh for the direction perpendicular to its grain, and for positions before bending.
ACROSS, FLAT = "across", "flat"


def linear(color: str) -> Color:
    """Linear light of a #RRGGBB colour."""
    code = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in code)
    return red, green, blue


def tones(device: Device, tint: str) -> dict[Tone, Color]:
    """The linear colours of a device's tinted parts, as the service has them."""
    own = linear(tint)
    known = [
        finish.light for finish in device.finishes if finish.hex.lower() == tint.lower() and finish.light
    ]
    red, green, blue = (part + (1 - part) * PALE for part in own)
    return {"body": own, "light": linear(known[0]) if known else (red, green, blue)}


class Graph:
    """A material under construction; sockets are numbers, colours or another node's output.

    `slab` is the number of its slab or device, from 1, and `slot` the part that has the material: see
    `regions`.
    """

    def __init__(self, name: str, slab: int, slot: int) -> None:
        self.material = bpy.data.materials.new(name)
        self.material.use_nodes = True
        self.tree = self.material.node_tree
        self.tree.nodes.clear()
        self.output = self.node("ShaderNodeOutputMaterial")
        self.place = self.attribute(FLAT)
        self.slab, self.slot = slab, slot

    def node(self, kind: str, **settings: Any) -> Any:
        made = self.tree.nodes.new(kind)
        for key, value in settings.items():
            setattr(made, key, value)
        return made

    def set(self, socket: Any, value: Any) -> None:
        if isinstance(value, bpy.types.NodeSocket):
            self.tree.links.new(value, socket)
        else:
            socket.default_value = (
                (*value, 1.0) if isinstance(value, tuple) and socket.type == "RGBA" else value
            )

    def math(self, operation: str, a: Any, b: Any = 0.0) -> Any:
        made = self.node("ShaderNodeMath", operation=operation)
        self.set(made.inputs[0], a)
        self.set(made.inputs[1], b)
        return made.outputs[0]

    def mix(self, share: Any, a: Any, b: Any) -> Any:
        made = self.node("ShaderNodeMix", data_type="RGBA")
        for index, value in ((0, share), (6, a), (7, b)):
            self.set(made.inputs[index], value)
        return made.outputs[2]

    def split(self, vector: Any) -> tuple[Any, Any, Any]:
        made = self.node("ShaderNodeSeparateXYZ")
        self.set(made.inputs[0], vector)
        return tuple(made.outputs)

    def across(self) -> Any:
        """The direction perpendicular to the grain, in world space."""
        turned = self.node(
            "ShaderNodeVectorTransform", vector_type="VECTOR", convert_from="OBJECT", convert_to="WORLD"
        )
        self.set(turned.inputs[0], self.attribute(ACROSS))
        return turned.outputs[0]

    def attribute(self, name: str) -> Any:
        """A vector attribute of the mesh's points."""
        named = self.node("ShaderNodeAttribute", attribute_type="GEOMETRY", attribute_name=name)
        return named.outputs["Vector"]

    def picture(
        self, image: Any, u: Any, v: Any, color: bool = True, extension: str = "CLIP"
    ) -> tuple[Any, Any]:
        """Colour and alpha of an image at (u, v); nothing outside 0-1 unless it extends."""
        made = self.node("ShaderNodeTexImage", extension=extension)
        made.image = image
        made.image.alpha_mode = "CHANNEL_PACKED"
        made.image.colorspace_settings.name = "sRGB" if color else "Non-Color"
        at = self.node("ShaderNodeCombineXYZ")
        self.set(at.inputs[0], u)
        self.set(at.inputs[1], v)
        self.tree.links.new(at.outputs[0], made.inputs[0])
        return made.outputs["Color"], made.outputs["Alpha"]

    def fraction(self, x: Any, middle: float, size: float) -> Any:
        """The position of x in a span around `middle`, 0-1."""
        return self.math("ADD", self.math("DIVIDE", self.math("SUBTRACT", x, middle), size), 0.5)

    def finish(
        self, shader: Any, metal: float, screen: Any = 0.0, shine: Any = None, layer: Any = 0.0
    ) -> Any:
        """Complete the material, and store its four outputs, see `show`."""
        tag = self.glow(metal, screen, 1.0)
        shines = self.math("GREATER_THAN", screen, 0.5)
        slot = self.math("ADD", self.slot, self.math("MULTIPLY", shines, SCREEN))
        region = self.glow(*(self.math("DIVIDE", value, 255.0) for value in (self.slab, slot, layer)))
        if shine is None:
            dark = self.node("ShaderNodeEmission")
            dark.inputs[1].default_value = 0.0
            shine = dark.outputs[0]
        self.shown = {"light": shader, "shine": shine, "tags": tag, "regions": region}
        self.show("light")
        return self.material

    def glow(self, *channels: Any) -> Any:
        """A shader that outputs three numbers unchanged."""
        made, joined = self.node("ShaderNodeEmission"), self.node("ShaderNodeCombineColor")
        for index, value in enumerate(channels):
            self.set(joined.inputs[index], value)
        self.set(made.inputs[0], joined.outputs[0])
        return made.outputs[0]

    def topmost(self, covers: Iterable[tuple[Any, Any]]) -> Any:
        """The number, from 1, of the last of the paints (colour, alpha) that covers a point; 0 if none."""
        found: Any = 0.0
        for number, (_, alpha) in enumerate(covers, 1):
            seen = self.math("GREATER_THAN", alpha, 0.5)
            kept = self.math("MULTIPLY", found, self.math("SUBTRACT", 1.0, seen))
            found = self.math("ADD", kept, self.math("MULTIPLY", seen, float(number)))
        return found

    def show(self, what: str) -> None:
        """Select the output that the material shows.

        "light" is the light that the material reflects, "shine" the picture that shines through it, "tags"
        (metal, screen, 1), and "regions" (slab, slot, and whether it is screen, layer or decal), in steps of
        1/255.
        """
        self.tree.links.new(self.shown[what], self.output.inputs[0])


def surface(
    graph: Graph,
    material: Material,
    color: Color,
    covers: Sequence[tuple[Any, Any]],
    screen: tuple[Any, Any] | None,
) -> Any:
    """A surface, the pictures painted on it (colour, alpha), and its screen's picture and mask if it has a
    screen."""
    layer = graph.topmost(covers)
    base: Any = color if material.metal else tuple(c * material.albedo for c in color)
    bare: Any = 1.0
    for paint, alpha in covers:
        base = graph.mix(alpha, base, paint)
        bare = graph.math("MULTIPLY", bare, graph.math("SUBTRACT", 1.0, alpha))
    camera = graph.node("ShaderNodeLightPath").outputs["Is Camera Ray"]
    if not material.lit:
        dark, made = graph.node("ShaderNodeEmission"), graph.node("ShaderNodeEmission")
        dark.inputs[1].default_value = 0.0
        if screen is not None:
            base = graph.mix(screen[1], base, screen[0])
        graph.set(made.inputs[0], base)
        graph.set(made.inputs[1], camera)
        # Like a screen's picture, this surface has no noise, so the denoiser must not blur the text on it.
        shown = 0.0 if screen is None else screen[1]
        return graph.finish(dark.outputs[0], 0.0, shown, made.outputs[0], layer)
    made = graph.node("ShaderNodeBsdfPrincipled")
    if screen is not None:
        # A screen's panel is black, whatever the colour of its face.
        base = graph.mix(screen[1], base, (0.0, 0.0, 0.0))
    graph.set(made.inputs["Base Color"], base)
    # Metal has no dielectric reflection, so the part of it that is not `Metallic` is matt.
    metallic = graph.math("MULTIPLY", bare, 1 - material.diffuse) if material.metal else 0.0
    graph.set(made.inputs["Metallic"], metallic)
    graph.set(made.inputs["Roughness"], material.roughness)
    graph.set(made.inputs["IOR"], 1.5)
    # A level of 0.5 gives the reflectance of the index alone, 0.04.
    graph.set(made.inputs["Specular IOR Level"], 0.0 if material.metal else 12.5 * material.specular)
    if material.anisotropy:
        # Cycles stretches along the tangent.
        graph.set(made.inputs["Anisotropic"], material.anisotropy)
        graph.set(made.inputs["Tangent"], graph.across())
    metal = 1.0 if material.metal else 0.0
    if screen is None:
        return graph.finish(made.outputs[0], metal, layer=layer)
    # The picture shines through the glass; only the camera sees its light.
    fresnel = graph.node("ShaderNodeFresnel")
    fresnel.inputs[0].default_value = 1.5
    shine = graph.node("ShaderNodeEmission")
    graph.set(shine.inputs[0], screen[0])
    graph.set(
        shine.inputs[1], graph.math("MULTIPLY", graph.math("SUBTRACT", 1.0, fresnel.outputs[0]), screen[1])
    )
    return graph.finish(made.outputs[0], metal, screen[1], shine.outputs[0], layer)


def texture(device: Device, name: str) -> Any:
    """One of the device's pictures."""
    found = bpy.data.images.get(f"{device.digest} {name}")
    return found or image(f"{device.digest} {name}", TextureFiles(device).read(name))


def image(name: str, pixels: U8) -> Any:
    """An image of code values, grey (h, w) or RGBA (h, w, 4), row 0 at the top."""
    rgba = cv2.cvtColor(pixels, cv2.COLOR_GRAY2RGBA) if pixels.ndim == 2 else pixels
    made = bpy.data.images.new(name, rgba.shape[1], rgba.shape[0], alpha=True)
    made.alpha_mode = "CHANNEL_PACKED"
    made.pixels.foreach_set((rgba[::-1].astype(np.float32) / 255).ravel())
    made.pack()
    return made


def number(device: Device, slab: Slab) -> int:
    """The slab's number in the device, from 1."""
    return 1 + [other.name for other in device.slabs].index(slab.name)


def face(device: Device, slab: Slab, number: int, at: Face, side: int, tint: Color, shown: Any) -> Graph:
    """The material of a front or back cap; `shown` is the image on the screen."""
    graph = Graph(f"{slab.name}-{side}", number, side)
    sign = {FRONT: 1.0, BACK: -1.0}[side]
    x, y, _ = graph.split(graph.place)
    x = graph.math("MULTIPLY", x, sign)
    turned = graph.node(
        "ShaderNodeVectorTransform", vector_type="VECTOR", convert_from="WORLD", convert_to="OBJECT"
    )
    graph.set(turned.inputs[0], graph.node("ShaderNodeNewGeometry").outputs["Incoming"])
    ix, iy, iz = graph.split(turned.outputs[0])
    steep = graph.math("MAXIMUM", graph.math("ABSOLUTE", iz), 0.01)

    def cover(layer: Layer) -> tuple[Any, Any]:
        shift = graph.math("DIVIDE", layer.depth, steep)
        u = graph.math("SUBTRACT", x, graph.math("MULTIPLY", graph.math("MULTIPLY", ix, sign), shift))
        v = graph.math("SUBTRACT", y, graph.math("MULTIPLY", iy, shift))
        places = zip((u, v), layer.center, layer.size, strict=True)
        return graph.picture(texture(device, layer.image), *(graph.fraction(*place) for place in places))

    def lit(screen: Screen) -> tuple[Any, Any]:
        places = zip((x, y), screen.center, screen.size, strict=True)
        u, v = (graph.fraction(*place) for place in places)
        drawn = image(f"{device.digest} {graph.material.name} {screen.half}", mask(device, screen))
        left, top, wide, high = screen.part
        across = graph.math("ADD", graph.math("MULTIPLY", u, wide), left)
        up = graph.math("ADD", graph.math("MULTIPLY", v, high), 1 - top - high)
        color, _ = graph.picture(shown, across, up, extension="EXTEND")
        return color, graph.picture(drawn, u, v, color=False)[0]

    screen = None
    for half in slab.halves if side == FRONT else ():
        for _, one in device.screens_on(slab, half):
            found = lit(one)
            if screen is not None:
                # Screens of one face do not overlap.
                found = graph.mix(found[1], screen[0], found[0]), graph.math("ADD", found[1], screen[1])
            screen = found
    color = tint if at.tinted else linear(at.color)
    surface(graph, SURFACES[at.surface], color, [cover(layer) for layer in at.layers], screen)
    return graph


def wall(device: Device, slab: Slab, number: int, tint: Color) -> Graph:
    """The material of wall and rim, with the decals of the straight sides."""
    graph = Graph(f"{slab.name}-wall", number, WALL)
    x, y, z = graph.split(graph.place)

    def cover(decal: Decal) -> tuple[Any, Any]:
        along, out, half = (
            (y, x, slab.size[0] / 2) if decal.side in ("left", "right") else (x, y, slab.size[1] / 2)
        )
        sign = 1.0 if decal.side in ("right", "top") else -1.0
        u = graph.fraction(along, decal.at, decal.size[0])
        drawn = texture(device, decal.image)
        v = ending(graph, graph.fraction(z, decal.across, decal.size[1]), slab, decal, drawn.size[1])
        color, alpha = graph.picture(drawn, u, v)
        near = graph.math("GREATER_THAN", graph.math("MULTIPLY", out, sign), half - slab.edge - 1.0)
        return color, graph.math("MULTIPLY", alpha, near)

    color = tint if slab.tinted else linear(slab.color)
    surface(graph, SURFACES[slab.surface], color, [cover(decal) for decal in slab.decals], None)
    return graph


def ending(graph: Graph, v: Any, slab: Slab, decal: Decal, rows: int) -> Any:
    """A position `v` across a picture, kept off the picture's outer half rows where it ends with its wall.

    There, a picture fades to nothing outside it. On a rounded edge, these rows would show as a bare strip.
    """
    end, half = slab.size[2] / 2 - 1e-6, decal.size[1] / 2
    if decal.across + half > end:
        v = graph.math("MINIMUM", v, 1 - 0.5 / rows)
    if decal.across - half < -end:
        v = graph.math("MAXIMUM", v, 0.5 / rows)
    return v


def gasket(slab: Slab, number: int) -> Graph:
    """The dark line between wall and glass."""
    graph = Graph(f"{slab.name}-gasket", number, GASKET)
    made = graph.node("ShaderNodeEmission")
    graph.set(made.inputs[0], (GASKET_RADIANCE,) * 3)
    graph.finish(made.outputs[0], 0.0)
    return graph
