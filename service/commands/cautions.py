"""What an operator should know before the service starts, one sentence each."""

from __future__ import annotations

import ipaddress
import os
import resource
from collections.abc import Iterator

from service.config import Config


def cautions(config: Config, demo: bool) -> Iterator[str]:
    """Whatever there is to warn of: rights that are not needed, a demo account in public, few open files."""
    if os.geteuid() == 0:
        yield "running as root, which the service does not need; a user of its own is safer"
    if demo and not _is_loopback(config.host):
        yield f"--demo on {config.host}: whoever gets hold of the demo key can render; --demo is for trying"
    if lacking := lacking_files(config):
        yield lacking


def lacking_files(config: Config) -> str:
    """What the limit of open files, `ulimit -n`, costs in connections; empty when it is high enough."""
    from service.admission.memory import plan
    from service.http.protocol import room_for
    from service.processes.segments import DESCRIPTOR_BYTES
    from service.system.container import cpus

    planned = plan(config, config.render_threads or cpus())
    room = room_for(planned.connections, planned.plates // DESCRIPTOR_BYTES)
    if room >= planned.connections:
        return ""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    return (
        f"{hard} open files allow only {room} of {planned.connections} connections at once; "
        f"raise the limit (ulimit -n {max(4096, 2 * planned.connections)}) or lower MOCKUP_MAX_CONNECTIONS"
    )


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
