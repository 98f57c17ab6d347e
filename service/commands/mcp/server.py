"""The tools, and the server that offers them."""

from __future__ import annotations

import base64
import sys
from collections.abc import Awaitable, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

import anyio
from anyio import to_thread
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import (
    CallToolResult,
    ContentBlock,
    ImageContent,
    InputRequiredResult,
    ResourceLink,
    TextContent,
    ToolAnnotations,
)
from pydantic import BaseModel, Field

from ...errors import MockupError
from ...settings.formats import WRITTEN
from ...validation.names import listed
from ...version import version
from ..mistakes import lines
from . import previews
from .results import FoundDevices, FoundSettings, MadeFilm, MadePicture, MadeSet
from .work import Work

if TYPE_CHECKING:
    from ...config import Config

T = TypeVar("T")
_FORMATS = listed([one.name for one in WRITTEN])
INSTRUCTIONS = f"""\
Puts screenshots on pictures of devices. `render` takes a screenshot's file or URL, or a web page; `scene`
puts up to eight devices into one picture; `set` draws store pictures; `film` moves a device. Each returns a
small picture to look at, and writes the full one into the folder of this server. Look at it, then change
`settings` and call again.

Settings that matter most: device (an id of search_devices, or auto), canvas {{width, height, preset such as
og or app-store-6.9}}, deviceTransform {{pose such as hero-left, rotationY -20, scale 1.1}}, appearance
{{backgroundColor, gradientEnabled, gradientColor, deviceColor}}, shadow {{enabled, opacity}}, \
captions [{{text,
x, y, font: {{size}}}}], export {{format: {_FORMATS}, scale}}. Unknown ones are refused with the
nearest known name; list_settings has all of them."""

_Settings = Annotated[
    dict[str, Any] | None,
    Field(description='such as {"device": "iphone-16-pro", "deviceTransform": {"pose": "hero-left"}}'),
]
_Output = Annotated[
    str | None,
    Field(description="the picture's file, whose ending is the format; overwritten; default: a new name"),
]
READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
WRITES = ToolAnnotations(
    read_only_hint=False, destructive_hint=True, idempotent_hint=True, open_world_hint=True
)


class StrictServer(MCPServer):
    """A server that refuses arguments which a tool does not take; the SDK ignores them."""

    _schemas: dict[str, dict[str, Any]] | None = None

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        """Call a tool; raises ToolError as the SDK does, and for unknown and missing arguments."""
        if self._schemas is None:
            # List the tools only once: none is added later, and listing them takes longer than the shortest
            # calls.
            self._schemas = {tool.name: tool.input_schema for tool in await self.list_tools()}
        if schema := self._schemas.get(name):
            takes = schema.get("properties", {})
            faults = [f"{one}: unknown argument" for one in arguments if one not in takes]
            faults += [f"{one}: missing" for one in schema.get("required", []) if one not in arguments]
            if faults:
                raise ToolError(f"{', '.join(faults)}; {name} takes {', '.join(takes)}")
        return await super().call_tool(name, arguments, context)


