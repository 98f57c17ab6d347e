#!/usr/bin/env bash
# Leaves in an installation what the running service needs, the same bytes whenever and wherever it is run.
set -euo pipefail
cd "$(dirname "$0")/../.."
# What starts here must not leave byte code of its own.
export PYTHONDONTWRITEBYTECODE=1

python=.venv/bin/python
packages=$($python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')

# Nothing is installed or compiled any more.
$python -m pip uninstall --quiet --yes setuptools pybind11 cython 2>/dev/null
$python -m pip uninstall --quiet --yes pip
rm -rf setup setup.py build requirements mockup.egg-info .setup.lock .venv/.installed-* .venv/include .venv/share

# Tests, headers, types and sources that nothing reads at run time.
find "$packages" -depth -type d \( -name tests -o -name testing -o -name include -o -name __pycache__ \) -exec rm -rf {} +
find "$packages" -type f \( -name '*.pyi' -o -name '*.py[xd]' -o -name '*.pxd' -o -name '*.[cha]' \) -delete
rm -rf "$packages"/numpy/{distutils,f2py} "$packages"/cv2/{data,gapi,mat_wrapper,misc,typing}
# Of the 500 languages that tracebacks could be coloured in, Python is enough.
find "$packages/pygments/lexers" -name '[a-z]*.py' ! -name python.py ! -name special.py -delete
# Symbols, but not of libraries whose paths were changed when they were packed: strip breaks those.
for folder in "$packages"/*/; do
    name=$(basename "$folder")
    case $name in cv2 | *.libs | psycopg_binary) continue ;; esac
    [ -e "$packages/$name.libs" ] || find "$folder" -name '*.so*' -type f -exec strip --strip-unneeded {} +
done

# Where pillow-simd was built, in a temporary folder.
rm -f "$packages"/pillow_simd-*/{RECORD,direct_url.json}
# Byte code that is not checked against the sources' times, which differ from build to build. It also depends on the order
# of sets, and on what the same process has compiled before: one process, one order.
PYTHONHASHSEED=0 $python -m compileall -q -f --invalidation-mode unchecked-hash "$packages" service frames

# It still loads, and so do the groups that were installed.
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
