"""The time to parse a body grows at most linearly with its size."""

import pytest

from service.api import json_body
from service.errors import MockupError


def refused(text: str) -> list[tuple[str, str]]:
    with pytest.raises(MockupError) as failure:
        json_body.parse(text.encode())
    return [(detail.path, detail.message) for detail in failure.value.details]


def members(count: int) -> str:
    return ",".join(f'"m{number}":1' for number in range(count))


def test_very_many_members_and_one_of_them_twice() -> None:
    assert refused(f'{{{members(300_000)},"m7":2}}') == [("", "more than 256 members and items in all")]


@pytest.mark.parametrize(
    "text",
    [
        f'{{"settings":{{{members(300)}}}}}',
        f'{{"settings":{{"canvas":[{",".join("1" * 300)}]}}}}',
        f'{{"a":{{{members(200)}}},"b":{{{members(200)}}}}}',
    ],
)
def test_members_are_counted_at_every_level(text: str) -> None:
    ((path, message),) = refused(text)
    assert path
    assert message == "more than 256 members and items in all"


def test_the_largest_allowed_number_of_members_is_accepted() -> None:
    assert len(json_body.parse(f"{{{members(256)}}}".encode()).value) == 256
