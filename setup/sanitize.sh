#!/usr/bin/env bash
# Builds the kernels with the compiler's sanitizers, in a copy of the code, and runs their tests on them. An
# access outside of an array, or undefined behaviour of C, ends the run.
set -euo pipefail
cd "$(dirname "$0")/.."

python=$PWD/.venv/bin/python
copy=build/sanitized
rm -rf $copy
mkdir -p $copy
cp -r service frames tests setup.py pyproject.toml $copy
rm -f $copy/service/render/kernels/*.so $copy/service/codec/formats/png/*.so
cd $copy
MOCKUP_SANITIZE=1 $python setup.py --quiet build_ext --inplace
# Leaks are not checked, because Python itself does not free all of its memory.
ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 PYTHONMALLOC=malloc \
    LD_PRELOAD="$(cc -print-file-name=libasan.so) $(cc -print-file-name=libubsan.so)" \
    $python -m pytest -p no:cacheprovider tests/render/kernels tests/codec/test_unfilter.py "$@"
