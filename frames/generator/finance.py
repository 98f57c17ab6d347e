"""The tablet's sample screen: a budget app that does not exist, landscape."""

from __future__ import annotations

from frames.generator import icons
from frames.generator.page import Page, smooth

WIDTH, HEIGHT, SCALE = 1210, 834, 2
INK, MUTED, LINE = "#16203a", "#77809a", "#e8ebf3"
GREEN, CORAL, BLUE, AMBER, VIOLET = "#1f9d78", "#f2695c", "#3d6bf5", "#f6b042", "#8a63e8"
MENU = ("Overview", "Accounts", "Budgets", "Goals", "Reports", "Settings")
BALANCE = (18.2, 19.1, 18.6, 20.4, 21.2, 20.7, 22.4, 23.6, 23.1, 24.9, 25.3, 26.8)
MONTHS = ("Jul", "Aug", "Sep", "Oct", "Nov", "Dec", "Jan", "Feb", "Mar", "Apr", "May", "Jun")
SPENT = (
    ("Home", 38, BLUE),
    ("Food", 24, GREEN),
    ("Travel", 17, AMBER),
    ("Leisure", 12, CORAL),
    ("Other", 9, VIOLET),
)
ENTRIES = (
    ("Corner Bakery", "Food", "Today", "−8.40", AMBER),
    ("Salary", "Income", "Today", "+3,250.00", GREEN),
    ("Harbour Rail", "Travel", "Yesterday", "−24.90", BLUE),
    ("Green Grocer", "Food", "Yesterday", "−61.75", CORAL),
    ("Studio Rent", "Home", "12 June", "−980.00", VIOLET),
)


def finance() -> Page:
    """Draw the whole screen."""
    page = Page(WIDTH, HEIGHT, SCALE, "#f4f6fb")
    sidebar(page)
    icons.status(page, (282, 22), (1186, 22), INK)
    page.text("Good morning, Robin", (254, 74), 27, "SemiBold", INK)
    page.text("Here is how June is going.", (254, 103), 15, "Regular", MUTED)
    page.disc((1158, 86), 22, "#d9e2fb")
    page.text("R", (1158, 86), 18, "SemiBold", BLUE, align="middle")
    figures(page)
    balance(page)
    spending(page)
    entries(page)
    goals(page)
    return page


def sidebar(page: Page) -> None:
    """The menu at the left."""
    page.panel((0, 0, 222, HEIGHT), "#111a35")
    page.panel((26, 58, 34, 34), BLUE, 10)
    page.line([(35, 80), (43, 71), (51, 77)], 3.4, "#ffffff")
    page.disc((51, 69), 2.6, AMBER)
    page.text("Pennyleaf", (72, 75), 19, "SemiBold")
    for index, name in enumerate(MENU):
        y = 142.0 + index * 50
        if index == 0:
            page.panel((16, y - 21, 190, 42), "#ffffff", 12, 0.11)
        page.panel((32, y - 8, 16, 16), "#8fb0ff" if index == 0 else "#5e6b94", 5)
        page.text(name, (64, y), 15.5, "Medium", opacity=1 if index == 0 else 0.62)
    page.panel((16, 700, 190, 108), "#ffffff", 16, 0.08)
    page.text("Rainy-day fund", (34, 730), 14, "Medium")
    page.text("72 % of 10,000", (34, 754), 13, opacity=0.62)
    page.panel((34, 778, 154, 8), "#ffffff", 4, 0.16)
    page.panel((34, 778, 111, 8), AMBER, 4)


def figures(page: Page) -> None:
    """Three key figures."""
    cards = (
        ("Balance", "26,840.50", "+6.2 %", GREEN),
        ("Income", "4,310.00", "+2.8 %", GREEN),
        ("Spent", "1,927.30", "−4.1 %", CORAL),
    )
    for index, (name, amount, change, color) in enumerate(cards):
        x = 254.0 + index * 312
        page.panel((x, 132, 296, 96), "#ffffff", 18, shadow=0.045)
        page.text(name, (x + 22, 160), 14.5, "Medium", MUTED)
        page.text(amount, (x + 22, 195), 27, "SemiBold", INK)
        page.panel((x + 204, 181, 72, 28), color, 14, 0.13)
        page.text(change, (x + 240, 195), 13, "SemiBold", color, align="middle")


