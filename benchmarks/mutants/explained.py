"""Faults that no test need notice, and why: no caller can tell them from the code."""

from __future__ import annotations

NOBODY = "Not explained."

# File, the line as it is, what is replaced in it and by what, and the reason.
EXPLAINED: tuple[tuple[str, str, str, str, str], ...] = ()


def reason(file: str, line: str, before: str, after: str) -> str:
    """Why a fault may go unnoticed."""
    known = {entry[:4]: entry[4] for entry in EXPLAINED}
    return known.get((file, line, before, after), NOBODY)
