"""What the server and its renderers share while a job is under way."""

from __future__ import annotations

import mmap

from service.workers.messages import NUMBER_AT, OWNER, OWNER_AT, TAKEN, TAKEN_AT, SharedFlag


def test_a_job_is_cancelled_by_its_own_flag_alone() -> None:
    memory = mmap.mmap(-1, 64)
    seen, given = SharedFlag(memory), SharedFlag(memory)
    OWNER.pack_into(memory, OWNER_AT, 0xFFFF)
    memory[NUMBER_AT:TAKEN_AT] = b"\xff" * (TAKEN_AT - NUMBER_AT)
    TAKEN.pack_into(memory, TAKEN_AT, -1.5)
    assert not seen.is_set()
    given.set()
    assert seen.is_set()
    assert OWNER.unpack_from(memory, OWNER_AT) == (0xFFFF,)
