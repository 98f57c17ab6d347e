"""Builds the compiled kernels: every module of `service/render/kernels/`, in one shared library.

The rest of the project is declared in `pyproject.toml`.
"""

import os
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

FOLDER = "service/render/kernels"
# Safe without Cython's checks: kernels check shapes once, before their loops.
DIRECTIVES = {
    "language_level": 3,
    "boundscheck": False,
    "wraparound": False,
    "cdivision": True,
    "initializedcheck": False,
    "binding": False,
}
# The same bytes on every processor: nothing is fused, reordered or chosen by the machine that builds it.
QUICK = ["-O3", "-g0", "-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math"]
CHECKED = ["-O1", "-g", "-ffp-contract=off", "-fno-omit-frame-pointer", "-fsanitize=address,undefined"]


def library() -> Extension:
    """The shared library, with an initialiser for each module; `kernels/__init__.py` calls them."""
    checked = "MOCKUP_SANITIZE" in os.environ
    names = sorted(path.stem for path in Path(FOLDER).glob("[a-z]*.py"))
    modules = [Extension(f"service.render.kernels.{name}", [f"{FOLDER}/{name}.py"]) for name in names]
    made = cythonize(modules, build_dir="build/kernels", compiler_directives=DIRECTIVES, quiet=True)
    return Extension(
        "service.render.kernels._library",
        [source for module in made for source in module.sources],
        extra_compile_args=CHECKED if checked else QUICK,
        extra_link_args=["-fsanitize=address,undefined"] if checked else ["-Wl,-s"],
    )


setup(ext_modules=[library()])
