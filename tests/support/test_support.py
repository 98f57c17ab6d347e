"""Tests of test support: signals, turns, waiting, and comparison of pictures."""

from __future__ import annotations

import inspect
import os
import select
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from service.codec.sandbox import messages as decoders
from service.version import version
from tests.support import ready, shared_forks, waiting
from tests.support.looped import looped
from tests.support.pictures import png
from tests.support.processes import alive, children, send, stop, tree
from tests.support.same import differing, same
from tests.support.turns import Turns
from tests.support.waiting import soon, until


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """The signals that would have been sent. Tests must send none, because the pids are invented."""
    signals: list[tuple[int, int]] = []
    monkeypatch.setattr(os, "kill", lambda pid, number: signals.append((pid, number)))
    return signals


def test_only_descendants_get_a_signal(sent: list[tuple[int, int]]) -> None:
    for whom in (-1, 0, 1, -2, os.getpid(), os.getppid()):
        with pytest.raises(ProcessLookupError):
            send(whom, signal.SIGSTOP)
        assert not stop(whom)
    assert sent == []


def test_descendants_are_stopped_and_continued() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
        assert child.pid in children(os.getpid())
        assert child.pid in tree(os.getpid())
        assert stop(child.pid)
        assert alive(child.pid)
        send(child.pid, signal.SIGCONT)
        child.kill()
        until(lambda: not alive(child.pid))
        assert child.pid in children(os.getpid()), "a zombie is still a child"
        assert not stop(child.pid)
    assert child.pid not in tree(os.getpid())


def test_waiting_ends_when_the_condition_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "PATIENCE_S", 0.0)
    with pytest.raises(AssertionError, match="the end of time did not come about"):
        until(lambda: False, "the end of time")
    until(lambda: True)


async def test_waiting_ends_on_a_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "PATIENCE_S", 0.0)
    with pytest.raises(AssertionError, match="the end of time did not come about"):
        await soon(lambda: False, "the end of time")
    await soon(lambda: True)


def test_exclusive_and_shared_turns_wait_for_each_other() -> None:
    turns, order = Turns(f"self-{os.getpid()}"), []

    def alone() -> None:
        with turns.turn(alone=True):
            order.append("alone")

    def beside() -> None:
        with turns.turn(alone=False):
            order.append("beside")

    try:
        with turns.turn(alone=False), turns.turn(alone=False):
            first = threading.Thread(target=alone)
            first.start()
            first.join(0.1)
            assert order == [], "two are at it"
        first.join()
        assert order == ["alone"]
        with turns.turn(alone=True):
            second = threading.Thread(target=beside)
            second.start()
            second.join(0.1)
            assert order == ["alone"]
        second.join()
        assert order == ["alone", "beside"]
    finally:
        turns.remove()


def test_differences_of_pictures_are_described() -> None:
    one = png(2, 2)
    assert same(one, png(2, 2))
    assert differing(one, png(2, 3)) == "(2, 2, 3) and (3, 2, 3)"
    assert differing(one, one + b"!") == f"the same pixels in {len(one)} and {len(one) + 1} bytes"
    with pytest.raises(AssertionError, match=r"^2 values differ: 220 and 221 at \(0, 0, 0\), 220 and 221 at"):
        same(one, png(2, 2, (40, 110, 221)))


def test_a_ready_process_gets_arguments_and_reports_its_end(tmp_path: Path) -> None:
    def ran(*arguments: str, **environment: str) -> tuple[int, str]:
        with (tmp_path / "out").open("wb") as out:
            process = ready.start(arguments, environment, out)
        assert process.pid != os.getpid()
        code = process.wait(waiting.PATIENCE_S)
        assert process.poll() == process.wait() == code
        process.kill()
        return code, (tmp_path / "out").read_text()

    assert ran("--version") == (0, f"mockup {version()}\n")
    assert ran("nonsense")[0] == 2
    code, out = ran("config", MOCKUP_PORT="nonsense")
    assert code == 2
    assert "MOCKUP_PORT" in out


def test_a_process_that_is_ready_can_be_killed(tmp_path: Path) -> None:
    with (tmp_path / "out").open("wb") as out:
        process = ready.start(["serve"], {"MOCKUP_PORT": "0", "MOCKUP_DATA_DIR": str(tmp_path)}, out)
    assert process.poll() is None
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(0.01)
    assert process.pid in tree(os.getpid())
    process.kill()
    assert process.wait(waiting.PATIENCE_S) == -signal.SIGKILL
    assert not alive(process.pid)


@pytest.mark.parametrize("arguments", [None, ["--version"]])
def test_a_starter_that_leaves_does_not_end_the_loaded_process(
    tmp_path: Path, arguments: list[str] | None
) -> None:
    with (tmp_path / "out").open("wb") as out:
        with ready.connected() as left:
            if arguments:
                ready.ask(left, arguments, os.environ, out)
                # It leaves the message with the pid unread, which resets the connection.
                assert select.select([left], [], [], waiting.PATIENCE_S)[0]
        until(lambda: bool((tmp_path / "out").stat().st_size) or not arguments, "the output")
        assert ready.start(["--version"], os.environ, out).wait(waiting.PATIENCE_S) == 0


def test_a_process_that_is_left_fails_one_user_of_shared_forks(monkeypatch: pytest.MonkeyPatch) -> None:
    with shared_forks.sharing(decoders.KIND) as forks:
        left = forks.fork(decoders.KIND, decoders.options())
        left.handshake()
        monkeypatch.setattr(shared_forks, "ENDING_S", 0.0)
        with pytest.raises(AssertionError, match="the end of all forked processes"):
            forks.close()
        monkeypatch.undo()
        forks.close()
        left.kill()


def test_a_borrower_of_forks_gets_what_it_asked_for() -> None:
    with shared_forks.sharing(decoders.KIND) as forks:
        borrowed, other = (shared_forks.BorrowedForks(forks, *kinds) for kinds in ((), (decoders.KIND,)))
        with pytest.raises(AssertionError, match="started without"):
            borrowed.fork(decoders.KIND, {})
        other.close()
        with pytest.raises(OSError, match="closed"):
            other.fork(decoders.KIND, {})
        with pytest.raises(OSError, match="closed"):
            other.renew()


def test_a_loop_runs_all_cases_and_names_those_that_fail() -> None:
    seen: list[tuple[int, str, int]] = []

    @looped("number, word", [(1, "a"), (2, "b"), (3, "c")])
    def case(number: int, word: str, fixture: int) -> None:
        seen.append((number, word, fixture))
        assert number == 2

    assert list(inspect.signature(case).parameters) == ["fixture"]
    with pytest.raises(BaseExceptionGroup) as failure:
        case(fixture=7)
    assert seen == [(1, "a", 7), (2, "b", 7), (3, "c", 7)]
    assert [error.__notes__ for error in failure.value.exceptions] == [
        ["number=1, word='a'"],
        ["number=3, word='c'"],
    ]
    with pytest.raises(AssertionError, match="7"):
        looped("value", [1])(_fails)()


def _fails(value: int) -> None:
    assert value == 7
