"""Path-traces the reference pictures with Blender's Cycles: `python -m benchmarks.references [WORD...]`.

Every device is built from its device file, posed, and seen by the documented camera under the drawn
environments. It writes benchmarks/references/NAME.png, 16-bit RGBA cropped to the device, whose colour is the
square root of premultiplied linear light divided by FULL. NAME-parts.png has the coverage of metal and of the
screen; NAME-regions.png the visible slab, slot and layer, at four times the size; NAME-shadow.png the shadow
on a wall behind, at half the size. index.json has the places of the crops and digests of their inputs. For
scenes, regions have the device in place of the slab, and NAME-lost.png has the share of light that the
visible device loses to the others. Only cases that have changed are traced again. If only the environment has
changed, only the picture and its shadow are traced. `--random N --seed S --folder FOLDER` traces random cases
instead. The light is purely physical, glare included. It runs in a separate virtual environment.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import Any

import bpy
import cv2
import mathutils
import numpy as np
from bpy_extras.object_utils import world_to_camera_view

from benchmarks import nodes
from benchmarks.cases import (
    CASES,
    FINE,
    FOV,
    FULL,
    HEIGHT,
    REFERENCES,
    SCENES,
    WIDTH,
    Case,
    Figure,
    SceneCase,
    drawn,
    gradient,
    selected,
)
from benchmarks.hidden import shown
from benchmarks.solid import BACK, FRONT, GASKET, WALL, frame, solid
from frames.generator.environments import ENVIRONMENTS
from service.arrays import F32, F64, U8
from service.devices.device import Device, Slab, catalogue
from service.render.light.environment import directions
from service.render.material import SURFACES
from service.render.paint.textures import TextureFiles

SAMPLES, TAG_SAMPLES, SHADOW_SAMPLES = 320, 128, 16
CAUGHT = ("front", "compound")  # poses whose shadow on a wall is also traced
VERSION = 3  # increase it when a change of this program changes its pictures
LATER = 4  # the version for folded devices and laptops
SKY = (2048, 1024)
BEST = [cv2.IMWRITE_PNG_COMPRESSION, 9]


def equirectangular(name: str) -> bpy.types.Image:
    """The environment in Blender's layout: row 0 at the bottom, +x in the middle, z up."""
    width, height = SKY
    turn = (0.5 - (np.arange(width) + 0.5) / width) * 2 * np.pi
    rise = ((np.arange(height) + 0.5) / height - 0.5) * np.pi
    turn, rise = np.meshgrid(turn, rise)
    d = np.stack([np.cos(turn) * np.cos(rise), np.sin(turn) * np.cos(rise), np.sin(rise)], axis=-1)
    light = np.ones((height, width, 4), np.float32)
    for rows in np.array_split(np.arange(height), 16):
        light[rows, :, :3] = ENVIRONMENTS[name](d[rows])
    return image(name, light)


def image(name: str, pixels: F32) -> bpy.types.Image:
    """A float image from (height, width, 4), row 0 at the bottom."""
    made = bpy.data.images.new(name, pixels.shape[1], pixels.shape[0], alpha=True, float_buffer=True)
    made.pixels.foreach_set(pixels.ravel())
    made.pack()
    return made


