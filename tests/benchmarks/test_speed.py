"""The speed benchmark is fair: all contenders draw the same scene at the same size."""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache

import cv2
import numpy as np
import pytest
from PIL import Image

from benchmarks.speed import peers, race, report
from benchmarks.speed.cases import FORMATS, Case
from benchmarks.speed.contender import Basis, Contender
from benchmarks.speed.figures import Times, percentile
from benchmarks.speed.sketch import Sketch, sketch
from service.arrays import U8

pytestmark = pytest.mark.long

SHOT = (402, 874)
# Four quarters in colours that stay distinct under compression and glare.
QUARTERS = {(0.25, 0.25): (200, 30, 30), (0.75, 0.25): (30, 170, 30), (0.25, 0.75): (30, 30, 200)}
REST = (200, 180, 20)


def screenshot() -> bytes:
    w, h = SHOT
    pixels = np.full((h, w, 3), REST, np.uint8)
    for (u, v), color in QUARTERS.items():
        pixels[int((v - 0.25) * h) : int((v + 0.25) * h), int((u - 0.25) * w) : int((u + 0.25) * w)] = color
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "png")
    return file.getvalue()


def drawn(contender: Contender, case: Case) -> tuple[str, U8]:
    """The picture's format, as Pillow names it, and its pixels."""
    plan = sketch(case, SHOT)
    contender.prepare(plan)
    with Image.open(io.BytesIO(contender.draw(plan))) as image:
        return str(image.format).lower(), np.asarray(image.convert("RGB"), np.uint8)


@pytest.fixture(scope="module")
def field() -> Iterator[Callable[[str], Contender]]:
    """Opens a contender by name. All of them stay open until the end, because those that use HTTP share a
    server."""
    everybody = {one.name: one for one in peers.contenders()}
    with ExitStack() as closing:

        @cache
        def opened(name: str) -> Contender:
            one = everybody[name]
            if reason := one.absent():
                pytest.skip(reason)
            one.open(screenshot())
            closing.callback(one.close)
            return one

        yield opened


@pytest.fixture(params=[contender.name for contender in peers.contenders()], scope="module")
def contender(request: pytest.FixtureRequest, field: Callable[[str], Contender]) -> Contender:
    return field(request.param)


@pytest.mark.parametrize(
    "kind", ["png", *(pytest.param(kind, marks=pytest.mark.thorough) for kind in FORMATS if kind != "png")]
)
@pytest.mark.thorough
def test_all_contenders_draw_the_same_scene_at_the_same_size(contender: Contender, kind: str) -> None:
    case = Case(640, 360, kind)  # type: ignore[arg-type]
    found, pixels = drawn(contender, case)
    assert (found, pixels.shape) == (kind, (360, 640, 3))
    plan = sketch(case, SHOT)
    for u, v in [*QUARTERS, (0.75, 0.75)]:
        x, y = plan.screen.at(u, v)
        seen = pixels[int(y), int(x)].astype(int)
        assert np.abs(seen - QUARTERS.get((u, v), REST)).max() < 40, (u, v)


@pytest.mark.thorough
def test_all_contenders_place_screen_shadow_and_gradient_correctly(contender: Contender) -> None:
    case = Case(640, 360, "png")
    _, pixels = drawn(contender, case)
    plan = sketch(case, SHOT)
    # The border between two quarters must be where the geometry predicts it, in each row.
    for v in (0.3, 0.4, 0.6, 0.7):
        x, y = plan.screen.at(0.5, v)
        row = pixels[int(y), int(x) - 12 : int(x) + 13].astype(int)
        step = np.abs(np.diff(row, axis=0)).sum(axis=1)
        assert abs(int(np.argmax(step)) - 11.5) <= 2.5
    dark, light = pixels[5, 5].astype(int), pixels[-6, -6].astype(int)
    assert (light - dark > 60).all()
    if contender.name != "floor":
        lens = drawn(contender, Case(640, 360, "png", effects=True))[1]
        assert lens.shape == pixels.shape
        assert np.abs(lens.astype(int) - pixels).mean() > 3


@pytest.mark.thorough
def test_the_shadow_darkens_the_background_beside_the_device(contender: Contender) -> None:
    case = Case(640, 360, "png")
    pixels = drawn(contender, case)[1].astype(int)
    plan = sketch(case, SHOT)
    right = max(x for x, _ in plan.body.corners())
    y = int(plan.body.at(0.5, 0.6)[1])
    near, far = pixels[y, int(right) + 8], pixels[y, int(right) + 120]
    assert (far - near > 12).all()


