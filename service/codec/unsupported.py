"""Names of unsupported formats, so that errors can say which one was sent."""

from __future__ import annotations

MAGIC: tuple[tuple[bytes, str], ...] = (
    (b"8BPS", "a Photoshop (PSD) file"),
    (b"II*\0", "a TIFF picture"),
    (b"MM\0*", "a TIFF picture"),
    (b"II+\0", "a TIFF picture"),
    (b"MM\0+", "a TIFF picture"),
    (b"BM", "a BMP picture"),
    (b"\0\0\1\0", "an icon (ICO)"),
    (b"\0\0\2\0", "a cursor (CUR)"),
    (b"%PDF", "a PDF document"),
    (b"%!PS", "a PostScript document"),
    (b"\xff\x0a", "a JPEG XL picture"),
    (b"\0\0\0\x0cJXL ", "a JPEG XL picture"),
    (b"\0\0\0\x0cjP  ", "a JPEG 2000 picture"),
    (b"\xff\x4f\xff\x51", "a JPEG 2000 picture"),
    (b"v/1\x01", "an OpenEXR picture"),
    (b"#?RADIANCE", "a Radiance picture"),
    (b"qoif", "a QOI picture"),
    (b"DDS ", "a DDS texture"),
    (b"PK\x03\x04", "a ZIP archive"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"7z\xbc\xaf", "a 7-Zip archive"),
    (b"Rar!", "a RAR archive"),
    (b"\x7fELF", "a program"),
    (b"MZ", "a program"),
    (b"\x1aE\xdf\xa3", "a Matroska or WebM video"),
    (b"RIFF", "a RIFF file that is not WebP"),
    (b"OggS", "an Ogg file"),
    (b"ID3", "an MP3 file"),
)

BRANDS: dict[bytes, str] = {
    b"avif": "an AVIF picture",
    b"avis": "an AVIF picture",
    b"heic": "a HEIC picture",
    b"heix": "a HEIC picture",
    b"hevc": "a HEIC picture",
    b"heim": "a HEIC picture",
    b"heis": "a HEIC picture",
    b"mif1": "a HEIF picture",
    b"msf1": "a HEIF picture",
    b"qt  ": "a QuickTime video",
}


# The commands that turn files of these formats into PNG, by the format's name.
_HEIF = "heif-convert FILE shot.png, or on a Mac sips -s format png FILE --out shot.png"
CONVERSIONS: dict[str, str] = {
    "an AVIF picture": "avifdec FILE shot.png, or on a Mac sips -s format png FILE --out shot.png",
    "a HEIC picture": _HEIF,
    "a HEIF picture": _HEIF,
    "a TIFF picture": "magick FILE shot.png",
    "a BMP picture": "magick FILE shot.png",
    "a JPEG XL picture": "djxl FILE shot.png",
    "an SVG picture": "rsvg-convert FILE -o shot.png",
}


def name_of(data: bytes) -> str:
    """Describe a file by its content: `a TIFF picture`."""
    if not data:
        return "empty"
    if data[4:8] == b"ftyp":
        return BRANDS.get(data[8:12], "an MP4 video")
    for magic, name in MAGIC:
        if data.startswith(magic):
            return name
    return _text(data)


def _text(data: bytes) -> str:
    start = data[:4096].removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    if b"<svg" in start and start.startswith(b"<"):
        return "an SVG picture"
    if start.startswith((b"<!doctype html", b"<html", b"<head", b"<body")) or b"<html" in start:
        return "an HTML page"
    if start.startswith(b"<"):
        return "an XML document"
    if start.startswith((b"{", b"[")):
        return "JSON"
    if start.startswith((b"data:", b"http:", b"https:", b"ivborw0kgg", b"/9j/", b"r0lgod", b"uklgr")):
        return "text (an address, or base64 encoded twice)"
    if start and all(32 <= byte < 127 or byte in b"\t\r\n" for byte in start):
        return "plain text"
    return "of an unknown format"
