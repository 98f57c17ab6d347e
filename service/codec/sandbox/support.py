"""Whether this machine has what decoder processes and their sandbox are made of."""

from __future__ import annotations

from service.codec.sandbox import seccomp
from service.processes import forks


def missing() -> list[str]:
    """The features of Linux that are needed and not available here."""
    return forks.missing() + ([] if seccomp.available() else ["seccomp"])


def verify(*, allowed: bool) -> None:
    """Raise RuntimeError naming what is missing, unless the operator has `allowed` to do without."""
    found = missing()
    if found and not allowed:
        raise RuntimeError(
            f"{', '.join(found)} not available here, so screenshots cannot be decoded in a sandbox; "
            "use Linux on x86-64 or aarch64, or set MOCKUP_ALLOW_UNSANDBOXED=true to do without one"
        )
