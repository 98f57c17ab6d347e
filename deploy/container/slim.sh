#!/usr/bin/env bash
# Reduces an installation to what the running service needs. The result is the same, byte for byte, whenever
# and wherever this runs.
set -euo pipefail
cd "$(dirname "$0")/../.."
# The commands below must not write byte code.
export PYTHONDONTWRITEBYTECODE=1

python=.venv/bin/python
packages=$($python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')

# Nothing will be installed or compiled after this.
$python -m pip uninstall --quiet --yes setuptools pybind11 cython 2>/dev/null
$python -m pip uninstall --quiet --yes pip
rm -rf setup setup.py build requirements mockup.egg-info .setup.lock .venv/.installed-* .venv/include .venv/share

# Tests, headers, types and sources that nothing reads at run time.
find "$packages" -depth -type d \( -name tests -o -name testing -o -name include -o -name __pycache__ \) -exec rm -rf {} +
find "$packages" -type f \( -name '*.pyi' -o -name '*.py[xd]' -o -name '*.pxd' -o -name '*.[cha]' \) -delete
rm -rf "$packages"/numpy/{distutils,f2py} "$packages"/cv2/{data,gapi,mat_wrapper,misc,typing}
# Pygments can highlight 500 languages; tracebacks need only Python.
find "$packages/pygments/lexers" -name '[a-z]*.py' ! -name python.py ! -name special.py -delete
# Remove symbols, except from libraries whose paths were changed when their wheel was made: strip breaks
# those.
for folder in "$packages"/*/; do
    name=$(basename "$folder")
    case $name in cv2 | *.libs | psycopg_binary) continue ;; esac
    [ -e "$packages/$name.libs" ] || find "$folder" -name '*.so*' -type f -exec strip --strip-unneeded {} +
done

# These files name the temporary folder in which pillow-simd was built.
rm -f "$packages"/pillow_simd-*/{RECORD,direct_url.json}
# Compile byte code that Python does not check against the sources' times, since these differ from build to
# build. Byte code also depends on the order of sets and on what the process compiled before, so compile all
# of it in one process with a fixed hash seed.
PYTHONHASHSEED=0 $python -m compileall -q -f --invalidation-mode unchecked-hash "$packages" service frames

# Check that the service and the installed groups still load.
$python -B -I - <<'END'
from importlib import import_module
from importlib.util import find_spec

for name in ("mockup.cli", "mockup.app", "mockup.workers.renderer"):
    import_module(name)
for name in (
    "psycopg",
    "redis",
    "distributed.cli.dask_scheduler",
    "distributed.cli.dask_worker",
    "obstore",
    "opentelemetry.sdk.trace",
    "opentelemetry.exporter.otlp.proto.http.trace_exporter",
    "pyarrow.parquet",
):
    if find_spec(name.partition(".")[0]):
        import_module(name)
END
rm -rf deploy
