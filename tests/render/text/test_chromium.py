"""Captions compared with Chromium's: glyph positions within a pixel, and equal line breaks."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

pytest.importorskip("icu")
pytest.importorskip("uharfbuzz")

from playwright.sync_api import Error, Page
from playwright.sync_api import sync_playwright as playwright

from service.fonts.collection import SHIPPED, collection
from service.render.text import paragraph
from service.render.text.layout import Layout, lay_out
from service.settings.captions import Caption, spec
from tests.support.browser import program

pytestmark = pytest.mark.long

SIZE, CANVAS = 40.0, (2000, 1000)
# Texts, their languages, and fonts that have their characters.
TEXTS = {
    "latin": (
        "The office fluffed AVATAR waffles (To be continued): naïve, Übergröße – a “quoted” end.",
        "en",
        "",
    ),
    "greek": ("Ελληνικά: η γρήγορη καφέ αλεπού πηδάει πάνω από το σκύλο", "el", ""),
    "cyrillic": ("Съешь же ещё этих мягких французских булок, да выпей чаю", "ru", ""),
    "arabic": ("مرحبا بالعالم، هذا نص طويل يكفي لثلاثة أسطر (test 42) في النهاية", "ar", "Noto Sans Arabic"),
    "hebrew": ("שלום עולם, זה טקסט ארוך עם English ומספרים 1,234 בסוף (סוגריים)", "he", "Noto Sans Hebrew"),
    "hindi": ("नमस्ते दुनिया, क्षत्रिय और प्रकृति की शक्ति का वर्णन करते हैं", "hi", "Noto Sans Devanagari"),
    "thai": ("สวัสดีชาวโลก ภาษาไทยเป็นภาษาที่สวยงามมากและเขียนติดกันโดยไม่มีช่องว่าง", "th", "Noto Sans Thai"),
    "japanese": (
        "こんにちは、世界。今日は「いい天気」ですね。ちょっと散歩に行きましょうか？",
        "ja",
        "Noto Sans CJK JP",
    ),
    "chinese": (
        "你好，世界！今天天气很好，我们去公园散步吧。《红楼梦》是一部小说。",
        "zh-CN",
        "Noto Sans CJK SC",
    ),
    "korean": ("안녕하세요 세계. 오늘은 날씨가 좋으니 공원에 산책하러 갑시다.", "ko", "Noto Sans CJK KR"),
    "emoji": (
        "Emoji 😀 with 👨‍👩‍👧 families, ❤️ hearts and 🇩🇪 flags 👍🏽 inside text",
        "en",
        "Noto Color Emoji",
    ),
    "mixed": (
        "Plan: שלום (abc) مرحبا 12:30 世界 end",
        "en",
        "Noto Sans Hebrew, Noto Sans Arabic, Noto Sans CJK SC",
    ),
}
# Languages in which lines may end after nearly any letter.
LETTERS = {"japanese", "chinese", "korean"}

# Returns the box of each UTF-16 unit, and the tops of the lines.
MEASURE = """() => {
    const node = document.getElementById('text').firstChild, found = [];
    const box = document.getElementById('text').getBoundingClientRect();
    for (let at = 0; at < node.length; at += 1) {
        const range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + 1);
        const rects = range.getClientRects();
        const rect = rects[rects.length - 1];
        found.push(rect ? [rect.left - box.left, rect.right - box.left, rect.top - box.top] : null);
    }
    return found;
}"""


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    """A page in a browser that neither hints glyphs nor rounds their widths."""
    with playwright() as engine:
        try:
            browser = engine.chromium.launch(
                executable_path=program(),
                args=["--no-sandbox", "--disable-gpu", "--font-render-hinting=none"],
            )
        except (Error, FileNotFoundError, TypeError) as error:
            pytest.skip(f"no Chromium: {error}")
        yield browser.new_page(viewport={"width": CANVAS[0], "height": CANVAS[1]})
        browser.close()


def measured(page: Page, text: str, language: str, families: str, width: float, extra: str = "") -> list[Any]:
    font = base64.b64encode((SHIPPED / "Inter-Regular.otf").read_bytes()).decode()
    listed = ", ".join(
        json.dumps(one.strip()) for one in f"Inter, Noto Sans, {families}".split(",") if one.strip()
    )
    direction = "auto"
    page.set_content(
        f"""<!doctype html><html lang={language}><meta charset=utf-8><style>
        @font-face {{ font-family: Inter; src: url(data:font/otf;base64,{font}); font-weight: 400 }}
        body {{ margin: 0 }}
        #text {{ font: 400 {SIZE}px/1.2 {listed}; width: {width}px; white-space: pre-wrap;
                 overflow-wrap: anywhere; text-rendering: geometricPrecision; {extra} }}
        </style><div id=text dir={direction}></div>"""
    )
    page.evaluate("text => { document.getElementById('text').textContent = text }", text)
    page.evaluate("document.fonts.ready")
    found = page.evaluate(MEASURE)
    assert isinstance(found, list)
    return found


def units(text: str) -> list[int]:
    """The index of each character in UTF-16."""
    at, found = 0, []
    for char in text:
        found.append(at)
        at += len(char.encode("utf-16-le")) // 2
    return found


def boxes(layout: Layout) -> dict[int, tuple[float, float, int]]:
    """The left end, right end and line of each cluster, by the index of its first character."""
    found: dict[int, tuple[float, float, int]] = {}
    for number, (line, left, _) in enumerate(layout.lines):
        pen = left
        for glyph in line.glyphs:
            end = pen + glyph.advance * layout.size
            known = found.get(glyph.cluster, (pen, end, number))
            found[glyph.cluster] = (min(known[0], pen), max(known[1], end), number)
            pen = end
    return found


# `make test` lays each text out in narrow lines, two of them also in a single line, and two balanced.
NARROW = 320, "auto"
OTHERS = {
    ("latin", 1900, "auto"),
    ("mixed", 1900, "auto"),
    ("mixed", 320, "balance"),
    ("thai", 320, "balance"),
}


def cases() -> Iterator[Any]:
    for name, width, wrap in product(TEXTS, (320, 470, 1900), ("auto", "balance")):
        taken = (width, wrap) == NARROW or (name, width, wrap) in OTHERS
        yield pytest.param(name, width, wrap, marks=[] if taken else [pytest.mark.thorough])


@pytest.mark.parametrize(("name", "width", "wrap"), list(cases()))
def test_lays_text_out_as_chromium_does(
    page: Page, name: str, width: int, wrap: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, language, families = TEXTS[name]
    if wrap == "auto":
        monkeypatch.setattr(paragraph, "BALANCED", 1)
    elif name in LETTERS:
        pytest.skip("Chromium balances lines that may end after any letter in another way")
    known = collection()
    if missing := [one for one in families.split(", ") if one and not known.styles(one)]:
        pytest.skip(f"not installed: {missing}")
    caption = Caption.model_validate(
        {"text": text, "x": 0, "y": 0, "anchor": "top-left", "width": width / CANVAS[0], "align": "start",
         "font": {"size": SIZE / CANVAS[1], "weight": 400}}
    )  # fmt: skip
    layout = lay_out(spec(caption, language, *CANVAS), CANVAS, known)
    theirs = measured(page, text, language, families, width, f"text-wrap-style: {wrap}")
    places = units(text)
    ours = boxes(layout)
    starts = sorted(ours)
    # Text aligned to the side of the anchor may have a narrower block than Chromium's box; only other text
    # has the same width.
    assert layout.width == pytest.approx(width) or not layout.lines[0][0].rtl
    lines: dict[int, list[float]] = {}
    for one, start in enumerate(starts):
        if text[start].isspace():
            continue
        after = places[starts[one + 1]] if one + 1 < len(starts) else len(theirs)
        # Our layout drops the spaces at the ends of lines.
        after = min(after, *(places[at] for at in range(start, len(text)) if text[at].isspace()), len(theirs))
        parts = [part for part in theirs[places[start] : after] if part and part[1] > part[0]]
        assert parts, (name, text[start])
        left, right, line = ours[start]
        lines.setdefault(line, []).append(parts[0][2])
        assert left == pytest.approx(min(part[0] for part in parts), abs=1), (
            name,
            start,
            text[start:],
        )
        assert right == pytest.approx(max(part[1] for part in parts), abs=1), (
            name,
            start,
            text[start:],
        )
    middles = [max(ends) for ends in lines.values()]
    assert middles == sorted(middles), "lines end at the same places"
    assert all(max(one) - min(one) < SIZE / 2 for one in lines.values()), "each line is one of theirs"
