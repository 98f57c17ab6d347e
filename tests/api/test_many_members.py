"""What bodies cost to read grows with their size, and no faster."""

import asyncio

import pytest

from service.api import body
from service.errors import MockupError


def test_one_member_given_twice_among_very_many() -> None:
    members = ",".join(f'"m{number}":1' for number in range(300_000))
    with pytest.raises(MockupError) as failure:
        asyncio.run(body.json_object(f'{{{members},"m7":2}}'.encode()))
    assert [detail.path for detail in failure.value.details] == ["m7"]
