"""Hostile input for any length of time: altered pictures for decoders, then generated API requests.

A finding is any result except pixels of the promised size and a documented refusal, and every death of a
decoder. Pictures that cause findings are stored in `tmp/`.
"""

from __future__ import annotations

import argparse
import logging
import platform
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.mutations import mutate
from benchmarks.refusals import KEPT
from service.clock import Clock
from service.codec import header
from service.codec.sandbox.client import Sandboxed
from service.errors import Code, MockupError
from tests.support.live import Live, running

HERE = Path(__file__).parent
CORPUS = HERE / "corpus"
FINDINGS = HERE.parent / "tmp"
LIMITS = header.PictureLimits(pixels=1_000_000)
# Replaced by a check of our own, which knows the rules that no schema can express.
NOT_CHECKED = "positive_data_acceptance"
# The user whose key is used; it may do everything.
ADMIN = "ops@example.com"


class Deaths(logging.Handler):
    """Counts log lines about decoders that died or hung."""

    count = 0

    def emit(self, record: logging.LogRecord) -> None:
        self.count += 1


deaths = Deaths(logging.WARNING)
logging.getLogger("service.codec.sandbox.client").addHandler(deaths)


@dataclass
class Fuzz:
    """The outcomes of decoding altered pictures."""

    outcomes: Counter[str] = field(default_factory=Counter)
    findings: list[tuple[str, bytes]] = field(default_factory=list)
    slowest: float = 0.0
    seconds: float = 0.0


def fuzz(decoder: Sandboxed, seed: int, count: int, seconds: float = float("inf")) -> Fuzz:
    """Decode `count` altered files of the corpus, or as many as `seconds` allow."""
    rng, found, start = random.Random(seed), Fuzz(), time.perf_counter()
    files = {path: path.read_bytes() for path in sorted(CORPUS.iterdir())}
    for _ in range(count):
        if time.perf_counter() - start > seconds:
            break
        path = rng.choice(list(files))
        others = [data for other, data in files.items() if other.suffix == path.suffix]
        data = mutate(files[path], others, rng)
        began = time.perf_counter()
        outcome = decoded(decoder, data)
        found.slowest = max(found.slowest, time.perf_counter() - began)
        found.outcomes[outcome] += 1
        if outcome not in ("pixels", "refused by its header", "refused by its decoder"):
            found.findings.append((f"{path.name}: {outcome}", data))
    found.seconds = time.perf_counter() - start
    return found


def decoded(decoder: Sandboxed, data: bytes) -> str:
    """The outcome of decoding a file."""
    stage, died = "header", deaths.count
    try:
        head = header.read(data, LIMITS)
        stage = "decoder"
        pixels = decoder.decode(data, head, None, Clock(10))
    except MockupError as error:
        if error.code is not Code.INVALID_REQUEST:
            return f"{error.code}: {error.message}"
        return f"refused by its {stage}" if deaths.count == died else "killed its decoder"
    except Exception as error:
        return f"{stage}: {type(error).__name__}: {error}"
    return "pixels" if pixels.shape[:2] == (head.height, head.width) else f"another size: {pixels.shape}"


def schema(live: Live, key: str, *options: str) -> subprocess.CompletedProcess[str]:
    """Test every operation of the OpenAPI document, in every way and with every check."""
    tool = Path(sys.executable).with_name("schemathesis")
    caller = live.accounts.authenticate(key)
    assert caller is not None
    with tempfile.TemporaryDirectory() as folder:
        return subprocess.run(
            [
                *(str(tool), "run", f"{live.address}/openapi.json", "--url", live.address, "--no-color"),
                *("--header", f"Authorization: Bearer {key}", "--checks", "all"),
                *("--exclude-checks", NOT_CHECKED, "--continue-on-failure", *options),
                # Slow responses of a busy machine are no fault of the service.
                *("--request-timeout", "120", "--max-response-time", "120"),
            ],
            capture_output=True,
            text=True,
            check=False,
            cwd=folder,
            env={
                "SCHEMATHESIS_HOOKS": "benchmarks.hooks",
                "PYTHONPATH": str(HERE.parent),
                "LANG": "C.UTF-8",
                KEPT: f"{caller.user_id} {caller.key_prefix}",
            },
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=600.0, help="for altered pictures")
    parser.add_argument("--schema-seconds", type=int, default=300, help="for requests")
    parser.add_argument("--seed", type=int, default=None)
    arguments = parser.parse_args()
    seed = random.randrange(2**31) if arguments.seed is None else arguments.seed
    decoder = Sandboxed()
    try:
        found = fuzz(decoder, seed, sys.maxsize, arguments.seconds)
    finally:
        decoder.close()
    FINDINGS.mkdir(exist_ok=True)
    for number, (_, data) in enumerate(found.findings):
        (FINDINGS / f"finding-{seed}-{number}").write_bytes(data)
    lines = [
        f"# Fuzzing of {datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
        "",
        f"Python {platform.python_version()}, seed {seed}.",
        "",
        "## Altered pictures, decoded in the sandbox",
        "",
        f"{found.outcomes.total()} files in {found.seconds:.0f} s; "
        f"the slowest took {1e3 * found.slowest:.0f} ms.",
        "",
        "| outcome | files |",
        "| --- | --- |",
        *(f"| {outcome} | {count} |" for outcome, count in found.outcomes.most_common()),
        "",
        f"Findings: {len(found.findings) or 'none'}.",
        "",
    ]
    lines += [f"- {text}" for text, _ in found.findings[:20]]
    bad = bool(found.findings)
    if arguments.schema_seconds:
        options = ("--max-examples", "200", "--max-time", str(arguments.schema_seconds), "--seed", str(seed))
        settings = {
            "RATE_LIMIT": "1000000",
            "MAX_PROJECTS": "1000000",
            "ALLOW_PRIVATE_SOURCES": "0",
            "ADMINS": ADMIN,
        }
        with tempfile.TemporaryDirectory() as folder, running(Path(folder), **settings) as live:
            key = live.accounts.keys.issue(live.accounts.users.add(ADMIN, "pro").id)
            done = schema(live, key, *options)
        bad = bad or done.returncode != 0
        said = done.stdout[done.stdout.find(" SUMMARY ") :] if done.returncode == 0 else done.stdout[-6000:]
        lines += ["## Requests made from the OpenAPI document", "", "```", said.strip("= \n"), "```", ""]
    text = "\n".join(lines)
    print(text)
    (HERE / "results").mkdir(exist_ok=True)
    (HERE / "results" / f"{datetime.now(UTC):%Y-%m-%d}-fuzz.md").write_text(text, encoding="utf-8")
    sys.exit(bad)


if __name__ == "__main__":
    main()
