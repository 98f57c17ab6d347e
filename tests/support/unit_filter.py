"""`python -m tests.support.unit_filter COMMAND...` runs a command under the filter of
`deploy/mockup.service`.

A system call that the unit does not allow kills the process, as under systemd. Systemd itself lists the calls
in each group, and libseccomp, which systemd is linked to, knows their numbers.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

UNIT = Path(__file__).resolve().parent.parent.parent / "deploy" / "mockup.service"
KILL_PROCESS, ALLOW = 0x80000000, 0x7FFF0000
# The calls that systemd always allows.
IMPLIED = ("@default", "execve")


def confined(*command: str) -> tuple[str, ...]:
    """A command line that runs `command` under the unit's filter."""
    return sys.executable, "-m", "tests.support.unit_filter", *command


def allowed() -> set[str]:
    """The names of the system calls that the unit allows."""
    lines = UNIT.read_text("utf-8").splitlines()
    (named,) = (line.partition("=")[2].split() for line in lines if line.startswith("SystemCallFilter="))
    return set().union(*map(_members, (*IMPLIED, *named)))


@cache
def _members(name: str) -> set[str]:
    """A single call, or all calls of a group."""
    if not name.startswith("@"):
        return {name}
    done = subprocess.run(
        ["systemd-analyze", "syscall-filter", name], capture_output=True, text=True, check=True
    )
    inside = [line.strip() for line in done.stdout.splitlines()[1:]]
    return set().union(*(_members(one) for one in inside if one and not one.startswith("#")))


def main() -> None:
    library = ctypes.CDLL(ctypes.util.find_library("seccomp"))
    library.seccomp_init.restype = ctypes.c_void_p
    context = ctypes.c_void_p(library.seccomp_init(ctypes.c_uint32(KILL_PROCESS)))
    for name in sorted(allowed()):
        number = library.seccomp_syscall_resolve_name(name.encode())
        # The number is negative for calls that only other machines or newer kernels have.
        if number >= 0:
            assert library.seccomp_rule_add_array(context, ALLOW, number, 0, None) == 0, name
    assert library.seccomp_load(context) == 0
    os.execv(sys.argv[1], sys.argv[1:])


if __name__ == "__main__":
    main()