def test_the_browser_is_given_the_geometry_and_not_a_picture() -> None:
    plan = sketch(Case(1920, 1080, "png"), SHOT)
    corners = plan.screen.corners()
    assert corners.shape == (4, 2)
    # The screen is turned away to one side, so its left and right edge differ in length, and only a
    # perspective matrix maps it.
    left, right = np.linalg.norm(corners[3] - corners[0]), np.linalg.norm(corners[2] - corners[1])
    assert abs(left - right) > 10
    assert plan.screen.at(0, 0) == pytest.approx(tuple(corners[0]))
    assert (corners > 0).all()
    assert (corners < plan.size).all()


class Fake(Basis):
    def __init__(self, name: str, ms: float, ticks: list[float], *, reason: str | None = None) -> None:
        self.name, self._ms, self._ticks, self._reason = name, ms, ticks, reason
        self.order: list[str] = []

    def absent(self) -> str | None:
        return self._reason

    def prepare(self, sketch: Sketch) -> None:
        self._ticks[0] += 1000.0

    def draw(self, sketch: Sketch) -> bytes:
        self.order.append(self.name)
        if self._ms < 0:
            raise ValueError("no such blur")
        self._ticks[0] += self._ms / 1e3
        return b"x" * 7


def test_rounds_are_interleaved_and_preparation_is_not_counted() -> None:
    ticks = [0.0]
    quick, slow, broken = (Fake("quick", 10, ticks), Fake("slow", 900, ticks), Fake("broken", -1, ticks))
    order: list[str] = []
    for fake in (quick, slow, broken):
        fake.order = order
    plan = sketch(Case(640, 360, "png"), SHOT)
    times = race.run([quick, slow, broken], plan, rounds=4, share_ms=1000, clock=lambda: ticks[0])
    assert order == ["quick", "slow", "broken", "quick", "slow", "quick", "quick"]
    assert times["quick"].values == pytest.approx([10] * 4)
    assert times["slow"].median == pytest.approx(900)
    assert times["broken"].failure == "ValueError: no such blur"
    assert math.isnan(times["broken"].median)
    lines = "\n".join(report.medians({plan.case: times}))
    assert "no such blur" in lines


def test_absent_peers_are_named_with_their_reason() -> None:
    ticks = [0.0]
    fakes = [Fake("here", 1, ticks), Fake("gone", 1, ticks, reason="not installed")]
    assert race.absentees(fakes) == {"gone": "not installed"}
    from benchmarks.speed.__main__ import field

    assert "- gone: **absent**, not installed" in field([fakes[0]], {"gone": "not installed"})


def test_medians_ratios_and_verdicts() -> None:
    case = Case(1920, 1080, "png")
    ours, browser, floor = Times(), Times(), Times()
    for ms in (50, 40, 60):
        ours.add(ms, 100, {"decode": ms / 2})
    browser.add(1000, 300, {})
    floor.add(40, 100, {})
    results = {case: {report.HTTP: ours, report.WARM: ours, report.BROWSER: browser, report.FLOOR: floor}}
    assert report.ratio(results, case, report.BROWSER, report.WARM) == pytest.approx(20)
    assert (
        report.against_browser(results)[2]
        == "| 1920×1080 PNG, effects off | 20.0; – | –; – | –; – | 20.0; – |"
    )
    assert ours.stage_medians() == {"decode": 25}
    verdicts = {goal.text: goal.verdict for goal in report.goals(results)}
    assert verdicts["1920×1080 PNG over HTTP: Chromium / ours"] == "holds"
    assert verdicts["warm 1920×1080 PNG: ours / floor"] == "holds"
    assert verdicts["3840×2160 PNG over HTTP: Chromium / ours"] == "not measured"
    browser.add(780, 300, {})
    browser.add(780, 300, {})
    assert report.goals(results)[0].verdict == "missed"


def test_percentiles_are_values_that_were_seen() -> None:
    values = list(range(1, 101))
    assert [percentile(values, share) for share in (0.5, 0.95, 0.99, 1.0)] == [50, 95, 99, 100]
    assert percentile([3.0], 0.99) == 3.0
    assert math.isnan(percentile([], 0.5))


def test_opencv_reads_the_files_of_the_engine() -> None:
    engine = next(each for each in peers.contenders() if each.name == report.WARM)
    engine.open(screenshot())
    plan = sketch(Case(640, 360, "png"), SHOT)
    engine.prepare(plan)
    data = engine.draw(plan)
    found = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)
    assert found is not None
    assert found.shape == (360, 640, 3)
    assert {"decode", "warp", "compose", "encode"} <= set(engine.stages())
    engine.close()
