"""The desktop's sample screen: a planning app that does not exist, in a dark theme."""

from __future__ import annotations

from frames.generator.page import Page, smooth

WIDTH, HEIGHT, SCALE = 1512, 982, 2
CARD, EDGE, TEXT, MUTED = "#1e2230", "#2c3244", "#eceef5", "#8b93a9"
TEAL, ROSE, GOLD, SKY, LILAC = "#3fc8b0", "#f07f9b", "#f3bd5b", "#5c9dff", "#a78bfa"
BOARD = (
    (
        "To do",
        SKY,
        (
            ("Sketch onboarding", "Design", ROSE, 0.0, "MK"),
            ("Translate help pages", "Content", GOLD, 0.0, "JO"),
            ("Plan autumn release", "Team", LILAC, 0.0, "RS"),
        ),
    ),
    (
        "In progress",
        GOLD,
        (
            ("Faster search", "Engineering", TEAL, 0.65, "AL"),
            ("New colour themes", "Design", ROSE, 0.4, "MK"),
            ("Calendar import", "Engineering", TEAL, 0.8, "TB"),
        ),
    ),
    (
        "Review",
        LILAC,
        (
            ("Offline mode", "Engineering", TEAL, 0.95, "AL"),
            ("Price page", "Content", GOLD, 0.9, "JO"),
        ),
    ),
    (
        "Done",
        TEAL,
        (
            ("Keyboard shortcuts", "Engineering", TEAL, 1.0, "TB"),
            ("Spring survey", "Team", LILAC, 1.0, "RS"),
            ("Icon set", "Design", ROSE, 1.0, "MK"),
        ),
    ),
)
PLACES = ("Board", "Timeline", "Calendar", "Files", "People")
PROJECTS = (("Northwind app", SKY), ("Website", ROSE), ("Field study", GOLD), ("Handbook", TEAL))
WEEK = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
FOCUS = (5.2, 6.4, 4.8, 7.1, 6.0, 2.2, 1.4)
BURN = (42, 40, 37, 36, 31, 29, 24, 22, 17, 14, 9)


def planner() -> Page:
    """Draw the whole screen."""
    page = Page(WIDTH, HEIGHT, SCALE, "#151823")
    menu(page)
    sidebar(page)
    page.text("Northwind app", (278, 88), 27, "SemiBold", TEXT)
    page.text("Sprint 14  ·  9 days left", (278, 119), 15, "Regular", MUTED)
    for index, (initials, color) in enumerate((("MK", ROSE), ("AL", TEAL), ("JO", GOLD), ("RS", LILAC))):
        face(page, (1194 + index * 38.0, 96), 18, initials, color)
    page.panel((1354, 76, 130, 40), SKY, 12)
    page.text("New task", (1419, 96), 15, "SemiBold", "#0d1424", align="middle")
    for index, (name, color, tasks) in enumerate(BOARD):
        column(page, 278.0 + index * 306, name, color, tasks)
    focus(page)
    burn(page)
    return page


def menu(page: Page) -> None:
    """The system's menu bar, clear of a notch in its middle."""
    page.panel((0, 0, WIDTH, 37), "#0f111a")
    page.disc((26, 18.5), 6, TEXT)
    for x, name in zip(
        (48, 142, 188, 234, 288, 360), ("Tideboard", "File", "Edit", "View", "Window", "Help"), strict=True
    ):
        page.text(name, (x, 18.5), 14, "SemiBold" if x == 48 else "Regular", TEXT)
    page.text("Fri 14 June  9:41", (1488, 18.5), 14, "Medium", TEXT, align="right")
    page.panel((1326, 13, 26, 11), TEXT, 3, 0.35)
    page.panel((1328, 15, 18, 7), TEXT, 1.5)


def sidebar(page: Page) -> None:
    """Places and projects."""
    page.panel((0, 37, 250, HEIGHT - 37), "#1a1d2a")
    page.panel((20, 60, 210, 36), "#252a3a", 10)
    page.disc((40, 77), 5.2, MUTED)
    page.disc((40, 77), 3.4, "#252a3a")
    page.line([(44, 81), (47.5, 84.5)], 2, MUTED)
    page.text("Search", (58, 78), 14, "Regular", MUTED)
    for index, name in enumerate(PLACES):
        y = 132.0 + index * 40
        if index == 0:
            page.panel((14, y - 18, 222, 36), SKY, 10, 0.18)
        page.panel((28, y - 7, 14, 14), SKY if index == 0 else "#5d657c", 4)
        page.text(name, (56, y), 15, "Medium", TEXT if index == 0 else "#b6bccd")
    page.text("PROJECTS", (28, 360), 12, "SemiBold", MUTED)
    for index, (name, color) in enumerate(PROJECTS):
        y = 394.0 + index * 38
        page.disc((35, y), 6, color)
        page.text(name, (56, y), 15, "Regular", "#c9cedb")
    page.panel((20, 872, 210, 84), "#252a3a", 16)
    face(page, (52, 914), 20, "RS", LILAC)
    page.text("Robin Salter", (84, 905), 15, "SemiBold", TEXT)
    page.text("Free until 11:00", (84, 926), 13, "Regular", TEAL)


