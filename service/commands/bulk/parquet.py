"""Rows of a Parquet file, read in batches by pyarrow, which the extra `parquet` brings along."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ...errors import invalid
from ...shipped import extra

BATCH = 1000


def read(file: Path) -> tuple[list[str], Iterator[dict[str, Any]]]:
    """The columns of a file, and its rows without members that are null; raises a 400 if the file cannot be
    read."""
    if find_spec("pyarrow") is None:
        raise invalid(f"{file}: Parquet needs {extra('parquet')}")
    from pyarrow import ArrowException
    from pyarrow.parquet import ParquetFile

    try:
        opened = ParquetFile(file, pre_buffer=False)
    except ArrowException as error:
        raise invalid(f"{file}: not Parquet: {error}") from error
    return list(opened.schema_arrow.names), _rows(opened)


def _rows(opened: Any) -> Iterator[dict[str, Any]]:
    with opened:
        for batch in opened.iter_batches(BATCH):
            for row in batch.to_pylist():
                yield _given(row)


def _given(value: Any) -> Any:
    """A value without the members that are null: a column has all members that any row has."""
    if isinstance(value, list):
        return [_given(one) for one in value]
    if isinstance(value, dict):
        return {name: _given(one) for name, one in value.items() if one is not None}
    return value
