"""The service's configuration, typed: `MOCKUP_*` variables, files that they name, and a file of TOML."""

from __future__ import annotations

import ipaddress
import re
from ipaddress import IPv4Network, IPv6Network
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, SecretStr, field_validator
from pydantic_settings import BaseSettings, NoDecode, PydanticBaseSettingsSource, SettingsConfigDict

from .config_file import ConfigFile
from .limits import VARIABLES
from .plans import BUILT_IN, Plan, completed, parse
from .secret_files import SecretFiles

# An origin as browsers send it: in lower case, without a path and without the scheme's default port.
ORIGIN = re.compile(r"[a-z][a-z0-9+.-]*://(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?")


def _limit(name: str) -> Any:
    """The field of a limit, from its row."""
    row = VARIABLES[name]
    return Field(row.value, ge=row.least, gt=row.above, le=row.most, description=row.about)


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
    render_threads: int | None = _limit("render_threads")
    render_timeout_s: float = _limit("render_timeout_s")
    queue_size: int | None = _limit("queue_size")
    queue_timeout_s: float = _limit("queue_timeout_s")
    max_body_bytes: int = _limit("max_body_bytes")
    max_source_bytes: int = _limit("max_source_bytes")
    max_source_pixels: int = _limit("max_source_pixels")
    max_source_side: int = _limit("max_source_side")
    max_output_pixels: int = _limit("max_output_pixels")
    cache_bytes: int = _limit("cache_bytes")
    screenshot_cache_bytes: int = _limit("screenshot_cache_bytes")
    rate_limit: int = _limit("rate_limit")
    rate_window_s: int = _limit("rate_window_s")
    write_rate_limit: int = _limit("write_rate_limit")
    preview_limit_s: float = _limit("preview_limit_s")
    max_projects: int = _limit("max_projects")
    max_project_bytes: int = _limit("max_project_bytes")
    max_uploads: int = _limit("max_uploads")
    max_upload_bytes: int = _limit("max_upload_bytes")
    uploads_bytes: int = _limit("uploads_bytes")
    upload_lifetime_s: int = _limit("upload_lifetime_s")
    upload_dir: Path | None = Field(
        None,
        description="folder for uploads, results and films, which all instances share; "
        "default: uploads in data_dir",
    )
    result_ttl_s: int = _limit("result_ttl_s")
    max_results: int = _limit("max_results")
    max_result_bytes: int = _limit("max_result_bytes")
    results_bytes: int = _limit("results_bytes")
    films_at_once: int = _limit("films_at_once")
    max_films: int = _limit("max_films")
    max_film_bytes: int = _limit("max_film_bytes")
    films_bytes: int = _limit("films_bytes")
    film_timeout_s: float = _limit("film_timeout_s")
    max_recordings: int = _limit("max_recordings")
    max_recording_bytes: int = _limit("max_recording_bytes")
    recordings_bytes: int = _limit("recordings_bytes")
    fetch_connect_s: float = _limit("fetch_connect_s")
    fetch_total_s: float = _limit("fetch_total_s")
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
    header_timeout_s: float = _limit("header_timeout_s")
    body_timeout_s: float = _limit("body_timeout_s")
    idle_timeout_s: float = _limit("idle_timeout_s")
    shutdown_s: float = _limit("shutdown_s")
    drain_s: float = _limit("drain_s")
    metrics_port: int | None = Field(
        None, ge=0, le=65535, description="port for Prometheus metrics; default: none"
    )
    metrics_host: str = Field("127.0.0.1", description="address that metrics are served on")
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        "info", description="minimum level logged"
    )
    log_format: Literal["console", "json"] = Field("console", description="format of log lines")
    fonts_dir: Path | None = Field(None, description="folder of fonts for captions, besides the system's")
    data_dir: Path = Field(Path("var"), description="folder for the service's files")
    fetch_connections: int = _limit("fetch_connections")
    cors_origins: Annotated[tuple[str, ...], NoDecode] = Field(
        (), description="origins whose pages may call the API in a browser; * for all"
    )
    max_connections: int = _limit("max_connections")
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
        frozenset(), description="hosts of screenshots that receive the request's trace id, as traceparent"
    )
    memory_bytes: int | None = _limit("memory_bytes")

    @property
    def fonts_folder(self) -> str:
        """The folder of fonts as renderers take it; empty if there is none."""
        return str(self.fonts_dir.resolve()) if self.fonts_dir else ""

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
        # Users' addresses are stored in lower case.
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
