"""Check what was installed: pillow-simd with every format the service needs, and no Pillow over it."""

import sys
from importlib import metadata
from pathlib import Path

LOCK = Path("requirements/service.txt")
FEATURES = {"jpg": "JPEG", "zlib": "PNG", "webp": "WebP", "littlecms2": "ICC profiles"}


def faults() -> list[str]:
    """Name everything that is wrong, one sentence each."""
    installed = {(dist.metadata["Name"] or "").lower().replace("_", "-") for dist in metadata.distributions()}
    found = []
    if "pillow-simd" not in installed:
        return ["pillow-simd is not installed."]
    if "pillow" in installed:
        found.append("Plain Pillow overwrites pillow-simd: some dependency asks for it.")
    import PIL
    from PIL import features

    version = metadata.version("pillow-simd")
    if f"pillow-simd=={version} " not in LOCK.read_text("utf-8"):
        found.append(f"pillow-simd {version} is not the version in {LOCK}.")
    if PIL.__version__ != version:
        found.append(f"PIL is version {PIL.__version__}, not pillow-simd {version}: overwritten.")
    lacking = [label for name, label in FEATURES.items() if not features.check(name)]
    if lacking:
        found.append(f"pillow-simd was built without {', '.join(lacking)}.")
    return found


if __name__ == "__main__":
    problems = faults()
    for problem in problems:
        print(f"set-up: {problem} Remove .venv and run 'make install' again.", file=sys.stderr)
    sys.exit(bool(problems))
