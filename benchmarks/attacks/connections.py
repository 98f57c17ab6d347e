"""Attacks with unusual or invalid HTTP; none needs a key."""

from __future__ import annotations

import random

from benchmarks.attacks.line import Attack, Line

GET = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
PATH = b"/api/v1/mockup"
SMUGGLED = b"GET /api/v1/devices HTTP/1.1\r\nHost: x\r\nX-Request-Id: smuggled\r\n\r\n"


def post(body: bytes = b"", *headers: bytes, key: str = "", length: bytes | None = None) -> bytes:
    """A request for a mockup, with a `Content-Length` unless that is empty."""
    lines = [b"POST %s HTTP/1.1" % PATH, b"Host: x", *headers]
    if not any(header.lower().startswith(b"content-type:") for header in headers):
        lines.append(b"Content-Type: application/json")
    if key:
        lines.append(b"Authorization: Bearer " + key.encode())
    announced = str(len(body)).encode() if length is None else length
    if announced:
        lines.append(b"Content-Length: " + announced)
    return b"\r\n".join([*lines, b"", body])


def upgrade() -> tuple[bytes, bytes]:
    """Head and body of a request that offers to upgrade; the body looks like another request."""
    whole = post(SMUGGLED, b"Connection: Upgrade, HTTP2-Settings", b"Upgrade: h2c", b"HTTP2-Settings: AAMA")
    return whole[: -len(SMUGGLED)], SMUGGLED


async def upgrade_at_once(line: Line) -> int:
    await line.send(b"".join(upgrade()))
    return await line.status()


async def upgrade_in_two(line: Line) -> int:
    head, body = upgrade()
    await line.trickle(head, len(head), 0.05)
    await line.send(body)
    return await line.status()


