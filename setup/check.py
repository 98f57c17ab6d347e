"""Check the installation: pillow-simd has every format that the service needs, and Pillow has not overwritten
it."""

import sys
from importlib import metadata
from pathlib import Path

LOCK = Path("requirements/service.txt")
# When this file runs as a script, Python searches this folder for modules instead of the project's.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))


def faults() -> list[str]:
    """The faults found, one sentence each."""
    installed = {(dist.metadata["Name"] or "").lower().replace("_", "-") for dist in metadata.distributions()}
    found = []
    if "pillow-simd" not in installed:
        return ["pillow-simd is not installed."]
    if "pillow" in installed:
        found.append("Plain Pillow overwrites pillow-simd: some dependency asks for it.")
    from service.codec.support import verify

    version = metadata.version("pillow-simd")
    if f"pillow-simd=={version} " not in LOCK.read_text("utf-8"):
        found.append(f"pillow-simd {version} is not the version in {LOCK}.")
    try:
        verify()
    except RuntimeError as error:
        found.append(str(error))
    return found


if __name__ == "__main__":
    problems = faults()
    for problem in problems:
        print(f"set-up: {problem} Remove .venv and run 'make install' again.", file=sys.stderr)
    sys.exit(bool(problems))
