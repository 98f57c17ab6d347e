"""The phone's sample screen: a weather app that does not exist."""

from __future__ import annotations

from frames.generator import icons
from frames.generator.page import Page, smooth

WIDTH, HEIGHT, SCALE = 402, 874, 3
SKY = ((0.0, "#1d2b6f"), (0.28, "#3f51ad"), (0.52, "#7a76c9"), (0.76, "#c98fb8"), (1.0, "#f6b69a"))
HOURS = (
    ("Now", 21, icons.partly),
    ("10", 22, icons.sun),
    ("11", 24, icons.sun),
    ("12", 25, icons.sun),
    ("13", 25, icons.partly),
    ("14", 23, icons.rain),
)
DAYS = (
    ("Today", icons.partly, 15, 25),
    ("Sat", icons.sun, 16, 27),
    ("Sun", icons.sun, 17, 28),
    ("Mon", icons.rain, 14, 20),
    ("Tue", icons.partly, 13, 22),
)


def card(page: Page, place: tuple[float, float, float, float], title: str) -> None:
    """A translucent card with its small heading."""
    page.panel(place, "#101a4a", 24, 0.26)
    page.text(title, (place[0] + 18, place[1] + 22), 12, "SemiBold", opacity=0.72)


def weather() -> Page:
    """Draw the whole screen."""
    page = Page(WIDTH, HEIGHT, SCALE)
    page.sky(SKY)
    page.glow((318, 196), 46, "#ffc58a", 0.62)
    page.disc((318, 196), 43, "#ffd978")
    page.disc((318, 196), 30, "#ffe9a8", 0.7, softness=14)
    icons.cloud(page, (276, 232), 128, opacity=0.94)
    icons.cloud(page, (352, 252), 84, "#e9ecff", 0.85)
    icons.status(page, (62, 33), (368, 33), "#ffffff")
    page.text("Alder Bay", (26, 92), 27, "SemiBold")
    page.text("Friday, 14 June", (26, 120), 15, opacity=0.8)
    page.text("21°", (20, 200), 104, "Light")
    page.text("Partly cloudy", (26, 274), 19, "Medium")
    page.text("High 25°   Low 15°", (26, 300), 15, opacity=0.82)
    hours(page)
    days(page)
    small(page)
    tabs(page)
    return page


def hours(page: Page) -> None:
    """The next hours: symbols over a temperature curve."""
    card(page, (16, 326, 370, 162), "NEXT HOURS")
    points = []
    for index, (hour, degrees, icon) in enumerate(HOURS):
        x = 46 + index * 62.0
        page.text(hour, (x, 374), 13.5, "Medium", opacity=0.9, align="middle")
        icon(page, (x, 400), 27)
        points.append((x, 474 - (degrees - 20) * 4.4))
        page.text(f"{degrees}°", (x, points[-1][1] - 17), 14, "SemiBold", align="middle")
    curve = smooth(points)
    page.under(curve, 486, "#ffd978", 0.30)
    page.line(curve, 2.6, "#ffe3a1")
    page.disc(points[0], 5, "#ffffff")
    page.disc(points[0], 2.8, "#f0a860")


def days(page: Page) -> None:
    """The week: a bar from the day's low to its high."""
    card(page, (16, 500, 370, 196), "THIS WEEK")
    for index, (day, icon, low, high) in enumerate(DAYS):
        y = 555 + index * 29.6
        page.text(day, (34, y), 15.5, "Medium")
        icon(page, (118, y), 23)
        page.text(f"{low}°", (172, y), 15, opacity=0.72, align="right")
        page.text(f"{high}°", (366, y), 15, "Medium", align="right")
        page.panel((184, y - 2.5, 140, 5), "#ffffff", 2.5, 0.2)
        start, end = (184 + (value - 12) / 17 * 140 for value in (low, high))
        page.panel((start, y - 2.5, end - start, 5), "#ffc46b", 2.5)
        page.panel((start, y - 2.5, (end - start) * 0.4, 5), "#9fd8c6", 2.5)


def small(page: Page) -> None:
    """Wind and light."""
    card(page, (16, 708, 179, 76), "WIND")
    page.text("12", (34, 757), 29, "SemiBold")
    page.text("km/h", (71, 760), 13.5, opacity=0.82)
    page.arc((163, 745), 18, (225, 495), 4.5, "#7f86c4")
    page.arc((163, 745), 18, (225, 330), 4.5, "#9fe0d0")
    card(page, (207, 708, 179, 76), "SUNSET")
    page.text("21:04", (225, 757), 29, "SemiBold")
    page.line(smooth([(318, 766), (331, 749), (345, 741), (359, 749), (372, 766)]), 2.6, "#ffffff", 0.45)
    page.disc((357, 747.5), 5.5, "#ffd978")


def tabs(page: Page) -> None:
    """The floating bar at the bottom and the home line."""
    page.panel((73, 798, 256, 52), "#151d4d", 26, 0.62)
    page.panel((79, 804, 66, 40), "#ffffff", 20, 0.22)
    icons.partly(page, (112, 824), 25)
    for x, rise in ((159, 5), (166, 10), (173, 7), (180, 13)):
        page.line([(x + 4, 831), (x + 4, 831 - rise)], 3.2, "#ffffff", 0.8)
    page.line(smooth([(222, 820), (231, 814), (240, 820)]), 2.4, "#ffffff", 0.8)
    page.line([(224, 820), (224, 832), (238, 832), (238, 820)], 2.4, "#ffffff", 0.8)
    page.disc((291, 818), 5.0, "#ffffff", 0.8)
    page.panel((281, 825.5, 20, 8.5), "#ffffff", 4.2, 0.8)
    page.panel((134, 861, 134, 5), "#ffffff", 2.5)