async def pipeline(line: Line) -> int:
    """Send 250 kB of requests without reading the responses."""
    await line.send(GET * (250_000 // len(GET)))
    return await line.held()


async def long_type(line: Line) -> int:
    await line.send(post(b"{}", b'Content-Type: application/json; x="' + b";" * 120_000))
    return await line.status()


async def long_type_in_bounds(line: Line) -> int:
    """A content type that makes the head as long as permitted."""
    await line.send(post(b"{}", b'Content-Type: application/json; x="' + b";" * 30_000, key=line.key))
    return await line.status()


CHUNKED = b"Transfer-Encoding: chunked"


async def trailers(line: Line) -> int:
    """A key and a client address in trailers, after the body."""
    key = line.key.encode()
    ends = b"2\r\n{}\r\n0\r\nAuthorization: Bearer %s\r\nX-Forwarded-For: 203.0.113.9\r\n\r\n" % key
    await line.send(post(ends, CHUNKED, length=b""))
    return await line.status()


async def tiny_headers(line: Line) -> int:
    """65 kB of headers without an end."""
    await line.send(b"GET / HTTP/1.1\r\n" + b"a:\r\n" * 16_000)
    return await line.held()


async def tiny_chunks(line: Line) -> int:
    await line.send(post(b"1\r\n \r\n" * 100_000, CHUNKED, key=line.key, length=b""))
    return await line.status()


async def one_byte_packets(line: Line) -> int:
    await line.trickle(post(b'{"settings":{}}' + b" " * 2000, key=line.key))
    return await line.status()


async def slow_heads(line: Line) -> int:
    await line.trickle(post(b"{}"), 1, 0.1)
    return await line.status()


async def connections_that_leave(line: Line) -> int:
    await line.send(GET[: line.number % len(GET)])
    return 0


async def long_length(line: Line) -> int:
    await line.send(post(b"", key=line.key, length=b"9" * 5001))
    return await line.status()


async def many_names(line: Line) -> int:
    query = b"&".join(b"n%d" % n for n in range(9000))
    await line.send(post(b"{}", key=line.key).replace(PATH, PATH + b"?" + query, 1))
    return await line.status()


async def names_in_bounds(line: Line) -> int:
    """As many query parameters as a head has room for."""
    query = b"&".join(b"n%d" % n for n in range(5000))
    await line.send(post(b"{}", key=line.key).replace(PATH, PATH + b"?" + query, 1))
    return await line.status()


# Requests to which a server must send one refusal or ordinary response, or close the connection; never two
# responses, never a 500.
ODDITIES: dict[str, bytes] = {
    "HTTP/1.0": b"GET /health HTTP/1.0\r\n\r\n",
    "HTTP/1.0 kept": b"GET /health HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
    "HTTP/0.9": b"GET /\r\n\r\n",
    "HTTP/2.0": b"GET / HTTP/2.0\r\nHost: x\r\n\r\n",
    "preface of HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(range(32)) + b"\r\n\r\n",
    "CONNECT": b"CONNECT 127.0.0.1:22 HTTP/1.1\r\nHost: x\r\n\r\n",
    "TRACE": b"TRACE / HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer secret\r\n\r\n",
    "absolute target": b"GET http://127.0.0.1:22/health HTTP/1.1\r\nHost: x\r\n\r\n",
    "asterisk": b"OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n",
    "target without a slash": b"GET health HTTP/1.1\r\nHost: x\r\n\r\n",
    "target up and up": b"GET /../../../../etc/passwd HTTP/1.1\r\nHost: x\r\n\r\n",
    "target in percent": b"GET /%2e%2e/%00/%ff%fe/%u0041 HTTP/1.1\r\nHost: x\r\n\r\n",
    "target of octets": b"GET /\xff\xfe\x80 HTTP/1.1\r\nHost: x\r\n\r\n",
    "target with NUL": b"GET /a\x00b HTTP/1.1\r\nHost: x\r\n\r\n",
    "query of octets": b"GET /api/v1/devices?%ff=%fe&%00 HTTP/1.1\r\nHost: x\r\n\r\n",
    "long target": b"GET /" + b"a" * 31_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
    "folded header": b"GET /health HTTP/1.1\r\nHost: x\r\nA: b\r\n c\r\n\r\n",
    "header of octets": b"GET /health HTTP/1.1\r\nHost: x\r\nA: \x80\xff\r\n\r\n",
    "key of octets": b"GET /api/v1/projects HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \xff\xfe\r\n\r\n",
    "header with NUL": b"GET /health HTTP/1.1\r\nHost: x\r\nA: b\x00c\r\n\r\n",
    "header without a name": b"GET /health HTTP/1.1\r\nHost: x\r\n: b\r\n\r\n",
    "header with a space": b"GET /health HTTP/1.1\r\nHost: x\r\nContent-Length : 5\r\n\r\n",
    "bare line feeds": b"GET /health HTTP/1.1\nHost: x\n\n",
    "bare carriage return": b"GET /health HTTP/1.1\r\nHost: x\rA: b\r\n\r\n",
    "no host": b"GET /health HTTP/1.1\r\n\r\n",
    "two hosts": b"GET /health HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n",
    "two lengths": post(SMUGGLED, b"Content-Length: 0"),
    "equal lengths": post(b"{}", b"Content-Length: 2"),
    "lengths in a list": post(SMUGGLED, length=b"0, %d" % len(SMUGGLED)),
    "signed length": post(SMUGGLED, length=b"+0"),
    "negative length": post(SMUGGLED, length=b"-1"),
    "hexadecimal length": post(SMUGGLED, length=b"0x10"),
    "length with an underscore": post(SMUGGLED, length=b"1_0"),
    "length in other digits": post(SMUGGLED, length="٣".encode()),
    "empty length": post(SMUGGLED).replace(b"Content-Length: %d" % len(SMUGGLED), b"Content-Length:"),
    "length of 5,001 digits": post(length=b"9" * 5001),
    "length and chunks": post(b"0\r\n\r\n" + SMUGGLED, CHUNKED, length=b"5"),
    "chunked twice": post(b"0\r\n\r\n" + SMUGGLED, b"Transfer-Encoding: chunked, chunked", length=b""),
    "chunked and more": post(b"0\r\n\r\n" + SMUGGLED, b"Transfer-Encoding: chunked, identity", length=b""),
    "gzip chunks": post(b"0\r\n\r\n" + SMUGGLED, b"Transfer-Encoding: gzip, chunked", length=b""),
    "hidden chunks": post(SMUGGLED, b"Transfer-Encoding: \x0bchunked"),
    "chunks in HTTP/1.0": post(b"0\r\n\r\n" + SMUGGLED, CHUNKED, length=b"").replace(b"/1.1", b"/1.0", 1),
    "chunk of 17 digits": post(b"1" * 17 + b"\r\n", CHUNKED, length=b""),
    "negative chunk": post(b"-1\r\n" + SMUGGLED, CHUNKED, length=b""),
    "chunk in 0x": post(b"0x2\r\n{}\r\n0\r\n\r\n", CHUNKED, length=b""),
    "chunk without an end": post(b"2\r\n{}0\r\n\r\n" + SMUGGLED, CHUNKED, length=b""),
    "chunks of line feeds": post(b"2\n{}\n0\n\n" + SMUGGLED, CHUNKED, length=b""),
    "expectation": post(b"{}", b"Expect: 100-continue"),
    "other expectation": post(b"{}", b"Expect: 200-maybe"),
    "offer of a websocket": b"GET /health HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\n"
    b"Upgrade: websocket\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n",
    "override of the method": b"GET /health HTTP/1.1\r\nHost: x\r\nX-HTTP-Method-Override: DELETE\r\n\r\n",
    "many ranges": b"GET /docs HTTP/1.1\r\nHost: x\r\nRange: bytes=" + b"0-," * 5000 + b"0-\r\n\r\n",
    "many tags": b"GET /api/v1/devices/iphone-16-pro/preview.png HTTP/1.1\r\nHost: x\r\nIf-None-Match: "
    + b'"a",' * 7000
    + b'"b"\r\n\r\n',
    "many types": b"GET /health HTTP/1.1\r\nHost: x\r\nAccept: " + b"*/*;q=0.1," * 3000 + b"a/b\r\n\r\n",
    "many addresses": b"GET /health HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: "
    + b"1.1.1.1," * 3500
    + b"a\r\n\r\n",
    "many cookies": b"GET /health HTTP/1.1\r\nHost: x\r\nCookie: " + b"a=b;" * 7000 + b"\r\n\r\n",
    "spaces before the key": b"GET /api/v1/projects HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer"
    + b" " * 30_000
    + b"x\r\n\r\n",
    "half a head, and no more": b"GET /health HTTP/1.1\r\nHost: x\r\n",
}


async def oddities(line: Line) -> int:
    """Send one of the `ODDITIES`: all of them in turn, beginning at a different one on each connection."""
    items = list(ODDITIES.values())
    await line.send(items[(line.number * 7 + line.turn) % len(items)])
    return await line.status()


async def nonsense(line: Line) -> int:
    await line.send(random.Random(line.number).randbytes(200_000))
    return await line.status()


ATTACKS = (
    Attack("upgrade, in one packet", 4, upgrade_at_once),
    Attack("upgrade, in two packets", 4, upgrade_in_two),
    Attack("pipelines unread", 40, pipeline),
    Attack("long content type", 4, long_type),
    Attack("content type of a whole head", 4, long_type_in_bounds),
    Attack("trailers", 4, trailers),
    Attack("tiny headers", 200, tiny_headers),
    Attack("tiny chunks", 4, tiny_chunks),
    Attack("packets of a byte", 8, one_byte_packets),
    Attack("slow heads", 100, slow_heads),
    Attack("connections that leave", 20, connections_that_leave),
    Attack("length of 5,001 digits", 4, long_length),
    Attack("9,000 names in a query", 4, many_names),
    Attack("names of a whole head", 4, names_in_bounds),
    Attack("oddities", 8, oddities),
    Attack("nonsense", 4, nonsense),
)
