"""The Chromium that tests of pages run in."""

from __future__ import annotations

import shutil

from benchmarks.speed.peers import devtools


def program() -> str | None:
    """The browser's path; None if there is no browser.

    The shell without windows has the same engine. It takes three quarters of the processor time of the whole
    browser, which draws its own toolbar where nobody sees it.
    """
    return shutil.which("chromium-headless-shell") or devtools.program()
