"""Write `requirements/*.txt` from `pyproject.toml` by uv: a file for the service, and one for each group."""

import subprocess
import sys
import tomllib
from pathlib import Path

FOLDER = Path("requirements")
HEADER = "# Written by `make lock` from pyproject.toml: every version, with the hashes of all its files.\n"
# The packages that build the imaging library and the project itself, and are installed before them.
BUILD = ["cython>=3.3", "pybind11", "setuptools>=77"]
# The tool that writes these files.
LOCK = ["uv"]


def main(options: list[str]) -> None:
    """Write every file. A package has the same version in all of them, because they are installed
    together."""
    declared = tomllib.loads(Path("pyproject.toml").read_text("utf-8"))
    project = declared["project"]
    FOLDER.mkdir(exist_ok=True)
    service = [one for one in project["dependencies"] if not one.startswith("pillow==")]
    service += declared["dependency-groups"]["simd"]
    write("service", service, [], project["requires-python"], options)
    shared = ["--constraint", str(FOLDER / "service.txt")]
    groups = {**project["optional-dependencies"], "build": BUILD, "lock": LOCK}
    for name, wanted in groups.items():
        write(name, wanted, shared, project["requires-python"], options)
        shared += ["--constraint", str(FOLDER / f"{name}.txt")]


def write(name: str, wanted: list[str], constraints: list[str], pythons: str, options: list[str]) -> None:
    """Write one file; raises CalledProcessError if the requirements cannot be met."""
    file = FOLDER / f"{name}.txt"
    command = [str(Path(sys.executable).parent / "uv"), "pip", "compile", "-", "--output-file", str(file)]
    command += ["--universal", "--python-version", pythons.removeprefix(">="), "--generate-hashes"]
    command += ["--no-header", "--no-annotate", "--quiet", "--system-certs", *constraints, *options]
    text = "\n".join(wanted)
    subprocess.run(command, input=text, text=True, stdout=subprocess.DEVNULL, check=True)
    if "\npillow==" in file.read_text("utf-8"):
        raise SystemExit(f"{file}: something asks for plain Pillow, which would overwrite pillow-simd")
    file.write_text(HEADER + file.read_text("utf-8"), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
