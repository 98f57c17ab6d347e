"""The shared library of the kernels: complete, and missed in plain words."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from service.render import kernels

FOLDER = Path(kernels.__file__).parent


def test_every_kernel_is_compiled_and_loaded() -> None:
    assert {path.stem for path in FOLDER.glob("[a-z]*.py")} == set(kernels.MODULES)
    for name in kernels.MODULES:
        module = sys.modules[f"service.render.kernels.{name}"]
        assert str(module.__file__).endswith(".so"), name


def test_without_the_library_the_error_says_what_to_do(tmp_path: Path) -> None:
    shutil.copy(FOLDER / "__init__.py", tmp_path / "kernels.py")
    done = subprocess.run(
        [sys.executable, "-c", "import kernels"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert f"The compiled kernels are missing in {tmp_path}; run `make install` to build them." in done.stderr
