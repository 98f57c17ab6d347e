"""The modules that the command loads before it knows its options."""

from __future__ import annotations

import gc
import sys
from unittest.mock import Mock

import pytest

from service import __main__ as program


@pytest.mark.parametrize(
    ("words", "renders"),
    [
        ("render", True),
        ("render a.png --device iphone-16-pro", True),
        ("render --help", False),
        ("render a.csv --scheduler tcp://host:8786", False),
        ("devices render", False),
        ("", False),
    ],
)
def test_only_commands_that_render_here_begin_renderers(
    words: str, renders: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    started, ran, threshold = Mock(), Mock(), Mock()
    monkeypatch.setattr(sys, "argv", ["mockup", *words.split()])
    monkeypatch.setattr(program, "start_fork_server", started)
    monkeypatch.setattr("service.cli.main", ran)
    monkeypatch.setattr(gc, "set_threshold", threshold)
    monkeypatch.setattr(gc, "freeze", lambda: None)
    program.main()
    ran.assert_called_once_with(fork_server=started.return_value if renders else None)
    assert started.return_value.close.called == renders
    assert threshold.called == renders
