"""The browser's sample screen: the page of a tea shop that does not exist."""

from __future__ import annotations

import numpy as np

from frames.generator.outline import box, circle, pill
from frames.generator.page import Page

WIDTH, HEIGHT, SCALE = 1280, 800, 2
INK, MUTED, PAPER, LEAF, CLAY, HONEY = "#23312b", "#6d7a72", "#f7f3ea", "#3f7d5c", "#c8694a", "#e9b44c"
TEAS = (
    ("Morning Hill", "Green, grassy", "9.50", LEAF, "#dfeadf"),
    ("Amber Road", "Black, malty", "8.00", CLAY, "#f5e0d6"),
    ("Honey Field", "Herbal, mild", "7.50", HONEY, "#f8ebcb"),
    ("Night Harbour", "Smoked, deep", "11.00", "#4a5a78", "#dde3ee"),
)


def shop() -> Page:
    """Draw the whole page."""
    page = Page(WIDTH, HEIGHT, SCALE, PAPER)
    navigation(page)
    hero(page)
    page.text("Four favourites", (96, 518), 24, "SemiBold", INK)
    page.text("All teas", (1184, 518), 15, "Medium", LEAF, align="right")
    for index, (name, taste, price, color, soft) in enumerate(TEAS):
        x = 96.0 + index * 280
        page.panel((x, 548, 248, 226), "#ffffff", 20)
        page.panel((x, 548, 248, 132), soft, 20)
        page.panel((x, 640, 248, 40), soft)
        tin(page, (x + 124, 618), color)
        page.text(name, (x + 20, 706), 17, "SemiBold", INK)
        page.text(taste, (x + 20, 732), 14, "Regular", MUTED)
        page.text(price, (x + 228, 706), 16, "SemiBold", INK, align="right")
    return page


def navigation(page: Page) -> None:
    """Name and menu."""
    page.disc((110, 46), 15, LEAF)
    page.disc((116, 41), 15, PAPER)
    page.text("Leaf & Kettle", (136, 46), 20, "SemiBold", INK)
    for x, name in ((760, "Teas"), (836, "Teaware"), (938, "Journal"), (1034, "Visit")):
        page.text(name, (x, 46), 15.5, "Medium", INK)
    page.panel((1102, 26, 82, 40), INK, 20)
    page.text("Cart  2", (1143, 46), 14.5, "SemiBold", PAPER, align="middle")


def hero(page: Page) -> None:
    """The large picture with its words."""
    page.panel((96, 92, 1088, 380), "#2f5d46", 32)
    page.text("Slow mornings,", (144, 172), 54, "Bold", "#f7f3ea")
    page.text("well steeped.", (144, 236), 54, "Bold", "#f2cf7f")
    page.text("Small harvests from eleven family gardens,", (144, 300), 18, "Regular", "#dbe7dd")
    page.text("sent to you within a week of picking.", (144, 328), 18, "Regular", "#dbe7dd")
    page.panel((144, 372, 176, 54), HONEY, 27)
    page.text("Find your tea", (232, 399), 17, "SemiBold", INK, align="middle")
    page.text("or take the tasting set", (344, 399), 16, "Medium", "#dbe7dd")
    page.disc((944, 282), 150, "#3b7257")
    page.disc((944, 282), 112, "#47845f", 0.8)
    cup(page)


def cup(page: Page) -> None:
    """A cup of tea on its saucer, steam above."""
    x, y = 944.0, 300.0
    c = page.sketch(x - 180, y - 170, 360, 290)
    u, v = c.x - x, c.y + y
    saucer = (np.hypot(u, (v + 84) * 5.2) - 138) * 0.4
    c.fill(saucer + 2, "#1f4433", 0.35, softness=16)
    c.fill((np.hypot(u, (v + 76) * 5.2) - 136) * 0.4, "#efe6d4")
    c.fill((np.hypot(u, (v + 74) * 5.2) - 92) * 0.4, "#d9ccb3")
    handle = np.abs(np.hypot(u - 92, v + 6) - 32) - 7.5
    c.fill(handle, "#f3ebdc")
    bowl = np.maximum(np.hypot(u, v - 30) - 106, v - 30)
    foot = box(u, v + 70, 70, 16, 6)
    c.fill(np.minimum(bowl, foot), "#fbf6ea")
    shade = np.clip((u + 20) / 120, 0, 1)
    c.cover(c.coverage(np.minimum(bowl, foot)) * shade * 0.16, "#8a7350")
    c.fill((np.hypot(u, (v - 30) * 4.4) - 106) * 0.5, "#e9dfca")
    c.fill((np.hypot(u, (v - 29) * 4.4) - 97) * 0.5, "#b9672f")
    c.fill((np.hypot(u + 18, (v - 27) * 5.5) - 62) * 0.5, "#cf8241", 0.8)
    page.lay(c)
    for shift, tall in ((-34, 58), (4, 78), (40, 52)):
        waves = np.sin(np.arange(25) / 12 * np.pi) * 9
        line = [(x + shift + float(wave), 250 - tall * step / 24) for step, wave in enumerate(waves)]
        page.line(line, 6, "#ffffff", 0.34)


def tin(page: Page, at: tuple[float, float], color: str) -> None:
    """A tea tin with a plain label."""
    c = page.sketch(at[0] - 60, at[1] - 70, 120, 130)
    u, v = c.x - at[0], c.y + at[1]
    c.fill(pill(u, v + 50, 96, 14), "#000000", 0.10, softness=8)
    c.fill(box(u, v + 4, 76, 92, 9), color)
    c.cover(c.coverage(box(u, v + 4, 76, 92, 9)) * np.clip(u / 38, 0, 1) * 0.18, "#000000")
    c.fill(box(u, v - 49, 82, 18, 6), "#f3ead7")
    c.fill(box(u, v + 6, 52, 46, 6), "#fbf6ea")
    c.fill(np.maximum(circle(u - 7, v + 6, 15), circle(u + 7, v + 6, 15)), color)
    page.lay(c)
