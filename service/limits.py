"""Every limit in a row: what it bounds, its value or default, the range of that value, its variable.

Fixed ones are numbers; those that a `MOCKUP_*` variable sets are fields of `config.Config`, made from the row
of that name. The pages on security and configuration are written from these by `service.api.reference`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T", int, float)
V = TypeVar("V", int, float, None)
KIB, MIB, GIB = 2**10, 2**20, 2**30
_DAY_S = 86_400
_WORK = "security.md#work-serviceadmissionqueuepy"
_PROCESSES = "security.md#processes-serviceprocesses-serviceworkers"
_BYTES = "security.md#bytes-in-flight-serviceconcurrencyfair_sharespy"
LIMITS: list[Limit] = []


@dataclass(frozen=True, slots=True)
class Limit:
    """One limit: `value` in `unit` (bytes, pixels, s or none), or in words if it is computed.

    A variable sets it if it has a `name`, to values from `least` (greater than `above`) to `most`. `page` is
    where it is explained, a link from a page in `docs/`.
    """

    about: str
    value: float | None
    unit: str = ""
    name: str = ""
    least: float | None = None
    above: float | None = None
    most: float | None = None
    words: str = ""
    page: str = ""


def _fixed(value: T, about: str, unit: str = "", page: str = "") -> T:
    LIMITS.append(Limit(about, value, unit, page=page))
    return value


def _set(
    name: str,
    value: V,
    about: str,
    unit: str = "",
    *,
    least: float | None = None,
    above: float | None = None,
    most: float | None = None,
    words: str = "",
    page: str = "",
) -> V:
    LIMITS.append(Limit(about, value, unit, name, least, above, most, words, page))
    return value


# Limits on the sizes of pictures that also apply where there is no configuration.
MAX_PIXELS = 40_000_000
MAX_SIDE = 16_384

# Connections
_CONNECTIONS = "security.md#connections-servicehttp"
CONNECTIONS = _set(
    "max_connections",
    2048,
    "open connections; beyond these, a connection of the client address with the most is closed",
    least=1,
    page=_CONNECTIONS,
)
IDLE_S = _set("idle_timeout_s", 10.0, "time a connection may stay idle", "s", above=0, page=_CONNECTIONS)
HEADER_S = _set("header_timeout_s", 10.0, "time to send a request's headers", "s", above=0, page=_CONNECTIONS)
BODY_S = _set("body_timeout_s", 30.0, "time to send a request's body", "s", above=0, page=_CONNECTIONS)
HEAD_BYTES = _fixed(32 * KIB, "size of a request's head", "bytes", page=_CONNECTIONS)
HEADERS = _fixed(100, "headers of a request", page=_CONNECTIONS)
FRAMING_BYTES = _fixed(8 * KIB, "framing of chunks", "bytes", page=_CONNECTIONS)
AHEAD_BYTES = _fixed(4 * KIB, "pipelined bytes after the current request", "bytes", page=_CONNECTIONS)
DISCARDED_BYTES = _fixed(128 * MIB, "bytes dropped after the last response", "bytes", page=_CONNECTIONS)
LEAST_RATE = _fixed(1 * KIB, "bytes per second at which a response must be read", "bytes", page=_CONNECTIONS)
UNSENT_BYTES = _fixed(128 * KIB, "unread response bytes that the system may buffer", "bytes")
# Beyond this, the application waits, unless it asks for a smaller buffer.
BUFFERED_BYTES = _fixed(32 * KIB, "unread response bytes buffered in the process", "bytes")

# Requests
_REQUESTS = "security.md#requests-serviceapi"
_set("max_body_bytes", 20 * MIB, "largest request body", "bytes", least=1024, page=_REQUESTS)
QUERY_PARAMETERS = _fixed(32, "query parameters", page=_REQUESTS)
CONTENT_TYPE_LENGTH = _fixed(256, "length of a Content-Type", "characters", page=_REQUESTS)
JSON_DEPTH = _fixed(32, "depth of JSON", page=_REQUESTS)
# Several times what a full request needs. Each unknown member is compared with known names, which takes time.
JSON_MEMBERS = _fixed(256, "members and items of JSON in total", page=_REQUESTS)
JSON_REST = _fixed(128 * KIB, "JSON beside a screenshot", "bytes", page=_REQUESTS)
JSON_STRINGS = _fixed(1024, "strings of JSON", page=_REQUESTS)
# No valid text has more of them in a row.
JSON_BACKSLASHES = _fixed(64, "backslashes in a row in JSON", page=_REQUESTS)
FORM_BYTES = _fixed(64 * KIB, "fields of a form besides its file", "bytes", "api.md#forms")
FORM_PARTS = _fixed(64, "parts of a form", page="api.md#forms")
FORM_HEAD_BYTES = _fixed(2 * KIB, "headers of a form's part", "bytes", "api.md#forms")
FORM_NAME_LENGTH = _fixed(200, "length of the name of a form's field", "characters", "api.md#forms")
ADMINISTRATION_BYTES = _fixed(16 * KIB, "size of a body in administration", "bytes", page=_REQUESTS)
NAME_LENGTH = _fixed(64, "length of a name that is looked up", "characters", page=_REQUESTS)
TOLD_PATH_LENGTH = _fixed(200, "length of a member's name in a response", "characters")
TOLD_TEXT_LENGTH = _fixed(1000, "length of a value in a response", "characters")
LISTED_PIXELS = _fixed(100_000, "width and height in a search for devices", "pixels", page=_REQUESTS)

# Users
_set("rate_limit", 60, "renders per window and user", least=1, page="api.md#rate-limit")
_set("rate_window_s", 60, "length of the rate limit window", "s", least=1, page="api.md#rate-limit")
_set(
    "write_rate_limit",
    60,
    "projects saved, replaced or renamed, and screenshots uploaded, per window and user",
    least=1,
    page="api.md#projects",
)
_set(
    "preview_limit_s",
    30.0,
    "rendering time of previews per window and user",
    "s",
    above=0,
    most=3600,
    page="api.md#previews",
)
PREVIEW_LEAST_MS = _fixed(5, "least time that a request for a preview counts as", "ms", "api.md#previews")
PREVIEW_BYTES = _fixed(256 * KIB, "size of a preview's body", "bytes", "api.md#previews")
PREVIEWS_AT_ONCE = _fixed(2, "previews of a user that are rendered at a time", page="api.md#previews")
PREVIEW_PATIENCE_S = _fixed(5.0, "time a preview waits for its turn", "s", "api.md#previews")
MOST_USERS = _fixed(100_000, "users whose requests are counted", page="api.md#rate-limit")
MOST_ADDRESSES = _fixed(20_000, "addresses whose requests are counted", page="api.md#rate-limit")
REMEMBERED = _fixed(10_000, "keys whose holders are remembered", page=_WORK)
MEMORY_S = _fixed(60.0, "time a key's holder is remembered", "s", _WORK)
KEY_NAME_LENGTH = _fixed(100, "length of a key's name", "characters", "api.md#administration")
KEY_ORIGINS = _fixed(16, "origins of a key", page="accounts.md#scopes")
# Lines that a user's requests may cause, and those of all strangers together.
LOG_RATE = _fixed(20.0, "log lines per second for a user's requests")
LOG_BURST = _fixed(200.0, "log lines at once for a user's requests")
LOGGED_USERS = _fixed(10_000, "users whose log lines are counted")
MANIFEST_LINE_BYTES = _fixed(1 * MIB, "line of a manifest", "bytes", "scaling.md#a-million-pictures")

# Renders
_set(
    "queue_size",
    None,
    "requests that may wait; default: 128 to 512, depending on memory",
    least=0,
    words="128 to 512",
    page=_WORK,
)
_set("queue_timeout_s", 30.0, "time a request may wait for its turn", "s", above=0, most=600, page=_WORK)
_set(
    "memory_bytes",
    None,
    "memory the service may use; default: that of the container or machine",
    "bytes",
    least=64 * MIB,
    words="that of the container",
)
_set(
    "render_threads",
    None,
    "concurrent renders, each in a process; default: the number of CPUs",
    least=1,
    most=256,
    words="the number of CPUs",
)
_set("render_timeout_s", 10.0, "deadline of one render", "s", above=0, most=600, page=_WORK)
_set("max_output_pixels", MAX_PIXELS, "largest picture, pixels", "pixels", least=4096)
# These renders wait in the renderers' socket, so no renderer waits for the event loop. Only quick ones are
# handed over, so that little has to wait behind them.
RENDERS_AHEAD = _fixed(2, "quick renders handed over while all renderers are busy", page=_WORK)
QUICK_RENDER_S = _fixed(0.25, "estimated time of a quick render", "s", _WORK)
HEAVY_RENDER_S = _fixed(
    1.0, "estimated time up to which a render may occupy the last free renderer", "s", _WORK
)
RENDER_ATTEMPTS = _fixed(2, "renderers that may die during one render", page=_PROCESSES)
# Some encoders cannot be stopped.
OVERSTAY_S = _fixed(0.5, "time after which a renderer with a cancelled render is killed", "s", _PROCESSES)
EVICTION_S = _fixed(
    1.0, "time a client waits for bytes in flight before others lose theirs", "s", page=_BYTES
)
THUMBNAILS = _fixed(64, "small pictures requested at once", page="api.md#small-pictures")
# All previews of the catalogue, from both sides, take about 160 MB.
THUMBNAIL_BYTES = _fixed(256 * MIB, "small pictures kept in a file", "bytes", "api.md#small-pictures")

# Screenshots
_FILES = "formats.md#limits-checked-before-decoding"
_set("max_source_bytes", 15 * MIB, "largest screenshot file", "bytes", least=1024, page=_FILES)
_set("max_source_pixels", MAX_PIXELS, "largest screenshot, pixels", "pixels", least=1, page=_FILES)
_set("max_source_side", MAX_SIDE, "longest side of a screenshot, pixels", "pixels", least=1, page=_FILES)
FILE_PARTS = _fixed(20_000, "parts of a screenshot's file", page=_FILES)
JPEG_SCANS = _fixed(100, "scans of a JPEG", page=_FILES)
JPEG_SCAN_PIXELS = _fixed(1_200_000_000, "scans of a JPEG times its pixels", "pixels", _FILES)
ICC_BYTES = _fixed(4 * MIB, "ICC profile", "bytes", _FILES)
EXIF_ENTRIES = _fixed(512, "entries of EXIF that are read", page=_FILES)
METADATA_BYTES = _fixed(60 * KIB, "settings that are read from a picture's file", "bytes")
SLICES = _fixed(10, "pictures that a canvas is cut into", page="store.md#slices")
GRADIENT_STOPS = _fixed(8, "colours of a gradient", page="backgrounds.md#gradients")
SCENE_DEVICES = _fixed(8, "devices of a scene", page="scenes.md#limits")
_CAPTIONS = "captions.md#limits"
CAPTIONS = _fixed(8, "captions of a picture", page=_CAPTIONS)
CAPTION_LENGTH = _fixed(500, "length of a caption's text", "characters", _CAPTIONS)
CAPTION_LANGUAGES = _fixed(40, "languages of a caption's text", page=_CAPTIONS)
CAPTION_MARKS = _fixed(8, "combining marks on a letter of a caption", page=_CAPTIONS)
FONT_FILES = _fixed(5000, "font files that are used", page=_CAPTIONS)
FONT_FACES = _fixed(64, "fonts in one file", page=_CAPTIONS)
FONT_BYTES = _fixed(64 * MIB, "size of a font file", "bytes", _CAPTIONS)
_DECODERS = "formats.md#disposable-decoders"
# Processor time, since a picture is not to blame for a busy machine.
DECODE_S = _fixed(6.0, "processor time to decode a screenshot", "s", _DECODERS)
DECODER_CPU_S = _fixed(60, "processor time of a decoder", "s", _DECODERS)
# A decoder is replaced before it reaches its own limit: it must never end in the middle of a picture.
DECODER_RETIRES_S = _fixed(20.0, "processor time after which a decoder is replaced", "s", _DECODERS)
DECODE_ATTEMPTS = _fixed(2, "decoders that may die while decoding one screenshot", page=_DECODERS)
TAKE_S = _fixed(3.0, "time for a decoder to accept a screenshot", "s", _DECODERS)
UNTAKEN = _fixed(20, "decoders that may fail to accept a screenshot, one after the other", page=_DECODERS)
DECODER_FILES = _fixed(16, "open files of a decoder", page=_DECODERS)
DECODER_LIVES = _fixed(200, "pictures that a decoder takes before it is replaced", page=_DECODERS)
_REMOTE = "security.md#screenshots-by-url-servicesources"
_set("fetch_connections", 32, "screenshots fetched from URLs concurrently", least=1, page=_REMOTE)
_set("fetch_connect_s", 3.0, "time to connect to a screenshot's server", "s", above=0, page=_REMOTE)
_set("fetch_total_s", 8.0, "time to fetch a screenshot", "s", above=0, page=_REMOTE)
LOOKUPS = _fixed(128, "names looked up at once", page=_REMOTE)
MAX_REDIRECTS = _fixed(3, "redirects of a screenshot's URL", page=_REMOTE)
URL_LENGTH = _fixed(8192, "length of a screenshot's URL", "characters", _REMOTE)

# Films
_FILM = "films.md#limits"
FILM_S = _fixed(60.0, "length of a film", "s", _FILM)
FILM_FRAMES = _fixed(1800, "frames of a film", page=_FILM)
FILM_PIXELS = _fixed(2_100_000, "size of a film's frames", "pixels", _FILM)
FILM_LARGE_PIXELS = _fixed(8_850_000, "size of a short film's frames", "pixels", _FILM)
FILM_LARGE_S = _fixed(10.0, "length of a short film", "s", _FILM)
# A plate of 1920 x 1080 px with a phone takes half a megabyte.
FILM_PLATE_BYTES = _fixed(
    128 * MIB, "size of the file of a film's plates while the film is made", "bytes", _FILM
)
KEYFRAMES = _fixed(64, "keyframes of a film", page=_FILM)
RECORDING_BYTES = _fixed(100 * MIB, "size of a recording's file", "bytes", _FILM)
RECORDING_PIXELS = _fixed(8_850_000, "size of a recording's frames", "pixels", _FILM)
RECORDING_CPU_S = _fixed(600, "processor time to decode a recording", "s", _FILM)
RECORDING_OPEN_S = _fixed(60.0, "processor time to open a recording", "s", _FILM)
RECORDING_FRAME_S = _fixed(20.0, "processor time until the next frame of a recording", "s", _FILM)
_set("films_at_once", 1, "films made at a time; 0: none", least=0, most=64, page=_FILM)
_set("max_films", 20, "films per user, including those that wait or are being made", least=0, page=_FILM)
_set("max_film_bytes", 256 * MIB, "size of a film's file", "bytes", least=1024, page=_FILM)
_set("films_bytes", 8 * GIB, "size of all users' films together", "bytes", least=0, page=_FILM)
_set("film_timeout_s", 3600.0, "time to make a film", "s", above=0, page=_FILM)
_set("max_recordings", 20, "recordings and screenshots for films, per user", least=0, page=_FILM)
_set(
    "max_recording_bytes",
    512 * MIB,
    "size of a user's recordings together",
    "bytes",
    least=1024,
    page=_FILM,
)
_set("recordings_bytes", 8 * GIB, "size of all users' recordings together", "bytes", least=0, page=_FILM)
FILM_WAIT_S = _fixed(_DAY_S, "time that a film may wait until it is made", "s", _FILM)
FILM_ATTEMPTS = _fixed(2, "attempts to make a film, if servers end meanwhile", page=_FILM)
FILM_LEASE_S = _fixed(30.0, "time without a progress report after which a film is begun again", "s", _FILM)
FILM_CHECKS = _fixed(2, "recordings opened and films checked at a time", page=_FILM)
FILM_STILLS = _fixed(8, "stills of a film in a request", page=_FILM)
FRAMES_A_RENDER = _fixed(30, "frames of a film that count as one render", page=_FILM)
WEBHOOK_S = _fixed(10.0, "time that a webhook may take to answer", "s", "films.md#webhooks")
WEBHOOK_TRIES = _fixed(6, "calls of a webhook, the first included", page="films.md#webhooks")

# Storage
_set("cache_bytes", 128 * MIB, "most memory for cached plates", "bytes", least=0)
_set(
    "screenshot_cache_bytes",
    128 * MIB,
    "most memory for decoded screenshots, which are cached separately for each user",
    "bytes",
    least=0,
)
KEPT_S = _fixed(20.0, "time a decoded screenshot is kept after its last use", "s")
_set("max_projects", 1000, "saved projects per user", least=0, page="api.md#projects")
_set(
    "max_project_bytes",
    64 * KIB,
    "size of a project as JSON, without its name",
    "bytes",
    least=256,
    page="api.md#projects",
)
PROJECT_NAME_LENGTH = _fixed(200, "length of a project's name", "characters", "api.md#projects")
# Room for indentation and escapes.
ENVELOPE_BYTES = _fixed(4 * KIB, "size of a project's body beyond four times the project's limit", "bytes")
PAGE = _fixed(100, "items of a list's page", page="api.md#projects")
PAGE_BYTES = _fixed(
    256 * KIB, "size of a page of projects, or of one project, as JSON", "bytes", "api.md#projects"
)
_set("max_uploads", 200, "uploaded screenshots per user", least=0, page="api.md#uploads")
_set(
    "max_upload_bytes",
    256 * MIB,
    "size of a user's uploads together",
    "bytes",
    least=1024,
    page="api.md#uploads",
)
_set("uploads_bytes", 4 * GIB, "size of all users' uploads together", "bytes", least=0, page="api.md#uploads")
_set(
    "upload_lifetime_s",
    3600,
    "time after which an upload is deleted",
    "s",
    least=1,
    most=30 * _DAY_S,
    page="api.md#uploads",
)
_RESULTS = "api.md#results-by-address"
_set(
    "result_ttl_s",
    3600,
    "time after which a result, or the response to an Idempotency-Key, is deleted",
    "s",
    least=1,
    most=30 * _DAY_S,
    page=_RESULTS,
)
_set("max_results", 1000, "results kept per user, and Idempotency-Keys", least=0, page=_RESULTS)
_set("max_result_bytes", 512 * MIB, "size of a user's results together", "bytes", least=1024, page=_RESULTS)
_set("results_bytes", 4 * GIB, "size of all users' results together", "bytes", least=0, page=_RESULTS)
PROJECT_LINK_S = _fixed(300, "time that caches keep the picture of a link to a project", "s", "links.md")
IDEMPOTENCY_KEY_LENGTH = _fixed(128, "length of an Idempotency-Key", "characters", "api.md#idempotency")
UPLOAD_GRACE_S = _fixed(60.0, "time an upload's file outlives its lifetime, for renders that use it", "s")
CONVERSIONS_BYTES = _fixed(16 * MIB, "colour conversions kept in each process", "bytes")
HALVES_BYTES = _fixed(4 * MIB, "halved copies of screenshots kept in a renderer", "bytes")
WARPED_BYTES = _fixed(16 * MIB, "warped screenshots kept in a renderer", "bytes")

# Databases
_DURABILITY, _SHARED = "accounts.md#durability", "accounts.md#rate-limits"
DATABASE_MS = _fixed(5_000, "time to wait for the database or one of its connections", "ms", _DURABILITY)
PROBE_MS = _fixed(1_000, "time to wait for the database when checking that it can be written", "ms")
# By default, PostgreSQL refuses more than 100 connections, counting those of all instances; look-ups are so
# short that each thread need not have a connection of its own.
POSTGRESQL_CONNECTIONS = _fixed(16, "connections to PostgreSQL")
SQLITE_CONNECTIONS = _fixed(64, "connections to SQLite")
POSTGRESQL_CONNECT_S = _fixed(5, "time for PostgreSQL to accept a connection", "s")
SILENT_MS = _fixed(5_000, "time PostgreSQL waits for an idle instance that holds the lock", "ms")
REDIS_TIMEOUT_S = _fixed(2.0, "time for Redis to reply", "s", _SHARED)
# Longer than the timeout of a query, since each thread that gives up counts alone. Only steps without a
# timeout, such as looking up Redis' address, should take this long.
REDIS_PATIENCE_S = _fixed(2.5, "time that threads wait for another's query of Redis", "s", _SHARED)
REDIS_PAUSE_S = _fixed(5.0, "time until Redis is tried again after a failure", "s", _SHARED)

# Stopping
_set("shutdown_s", 25.0, "time for accepted requests to finish at shutdown", "s", above=0)
CLOSING_S = _fixed(2.0, "part of that time for closing everything after the last request", "s")
TRACES_S = _fixed(5.0, "time to send the last traces at shutdown", "s", "operations.md#monitoring")
_set(
    "drain_s",
    0.0,
    "time to go on serving after SIGTERM, until balancers notice",
    "s",
    least=0,
    most=600,
)

#: The limits that variables set, by their names in the configuration.
VARIABLES = {one.name: one for one in LIMITS if one.name}
