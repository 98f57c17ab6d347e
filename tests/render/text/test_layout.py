"""Layout, drawing and compositing of captions."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("icu")
pytest.importorskip("uharfbuzz")

from service.arrays import U8
from service.clock import Clock
from service.fonts.collection import Axes, Collection, Font, collection, read
from service.render.compose import captions as drawn
from service.render.compose.captions import Captions
from service.render.text.layout import CaptionError, Layout, lay_out
from service.settings.captions import Caption, CaptionSpec, UnusableCaptionError, spec
from service.settings.warnings import Warning
from service.validation.color import parse
from tests.support.seeds import seeded

SIZE = (400, 300)


def made(text: str, language: str | None = None, **members: Any) -> CaptionSpec:
    return spec(Caption.model_validate({"text": text, **members}), language, *SIZE)


def laid(text: str, **members: Any) -> Layout:
    return lay_out(made(text, **members), SIZE, collection())


def texts(layout: Layout, text: str) -> list[str]:
    return [text[line.start : line.end] for line, _, _ in layout.lines]


def lay(base: U8, *wanted: CaptionSpec) -> tuple[U8, tuple[Warning, ...]]:
    """A picture with captions over it, and warnings about them."""
    height, width = base.shape[:2]
    captions = Captions(wanted, (width, height), "", "", Clock())
    rows = [slice(y, min(y + 80, height)) for y in range(0, height, 80)]
    made = np.concatenate([captions.lay(base[one], one) for one in rows])
    return made, captions.warnings


def canvas(color: tuple[int, ...] = (255, 255, 255, 255)) -> U8:
    return np.full((SIZE[1], SIZE[0], 4), color, np.uint8)


def test_lines_break_at_spaces_and_words_that_are_too_wide_anywhere() -> None:
    text = "one two incomprehensibilities"
    rows = texts(laid(text, width=0.3, font={"size": 0.1}), text)
    assert rows[0] == "one two"
    assert "".join(rows[1:]) == "incomprehensibilities"
    assert len(rows) > 2


def test_lines_are_balanced() -> None:
    text = "Two accounts, one glance"
    layout = laid(text, width=0.8, font={"size": 0.1})
    assert texts(layout, text) == ["Two accounts,", "one glance"]
    assert layout.width < 0.6 * SIZE[0]
    long = " ".join(["word"] * 41)
    rows = [line.width for line, _, _ in laid(long, width=0.5, font={"size": 0.1}).lines]
    assert len(rows) > 6, "a long text is filled line by line"
    assert rows[-1] < 0.6 * rows[0]
    many = laid("一" * 60, width=1, font={"size": 0.03})
    rows = [line.width for line, _, _ in many.lines]
    assert len(rows) == 2, "few lines, and too many places to break them"
    assert rows[1] < 0.6 * rows[0]


def test_shrink_breaks_no_word_and_stays_on_the_canvas() -> None:
    text = "one two incomprehensibilities"
    layout = laid(text, width=0.3, font={"size": 0.1}, overflow="shrink")
    assert texts(layout, text)[-1].endswith("incomprehensibilities")
    assert layout.size < 30
    corners = layout.corners()
    assert (corners >= -0.1).all()
    assert (corners <= np.array(SIZE) + 0.1).all()


def test_shrink_makes_no_more_lines_than_it_may() -> None:
    text = "one two three four five six"
    loose = laid(text, width=0.3, font={"size": 0.1}, overflow="shrink")
    close = laid(text, width=0.3, font={"size": 0.1}, overflow="shrink", maxLines=2)
    assert len(loose.lines) > 2
    assert len(close.lines) == 2
    assert close.size < loose.size
    assert close.width <= 0.3 * SIZE[0]
    own = laid("a\nb\nc", font={"size": 0.1}, overflow="shrink", maxLines=2)
    assert (len(own.lines), own.size) == (3, 30)
    with pytest.raises(CaptionError, match="more than `maxLines`"):
        laid(text, width=0.3, font={"size": 0.1}, overflow="error", maxLines=2)


def test_whether_a_caption_fits_is_judged_by_its_balanced_lines() -> None:
    text = " ".join(["wwww"] * 6)
    layout = laid(text, x=0.6, anchor="left", width=0.6, font={"size": 0.045}, overflow="error")
    assert texts(layout, text) == ["wwww wwww wwww"] * 2, "with a fourth word, the first line left the canvas"


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"text": "incomprehensibilities", "width": 0.1}, "a word is wider than `width`"),
        ({"text": "a b c d", "width": 0.05, "maxLines": 2, "y": 0}, "it has 4 lines, more than `maxLines`"),
        ({"text": "below", "y": 0.99}, "part of it leaves the canvas"),
    ],
)
def test_overflow_error_says_what_does_not_fit(given: dict[str, Any], reason: str) -> None:
    with pytest.raises(CaptionError) as caught:
        laid(given.pop("text"), overflow="error", **given)
    assert str(caught.value) == f"the caption does not fit: {reason}; overflow shrink makes it smaller"


def test_overflow_error_refuses_long_texts() -> None:
    with pytest.raises(CaptionError, match="does not fit") as caught:
        laid("incomprehensibilities", width=0.1, overflow="error")
    assert caught.value.member == "text"
    laid("fits", overflow="error")


@pytest.mark.parametrize(
    ("anchor", "corner"), [("top-left", 0), ("top-right", 1), ("bottom-right", 2), ("bottom-left", 3)]
)
@pytest.mark.parametrize("rotation", [0, 30, -90])
def test_the_anchor_stays_at_its_place(anchor: str, corner: int, rotation: float) -> None:
    layout = laid("text", x=0.25, y=0.5, anchor=anchor, rotation=rotation)
    assert layout.corners()[corner] == pytest.approx((100, 150))


def test_positive_rotation_is_counter_clockwise() -> None:
    corners = laid("text", x=0.5, y=0.5, anchor="left", rotation=45).corners()
    assert corners[1][1] < corners[0][1]


def test_letters_of_two_directions_are_in_the_order_of_unicode() -> None:
    text = "abc שלום 12 xyz"
    layout = laid(text, width=1)
    order = [text[glyph.cluster] for glyph in layout.lines[0][0].glyphs]
    assert "".join(order) == "abc 12 םולש xyz"
    assert laid(text, direction="rtl").lines[0][0].rtl


def test_an_unknown_family_is_refused_with_the_nearest() -> None:
    with pytest.raises(CaptionError, match="did you mean Inter"):
        laid("x", font={"family": "Intre"})


def test_missing_glyphs_are_reported() -> None:
    said = lay(canvas(), made("x\U0010fffd"))[1]
    assert [one.code for one in said] == ["MISSING_GLYPHS"]


@pytest.mark.parametrize(
    ("fill", "poor"), [(None, False), ("#11223340", False), ("#112233C0", True), ("#FFFFFFC0", False)]
)
def test_contrast_is_measured_only_where_the_ground_is_known(fill: str | None, poor: bool) -> None:
    """A faint background on a transparent canvas takes the colour of the page that shows the picture."""
    behind: dict[str, Any] = {"background": {"color": fill}} if fill else {}
    said = lay(canvas((0, 0, 0, 0)), made("text", color="#1D1D1F", **behind))[1]
    assert [one.code for one in said] == ["LOW_CONTRAST"] * poor


@pytest.mark.parametrize(
    ("color", "poor"), [("#FFFFFF", True), ("#DDDDDD", True), ("#000000", False), ("#00000010", True)]
)
def test_too_little_contrast_is_reported(color: str, poor: bool) -> None:
    said = lay(canvas(), made("text", color=color))[1]
    assert [one.code for one in said] == ["LOW_CONTRAST"] * poor
    backed = made("text", color=color, background={"color": "#000" if poor else "#FFF"})
    assert not lay(canvas(), backed)[1] or color.endswith("10")


@pytest.mark.parametrize(
    ("color", "ground", "ratio"),
    [
        # Contrasts by WCAG 2.2, to one decimal.
        ("#949494", "#FFFFFF", None),  # 3.03
        ("#959595", "#FFFFFF", "3.0"),  # 2.98
        ("#FF0000", "#FFFFFF", None),  # 4.00
        ("#00FF00", "#FFFFFF", "1.4"),
        ("#0000FF", "#000000", "2.4"),
        ("#FF0000", "#00FF00", "2.9"),
        ("#FFFFFF80", "#808080", "2.2"),
    ],
)
def test_contrast_is_that_of_the_guidelines(color: str, ground: str, ratio: str | None) -> None:
    said = lay(canvas(parse(ground)), made("text", color=color))[1]
    assert [f"a contrast of {ratio}:1" in one.message for one in said] == [True] * (ratio is not None)


def test_a_background_is_a_rounded_rectangle_of_its_colour() -> None:
    base = canvas((0, 0, 0, 0))
    one = made(
        "I", x=0.5, y=0.5, anchor="center", background={"color": "#FF0000", "radius": 0.5, "padding": 2}
    )
    base, _ = lay(base, one)
    shown = base[..., 3] > 0
    rows, columns = np.nonzero(shown.any(1))[0], np.nonzero(shown.any(0))[0]
    assert not shown[rows[0], columns[0]]
    assert tuple(base[rows[len(rows) // 2], columns[1]]) == (255, 0, 0, 255)
    # Edge pixels have the caption's own colour, so it shows no fringe on any background.
    edge = (base[..., 3] > 0) & (base[..., 3] < 255)
    assert (base[edge][:, 0] == 255).all()


def test_captions_are_mixed_in_code_values() -> None:
    """Captions are mixed with any picture of three or four channels, by coverage and alpha."""
    rng = np.random.default_rng(1)
    base = rng.integers(0, 256, (SIZE[1], SIZE[0], 3)).astype(np.uint8)
    solid = np.dstack([base, np.full(base.shape[:2], 255, np.uint8)])
    wanted = made("Wide text", color="#FFFFFFC0", font={"size": 0.2}, y=0.1)
    bare = lay(canvas((0, 0, 0, 0)), wanted)[0]
    alpha = bare[..., 3:] / 255
    assert alpha.max() == pytest.approx(192 / 255, abs=0.002)
    expected = base * (1 - alpha) + 255 * alpha
    assert np.abs(lay(base, wanted)[0] - expected).max() < 0.51
    assert np.abs(lay(solid, wanted)[0][..., :3] - expected).max() < 1.01
    assert (lay(solid, wanted)[0][..., 3] == 255).all()
    assert (base != lay(base, wanted)[0]).any(), "what it is given stays as it is"


def test_large_captions_are_drawn_as_they_are_laid(monkeypatch: pytest.MonkeyPatch) -> None:
    """Captions that are too large to be cached look the same as cached ones."""
    wanted = made("مرحبا Wide text 😀", color="#00000080", background={}, rotation=8, y=0.2)
    expected = lay(canvas(), wanted)[0]
    drawn.kept.clear()
    monkeypatch.setattr(drawn, "LARGEST", 0)
    assert (lay(canvas(), wanted)[0] == expected).all()
    assert not drawn.kept


def test_cached_captions_belong_to_their_owner() -> None:
    drawn.kept.clear()
    wanted = (made("text"),)
    for owner in ("a", "b", "a"):
        Captions(wanted, SIZE, "", owner, Clock())
    assert {key[3] for key in drawn.kept} == {"a", "b"}


def test_captions_are_the_same_every_time() -> None:
    captions = [made("Plan your day", background={}), made("مرحبا שלום 世界", y=0.5, rotation=12)]
    first, second = lay(canvas(), *captions)[0], lay(canvas(), *captions)[0]
    assert (first == second).all()
    assert (first != canvas()).any()


@pytest.mark.parametrize(
    "text",
    [
        "\u202e\u2067" * 250,
        "\n" * 500,
        " " * 500,
        "\u200d" * 500,
        "\u0300",
        "\ufe0f",
        "👩\u200d" * 250,
        "ﷺ" * 500,
    ],
)
@pytest.mark.parametrize("overflow", ["wrap", "shrink"])
def test_hostile_texts_give_a_picture(text: str, overflow: str) -> None:
    lay(canvas(), made(text, overflow=overflow, width=0.01, font={"size": 1}))


def test_faults_name_the_caption() -> None:
    wrong = made("x", font={"family": "no such family"})
    with pytest.raises(UnusableCaptionError) as caught:
        lay(canvas(), made("x"), wrong)
    assert caught.value.path == "settings.captions[1].font.family"


def test_files_other_than_fonts_are_ignored(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "text.ttf").write_bytes(b"this is no font")
    (tmp_path / "empty.otf").write_bytes(b"")
    inter = Path("frames/fonts/Inter-Regular.otf").read_bytes()
    (tmp_path / "half.otf").write_bytes(inter[:1000])
    (tmp_path / "folder.ttf").mkdir()
    for path in sorted(tmp_path.iterdir()):
        assert read(path) == []
        assert path.name in caplog.text
    (tmp_path / "mine.otf").write_bytes(inter)
    assert collection(str(tmp_path)).styles("inter")[0].path == tmp_path / "mine.otf"


@seeded(60)
def test_a_damaged_font_is_left_out_or_gives_a_layout(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    data = bytearray(Path("frames/fonts/Inter-Regular.otf").read_bytes())
    for _ in range(rng.choice([1, 40, 400])):
        data[rng.randrange(rng.choice([400, len(data)]))] = rng.randrange(256)
    file = tmp_path / f"{seed}.otf"
    file.write_bytes(data)
    found = read(file)
    if found and found[0].family:
        wanted = made("Plan your dáy: fi 12", font={"family": found[0].family})
        layout = lay_out(wanted, SIZE, Collection(found))
        assert np.isfinite(layout.corners()).all()
        for line, _, _ in layout.lines:
            for glyph in line.glyphs:
                assert np.isfinite(glyph.advance)


def test_a_line_that_starts_opposite_the_anchor_ends_with_the_width() -> None:
    mirrored = laid("שלום", x=0.1, width=0.5, anchor="top-left", align="start")
    (line, left, _), width = mirrored.lines[0], 0.5 * SIZE[0]
    assert mirrored.width == pytest.approx(width)
    assert left + line.width * mirrored.size == pytest.approx(width)
    assert laid("Hello", x=0.1, width=0.5, anchor="top-left", align="start").width < width, "as wide as it is"
    narrow = laid("ש", x=0.9, width=0.5, anchor="top-left", align="start")
    assert narrow.width == pytest.approx(0.1 * SIZE[0]), "no farther than the canvas"
    backed = {"background": {"color": "#FFF"}}
    assert laid("שלום", x=0.1, width=0.5, anchor="top-left", align="start", **backed).width < width


def weighed(weight: float, italic: bool = False) -> list[tuple[float, bool]]:
    """The weights and styles of a family, the best for a weight first."""
    fonts = [
        Font(Path("a.ttf"), 0, "A", own, slanted)
        for own in (100, 300, 400, 450, 500, 600, 900)
        for slanted in (False, True)
    ]
    return [(one.weight, one.italic) for one in sorted(fonts, key=lambda one: one.away(weight, italic))]


@pytest.mark.parametrize(
    ("weight", "best"),
    [
        (300, [300, 100, 400, 450, 500, 600, 900]),
        (399, [300, 100, 400, 450, 500, 600, 900]),
        (400, [400, 450, 500, 300, 100, 600, 900]),
        (425, [450, 500, 400, 300, 100, 600, 900]),
        (500, [500, 450, 400, 300, 100, 600, 900]),
        (501, [600, 900, 500, 450, 400, 300, 100]),
        (600, [600, 900, 500, 450, 400, 300, 100]),
    ],
)
def test_the_nearest_weight_is_that_of_css(weight: float, best: list[float]) -> None:
    for italic in (False, True):
        found = weighed(weight, italic)
        assert found == [(own, style) for style in (italic, not italic) for own in best]


def test_a_variable_font_has_all_weights_between_its_ends() -> None:
    font = Font(Path("a.ttf"), 0, "A", 400, False, Axes(200, 800))
    exact = [weight for weight in (199, 200, 400, 800, 801) if font.away(weight, False) == (0, 0, 0)]
    assert exact == [200, 400, 800]
    assert font.away(400, True) == (1, 0, 0)
    assert font.weights == (200, 800)
