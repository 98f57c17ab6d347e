"""GIF headers (GIF89a); the first frame is used, and nothing after it is read."""

from __future__ import annotations

from service.codec.picture import Header, Limits, check_size, damaged, refuse, truncated


def matches(data: bytes) -> bool:
    """Whether the file begins as a GIF does."""
    return data.startswith((b"GIF87a", b"GIF89a"))


def read(data: bytes, limits: Limits) -> Header:
    """Read the header of a GIF up to the end of its first frame; raises MockupError for a broken one."""
    if len(data) < 13:
        raise truncated("GIF")
    width, height = _int16(data, 6), _int16(data, 8)
    at = 13 + _table(data[10])
    clear = False
    for _ in range(limits.chunks):
        kind = data[at : at + 1]
        if kind == b"!":
            clear = clear or _is_clear(data, at)
            at = _blocks(data, at + 2, limits)
        elif kind == b",":
            break
        elif kind == b";":
            raise damaged("GIF", "no picture in it")
        else:
            raise damaged("GIF", "an unknown block") if kind else truncated("GIF")
    else:
        raise refuse(f"a GIF file of over {limits.chunks} blocks")
    if at + 11 > len(data):
        raise truncated("GIF")
    left, top, w, h = (_int16(data, at + i) for i in (1, 3, 5, 7))
    check_size(w, h, limits, "GIF")
    # As browsers do, a frame larger than the screen it is put on enlarges the screen.
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
    end = _blocks(data, start + 1, limits)
    return Header(
        "gif",
        width,
        height,
        has_alpha=clear or (w, h) != (width, height),
        color="palette",
        interlaced=bool(packed & 0x40),
        # A comment may follow; another frame comes alone or behind its graphic control extension.
        animated=data[end : end + 1] == b"," or data[end : end + 2] == b"!\xf9",
        stored=(width, height),
        span=(at, end),
    )


def _is_clear(data: bytes, at: int) -> bool:
    """Whether the extension at `at` makes a colour of the frame transparent."""
    return data[at + 1 : at + 3] == b"\xf9\x04" and at + 3 < len(data) and bool(data[at + 3] & 1)


def _table(flags: int) -> int:
    """Bytes of the colour table that `flags` announce."""
    return 3 << ((flags & 7) + 1) if flags & 0x80 else 0


def _blocks(data: bytes, at: int, limits: Limits) -> int:
    """Where the chain of data sub-blocks that begins at `at` ends."""
    while at < len(data):
        size = data[at]
        at += 1 + size
        if not size:
            return at
    raise truncated("GIF")


def _int16(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 2], "little")
