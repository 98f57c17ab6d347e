"""The catalogue on the devices' page: `python -m benchmarks.catalogue` writes its table from the sheets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from frames.generator.sheet import known, read
from service.devices.device import Device, catalogue
from service.devices.families.sheet import BrowserWindow, FittedSheet, Foldable, Laptop, Monitor, Sheet, Watch

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "devices.md"
MANY = 5  # number of devices from which a brand has a contact sheet of its own
WORDS = "Each device is shown from the front in its first finish, and turned in its last:"
START, END = "<!-- the catalogue: make gallery -->", "<!-- end of the catalogue -->"
COLUMNS = ("id", "name", "year", "screen, px", "body, mm", "orientations", "finishes", "estimated")


def size(sheet: Sheet, device: Device) -> str:
    """The body's measures as a maker states them."""
    match sheet:
        case Laptop():
            thick = sheet.lid_thickness + sheet.deck_thickness
            return f"{sheet.width:g} × {sheet.depth:g} × {round(thick, 2):g}, opened {sheet.opening:g}°"
        case Foldable() if sheet.opening < 180:
            return " × ".join(f"{side:g}" for side in sheet.body) + f", opened {sheet.opening:g}°"
        case Watch():
            return " × ".join(f"{side:g}" for side in sheet.body)
        case Monitor():
            high, deep = sheet.height + sheet.stand.height, device.body[2]
            return f"{sheet.width:g} × {round(high, 1):g} × {round(deep, 1):g} with stand"
        case BrowserWindow() | FittedSheet():
            return "–"
    return " × ".join(f"{side:g}" for side in device.body)


def row(sheet: Sheet, device: Device) -> str:
    """A device's line of the table."""
    finishes = ", ".join(f"{finish.name} `{finish.hex}`" for finish in device.finishes)
    cells = (
        f"`{sheet.id}`",
        sheet.name,
        "–" if sheet.year is None else str(sheet.year),
        "the screenshot's" if device.fitted else f"{device.screen.px[0]} × {device.screen.px[1]}",
        size(sheet, device),
        ", ".join(device.orientations),
        finishes,
        ", ".join(sheet.approximate) or "–",
    )
    return f"| {' | '.join(cells)} |"


def drawn() -> list[Device]:
    """The devices that have a sheet, in the catalogue's order."""
    sheets = set(known())
    return [device for device in catalogue().values() if device.id in sheets]


def groups(devices: Sequence[Device]) -> dict[str, list[Device]]:
    """Devices by contact sheet: one for each category, and for each brand with many devices."""
    counts = Counter((device.category, device.brand) for device in devices)
    found: dict[str, list[Device]] = {}
    for device in devices:
        kind = {"browser": "window", "card": "window", "tv": "desktop"}.get(device.category, device.category)
        apart = device.brand is not None and counts[device.category, device.brand] >= MANY
        name = f"{kind}-{device.brand}".lower() if apart else kind
        found.setdefault(name, []).append(device)
    return found


def table() -> str:
    """The whole table in Markdown."""
    head = [f"| {' | '.join(COLUMNS)} |", f"|{' --- |' * len(COLUMNS)}"]
    return "\n".join([*head, *(row(read(device.id), device) for device in drawn())])


def contact_sheets() -> str:
    """The contact sheets in Markdown, each with the names of its devices."""
    shown = (
        f"![{name}](pictures/devices-{name}.webp)\n\n{', '.join(device.name for device in members)}"
        for name, members in groups(drawn()).items()
    )
    return "\n\n".join(shown)


def section() -> str:
    """The page's section between its two marks."""
    return f"{START}\n\n{table()}\n\n{WORDS}\n\n{contact_sheets()}\n\n{END}"


def page(text: str) -> str:
    """The page with its section regenerated; raises ValueError if a mark is missing."""
    head, rest = text[: text.index(START)], text[text.index(END) + len(END) :]
    return head + section() + rest


def write() -> None:
    """Write the page's section."""
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    write()
