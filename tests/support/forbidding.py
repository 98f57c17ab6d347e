"""`python -m tests.support.forbidding NAME COMMAND...` runs a command under a real filter that forbids one
feature.

Forbidden calls fail as they do under the system call filter of an older container engine.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct
import sys

from service.codec.sandbox import seccomp
from service.codec.sandbox.seccomp import ALLOW, ERRNO, JUMP_EQUAL, LOAD, NUMBER, RETURN

PR_SET_NO_NEW_PRIVS = 38
# The offset of the low word of a system call's first argument in struct seccomp_data.
FIRST_ARGUMENT = 16
# By name: the system calls on x86_64 and aarch64, and their first argument if it matters.
FORBIDDEN: dict[str, tuple[tuple[tuple[int, int], int | None], ...]] = {
    "memfd": (((319, 279), None),),
    "pidfd": (((434, 434), None),),
    "seccomp": (((157, 167), seccomp.PR_SET_SECCOMP), ((317, 277), None)),
}


def forbidding(name: str, *command: str) -> tuple[str, ...]:
    """A command line that runs `command` without the feature that `name` identifies."""
    return sys.executable, "-m", "tests.support.forbidding", name, *command


def main() -> None:
    name, *command = sys.argv[1:]
    column = list(seccomp.ARCHES).index(platform.machine())
    code = [_op(LOAD, NUMBER)]
    for numbers, argument in FORBIDDEN[name]:
        refuse = [_op(RETURN, ERRNO | errno.EPERM)]
        if argument is not None:
            refuse = [_op(LOAD, FIRST_ARGUMENT), _op(JUMP_EQUAL, argument, 0, 1), *refuse, _op(RETURN, ALLOW)]
        code += [_op(JUMP_EQUAL, numbers[column], 0, len(refuse)), *refuse]
    _install(b"".join([*code, _op(RETURN, ALLOW)]))
    os.execv(command[0], command)


def _op(code: int, k: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("HBBI", code, if_true, if_false, k)


def _install(code: bytes) -> None:
    libc, unsigned = ctypes.CDLL(None, use_errno=True), ctypes.c_ulong
    memory = ctypes.create_string_buffer(code, len(code))
    fprog = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(code) // 8, ctypes.addressof(memory)))
    zero = unsigned(0)
    assert libc.prctl(PR_SET_NO_NEW_PRIVS, unsigned(1), zero, zero, zero) == 0
    filtered = unsigned(seccomp.SECCOMP_MODE_FILTER)
    assert libc.prctl(seccomp.PR_SET_SECCOMP, filtered, fprog, zero, zero) == 0


if __name__ == "__main__":
    main()
