"""Warnings for the operator when the service starts, one sentence each."""

from __future__ import annotations

import ipaddress
import os
import resource
from collections.abc import Iterator

from ..config import Config


def startup_warnings(config: Config, demo: bool) -> Iterator[str]:
    """Warn about running as root, a public demo account, unshared uploads and a low limit of open files."""
    if os.geteuid() == 0:
        yield "running as root, which the service does not need; use a dedicated user"
    if demo and not _is_loopback(config.host):
        yield f"a demo account on {config.host}: anyone with its key can render; it is for local trials"
    if warning := uploads_warning(config):
        yield warning
    if warning := file_limit_warning(config):
        yield warning


def uploads_warning(config: Config) -> str:
    """A warning if instances share a database but not the folder of uploads; otherwise empty."""
    if config.redis_url is None or config.upload_dir is not None:
        return ""
    return "only this instance sees its uploads; set MOCKUP_UPLOAD_DIR to a folder that all instances share"


def file_limit_warning(config: Config) -> str:
    """A warning if the limit of open files (`ulimit -n`) is too low for the connections; otherwise empty."""
    from ..admission.memory import plan
    from ..http.connection_limits import room_for
    from ..processes.segments import DESCRIPTOR_BYTES
    from ..system.container import cpus

    planned = plan(config, config.render_threads or cpus())
    room = room_for(planned.connections, planned.plates // DESCRIPTOR_BYTES)
    if room >= planned.connections:
        return ""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    return (
        f"{hard} open files allow only {room} of {planned.connections} concurrent connections; "
        f"raise the limit (ulimit -n {max(4096, 2 * planned.connections)}) or lower MOCKUP_MAX_CONNECTIONS"
    )


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
