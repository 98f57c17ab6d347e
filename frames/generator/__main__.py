"""Redraws device frames: `python -m frames.generator [ids…] [--to FOLDER]`."""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path

from frames.generator.artist import Artist
from frames.generator.files import write_device
from frames.generator.sheet import known, read
from service.devices import families
from service.devices.device import PARTS, Device
from service.shipped import FRAMES


def draw(identifier: str, target: Path) -> Device:
    """Draw one device into `target/<id>/`, replacing what was there, and the parts that are missing."""
    sheet = read(identifier)
    shutil.rmtree(target / identifier, ignore_errors=True)
    artist = Artist(identifier, target)
    device = families.device(sheet, artist)
    write_device(artist.folder, device)
    return device


def main() -> None:
    """Draw the devices named, or all that have a sheet; exits with 1 and the faults of a sheet."""
    parser = argparse.ArgumentParser(prog="frames.generator", description=__doc__)
    parser.add_argument("ids", nargs="*", help="device ids; all when none is given")
    parser.add_argument("--to", type=Path, default=FRAMES, help="folder to write to")
    arguments = parser.parse_args()
    if not arguments.ids:
        shutil.rmtree(arguments.to / PARTS, ignore_errors=True)
    for identifier in arguments.ids or known():
        try:
            device = draw(identifier, arguments.to)
        except FileNotFoundError as error:
            sys.exit(f"{error.filename}: {error.strerror}")
        except ValueError as error:
            sys.exit(str(error))
        size = sum(file.stat().st_size for file in (arguments.to / identifier).iterdir())
        print(f"{identifier}: {len(device.slabs)} slabs, {size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
