"""The service's configuration, typed: `MOCKUP_*` variables, files that they name, and a file of TOML."""

from __future__ import annotations

import ipaddress
import re
from ipaddress import IPv4Network, IPv6Network
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, SecretStr, field_validator
from pydantic_settings import BaseSettings, NoDecode, PydanticBaseSettingsSource, SettingsConfigDict

from service.config_file import ConfigFile
from service.limits import MAX_PIXELS, MAX_SIDE
from service.plans import BUILT_IN, Plan, completed, parse
from service.secret_files import SecretFiles

# As browsers send it: lower case, without a path or the scheme's default port.
ORIGIN = re.compile(r"[a-z][a-z0-9+.-]*://(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?")


class Config(BaseSettings):
    """Everything an operator can set; a test checks that the documentation names every variable."""

    model_config = SettingsConfigDict(
        env_prefix="MOCKUP_", env_ignore_empty=True, hide_input_in_errors=True, frozen=True, extra="ignore"
    )

    host: str = Field("127.0.0.1", description="address to listen on")
    port: int = Field(8000, ge=0, le=65535, description="port to listen on; 0 picks a free one")
    database_url: SecretStr | None = Field(
        None,
        description="SQLAlchemy URL, PostgreSQL for several instances; default: SQLite under data_dir",
    )
    key_secret: SecretStr | None = Field(
        None,
        description="secret that keys the hashes of API keys; default: generated under data_dir",
    )
    redis_url: SecretStr | None = Field(None, description="Redis for rate limits shared by several instances")
    render_threads: int | None = Field(
        None, ge=1, le=256, description="concurrent renders, each in a process; default: the number of CPUs"
    )
    render_timeout_s: float = Field(10.0, gt=0, le=600, description="deadline of one render")
    queue_size: int | None = Field(
        None, ge=0, description="requests that may wait; default: 128 to 512, depending on memory"
    )
    queue_timeout_s: float = Field(30.0, gt=0, le=600, description="time a request may wait for its turn")
    max_body_bytes: int = Field(20 * 2**20, ge=1024, description="largest request body")
    max_source_bytes: int = Field(15 * 2**20, ge=1024, description="largest screenshot file")
    max_source_pixels: int = Field(MAX_PIXELS, ge=1, description="largest screenshot, pixels")
    max_source_side: int = Field(MAX_SIDE, ge=1, description="longest side of a screenshot, pixels")
    max_output_pixels: int = Field(MAX_PIXELS, ge=4096, description="largest picture, pixels")
    cache_bytes: int = Field(128 * 2**20, ge=0, description="most memory for cached plates")
    screenshot_cache_bytes: int = Field(
        128 * 2**20, ge=0, description="most memory for screenshots kept decoded, each for its user alone"
    )
    rate_limit: int = Field(60, ge=1, description="requests per window and user")
    rate_window_s: int = Field(60, ge=1, description="length of the rate limit window")
    write_rate_limit: int = Field(
        60, ge=1, description="projects saved or replaced, and screenshots uploaded, per window and user"
    )
    preview_limit_s: float = Field(
        30.0, gt=0, le=3600, description="rendering time of previews per window and user"
    )
    max_projects: int = Field(1000, ge=0, description="saved projects per user")
    max_project_bytes: int = Field(16 * 1024, ge=256, description="size of a project's settings as JSON")
    max_uploads: int = Field(200, ge=0, description="uploaded screenshots per user")
    max_upload_bytes: int = Field(256 * 2**20, ge=1024, description="size of a user's uploads together")
    uploads_bytes: int = Field(4 * 2**30, ge=0, description="size of all users' uploads together")
    upload_lifetime_s: int = Field(
        3600, ge=1, le=86400 * 30, description="time after which an upload is deleted"
    )
    upload_dir: Path | None = Field(
        None, description="folder for uploads, shared by all instances; default: uploads under data_dir"
    )
    fetch_connect_s: float = Field(3.0, gt=0, description="time to connect to a screenshot's server")
    fetch_total_s: float = Field(8.0, gt=0, description="time to fetch a screenshot")
    fetch_ports: Annotated[frozenset[int], NoDecode] = Field(
        frozenset({80, 443}), description="ports screenshots are fetched from"
    )
    allow_private_sources: bool = Field(
        False,
        description="allow screenshots from private and loopback addresses and any port; for development",
    )
    allow_unsandboxed: bool = Field(
        False,
        description="serve where screenshots cannot be decoded in a sandbox; for development",
    )
    trusted_proxies: Annotated[tuple[str, ...], NoDecode] = Field(
        (), description="addresses or networks whose X-Forwarded-For is trusted"
    )
    header_timeout_s: float = Field(10.0, gt=0, description="time to send a request's headers")
    body_timeout_s: float = Field(30.0, gt=0, description="time to send a request's body")
    idle_timeout_s: float = Field(10.0, gt=0, description="time a connection may stay idle")
    shutdown_s: float = Field(25.0, gt=0, description="time for accepted requests to finish at shutdown")
    drain_s: float = Field(
        0.0, ge=0, le=600, description="time to go on serving after SIGTERM, until balancers notice"
    )
    metrics_port: int | None = Field(
        None, ge=0, le=65535, description="port for Prometheus metrics; default: none"
    )
    metrics_host: str = Field("127.0.0.1", description="address that metrics are served on")
    log_level: str = Field("info", pattern="^(debug|info|warning|error)$", description="minimum level logged")
    log_format: str = Field("console", pattern="^(console|json)$", description="format of log lines")
    data_dir: Path = Field(Path("var"), description="folder for the service's files")
    fetch_connections: int = Field(32, ge=1, description="screenshots fetched from URLs concurrently")
    cors_origins: Annotated[tuple[str, ...], NoDecode] = Field(
        (), description="origins whose pages may call the API in a browser; * for all"
    )
    max_connections: int = Field(
        2048, ge=1, description="open connections; beyond, the longest idle is closed"
    )
    fetch_denied: Annotated[tuple[IPv4Network | IPv6Network, ...], NoDecode] = Field(
        (), description="additional networks that screenshots are never fetched from"
    )
    admins: Annotated[tuple[str, ...], NoDecode] = Field(
        (),
        description="e-mail addresses of administrators: their keys may use /api/v1/admin and /api/v1/status",
    )
    plans: Annotated[dict[str, Plan], NoDecode] = Field(
        default_factory=lambda: dict(BUILT_IN),
        description="[plans](accounts.md#plans) with limits of their own, as JSON or TOML",
    )
    trace_hosts: Annotated[frozenset[str], NoDecode] = Field(
        frozenset(), description="hosts of screenshots that are told of the request's trace, as traceparent"
    )
    memory_bytes: int | None = Field(
        None, ge=2**26, description="memory the service may use; default: that of the container or machine"
    )

    @field_validator(
        "fetch_ports",
        "trusted_proxies",
        "fetch_denied",
        "cors_origins",
        "admins",
        "trace_hosts",
        mode="before",
    )
    @classmethod
    def _listed(cls, value: Any) -> Any:
        """Split lists at commas or white space."""
        return re.split(r"[\s,]+", value.strip(" ,")) if isinstance(value, str) else value

    @field_validator("plans", mode="before")
    @classmethod
    def _tables(cls, value: Any) -> Any:
        return parse(value) if isinstance(value, str) else value

    @field_validator("plans")
    @classmethod
    def _plans(cls, value: dict[str, Plan]) -> dict[str, Plan]:
        return completed(value)

    @field_validator("fetch_ports")
    @classmethod
    def _ports(cls, value: frozenset[int]) -> frozenset[int]:
        if wrong := sorted(port for port in value if not 1 <= port <= 65535):
            raise ValueError(f"not a port: {wrong[0]}")
        return value

    @field_validator("trusted_proxies")
    @classmethod
    def _networks(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for text in value:
            ipaddress.ip_network(text, strict=False)
        return value

    @field_validator("cors_origins")
    @classmethod
    def _origins(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for text in value:
            if text != "*" and not ORIGIN.fullmatch(text):
                raise ValueError(f"not an origin such as https://app.example.com, without a path: {text}")
        return value

    @field_validator("admins")
    @classmethod
    def _addresses(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        # As users' addresses are kept.
        return tuple(text.lower() for text in value)

    @field_validator("key_secret")
    @classmethod
    def _long(cls, value: SecretStr | None) -> SecretStr | None:
        if value and len(value) < 16:
            raise ValueError("expected at least 16 characters")
        return value

    @field_validator("database_url")
    @classmethod
    def _database(cls, value: SecretStr | None) -> SecretStr | None:
        text = value.get_secret_value() if value else "sqlite:///file"
        if not re.match(r"(sqlite(\+pysqlite)?:///(?!:memory:).|postgresql(\+psycopg)?://)", text):
            raise ValueError("expected sqlite:///path/to/file or postgresql://user:password@host/database")
        return value

    @field_validator("redis_url")
    @classmethod
    def _redis(cls, value: SecretStr | None) -> SecretStr | None:
        if value and not re.match(r"(redis|valkey)(s|\+unix)?://", value.get_secret_value()):
            raise ValueError("expected redis://host:port/number or rediss://...")
        return value

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Arguments first, then variables, then files named by variables, then the file of all settings."""
        return init_settings, env_settings, SecretFiles(settings_cls), ConfigFile(settings_cls)
