"""Whether this machine has the features that decoder processes and their sandbox need."""

from __future__ import annotations

from ...processes import forks
from . import seccomp


def verify(*, allowed: bool) -> list[str]:
    """The features of Linux that a sandbox needs and this machine lacks, if decoding without it is `allowed`.

    Otherwise raises RuntimeError naming them.
    """
    found = forks.missing() + ([] if seccomp.available() else ["seccomp"])
    if found and not allowed:
        raise RuntimeError(
            f"{', '.join(found)} not available here, so screenshots cannot be decoded in a sandbox; "
            "use Linux on x86-64 or aarch64, or set MOCKUP_ALLOW_UNSANDBOXED=true to do without one"
        )
    return found
