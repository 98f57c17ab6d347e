"""What a run of a manifest needs on this machine."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest

from service.commands import pictures, settings_file
from service.commands.bulk import run as bulk


@pytest.mark.parametrize("scheduler", [None, "tcp://127.0.0.1:8786"])
def test_only_a_local_run_needs_a_sandbox_here(
    monkeypatch: pytest.MonkeyPatch, scheduler: str | None
) -> None:
    verify, render = Mock(), Mock(return_value=(1, 2))
    monkeypatch.setattr(pictures, "load_config", lambda: "configuration")
    monkeypatch.setattr(pictures, "verify", verify)
    monkeypatch.setattr(pictures, "find_spec", lambda _: "found")
    monkeypatch.setattr(settings_file, "assigned", lambda _: SimpleNamespace(settings={}, faults=[]))
    monkeypatch.setattr(bulk, "render", render)
    given: Any = SimpleNamespace(changes=(), base=lambda _: {}, fast=False, reporter=None)
    assert pictures.of_manifest(Path("jobs.jsonl"), None, scheduler, given, None) == (1, 2)
    assert [call.args + tuple(call.kwargs.items()) for call in verify.call_args_list] == (
        [("configuration", ("sandbox", True))] if scheduler is None else []
    )
    (run, fork_server), _ = render.call_args
    assert (run.manifest, run.scheduler, fork_server) == (Path("jobs.jsonl"), scheduler, None)