def face(page: Page, at: tuple[float, float], radius: float, initials: str, color: str) -> None:
    """A person as initials on a disc."""
    page.disc(at, radius + 2, "#151823")
    page.disc(at, radius, color)
    page.text(initials, at, radius * 0.72, "SemiBold", "#141722", align="middle")


def column(
    page: Page, x: float, name: str, color: str, tasks: tuple[tuple[str, str, str, float, str], ...]
) -> None:
    """One column of the board with its cards."""
    page.disc((x + 8, 162), 5, color)
    page.text(name, (x + 24, 162), 16, "SemiBold", TEXT)
    page.text(str(len(tasks)), (x + 288, 162), 14, "Medium", MUTED, align="right")
    for index, (title, kind, tone, share, initials) in enumerate(tasks):
        y = 184.0 + index * 142
        page.panel((x, y, 288, 128), EDGE, 16)
        page.panel((x + 1, y + 1, 286, 126), CARD, 15)
        page.panel((x + 18, y + 18, 22 + 7.4 * len(kind), 24), tone, 12, 0.18)
        page.text(kind, (x + 29, y + 30), 12.5, "SemiBold", tone)
        page.text(title, (x + 18, y + 65), 16, "Medium", TEXT)
        page.panel((x + 18, y + 99, 190, 6), "#30374b", 3)
        if share:
            page.panel((x + 18, y + 99, 190 * share, 6), tone, 3)
        page.disc((x + 256, y + 100), 14, tone, 0.9)
        page.text(initials, (x + 256, y + 100), 10.5, "SemiBold", "#141722", align="middle")


def focus(page: Page) -> None:
    """Hours of focus a day, as bars."""
    page.panel((278, 632, 594, 324), EDGE, 18)
    page.panel((279, 633, 592, 322), CARD, 17)
    page.text("Focus time", (302, 664), 17, "SemiBold", TEXT)
    page.text("33.1 h this week", (848, 664), 14, "Regular", MUTED, align="right")
    for step in range(4):
        page.panel((340, 712 + step * 62, 508, 1), "#2a3042")
        page.text(
            f"{9 - 3 * step} h" if step < 3 else "0",
            (326, 712 + step * 62),
            12,
            "Regular",
            MUTED,
            align="right",
        )
    for index, (day, hours) in enumerate(zip(WEEK, FOCUS, strict=True)):
        x, tall = 366 + index * 70.0, hours / 9 * 186
        page.panel((x, 898 - tall, 34, tall), SKY if index == 3 else "#3c5f9e", 8)
        page.text(day, (x + 17, 922), 13, "Regular", MUTED, align="middle")


def burn(page: Page) -> None:
    """Tasks left in the sprint against the plan."""
    page.panel((890, 632, 594, 324), EDGE, 18)
    page.panel((891, 633, 592, 322), CARD, 17)
    page.text("Tasks left", (914, 664), 17, "SemiBold", TEXT)
    page.text("on track", (1460, 664), 14, "SemiBold", TEAL, align="right")
    for step in range(4):
        page.panel((944, 712 + step * 62, 516, 1), "#2a3042")
        page.text(str(45 - 15 * step), (930, 712 + step * 62), 12, "Regular", MUTED, align="right")
    points = [(950 + index * 44.0, 898 - left / 45 * 186) for index, left in enumerate(BURN)]
    page.line([points[0], (1460, 898)], 1.6, MUTED, 0.5)
    curve = smooth(points)
    page.under(curve, 898, TEAL, 0.22)
    page.line(curve, 3, TEAL)
    page.disc(points[-1], 6.5, "#ffffff")
    page.disc(points[-1], 4.2, TEAL)
    for index in range(0, 11, 2):
        page.text(f"{4 + index}", (950 + index * 44.0, 922), 13, "Regular", MUTED, align="middle")
