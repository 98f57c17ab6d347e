"""Compiles the kernels of `service/render/kernels/`, as one library, and PNG's filters.

The rest of the project is declared in `pyproject.toml`.
"""

import os
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, find_packages, setup

PACKAGE, SOURCES = "mockup", "service"
KERNELS = "render.kernels"
FILTERS = "codec.formats.png.unfilter"
# Cython's own checks are off, because kernels check shapes once, before their loops.
DIRECTIVES = {
    "language_level": 3,
    "boundscheck": False,
    "wraparound": False,
    "cdivision": True,
    "initializedcheck": False,
    "binding": False,
}
# All processors compute the same bytes: the compiler may not fuse or reorder operations, nor choose
# instructions by the machine that builds.
QUICK = ["-O3", "-g0", "-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math"]
CHECKED = ["-O1", "-g", "-ffp-contract=off", "-fno-omit-frame-pointer", "-fsanitize=address,undefined"]


def built(name: str, sources: list[str]) -> Extension:
    """A shared library of C sources, by its name in the package."""
    checked = "MOCKUP_SANITIZE" in os.environ
    return Extension(
        f"{PACKAGE}.{name}",
        sources,
        extra_compile_args=CHECKED if checked else QUICK,
        extra_link_args=["-fsanitize=address,undefined"] if checked else ["-Wl,-s"],
    )


def translated(names: list[str]) -> list[str]:
    """The C sources of modules, by their names in the package."""
    modules = [Extension(f"{PACKAGE}.{name}", [f"{SOURCES}/{name.replace('.', '/')}.py"]) for name in names]
    made = cythonize(modules, build_dir="build/kernels", compiler_directives=DIRECTIVES, quiet=True)
    return [source for module in made for source in module.sources]


def library() -> Extension:
    """The kernels, with an initialiser for each module; `kernels/__init__.py` calls them."""
    names = sorted(path.stem for path in Path(SOURCES, *KERNELS.split(".")).glob("[a-z]*.py"))
    return built(f"{KERNELS}._library", translated([f"{KERNELS}.{name}" for name in names]))


setup(
    packages=[PACKAGE, f"{PACKAGE}.frames", *(f"{PACKAGE}.{name}" for name in find_packages(SOURCES))],
    # `make wheel` writes it.
    data_files=[("share/man/man1", [str(page) for page in Path("build/man").glob("*.1")])],
    ext_modules=[library(), built(FILTERS, translated([FILTERS]))],
)
