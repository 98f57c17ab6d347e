"""The catalogue's sheets, `facts/<id>.json`: the facts about each device."""

from __future__ import annotations

import json
from pathlib import Path

from service.devices.families.sheet import FittedSheet, Foldable, Sheet, parse

FACTS = Path(__file__).parent / "facts"


def read(identifier: str) -> Sheet:
    """The sheet of one device; raises FileNotFoundError, or ValueError with a line for each of its faults.

    A sheet may be based on the sheet `of` another device, with some members changed.
    """
    content = (FACTS / f"{identifier}.json").read_bytes()
    try:
        changes = json.loads(content)
        if isinstance(changes, dict) and "of" in changes:
            whole = json.loads((FACTS / f"{changes.pop('of')}.json").read_bytes())
            content = json.dumps(whole | changes).encode()
        sheet = parse(content)
    except ValueError as error:
        faults = (f"{identifier}.json: {fault}" for fault in str(error).splitlines())
        raise ValueError("\n".join(faults)) from error
    if sheet.id != identifier:
        # Copying a sheet without changing its id would draw another device of that id.
        raise ValueError(f"{identifier}.json: id: expected {identifier}, got {sheet.id}")
    return sheet


def known() -> list[str]:
    """Ids of all devices that have a sheet."""
    return sorted(file.stem for file in FACTS.glob("*.json"))


def drawn() -> list[str]:
    """Ids of the devices of which pictures are drawn: all but those that take a screenshot's shape."""
    return [identifier for identifier in known() if not isinstance(read(identifier), FittedSheet)]


def masked() -> list[str]:
    """Ids of the devices whose screen is also drawn as a mask: all except folded ones."""
    sheets = ((identifier, read(identifier)) for identifier in drawn())
    return [one for one, sheet in sheets if not isinstance(sheet, Foldable) or sheet.opening == 180]