def balance(page: Page) -> None:
    """The year's balance as a curve."""
    page.panel((254, 246, 608, 296), "#ffffff", 18, shadow=0.045)
    page.text("Balance", (276, 276), 17, "SemiBold", INK)
    page.text("Last 12 months", (352, 277), 13.5, "Regular", MUTED)
    points = []
    for step in range(4):
        y = 318.0 + step * 54
        page.panel((316, y, 524, 1), LINE)
        page.text(f"{28 - 4 * step} k", (302, y), 12, "Regular", MUTED, align="right")
    for index, (month, value) in enumerate(zip(MONTHS, BALANCE, strict=True)):
        x = 330 + index * 45.0
        points.append((x, 318 + (28 - value) * 13.5))
        page.text(month, (x, 516), 12, "Regular", MUTED, align="middle")
    curve = smooth(points)
    page.under(curve, 496, BLUE, 0.20)
    page.line(curve, 3, BLUE)
    page.disc(points[-1], 7, "#ffffff")
    page.disc(points[-1], 4.6, BLUE)
    page.panel((764, 284, 74, 28), INK, 9)
    page.text("26,840", (801, 298), 13, "SemiBold", align="middle")


def spending(page: Page) -> None:
    """Where the money went, as a ring."""
    page.panel((878, 246, 296, 296), "#ffffff", 18, shadow=0.045)
    page.text("Spending", (900, 276), 17, "SemiBold", INK)
    start = 9.0
    for index, (name, share, color) in enumerate(SPENT):
        sweep = share * 3.6
        page.arc((972, 386), 58, (start, start + sweep - 19), 15, color)
        start += sweep
        y = 330.0 + index * 28
        page.disc((1066, y), 5, color)
        page.text(name, (1080, y), 13.5, "Medium", INK)
    page.text("1,927", (972, 380), 22, "SemiBold", INK, align="middle")
    page.text("this month", (972, 402), 12, "Regular", MUTED, align="middle")
    page.panel((900, 490, 252, 34), "#f4f6fb", 11)
    page.text("9 % below your budget", (1026, 507), 13.5, "Medium", GREEN, align="middle")


def entries(page: Page) -> None:
    """The latest bookings."""
    page.panel((254, 560, 608, 248), "#ffffff", 18, shadow=0.045)
    page.text("Latest", (276, 588), 17, "SemiBold", INK)
    page.text("See all", (840, 588), 13.5, "Medium", BLUE, align="right")
    for index, (name, kind, day, amount, color) in enumerate(ENTRIES):
        y = 626.0 + index * 39
        page.panel((276, y - 14, 28, 28), color, 9, 0.16)
        page.disc((290, y), 5.5, color)
        page.text(name, (318, y), 14.5, "Medium", INK)
        page.text(kind, (500, y), 13.5, "Regular", MUTED)
        page.text(day, (612, y), 13.5, "Regular", MUTED)
        page.text(amount, (840, y), 14.5, "SemiBold", GREEN if amount.startswith("+") else INK, align="right")


def goals(page: Page) -> None:
    """Savings goals as bars."""
    page.panel((878, 560, 296, 248), "#ffffff", 18, shadow=0.045)
    page.text("Goals", (900, 588), 17, "SemiBold", INK)
    rows = (("Summer trip", 0.64, CORAL), ("New bicycle", 0.86, GREEN), ("Course", 0.31, VIOLET))
    for index, (name, share, color) in enumerate(rows):
        y = 630.0 + index * 60
        page.text(name, (900, y), 14.5, "Medium", INK)
        page.text(f"{share:.0%}", (1152, y), 13.5, "Medium", MUTED, align="right")
        page.panel((900, y + 17, 252, 9), LINE, 4.5)
        page.panel((900, y + 17, 252 * share, 9), color, 4.5)