def offer(work: Work) -> MCPServer:
    """The server with its tools, which pass their calls on to `work`."""
    server = StrictServer("mockup", instructions=INSTRUCTIONS, version=version(), log_level="WARNING")

    @server.tool(title="Search devices", annotations=READS)
    async def search_devices(
        words: Annotated[str, Field(description="of the name, such as: iphone pro; empty for all")] = "",
        category: Annotated[str | None, Field(description="phone, tablet, laptop, monitor, watch …")] = None,
        width: Annotated[int | None, Field(description="pixels of the screenshot")] = None,
        height: Annotated[int | None, Field(description="pixels of the screenshot")] = None,
    ) -> FoundDevices:
        """Find devices by name, by category or by the size of a screenshot that should fit them."""
        return await _awaited(to_thread.run_sync(work.devices, words, category, width, height))

    @server.tool(title="List settings", annotations=READS)
    async def list_settings(
        words: Annotated[str, Field(description="parts of paths, such as: shadow; empty for all")] = "",
    ) -> FoundSettings:
        """List settings with the values that they take and their defaults."""
        return await _awaited(to_thread.run_sync(work.settings, words))

    @server.tool(title="Render a mockup", annotations=WRITES)
    async def render(
        screenshot: Annotated[str | None, Field(description="a picture's file or URL")] = None,
        page: Annotated[
            str | None, Field(description="instead, a web page's address; it is opened at the device's size")
        ] = None,
        settings: _Settings = None,
        output: _Output = None,
    ) -> Annotated[CallToolResult, MadePicture]:
        """Render a screenshot on a device and write the picture."""
        made, data = await _awaited(work.render(screenshot, page, settings or {}, output))
        return _answer(work, made, [made.output], data)

    @server.tool(title="Render a scene", annotations=WRITES)
    async def scene(
        devices: Annotated[
            list[dict[str, Any]],
            Field(
                description='1 to 8, such as {"screenshot": "a.png", "device": "iphone-16-pro"}; '
                "a screenshot is a file or a URL",
                min_length=1,
                max_length=8,
            ),
        ],
        settings: Annotated[
            dict[str, Any] | None,
            Field(
                description='as for render, and "layout", such as row, fan, cascade, stack, desk or isometric'
            ),
        ] = None,
        output: _Output = None,
    ) -> Annotated[CallToolResult, MadePicture]:
        """Render several devices in one picture and write it."""
        made, data = await _awaited(work.scene(devices, settings or {}, output))
        return _answer(work, made, [made.output], data)

    @server.tool(name="set", title="Draw a store set", annotations=WRITES)
    async def draw_set(
        file: Annotated[str, Field(description="the set's file: TOML, JSON or YAML")],
        dry_run: Annotated[bool, Field(description="only list what would be drawn")] = False,
    ) -> Annotated[CallToolResult, MadeSet]:
        """Draw the store pictures of a set that have changed: locales times screens times sizes."""
        made, data = await _awaited(work.draw(file, dry_run=dry_run))
        return _answer(work, made, made.drawn, data)

    @server.tool(title="Make a film", annotations=WRITES)
    async def film(
        source: Annotated[str, Field(description="the file of a recording or of a screenshot")],
        move: Annotated[str, Field(description="tilt-in, orbit, turntable, float, scroll …")] = "tilt-in",
        duration: Annotated[float, Field(gt=0, le=60, description="seconds")] = 4.0,
        fps: Literal[24, 25, 30, 50, 60] = 30,
        settings: _Settings = None,
        output: Annotated[
            str | None, Field(description="mp4, webm, mov, gif, webp or apng; default: a new mp4")
        ] = None,
    ) -> Annotated[CallToolResult, MadeFilm]:
        """Make a film of a recording, or of a screenshot, on a device that moves."""
        motion = {"move": {"name": move}, "duration": duration, "fps": fps}
        made, data = await _awaited(work.film(source, motion, settings or {}, output))
        return _answer(work, made, [made.output], data)

    return server


async def _awaited(call: Awaitable[T]) -> T:
    """The result of a call; faults are reported to the agent, which can correct them."""
    try:
        return await call
    except MockupError as error:
        raise ToolError("\n".join(line.strip() for line in lines(error))) from error
    except OSError as error:
        raise ToolError(f"{error.filename}: {error.strerror}" if error.filename else str(error)) from error


def _answer(
    work: Work, made: BaseModel, files: Sequence[str], pictures: Sequence[bytes | memoryview]
) -> CallToolResult:
    """The small picture, the paths of the files, and their properties."""
    content: list[ContentBlock] = []
    if pictures:
        small = previews.of(pictures)
        data = base64.b64encode(small.data).decode()
        content.append(ImageContent(type="image", data=data, mime_type=small.mime))
    content += [
        ResourceLink(type="resource_link", name=name, uri=(work.folder.root / name).as_uri())
        for name in files[:20]
    ]
    structured = made.model_dump(by_alias=True, mode="json")
    brief = {name: value for name, value in structured.items() if name != "geometry" and value != []}
    content.append(
        TextContent(type="text", text=", ".join(f"{name}: {value}" for name, value in brief.items()))
    )
    return CallToolResult(content=content, structured_content=structured)


def run(folder: Path, config: Config, port: int | None) -> None:
    """Serve until the client leaves, or over HTTP until interrupted; raises a 400 if `folder` is not a
    folder."""

    async def serve() -> None:
        with closing(Work(folder, config)) as work:
            server = offer(work)
            try:
                if port is None:
                    await server.run_stdio_async()
                else:
                    print(f"mockup: serving http://127.0.0.1:{port}/mcp", file=sys.stderr, flush=True)
                    await server.run_streamable_http_async(host="127.0.0.1", port=port)
            finally:
                await work.pages.close()

    anyio.run(serve)
