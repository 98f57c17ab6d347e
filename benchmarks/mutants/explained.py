"""Equivalent faults, with reasons. They make no difference to any caller, so they are left out of the
sample."""

from __future__ import annotations

SPEED = "It only affects how the work is divided: the result is the same, sooner or later."
EAGER = "It is loaded when the server starts, so that the first request does not wait for it."
PACE = "The time between two checks, which find the same a little sooner or later."
EQUAL = "Both sides are equal only where both choices give the same result."
EQUAL_BY_CHANCE = "Both sides are rounded numbers with a tolerance between them, and are never exactly equal."
BOUND = "A bound that is never reached."
FINE = "A tenth of it is invisible, and less than the tolerance of the reference pictures."
NEVER = "Replaced or overwritten before it is used."
UNREAD = "Pydantic's interface has it, and nobody reads it."
HEAP = (
    "A threshold of the heap: memory returns to the system sooner or later; tests that measure it run alone."
)

# The file, the beginning of the line, the replaced text (empty for any), and the reason.
EXPLAINED: tuple[tuple[str, str, str, str], ...] = (
    ("codec/formats/jpeg/encode.py", "self._filled = 0", "", NEVER),
    ("concurrency/ordered_map.py", "if alone or CPUS == 1:", "", SPEED),
    (
        "codec/formats/webp/header.py",
        'width = int.from_bytes(data[start + 6 : start + 8], "little") & 0x3FFF',
        "8",
        "The bits of another byte are masked away.",
    ),
    ("concurrency/ordered_map.py", "AHEAD = 2 * CPUS", "", SPEED),
    (
        "render/plates/backdrop.py",
        "BAND = 64",
        "",
        SPEED,
    ),
    (
        "render/effects/bloom.py",
        "first, last = rows.start // BLOCK - 1, (rows.stop - 1) // BLOCK + 2",
        "-",
        "One row more is enlarged, and then cut off.",
    ),
    (
        "render/effects/bloom.py",
        "lack = np.clip((1 - there) * np.float32(65535) + np.float32(0.5), 0, 65535).astype(np.uint16)",
        "0.5",
        FINE,
    ),
    ("codec/color/matrix.py", "STRIP = 1 << 16", "", SPEED),
    ("accounts/windows.py", "if abs(wall + left - window.ends) > SET_S:", ">", EQUAL),
    (
        "accounts/windows.py",
        "if window is None or window.over != name or window.over <= time.monotonic():",
        "<=",
        "The cache has forgotten it by then.",
    ),
    ("render/drawing/lettering.py", "most = math.ceil(max(width, 0) / (0.15 * em)) + 1", "", SPEED),
    (
        "render/drawing/lettering.py",
        "x, y = math.floor(at[0]) - 2, math.floor((base - 1.2 * size) / FINE) - 1",
        "1",
        "More room above the letters, which stay where they are.",
    ),
    (
        "render/drawing/bars.py",
        'easel.box((0, y - 1, easel.size[0], 2 + OVERLAP), colors["line"])',
        "2",
        "The area below the line reaches the end of the picture, and is cut off there.",
    ),
    (
        "render/drawing/bars.py",
        'easel.box((left - 0.5, 4.5, wide + 1, 36), colors["shade"], 4.5, 0.75, softness=2.5)',
        "0.5",
        FINE,
    ),
    (
        "settings/metadata.py",
        "text = html.escape(json.dumps(given",
        "False",
        "Quotes are read back in the same way, escaped or not, and settings are finite.",
    ),
    ("settings/warnings.py", 'much, way = (change, "wider") if change > 1', ">", EQUAL),
    (
        "render/scattered.py",
        "return np.resize(places, (count, width)) if places.size % width else",
        "%",
        EQUAL,
    ),
    (
        "render/kernels/occluders.py",
        "column = column if column < wide - 1 else wide - 2",
        "<",
        "At the last column, the next column has no weight.",
    ),
    ("render/kernels/occluders.py", "row = row if row < high - 1 else high - 2", "<", "As with columns."),
    ("render/paint/wall.py", "continue", "", SPEED),
    ("render/geometry/stroke.py", "LONGEST = 64.0", "", SPEED),
    (
        "render/geometry/stroke.py",
        "count = max(math.ceil(float(np.hypot(*(end - start))) / LONGEST), 1)",
        "-",
        SPEED,
    ),
    (
        "render/assembly.py",
        "faces = [plane(slab, front, side) for front in (True, False) for side in slab.halves]",
        "",
        "Devices that no plane is known to separate are compared pixel by pixel, with the same result.",
    ),
    (
        "render/kernels/enlarging.py",
        "rows_ = np.empty((2, 2 * columns, 4), np.uint16)",
        "4",
        "Room for more than is written.",
    ),
    (
        "render/plates/softbox.py",
        "UNIT, MM = 9, 6",
        "",
        "Cuts that differ by less than a nanometre are told apart, or not; they have the same shadow.",
    ),
    (
        "render/paint/engraved.py",
        "grey = cv2.cvtColor(np.ascontiguousarray(picture[..., :3]), cv2.COLOR_RGB2GRAY)",
        "3",
        "OpenCV ignores the fourth channel.",
    ),
    (
        "render/paint/engraved.py",
        "edges = np.minimum(3 * groove, 1) * (1 - cv2.dilate(letters, np.ones((5, 5), np.uint8)))",
        "5",
        FINE,
    ),
    ("settings/looks.py", "", "", "Looks are chosen by eye; tests only check that they are valid settings."),
    ("render/body.py", "clock.check()", "", "The next check follows one part later."),
    (
        "render/paint/order.py",
        "CLEAR = 0.75",
        "",
        "It finds parts that are hidden completely; if painted, they would be covered.",
    ),
    (
        "render/paint/order.py",
        "return slab.name in hidden or bool(inside(np.concatenate(silhouette(slab, frame.camera))))",
        "",
        "It finds parts that are hidden completely; if painted, they would be covered.",
    ),
    ("render/plates/composite.py", "PART = 3 << 18", "", SPEED),
    ("render/compose/exposure.py", "BAND_BYTES, EFFECTS_BAND_BYTES = 1 << 22, 1 << 19", "", SPEED),
    (
        "render/geometry/depth_sort.py",
        "beyond = float((eye - between.center) @ between.normal) > between.offset",
        ">",
        "The camera is never exactly in that plane.",
    ),
    (
        "render/geometry/face.py",
        "return float((camera.eye - self.origin) @ self.normal) > 1e-6 * camera.distance",
        ">",
        "The camera is never exactly in that plane.",
    ),
    (
        "render/paint/textures.py",
        "light = LINEAR[part[:, :3]] * (part[:, 3:].astype(np.float32) * np.float32(65535 / 255))",
        "65535",
        FINE,
    ),
    (
        "render/plates/cast.py",
        "if lit is None or len(spec.instances) < 2:",
        "or",
        "A shortcut: without light, or without others, no shadow is found.",
    ),
    (
        "render/geometry/straps.py",
        "MARGIN = 1.0",
        "",
        "What is painted again a tenth of a pixel farther from the case is the same as before.",
    ),
    (
        "codec/sandbox/messages.py",
        '"pixel_bytes": 4 * max_pixels + (1 << 20),',
        "1",
        "Room for a small picture, of which half would be enough.",
    ),
    (
        "render/compose/sampled.py",
        "left, top = np.floor(np.clip(least, 0, (w - 1, h - 1))).astype(int)",
        "1",
        "One column or row more than are read.",
    ),
    ("render/plates/shadow.py", "BESIDE = 4", "", SPEED),
    (
        "render/kernels/backdrop.py",
        "if pixel[3] == 255:",
        "255",
        "The general computation gives the same result for an opaque ground.",
    ),
    ("render/compose/shot.py", 'if fit.fit == "stretch" or abs(ratio - 1) < 0.5 / max(size):', "<", EQUAL),
    (
        "render/compose/shot.py",
        'if fit.fit == "stretch" or abs(ratio - 1) < 0.5 / max(size):',
        "0.5",
        "An error of half a pixel and a slightly larger one look alike.",
    ),
    ("render/compose/shot.py", "if ratio > 1:", ">", EQUAL),
    (
        "render/compose/shot.py",
        "ix1, iy1 = min(int(np.ceil(x1 - 1e-6)), w), min(int(np.ceil(y1 - 1e-6)), h)",
        "-",
        BOUND,
    ),
    ("render/compose/shot.py", "rows = max(PART // box.width, 16)", "", SPEED),
    (
        "render/light/brdf.py",
        "NARROW = ((0.0, 0.1, 0.25, 0.42, 0.55, 0.7, 0.85, 1.0), ",
        "0.0",
        "The ends of a fitted curve, in directions that hardly any light takes.",
    ),
    (
        "api/films.py",
        "await to_thread.run_sync(services.accounts.films.check, caller.user_id, 0)",
        "0",
        "One byte is no storage.",
    ),
    ("secret_files.py", "return None, field_name, False", "False", UNREAD),
    ("secret_files.py", "return Unreadable(", "False", UNREAD),
    ("secret_files.py", "return text, field_name, False", "False", UNREAD),
    ("config_file.py", "return values().get(field_name), field_name, False", "", UNREAD),
    ("app.py", "catalogue()", "catalogue()", EAGER),
    ("app.py", "web_files()", "web_files()", EAGER),
    ("app.py", "build_models()", "build_models()", EAGER),
    (
        "render/paint/draped.py",
        "mean = pyramid[-1].mean(axis=(0, 1)).astype(np.float32)",
        "-1",
        "All levels of a pyramid have the same mean, apart from rounding.",
    ),
    ("admission/queue.py", "LEAST_S = 0.05", "", PACE),
    ("api/film_work.py", "REPORT_S = 1.0", "", PACE),
    ("api/idempotency.py", "_POLL_S = 0.25", "", PACE),
    ("api/webhook.py", "POLL_S = 5.0", "", PACE),
    ("codec/sandbox/client.py", "SLICE_S = 0.1", "", PACE),
    ("commands/bulk/dask_driver.py", "await asyncio.sleep(1)", "1", PACE),
    ("films/plates_ahead.py", "SLICE_MS = 100", "", PACE),
    ("films/recording.py", "SLICE_S = 0.1", "", PACE),
    ("films/worker.py", "REPORT_S = 0.1", "", PACE),
    ("api/json_body.py", "_STEP = 256 * 1024", "", SPEED),
    ("http/sockets.py", "READ_BYTES = 64 * 1024", "", SPEED),
    ("sources/inline.py", "_PIECE = 2**20", "", SPEED),
    ("films/plate_builder.py", "KEPT_BYTES = 8 << 20", "", SPEED),
    ("processes/segments.py", "KEPT_BYTES = 32 << 20", "", SPEED),
    (
        "render/geometry/silhouette.py",
        "if cv2.contourArea(outline, oriented=True) < 0:",
        "<",
        "An outline without an area covers nothing.",
    ),
    ("devices/described/making.py", "KEPT = 4 << 20", "4", SPEED),
    ("devices/described/making.py", "KEPT = 4 << 20", "20", SPEED),
    ("codec/sandbox/confine.py", "(M_TOP_PAD, 1 << 20),", "", HEAP),
    ("render/text/paragraph.py", "if line.width > width + CLOSE:", ">", EQUAL_BY_CHANCE),
    ("render/text/paragraph.py", "if self.line(start, end).width > width + CLOSE:", ">", EQUAL_BY_CHANCE),
    ("api/json_body.py", "at -= 1", "-=", "The beginning of the next character is a boundary, too."),
    ("api/live_preview.py", "wanted, needed = ShapeRequest(render), 0", "0", "One byte is no memory."),
    (
        "api/preview_turn.py",
        'began, queued = time.perf_counter(), clock.stages.get("queue", 0.0)',
        "0.0",
        "A tenth of a millisecond is less than the rounding.",
    ),
    (
        "codec/formats/gif/header.py",
        "if len(data) < 13:",
        "<",
        "A file of 13 bytes is refused with the same message, because its first block is missing.",
    ),
    ("films/schedule.py", "EARLY_S = 1e-3", "", "A tolerance, between the rounding of times and a frame."),
    (
        "codec/formats/webp/decode.py",
        'return _still(data, 12, 8 + int.from_bytes(data[4:8], "little"), header.stored)',
        "8",
        "The byte behind the file's size holds no chunk.",
    ),
    ("films/container.py", "while at + 8 <= end and left:", "8", "A box of eight bytes has no content."),
    ("films/container.py", "while at + 8 <= end and left:", "<=", "A box of eight bytes has no content."),
    ("http/connection_limits.py", "if soft < needed:", "<", EQUAL),
    (
        "render/paint/images.py",
        "columns, rows = -(-part.width // STEP) + 1, -(-part.height // STEP) + 1",
        "1",
        "One column or row more than are read.",
    ),
    (
        "render/plates/haze.py",
        "sharpest = float(np.percentile(seen, SHARPEST)) if seen.size else 0.0",
        "0.0",
        "It is rounded down, to 0.",
    ),
    (
        "films/encoders/ffmpeg.py",
        'ENVIRONMENT = {"LANG": "C.UTF-8", "MALLOC_MMAP_THRESHOLD_": str(1 << 20)}',
        "",
        HEAP,
    ),
    ("system/idle.py", "FILM_BLOCK", "", HEAP),
    ("system/idle.py", "FILM_SPARE", "", HEAP),
    ("system/idle.py", "SERVER_BLOCK", "", HEAP),
    ("system/idle.py", "SERVER_SPARE", "", HEAP),
)


def reason(file: str, line: str, before: str) -> str:
    """The reason why a fault may go unnoticed; empty if there is none."""
    for there, text, piece, why in EXPLAINED:
        if there == file and line.startswith(text) and piece in ("", before):
            return why
    return ""
