"""The catalogue's sheets: `facts/<id>.json`, what is known of each device."""

from __future__ import annotations

from pathlib import Path

from service.models.families.sheet import FittedSheet, Sheet, parse

FACTS = Path(__file__).parent / "facts"


def read(identifier: str) -> Sheet:
    """The sheet of one device; raises FileNotFoundError, or ValueError when it does not fit its family."""
    return parse((FACTS / f"{identifier}.json").read_bytes())


def known() -> list[str]:
    """Ids of all devices that have a sheet."""
    return sorted(file.stem for file in FACTS.glob("*.json"))


def drawn() -> list[str]:
    """Ids of the devices of which pictures are drawn: all but those that take a screenshot's shape."""
    return [identifier for identifier in known() if not isinstance(read(identifier), FittedSheet)]
