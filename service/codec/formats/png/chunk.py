"""PNG chunks (PNG specification, 5.3), for the encoder and for the bare files that decoders are given."""

from __future__ import annotations

import struct

from isal import isal_zlib


def chunk(kind: bytes, *content: bytes | memoryview) -> list[bytes | memoryview]:
    """The parts of a chunk of `content`, none of it copied: length, kind, content and checksum."""
    crc = 0
    for part in (kind, *content):
        crc = isal_zlib.crc32(part, crc)
    return [struct.pack(">I", sum(map(len, content))), kind, *content, struct.pack(">I", crc)]