class Scene:
    """Blender's scene: its devices, one camera, one environment at a time."""

    def __init__(self, figures: Sequence[Figure]) -> None:
        bpy.ops.wm.read_factory_settings(use_empty=True)
        self.scene = bpy.context.scene
        self.of = content(figures)
        self.graphs: list[nodes.Graph] = []
        self.parts = [
            [
                (self._part(figure, slab, number if len(figures) > 1 else None), _matrix(frame(slab)))
                for slab in figure.device.slabs
            ]
            for number, figure in enumerate(figures, 1)
        ]
        self.lit = any(SURFACES[slab.surface].lit for figure in figures for slab in figure.device.slabs)
        self.size = max(max(figure.device.body) for figure in figures)
        self.wall = self._wall()
        self._camera()
        self._settings()
        self.skies: dict[str, bpy.types.Image] = {}
        self.scene.world = bpy.data.worlds.new("world")
        self.scene.world.use_nodes = True
        tree = self.scene.world.node_tree
        self.sky = tree.nodes.new("ShaderNodeTexEnvironment")
        self.background = next(n for n in tree.nodes if n.type == "BACKGROUND")
        tree.links.new(self.sky.outputs[0], self.background.inputs[0])

    def _part(self, figure: Figure, slab: Slab, number: int | None) -> bpy.types.Object:
        """Add a slab; in regions, a device's `number` replaces the slab's."""
        shape = solid(slab)
        mesh = bpy.data.meshes.new(slab.name)
        mesh.from_pydata(shape.points.tolist(), [], shape.faces)
        for graph in self._materials(figure, slab, number or nodes.number(figure.device, slab)):
            mesh.materials.append(graph.material)
        mesh.polygons.foreach_set("material_index", shape.slots)
        mesh.polygons.foreach_set("use_smooth", [True] * len(shape.faces))
        mesh.update()
        mesh.normals_split_custom_set_from_vertices(shape.normals.tolist())
        for name, vectors in ((nodes.ACROSS, shape.across), (nodes.FLAT, shape.flat)):
            attribute = mesh.attributes.new(name, "FLOAT_VECTOR", "POINT")
            attribute.data.foreach_set("vector", vectors.astype(np.float32).ravel())
        made = bpy.data.objects.new(slab.name, mesh)
        self.scene.collection.objects.link(made)
        return made

    def _materials(self, figure: Figure, slab: Slab, number: int) -> list[nodes.Graph]:
        device = figure.device
        tones = nodes.tones(device, figure.tint)
        width, height = (max(side // 4, 1) for side in device.screen.px)
        shown = bpy.data.images.get(f"screen {width} {height}")
        if shown is None:
            opaque = np.full((height, width), 255, np.uint8)
            picture = np.dstack([gradient(width, height), opaque])
            shown = nodes.image(f"screen {width} {height}", picture)
        wall = nodes.wall(device, slab, number, tones[slab.tone])
        front = nodes.face(device, slab, number, slab.front, FRONT, tones[slab.front.tone], shown)
        back = wall
        if slab.back:
            back = nodes.face(device, slab, number, slab.back, BACK, tones[slab.back.tone], shown)
        made = {WALL: wall, FRONT: front, BACK: back, GASKET: nodes.gasket(slab, number)}
        self.graphs += made.values()
        return [made[slot] for slot in sorted(made)]

    def _camera(self) -> None:
        lens = bpy.data.cameras.new("camera")
        lens.sensor_fit, lens.angle = "VERTICAL", math.radians(FOV)
        lens.clip_start, lens.clip_end = 1.0, 1e5
        camera = bpy.data.objects.new("camera", lens)
        self.scene.collection.objects.link(camera)
        self.scene.camera = camera

    def _settings(self) -> None:
        render, cycles = self.scene.render, self.scene.cycles
        render.engine, cycles.device = "CYCLES", "CPU"
        render.resolution_x, render.resolution_y, render.resolution_percentage = WIDTH, HEIGHT, 100
        render.film_transparent = True
        render.image_settings.file_format = "OPEN_EXR"
        render.image_settings.color_mode, render.image_settings.color_depth = "RGBA", "32"
        render.use_persistent_data = True
        # A pixel is the mean over its own square, as in the renderer.
        cycles.pixel_filter_type = "BOX"
        cycles.max_bounces = cycles.diffuse_bounces = cycles.glossy_bounces = 6
        # By default, Cycles blurs reflections of mirrors in rough surfaces.
        cycles.blur_glossy = 0.0
        cycles.adaptive_threshold, cycles.adaptive_min_samples = 0.02, 32

    def _wall(self) -> bpy.types.Object:
        """A wall behind the device that shows only the shadow on it."""
        far = self.size * 20
        mesh = bpy.data.meshes.new("wall")
        mesh.from_pydata([(-far, -far, 0), (far, -far, 0), (far, far, 0), (-far, far, 0)], [], [(0, 1, 2, 3)])
        made = bpy.data.objects.new("wall", mesh)
        made.is_shadow_catcher = True
        made.hide_render = True
        self.scene.collection.objects.link(made)
        return made

    @property
    def objects(self) -> list[bpy.types.Object]:
        """The slabs of all devices."""
        return [part for parts in self.parts for part, _ in parts]

    def catch(self) -> F32:
        """The device's shadow alone, alpha (height, width), on a wall just behind it."""
        corners = [part.matrix_world @ mathutils.Vector(c) for part in self.objects for c in part.bound_box]
        self.wall.location = (0, 0, min(corner.z for corner in corners) - 0.05 * self.size)
        self.wall.hide_render, self.scene.render.use_border = False, False
        for part in self.objects:
            part.visible_camera = False
        # The shadow is soft, so a quarter of the pixels is enough.
        self.scene.render.resolution_percentage = 50
        shadow = self.render("light", SHADOW_SAMPLES)[..., 3]
        self.scene.render.resolution_percentage = 100
        for part in self.objects:
            part.visible_camera = True
        self.wall.hide_render = True
        return shadow

    @contextmanager
    def alone(self, number: int) -> Iterator[None]:
        """Show only one device, given by its number."""
        others = [part for other, parts in enumerate(self.parts) if other != number for part, _ in parts]
        for part in others:
            part.hide_render = True
        yield
        for part in others:
            part.hide_render = False

    def pose(self, case: Case | SceneCase) -> None:
        """Turn and place the devices, and light them."""
        self.scene.camera.location = (0, 0, case.view.distance)
        for parts, figure in zip(self.parts, case.figures, strict=True):
            turn = np.eye(4)
            turn[:3, :3], turn[:3, 3] = figure.turn, figure.middle
            for part, place in parts:
                part.matrix_world = _matrix(turn) @ place
        if case.environment not in self.skies:
            self.skies[case.environment] = equirectangular(case.environment)
        self.sky.image = self.skies[case.environment]
        self._border()

    def _border(self) -> None:
        """Trace only the device's box; the rest of the picture stays empty."""
        bpy.context.view_layer.update()
        corners = [part.matrix_world @ mathutils.Vector(c) for part in self.objects for c in part.bound_box]
        seen = [world_to_camera_view(self.scene, self.scene.camera, corner) for corner in corners]
        render, margin = self.scene.render, 0.01
        render.use_border = True
        render.border_min_x = max(min(c.x for c in seen) - margin, 0.0)
        render.border_max_x = min(max(c.x for c in seen) + margin, 1.0)
        render.border_min_y = max(min(c.y for c in seen) - margin, 0.0)
        render.border_max_y = min(max(c.y for c in seen) + margin, 1.0)

    def render(self, what: str, samples: int) -> F32:
        """Linear (height, width, 4), premultiplied: see `nodes.Graph.show`."""
        for graph in self.graphs:
            graph.show(what)
        self.background.inputs[1].default_value = 1.0 if what == "light" else 0.0
        self.scene.cycles.samples = samples
        self.scene.cycles.use_adaptive_sampling = self.scene.cycles.use_denoising = what == "light"
        with tempfile.TemporaryDirectory() as folder:
            self.scene.render.filepath = str(Path(folder) / "out.exr")
            bpy.ops.render.render(write_still=True)
            found = bpy.data.images.load(self.scene.render.filepath)
            width, height = found.size
            pixels = np.empty(width * height * 4, np.float32)
            found.pixels.foreach_get(pixels)
            bpy.data.images.remove(found)
        return pixels.reshape(height, width, 4)[::-1]

    def regions(self) -> U8:
        """Slab or device, slot, layer (FINE · height, FINE · width, 3) at the middle of each fine pixel."""
        cycles, render = self.scene.cycles, self.scene.render
        cycles.pixel_filter_type, cycles.filter_width = "GAUSSIAN", 0.01
        render.resolution_percentage = 100 * FINE
        found = self.render("regions", 1)
        cycles.pixel_filter_type, render.resolution_percentage = "BOX", 100
        return np.asarray(np.rint(np.clip(found[..., :3], 0, 1) * 255), np.uint8)

    def picture(self) -> F32:
        """The camera's picture.

        The screen has no noise, so it is not denoised: denoising would move its edges.
        """
        if not self.lit:
            return self.render("shine", SAMPLES)
        light, shine = self.render("light", SAMPLES), self.render("shine", TAG_SAMPLES)
        return np.dstack([light[..., :3] + shine[..., :3], light[..., 3]])

    def lost(self, case: SceneCase, regions: U8) -> F32:
        """The share (height, width) of light that the visible device loses to the others.

        It is negative where the device gains light, and 0 in pixels that show several devices.
        """
        found = np.zeros((HEIGHT, WIDTH), np.float32)
        together = self.render("light", SAMPLES)[..., :3].mean(axis=-1)
        for number in range(len(case.figures)):
            fine = (regions[..., 0] == number + 1).reshape(HEIGHT, FINE, WIDTH, FINE)
            with self.alone(number):
                light = self.render("light", SAMPLES)[..., :3].mean(axis=-1)
            share = 1 - together / np.maximum(light, np.float32(1e-4))
            found = np.where(fine.all(axis=(1, 3)), share, found)
        return found


def _matrix(values: F64) -> mathutils.Matrix:
    return mathutils.Matrix(values.tolist())


def content(figures: Sequence[Figure]) -> list[tuple[Device, str]]:
    """A digest of the scene's content: devices and their tints."""
    return [(figure.device, figure.tint) for figure in figures]


def fingerprint(case: Case | SceneCase) -> str:
    """A digest of all that a reference depends on: shape, pictures, tint, surfaces, environment, tracing."""
    drawing = ENVIRONMENTS[case.environment](directions(32).astype(np.float64))
    # Vector instructions may change the last bit. Rounding twice keeps halves from going both ways.
    return _digest(case, np.rint(np.round(drawing * 1000, 6)).astype(np.int32).tobytes())


def unlit(case: Case | SceneCase) -> str:
    """The digest of `fingerprint` without the environment."""
    return _digest(case, b"")


def _digest(case: Case | SceneCase, light: bytes) -> str:
    """Defaults are left out, so that a new field does not change digests."""
    slabs = [slab for figure in case.figures for slab in figure.device.slabs]
    later = any(slab.halves != (0,) or slab.role == "deck" for slab in slabs)
    version = LATER if later else VERSION
    posed = f"{case.tint} {case.angles}" if isinstance(case, Case) else f"{case.members} {case.angles}"
    state = hashlib.sha256(f"{version} {SAMPLES} {posed}".encode())
    state.update(light)
    for figure in case.figures:
        # Devices of a scene see each other's hidden faces.
        alone = isinstance(case, Case)
        _add(state, shown(figure, case.view) if alone else figure.device, figure.tint)
    return state.hexdigest()[:12]


def _add(state: Any, device: Device, tint: str) -> None:
    """Add a device and its tint to a digest."""
    faces = [face for slab in device.slabs for face in (slab.front, slab.back) if face]
    for name in sorted({slab.surface for slab in device.slabs} | {face.surface for face in faces}):
        told = [(of.name, getattr(SURFACES[name], of.name), of.default) for of in fields(SURFACES[name])]
        state.update(repr([(of, value) for of, value, default in told if value != default]).encode())
    # Drawn occlusion and the names of slabs only affect the renderer.
    own: dict[str, Any] = {"front": {"occlusion"}, "back": {"occlusion"}, "role": True}
    shape = device.model_dump_json(
        include={"body", "screens", "slabs"}, exclude={"slabs": {"__all__": own}}, exclude_defaults=True
    )
    state.update(f"{shape} {nodes.tones(device, tint)}".encode())
    for texture in sorted(set(device.textures)):
        if "occlusion" not in texture:
            state.update(texture.encode() + TextureFiles(device).read(texture).tobytes())


def store(folder: Path, case: Case | SceneCase, picture: F32) -> tuple[slice, slice]:
    """Crop one reference and write it into a folder; returns the crop."""
    rows, columns = (np.flatnonzero(picture[..., 3].any(axis=axis)) for axis in (1, 0))
    box = slice(max(rows[0] - 2, 0), rows[-1] + 3), slice(max(columns[0] - 2, 0), columns[-1] + 3)
    store_light(folder, case, picture[box])
    note(folder, case, x=int(box[1].start), y=int(box[0].start))
    return box


def store_parts(folder: Path, case: Case, tags: F32) -> None:
    """Write the coverages of a reference, which are cropped already."""
    parts = np.rint(np.clip(tags[..., [2, 1, 0]], 0, 1) * 255).astype(np.uint8)
    parts[..., 0] = 0
    cv2.imwrite(str(folder / f"{case.name}-parts.png"), parts, BEST)


def store_light(folder: Path, case: Case | SceneCase, picture: F32) -> None:
    """Write the picture of one reference, which is cropped already."""
    light = np.sqrt(np.clip(picture[..., :3] / FULL, 0, 1)) * 4095
    steps = np.dstack([light[..., ::-1], np.clip(picture[..., 3], 0, 1) * 4095])
    # Keep twelve of the sixteen bits; the others are noise, and would double the size.
    code = np.rint(steps).astype(np.uint16)
    cv2.imwrite(str(folder / f"{case.name}.png"), code << 4 | code >> 8, BEST)


def relit(folder: Path, case: Case, picture: F32) -> F32:
    """A picture, cropped like the stored reference."""
    place, stored = known(folder)[case.name], cv2.imread(str(folder / f"{case.name}-parts.png"))
    if stored is None:
        raise FileNotFoundError(case.name)
    height, width = stored.shape[:2]
    return picture[place["y"] : place["y"] + height, place["x"] : place["x"] + width]


def note(folder: Path, case: Case | SceneCase, **facts: int | str) -> None:
    """Write facts about a reference into its folder's index."""
    places = known(folder)
    places[case.name] = {**places.get(case.name, {}), **facts}
    lines = ",\n".join(f'"{name}": {json.dumps(place)}' for name, place in sorted(places.items()))
    (folder / "index.json").write_text(f"{{\n{lines}\n}}\n")


def store_regions(folder: Path, case: Case | SceneCase, regions: U8) -> None:
    """Crop and write the regions of a reference that is stored already."""
    place = known(folder)[case.name]
    stored = cv2.imread(str(folder / f"{case.name}.png"), cv2.IMREAD_UNCHANGED)
    if stored is None:
        raise FileNotFoundError(case.name)
    height, width = stored.shape[:2]
    x, y = FINE * place["x"], FINE * place["y"]
    cropped = regions[y : y + FINE * height, x : x + FINE * width, ::-1]
    cv2.imwrite(str(folder / f"{case.name}-regions.png"), cropped, BEST)


def known(folder: Path) -> dict[str, dict[str, Any]]:
    """The index of a folder's references."""
    index = folder / "index.json"
    return dict(json.loads(index.read_text())) if index.exists() else {}


def main() -> None:
    parser = argparse.ArgumentParser(description="Path-trace references with Blender's Cycles")
    parser.add_argument(
        "--random", type=int, default=0, help="this many cases drawn at random, in place of WORD"
    )
    parser.add_argument("--seed", type=int, default=1, help="of the cases drawn at random")
    parser.add_argument("--folder", type=Path, default=REFERENCES, help="to write to")
    parser.add_argument("words", nargs="*", metavar="WORD", help="parts of the names of the cases to trace")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    trace(
        options.folder,
        drawn(options.random, options.seed) if options.random else selected(options.words, CASES),
    )
    if not options.random:
        trace_scenes(options.folder, selected(options.words, SCENES))


def trace(folder: Path, cases: Iterable[Case]) -> None:
    """Trace the cases that are missing in a folder, or have changed since they were traced."""
    scene: Scene | None = None
    for case in cases:
        if case.device not in catalogue():
            print(f"{case.name}: no such device", flush=True)
            continue
        state, shape = fingerprint(case), unlit(case)
        shadow, regions = (folder / f"{case.name}-{what}.png" for what in ("shadow", "regions"))
        found = known(folder).get(case.name, {})
        traced, shaped = found.get("of") == state, found.get("unlit") == shape and regions.exists()
        caught = case.environment != "studio" or case.pose not in CAUGHT or (traced and shadow.exists())
        if traced and shaped and caught:
            continue
        start = time.perf_counter()
        if scene is None or scene.of != content(case.figures):
            scene = Scene(case.figures)
        scene.pose(case)
        if not shaped:
            box = store(folder, case, scene.picture())
            store_parts(folder, case, scene.render("tags", TAG_SAMPLES)[box])
            store_regions(folder, case, scene.regions())
        elif not traced:
            store_light(folder, case, relit(folder, case, scene.picture()))
        if not caught:
            alpha = np.rint(np.clip(scene.catch(), 0, 1) * 255).astype(np.uint8)
            cv2.imwrite(str(shadow), alpha, BEST)
        # Written last, so that an interrupted case is traced again.
        note(folder, case, of=state, unlit=shape)
        print(f"{case.name}: {time.perf_counter() - start:.1f} s", flush=True)


def trace_scenes(folder: Path, cases: Iterable[SceneCase]) -> None:
    """Trace scenes as `trace` does cases."""
    for case in cases:
        state = fingerprint(case)
        if known(folder).get(case.name, {}).get("of") == state:
            continue
        start = time.perf_counter()
        scene = Scene(case.figures)
        scene.pose(case)
        box = store(folder, case, scene.picture())
        regions = scene.regions()
        store_regions(folder, case, regions)
        # In steps of 1/127 around the middle value.
        lost = np.rint(128 + 127 * np.clip(scene.lost(case, regions)[box], -1, 1)).astype(np.uint8)
        cv2.imwrite(str(folder / f"{case.name}-lost.png"), lost, BEST)
        note(folder, case, of=state)
        print(f"{case.name}: {time.perf_counter() - start:.1f} s", flush=True)


if __name__ == "__main__":
    main()
