"""Draws device frames anew: `python -m frames.generator [ids…] [--to FOLDER]`."""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

from frames.generator.browser import browser
from frames.generator.files import write_device
from frames.generator.laptop import laptop
from frames.generator.paint import Folder
from frames.generator.phone import phone
from frames.generator.sheet import Handheld, Laptop, Sheet, Window, known, read
from service.models.devices import FRAMES, Device


def picture(folder: Folder, sheet: Sheet) -> Device:
    """Draw a device by the family its sheet belongs to."""
    match sheet:
        case Handheld():
            return phone(folder, sheet)
        case Laptop():
            return laptop(folder, sheet)
        case Window():
            return browser(folder, sheet)
    raise TypeError(f"{sheet.id}: no family draws a {type(sheet).__name__}")


def draw(identifier: str, target: Path) -> Device:
    """Draw one device into `target/<id>/`, replacing what was there."""
    sheet = read(identifier)
    shutil.rmtree(target / identifier, ignore_errors=True)
    folder = Folder(target / identifier)
    device = picture(folder, sheet)
    write_device(folder, device)
    return device


def main() -> None:
    """Draw the devices named, or all that have a sheet."""
    parser = argparse.ArgumentParser(prog="frames.generator", description=__doc__)
    parser.add_argument("ids", nargs="*", help="device ids; all when none is given")
    parser.add_argument("--to", type=Path, default=FRAMES, help="folder to write to")
    arguments = parser.parse_args()
    for identifier in arguments.ids or known():
        device = draw(identifier, arguments.to)
        size = sum(file.stat().st_size for file in (arguments.to / identifier).iterdir())
        print(f"{identifier}: {len(device.slabs)} slabs, {size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
