"""Attacks with hostile bodies, or bodies that never end; most need a key."""

from __future__ import annotations

import asyncio
import base64
import functools
import json
from collections.abc import Callable

from benchmarks.attacks.connections import post
from benchmarks.attacks.line import Attack, Line
from tests.support import pictures

MOST = 20 * 2**20


@functools.cache
def bomb() -> bytes:
    """20 MiB that a parser would turn into millions of objects."""
    return b'{"a":[' + b"{}," * ((MOST - 10) // 3) + b"{}]}"


@functools.cache
def quoted_bomb() -> bytes:
    """As `bomb`, after a long text that the service cuts out before it parses the rest."""
    return b'{"screenshot_base64":"%s","settings":[%s{}]}' % (b"A" * 8192, b"[]," * ((MOST - 9000) // 3))


@functools.cache
def deep_bomb() -> bytes:
    return b'{"a":' + b"[" * (MOST - 10)


@functools.cache
def quoted_copy() -> bytes:
    """20,000 members, 250 of which are duplicates; the text after them repeats them all."""
    members = [f'"m{n}":0' for n in range(20_000)] + [f'"m{n}":1' for n in range(250)]
    rest = ",".join(members)
    return f'{{"settings":{{{rest}}},"screenshot_base64":{json.dumps(rest)}}}'.encode()


@functools.cache
def white_space() -> bytes:
    return b'{"screenshot_base64":"' + b" " * (MOST - 30) + b'"}'


@functools.cache
def padding() -> bytes:
    return b'{"screenshot_base64":"' + b"=" * (MOST - 30) + b'"}'


@functools.cache
def escapes() -> bytes:
    r"""Each character of the text written as \u0041."""
    return b'{"screenshot_base64":"' + rb"\u0041" * ((MOST - 30) // 6) + b'"}'


@functools.cache
def quotation_marks() -> bytes:
    return b'{"a":"' + rb"\"" * ((MOST - 10) // 2) + b'"}'


@functools.cache
def data_address() -> bytes:
    """A data URI whose parameters never end."""
    return b'{"screenshot_base64":"data:' + b";a=b" * ((MOST - 50) // 4) + b'"}'


@functools.cache
def numbers() -> bytes:
    """Numbers of 100,000 digits."""
    return b'{"settings":{"canvas":{"width":' + b"9" * 100_000 + b"}}}"


@functools.cache
def unknown_members() -> bytes:
    """250 unknown members of the largest permitted length, which the service compares with known names."""
    members = {f"{n:04}" + "deviceTransfrom" * 30: n for n in range(250)}
    return json.dumps({"settings": members}).encode()


@functools.cache
def scene_bomb() -> bytes:
    """A scene of millions of devices."""
    return b'{"type":"scene","devices":[' + b"{}," * ((MOST - 40) // 3) + b"{}]}"


@functools.cache
def scene_of_spaces() -> bytes:
    """A scene of eight screenshots that consist of white space."""
    device = b'{"screenshot":{"type":"base64","src":"' + b" " * ((MOST - 800) // 8) + b'"}}'
    return b'{"type":"scene","devices":[' + b",".join([device] * 8) + b"]}"


@functools.cache
def scene_of_captions() -> bytes:
    """A scene whose texts are long, and in more languages than permitted."""
    text = {f"{chr(97 + n % 26)}{chr(97 + n // 26 % 26)}": "a\u0301" * 5000 for n in range(300)}
    return json.dumps({"type": "scene", "devices": [{}], "settings": {"captions": [{"text": text}]}}).encode()


BODIES = {
    "bomb": bomb,
    "bomb behind a text": quoted_bomb,
    "deep bomb": deep_bomb,
    "quoted copy": quoted_copy,
    "white space for a screenshot": white_space,
    "padding for a screenshot": padding,
    "escapes": escapes,
    "quotation marks": quotation_marks,
    "endless data URI": data_address,
    "long number": numbers,
    "unknown members": unknown_members,
    "scene of devices": scene_bomb,
    "scene of white space": scene_of_spaces,
    "scene of captions": scene_of_captions,
}


def sending(name: str, body: Callable[[], bytes], lines: int) -> Attack:
    async def play(line: Line) -> int:
        await line.send(post(body(), key=line.key))
        return await line.status()

    return Attack(name, lines, play)


async def held_upload(line: Line) -> int:
    """One user announces the longest body on every connection and sends half a megabyte of it."""
    await line.send(post(b"", key=line.target.keys[0], length=b"%d" % MOST) + bytes(2**19))
    return await line.held()


async def slow_upload(line: Line) -> int:
    """One user announces the longest body on every connection, and sends a few bytes of it now and then."""
    head = post(b"", key=line.target.keys[0], length=b"%d" % MOST)
    await line.trickle(head + bytes(2**20), 4096, 0.1)
    return await line.status()


async def upload_of_a_stranger(line: Line) -> int:
    await line.send(post(bytes(MOST)))
    return await line.status()


async def preview_of_a_stranger(line: Line) -> int:
    """Send the longest body, without its last byte, to an endpoint that takes only short ones."""
    head = post(b"", length=b"%d" % MOST).replace(b"/mockup", b"/previews", 1)
    await line.send(head + bytes(MOST - 1))
    return await line.held()


async def upload_that_is_too_large(line: Line) -> int:
    """A body that is too large, sent completely on a connection that closes after the response."""
    await line.send(post(bytes(MOST + 1), b"Connection: close"))
    return await line.status()


async def chunked_upload_of_a_stranger(line: Line) -> int:
    chunk = b"10000\r\n" + bytes(2**16) + b"\r\n"
    await line.send(post(chunk * 300 + b"0\r\n\r\n", b"Transfer-Encoding: chunked", length=b""))
    return await line.status()


@functools.cache
def screenshot(width: int = 1206, height: int = 2622) -> bytes:
    return json.dumps(
        {
            "screenshot_base64": base64.b64encode(pictures.png(width, height)).decode(),
            "settings": {"export": {"format": "jpeg"}},
        }
    ).encode()


async def many_renders(line: Line) -> int:
    """All connections request a render at the same time."""
    await line.send(post(screenshot(), key=line.key))
    return await line.status()


async def renders_that_leave(line: Line) -> int:
    await line.send(post(screenshot(), key=line.key))
    await asyncio.sleep(0.05 * (line.turn % 5))
    return 0


ATTACKS = (
    *(sending(name, body, 3) for name, body in BODIES.items()),
    Attack("uploads held by one user", 40, held_upload),
    Attack("uploads slowed by one user", 40, slow_upload),
    Attack("uploads of strangers", 8, upload_of_a_stranger),
    Attack("previews of strangers", 12, preview_of_a_stranger),
    Attack("uploads that are too large", 8, upload_that_is_too_large),
    Attack("chunked uploads of strangers", 8, chunked_upload_of_a_stranger),
    Attack("renders of many users", 40, many_renders),
    Attack("renders that leave", 8, renders_that_leave),
)
