"""The kernels' shared library: complete, and with a clear error if it is missing."""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
from pathlib import Path

from service import shipped
from service.render import kernels

FOLDER = Path(kernels.__file__).parent


def test_every_kernel_is_compiled_and_loaded() -> None:
    assert {path.stem for path in FOLDER.glob("[a-z]*.py")} == set(kernels.MODULES)
    for name in kernels.MODULES:
        module = sys.modules[f"service.render.kernels.{name}"]
        assert module is getattr(kernels, name)
        assert str(module.__file__).endswith(".so"), name
        functions = [
            one.name
            for one in ast.parse((FOLDER / f"{name}.py").read_text()).body
            # Decorated functions are for C alone.
            if isinstance(one, ast.FunctionDef) and not one.decorator_list
        ]
        assert functions, name
        for function in functions:
            assert callable(getattr(module, function)), (name, function)


def test_a_missing_library_gives_a_helpful_error(tmp_path: Path) -> None:
    """The message comes from a module that does not load the library, so the server can give it."""
    shutil.copy(shipped.__file__, tmp_path / "shipped.py")
    (tmp_path / "frames").mkdir()
    command = [sys.executable, "-c", "import shipped; shipped.kernels()"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    folder = tmp_path / "render" / "kernels"
    assert f"The compiled kernels are missing in {folder}; run `make install` to build them." in done.stderr
