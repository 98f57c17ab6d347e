"""When keys and subscriptions end."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from service.accounts import ends
from service.accounts.errors import PastError
from service.accounts.tables import now


def test_an_end_comes_at_its_time() -> None:
    assert not ends.has_come(None)
    assert not ends.has_come(now() + timedelta(hours=1))
    assert ends.has_come(now())
    assert ends.has_come(now() - timedelta(microseconds=1))


def test_an_end_in_the_past_is_refused() -> None:
    for end in (None, now() + timedelta(hours=1)):
        ends.check(end, "expires", "revoke it")
    past = datetime.fromisoformat("2020-02-03T04:05:06+02:00")
    with pytest.raises(PastError, match=r"^2020-02-03 02:05:06 UTC is in the past; revoke it$") as refused:
        ends.check(past, "expires", "revoke it")
    assert (refused.value.member, refused.value.instead) == ("expires", "revoke it")
