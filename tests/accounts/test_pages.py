"""Cursors, and the rows after them."""

from __future__ import annotations

import re
import uuid
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import Column, DateTime, Integer, MetaData, Table, create_engine, insert, select

from service.accounts import pages

MOMENT = datetime(2026, 11, 22, 10, 0, 0, 123456, tzinfo=UTC)


@pytest.mark.parametrize(
    "moment", [datetime(1970, 1, 1, tzinfo=UTC), MOMENT, datetime.max.replace(tzinfo=UTC)]
)
def test_a_cursor_leads_back_to_its_row(moment: datetime) -> None:
    one = uuid.uuid4()
    cursor = pages.cursor(moment, one.bytes)
    assert re.fullmatch(pages.NEXT, cursor)
    assert pages.position(cursor) == (moment, one.bytes)
    assert pages.uuid_position(cursor) == (moment, one)


def test_a_list_without_a_cursor_starts_at_its_first_page() -> None:
    assert pages.position(None) is None
    assert pages.uuid_position(None) is None


def test_impossible_moments_become_the_last_possible_one() -> None:
    found = pages.position("_" * 32)
    assert found == (datetime.max.replace(tzinfo=UTC), b"\xff" * 16)


@pytest.mark.parametrize(("limit", "kept", "more"), [(2, 2, True), (3, 3, False), (4, 3, False)])
def test_only_a_page_with_a_successor_has_a_cursor(limit: int, kept: int, more: bool) -> None:
    rows = [uuid.UUID(int=number) for number in range(3)]
    page, after = pages.cut(rows, limit, lambda one: (MOMENT, one.bytes))
    assert page == rows[:kept]
    assert after == (pages.cursor(MOMENT, rows[kept - 1].bytes) if more else None)


@pytest.mark.parametrize("newest_first", [False, True])
def test_pages_together_make_up_the_whole_list(newest_first: bool) -> None:
    """Rows with the same time are not lost either: they are sorted by their id."""
    table = Table("rows", MetaData(), Column("at", DateTime(timezone=True)), Column("id", Integer))
    rows = [(MOMENT + timedelta(seconds=number // 3), number) for number in range(8)]
    engine = create_engine("sqlite://")
    table.metadata.create_all(engine)
    with engine.begin() as connection:
        connection.execute(insert(table), [{"at": at, "id": id_} for at, id_ in rows])
        seen: list[tuple[datetime, int]] = []
        while True:
            after = seen[-1] if seen else None
            statement = pages.ordered(
                select(table), (table.c.at, table.c.id), after, newest_first=newest_first
            )
            page = connection.execute(statement.limit(2)).all()
            if not page:
                break
            seen += [(one.at.replace(tzinfo=UTC), one.id) for one in page]
    engine.dispose()
    assert seen == sorted(rows, reverse=newest_first)
