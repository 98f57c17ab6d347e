"""GIF headers (GIF89a); the first frame is used, and nothing after it is read."""

from __future__ import annotations

from ...picture import Budget, Header, PictureLimits, Span, check_size, damaged, truncated

# Reading this many sub-blocks takes as long as reading a block of another kind.
SUB_BLOCKS = 10


def head_bytes(data: bytes) -> int:
    """Bytes of the file's head: the logical screen descriptor and the global colour table."""
    if len(data) < 13:
        raise truncated("GIF")
    return 13 + _table(data[10])


def frame(data: bytes, budget: Budget) -> tuple[Span | None, int]:
    """Where the graphic control extension of the first frame lies, if it has one, and where the frame begins.

    Comments and other blocks before the frame are skipped.
    """
    at = head_bytes(data)
    control: Span | None = None
    while True:
        budget.spend()
        kind = data[at : at + 1]
        if kind == b",":
            return control, at
        if kind == b"!":
            end = _blocks(data, at + 2, budget)
            if data[at + 1 : at + 3] == b"\xf9\x04":
                control = at, end
            at = end
        elif kind == b";":
            raise damaged("GIF", "no picture in it")
        else:
            raise damaged("GIF", "an unknown block") if kind else truncated("GIF")


def is_clear(data: bytes, control: Span | None) -> bool:
    """Whether the extension makes a colour of the frame transparent."""
    return control is not None and bool(data[control[0] + 3] & 1)


def read(data: bytes, limits: PictureLimits) -> Header:
    """Read the header of a GIF up to the end of its first frame; raises MockupError for a broken one."""
    budget = Budget("gif", limits)
    control, at = frame(data, budget)
    if at + 11 > len(data):
        raise truncated("GIF")
    width, height = _int16(data, 6), _int16(data, 8)
    left, top, w, h = (_int16(data, at + i) for i in (1, 3, 5, 7))
    check_size(w, h, limits, "GIF")
    # As in browsers, a frame that extends beyond the logical screen enlarges the screen.
    width, height = max(width, left + w), max(height, top + h)
    check_size(width, height, limits, "GIF")
    packed = data[at + 9]
    if not data[10] & 0x80 and not packed & 0x80:
        raise damaged("GIF", "no colour table")
    start = at + 10 + _table(packed)
    if start >= len(data):
        raise truncated("GIF")
    if not 1 <= data[start] <= 8:
        raise damaged("GIF", "an impossible code size")
    end = _blocks(data, start + 1, budget)
    return Header(
        "gif",
        width,
        height,
        has_alpha=is_clear(data, control) or (w, h) != (width, height),
        color="palette",
        interlaced=bool(packed & 0x40),
        # A comment may follow; another frame comes alone or behind its graphic control extension.
        animated=data[end : end + 1] == b"," or data[end : end + 2] == b"!\xf9",
        stored=(width, height),
        span=(at, end),
    )


def pixel_bytes(header: Header) -> int:
    """Bytes per pixel that decoding takes; see `codec/memory.py`."""
    return 13 if header.has_alpha else 9


def _table(flags: int) -> int:
    """Bytes of the colour table that `flags` announce."""
    return 3 << ((flags & 7) + 1) if flags & 0x80 else 0


def _blocks(data: bytes, at: int, budget: Budget) -> int:
    """Where the chain of data sub-blocks that begins at `at` ends."""
    count = 0
    try:
        for count in range((budget.left + 1) * SUB_BLOCKS + 1):  # noqa: B007
            size = data[at]
            at += 1 + size
            if not size:
                break
    except IndexError:
        raise truncated("GIF") from None
    budget.spend(count // SUB_BLOCKS)
    return at


def _int16(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 2], "little")
