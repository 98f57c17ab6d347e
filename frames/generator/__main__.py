"""Redraws device frames: `python -m frames.generator [ids…] [--to FOLDER]`."""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path

from frames.generator.artist import Artist
from frames.generator.files import write_device
from frames.generator.sheet import known, read
from service.devices.device import PARTS, Device
from service.devices.families import making
from service.devices.families.sheet import Sheet
from service.shipped import FRAMES


def draw(sheet: Sheet, target: Path) -> Device:
    """Draw one device into `target/<id>/`, replacing what was there, and the parts that are missing."""
    shutil.rmtree(target / sheet.id, ignore_errors=True)
    artist = Artist(sheet.id, target)
    device = making.device(sheet, artist)
    write_device(artist.folder, device)
    return device


def main() -> None:
    """Draw the devices named, or all that have a sheet.

    Exits with 1 and the faults of a sheet before anything is deleted.
    """
    parser = argparse.ArgumentParser(prog="frames.generator", description=__doc__)
    parser.add_argument("ids", nargs="*", help="device ids; all when none is given")
    parser.add_argument("--to", type=Path, default=FRAMES, help="folder to write to")
    arguments = parser.parse_args()
    try:
        sheets = [read(identifier) for identifier in arguments.ids or known()]
    except FileNotFoundError as error:
        sys.exit(f"{error.filename}: {error.strerror}")
    except ValueError as error:
        sys.exit(str(error))
    if not arguments.ids:
        shutil.rmtree(arguments.to / PARTS, ignore_errors=True)
    for sheet in sheets:
        device = draw(sheet, arguments.to)
        size = sum(file.stat().st_size for file in (arguments.to / sheet.id).iterdir())
        print(f"{sheet.id}: {len(device.slabs)} slabs, {size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
