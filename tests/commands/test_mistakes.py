"""Errors as the command line words them."""

from __future__ import annotations

import pytest

from service.commands.mistakes import lines, one_line
from service.errors import Code, Detail, MockupError, invalid, refusal

DEVICE = Detail("settings.device", "unknown; see GET /api/v1/devices")
BODY = Detail("", "two bodies")


@pytest.mark.parametrize(
    ("error", "told", "line"),
    [
        (refusal(BODY), ["two bodies"], "two bodies"),
        (
            refusal(DEVICE),
            ["settings.device: unknown; see mockup devices"],
            "settings.device: unknown; see mockup devices",
        ),
        (
            refusal(DEVICE, BODY),
            ["2 mistakes:", "  settings.device: unknown; see mockup devices", "  two bodies"],
            "2 mistakes: settings.device: unknown; see mockup devices; two bodies",
        ),
        (
            invalid("The set is wrong", BODY, DEVICE),
            ["The set is wrong", "  two bodies", "  settings.device: unknown; see mockup devices"],
            "The set is wrong; two bodies; settings.device: unknown; see mockup devices",
        ),
        (invalid("There are two bodies", BODY), ["There are two bodies"], "There are two bodies"),
        (MockupError(Code.RENDER_FAILED, "It failed"), ["It failed"], "It failed"),
    ],
)
def test_every_path_is_named_once(error: MockupError, told: list[str], line: str) -> None:
    assert lines(error) == told
    assert one_line(error) == line


def test_only_lists_with_a_command_become_one() -> None:
    said = "see GET /api/v1/projects, GET /api/v1/poses and GET /api/v1/devicesx"
    assert lines(invalid(said)) == ["see GET /api/v1/projects, mockup poses and GET /api/v1/devicesx"]
