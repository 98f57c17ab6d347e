"""Settings inside a picture's file: an XMP packet (ISO 16684-1), the same in every format.

The packet is plain ASCII and never compressed, so that a program finds the settings without knowing formats.
"""

from __future__ import annotations

import html
import json
import re
from typing import Any

from ..limits import METADATA_BYTES
from .captions import chosen
from .schema import Settings

_NAMESPACE = "urn:x-mockup:settings:1"
_OPEN, _CLOSE = "<mockup:settings>", "</mockup:settings>"
_FOUND = re.compile(f"{_OPEN}({{[^<]*}}){_CLOSE}".encode())


def packet(settings: Settings) -> bytes:
    """The packet with the given settings, with names in their canonical form; at most 64 KB."""
    given = settings.model_dump(mode="json", by_alias=True, exclude_unset=True)
    # The source of a picture is private, and base64 would not fit.
    given.get("appearance", {}).pop("backgroundImage", None)
    for caption, shown in zip(given.get("captions", ()), settings.captions, strict=False):
        # Only the texts that the picture shows: texts in forty languages would not fit.
        caption["text"] = chosen(shown.text, settings.language)[0]
    text = html.escape(json.dumps(given, separators=(",", ":"), allow_nan=False), quote=False)
    return (
        '<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">'
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" '
        f'xmlns:mockup="{_NAMESPACE}">{_OPEN}{text}{_CLOSE}</rdf:Description></rdf:RDF></x:xmpmeta>'
        '<?xpacket end="r"?>'
    ).encode("ascii")


def settings_in(file: bytes) -> dict[str, Any] | None:
    """The settings in a picture's file, not validated; None if it has none."""
    found = _FOUND.search(file)
    if found is None or len(found[1]) > METADATA_BYTES:
        return None
    try:
        settings = json.loads(html.unescape(found[1].decode("ascii")))
    except ValueError:
        return None
    return settings if isinstance(settings, dict) else None
