"""A seccomp filter for decoder processes: memory, clocks and the descriptors they were given; nothing else.

A classic BPF program, assembled here; see seccomp(2), linux/filter.h and linux/seccomp.h. Calls that are not
on the list fail with EPERM; those that only an attacker would try kill the process.
"""

from __future__ import annotations

import ctypes
import errno
import platform
import struct

LOAD, JUMP_EQUAL, JUMP_ANY_BIT, JUMP_AT_LEAST, RETURN = 0x20, 0x15, 0x45, 0x35, 0x06
ALLOW, ERRNO, KILL_PROCESS = 0x7FFF0000, 0x00050000, 0x80000000
# Offsets in struct seccomp_data; the low word of an argument comes first on both machines.
NUMBER, ARCH, THIRD_ARGUMENT = 0, 4, 16 + 8 * 2
PROT_EXEC = 4
X32 = 0x40000000
PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 22, 2

ARCHES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}

# name: (x86_64, aarch64); None where the machine has no such call.
ALLOWED: dict[str, tuple[int | None, int | None]] = {
    "read": (0, 63),
    "write": (1, 64),
    "close": (3, 57),
    "fstat": (5, 80),
    "newfstatat": (262, 79),
    "lseek": (8, 62),
    "munmap": (11, 215),
    "brk": (12, 214),
    "rt_sigaction": (13, 134),
    "rt_sigprocmask": (14, 135),
    "rt_sigreturn": (15, 139),
    "pread64": (17, 67),
    "pwrite64": (18, 68),
    "sched_yield": (24, 124),
    "mremap": (25, 216),
    "madvise": (28, 233),
    "getpid": (39, 172),
    "sendto": (44, 206),
    "sendmsg": (46, 211),
    "recvmsg": (47, 212),
    "exit": (60, 93),
    "gettimeofday": (96, 169),
    "getrusage": (98, 165),
    "sigaltstack": (131, 132),
    "gettid": (186, 178),
    "futex": (202, 98),
    "sched_getaffinity": (204, 123),
    "restart_syscall": (219, 128),
    "clock_gettime": (228, 113),
    "clock_nanosleep": (230, 115),
    "exit_group": (231, 94),
    "poll": (7, None),
    "ppoll": (271, 73),
    "getrandom": (318, 278),
    "rseq": (334, 293),
}
WITHOUT_EXEC = {"mmap": (9, 222), "mprotect": (10, 226)}
DEADLY = {
    "execve": (59, 221),
    "execveat": (322, 281),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "socket": (41, 198),
    "connect": (42, 203),
    "bind": (49, 200),
    "bpf": (321, 280),
    "mount": (165, 40),
    "io_uring_setup": (425, 425),
    "userfaultfd": (323, 282),
    "keyctl": (250, 219),
}


def program(machine: str) -> bytes:
    """The filter for `machine` ("x86_64" or "aarch64") as an array of struct sock_filter."""
    column = list(ARCHES).index(machine)

    def numbers(calls: dict[str, tuple[int | None, int | None]] | dict[str, tuple[int, int]]) -> list[int]:
        return [number for pair in calls.values() if (number := pair[column]) is not None]

    # A jump skips at most 255 instructions, so every test is followed by its own return.
    code = [_op(LOAD, ARCH), _op(JUMP_EQUAL, ARCHES[machine], 1, 0), _op(RETURN, KILL_PROCESS)]
    code.append(_op(LOAD, NUMBER))
    if machine == "x86_64":
        code += [_op(JUMP_AT_LEAST, X32, 0, 1), _op(RETURN, KILL_PROCESS)]
    for number in numbers(WITHOUT_EXEC):
        code += [_op(JUMP_EQUAL, number, 0, 4), _op(LOAD, THIRD_ARGUMENT)]
        code += [_op(JUMP_ANY_BIT, PROT_EXEC, 0, 1), _op(RETURN, ERRNO | errno.EPERM), _op(RETURN, ALLOW)]
    for number in numbers(ALLOWED):
        code += [_op(JUMP_EQUAL, number, 0, 1), _op(RETURN, ALLOW)]
    for number in numbers(DEADLY):
        code += [_op(JUMP_EQUAL, number, 0, 1), _op(RETURN, KILL_PROCESS)]
    code.append(_op(RETURN, ERRNO | errno.EPERM))
    return b"".join(code)


def available() -> bool:
    """Whether this kernel has filters, and there is a program for this machine."""
    if platform.machine() not in ARCHES:
        return False
    libc, unsigned = ctypes.CDLL(None, use_errno=True), ctypes.c_ulong
    # With a null program, a kernel that has filters reports a bad address (EFAULT), and others an invalid
    # argument (EINVAL).
    libc.prctl(PR_SET_SECCOMP, unsigned(SECCOMP_MODE_FILTER), unsigned(0), unsigned(0), unsigned(0))
    return ctypes.get_errno() == errno.EFAULT


def install() -> bool:
    """Install the filter on this thread for good; returns whether that was possible.

    Needs `no_new_privs` to be set.
    """
    machine = platform.machine()
    if machine not in ARCHES:
        return False
    code = program(machine)
    memory = ctypes.create_string_buffer(code, len(code))
    # struct sock_fprog: the count, padding, and a pointer.
    fprog = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(code) // 8, ctypes.addressof(memory)))
    libc = ctypes.CDLL(None, use_errno=True)
    unsigned = ctypes.c_ulong
    return bool(
        libc.prctl(PR_SET_SECCOMP, unsigned(SECCOMP_MODE_FILTER), fprog, unsigned(0), unsigned(0)) == 0
    )


def active() -> bool:
    """Whether this process is under a filter."""
    with open("/proc/self/status", "rb") as status:
        return b"Seccomp:\t2" in status.read()


def _op(code: int, k: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("HBBI", code, if_true, if_false, k)
