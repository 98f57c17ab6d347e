"""The catalogue on the devices' page: a table made from the sheets, and contact sheets by kind and brand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from frames.generator.sheet import known, read
from service.models.devices import Device, catalogue
from service.models.families.sheet import FittedSheet, Laptop, Monitor, Sheet, Watch, Window

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "devices.md"
START, END = "<!-- the catalogue: make gallery -->", "<!-- end of the catalogue -->"
COLUMNS = ("id", "name", "year", "screen, px", "body, mm", "orientations", "finishes", "estimated")


def size(sheet: Sheet, device: Device) -> str:
    """The body's measures as a maker states them."""
    match sheet:
        case Laptop():
            thick = sheet.lid_thickness + sheet.deck_thickness
            return f"{sheet.width:g} × {sheet.depth:g} × {round(thick, 2):g}, opened {sheet.opening:g}°"
        case Watch():
            return " × ".join(f"{side:g}" for side in sheet.body)
        case Monitor():
            high, deep = sheet.height + sheet.stand.height, device.body[2]
            return f"{sheet.width:g} × {round(high, 1):g} × {round(deep, 1):g} with stand"
        case Window() | FittedSheet():
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


def groups(devices: Sequence[Device]) -> Iterator[tuple[str, list[Device]]]:
    """Devices by kind and brand, each under a heading; their order is kept."""
    found: dict[tuple[str, str], list[Device]] = {}
    for device in devices:
        found.setdefault((device.category, device.brand or "generic"), []).append(device)
    for (category, brand), members in found.items():
        yield f"{category}, {brand}", members


def table() -> str:
    """The whole table in Markdown."""
    head = [f"| {' | '.join(COLUMNS)} |", f"|{' --- |' * len(COLUMNS)}"]
    return "\n".join([*head, *(row(read(device.id), device) for device in drawn())])


def section() -> str:
    """What stands between the page's two marks."""
    return f"{START}\n\n{table()}\n\n{END}"


def page(text: str) -> str:
    """The page with its section made anew; raises ValueError if a mark is missing."""
    head, rest = text[: text.index(START)], text[text.index(END) + len(END) :]
    return head + section() + rest


def main() -> None:
    """Write the page's section."""
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
