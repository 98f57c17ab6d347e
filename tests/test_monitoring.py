"""The dashboard and the alerts use existing metrics."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import subprocess
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml

from service.clock import Clock
from service.limits import RENDERS_AHEAD
from service.plans import Plan
from tests.api.application import application
from tests.support import pictures
from tests.support.waiting import PATIENCE_S, soon

FOLDER = Path(__file__).resolve().parent.parent / "deploy" / "prometheus"
RULES = FOLDER / "alerts.yaml"
NAME = re.compile(r"\b(?:mockup|process)_[a-z_]+\b")


def expressions() -> list[str]:
    """The expressions of the dashboard and the alerts."""
    dashboard = json.loads((FOLDER / "dashboard.json").read_text("utf-8"))
    rules = [rule for group in yaml.safe_load(RULES.read_text("utf-8"))["groups"] for rule in group["rules"]]
    return [
        *(target["expr"] for panel in dashboard["panels"] for target in panel["targets"]),
        *(rule["expr"] for rule in rules),
    ]


@pytest.fixture
async def samples(tmp_path: Path) -> dict[str, set[str]]:
    """The names of samples and their labels, after a picture and a refusal."""
    found: dict[str, set[str]] = {}
    with application(tmp_path, render_threads=1, queue_size=2) as app:
        key = app.key()
        assert (await app.send(key=key)).status == 200
        assert (
            await app.send({"screenshot_base64": pictures.text(), "settings": {"a": 1}}, key=key)
        ).status == 400
        app.fill()
        assert (await app.send(key=key)).status == 503
        for family in app.app.state.services.metrics.registry.collect():
            for sample in family.samples:
                found.setdefault(sample.name, set()).update(sample.labels)
    return found


async def test_every_metric_asked_for_exists(samples: dict[str, set[str]]) -> None:
    asked = {name for text in expressions() for name in NAME.findall(text)}
    assert asked
    assert asked - samples.keys() == set()


async def test_every_metric_of_the_service_is_asked_for(samples: dict[str, set[str]]) -> None:
    asked = " ".join(expressions())
    plain = {
        re.sub(r"_(total|created|bucket|sum|count)$", "", name)
        for name in samples
        if name.startswith("mockup")
    }
    assert {name for name in plain if name not in asked} <= {
        "mockup_renders_held",
        "mockup_previews_held",
        "mockup_renderers",
    }


async def test_configuration_page_lists_every_metric(samples: dict[str, set[str]]) -> None:
    page = (FOLDER.parents[1] / "docs" / "configuration.md").read_text("utf-8")
    section = page.partition("\n## Metrics\n")[2].partition("\n## ")[0]
    listed = {
        name: set(re.findall(r"\w+", labels))
        for name, labels in re.findall(r"`(mockup_[a-z_]+)(?:\{([^}]*)\})?`", section)
    }
    # Histograms have samples of several names, and each counter has one that tells when it was created.
    assert listed == {
        re.sub(r"_(bucket|sum|count)$", "", name): labels - {"le"}
        for name, labels in samples.items()
        if name.startswith("mockup") and not name.endswith("_created")
    }


async def test_labels_are_those_of_the_metrics(samples: dict[str, set[str]]) -> None:
    for text in expressions():
        for name, inside in re.findall(r"\b(mockup_[a-z_]+)\{([^}]*)\}", text):
            labels = set(re.findall(r"(\w+)\s*[=!~]", inside)) - {"job", "instance", "le"}
            assert labels <= samples[name], text


async def test_metrics_count_requests(tmp_path: Path) -> None:
    with application(tmp_path) as app:
        sample: Any = app.app.state.services.metrics.registry.get_sample_value
        assert (await app.send(key=app.key())).status == 200
        assert (await app.send({"screenshot_base64": "x"}, key=app.key())).status == 400
        assert sample("mockup_renders_total", {"operation": "mockup", "outcome": "ok"}) == 1
        assert sample("mockup_renders_total", {"operation": "mockup", "outcome": "invalid"}) == 1
        assert sample("mockup_stage_seconds_count", {"stage": "puppet"}) == 1
        assert sample("mockup_queue_wait_seconds_count", {"operation": "mockup", "plan": "pro"}) == 1
        assert sample("mockup_sandbox") == sample("mockup_workers_up") == 1
        app.studio.up = False
        assert sample("mockup_workers_up") == 0
        assert sample("mockup_memory_limit_bytes") > 0


async def test_waits_are_reported_by_plan(tmp_path: Path) -> None:
    let_go = threading.Event()

    def work(clock: Clock) -> None:
        assert let_go.wait(PATIENCE_S)

    plans = {"team": Plan(), "free": Plan()}
    with application(tmp_path, render_threads=1, plans=plans) as app:
        services = app.app.state.services
        sample: Any = services.metrics.registry.get_sample_value

        def waiting(plan: str, kind: str = "render") -> float | None:
            return sample("mockup_renders_waiting", {"kind": kind, "plan": plan})  # type: ignore[no-any-return]

        def key(plan: str, until: datetime | None = None) -> str:
            user = services.accounts.users.add(f"{plan}{bool(until)}@example.com", "team")
            services.accounts.users.subscribe(user.id, plan, until)
            return str(services.accounts.keys.issue(user.id))

        app.studio.work = work
        first = [asyncio.create_task(app.send(key=app.key())) for _ in range(1 + RENDERS_AHEAD)]
        await soon(lambda: services.queue.running == 1 + RENDERS_AHEAD)
        assert [waiting(plan) for plan in ("", "free", "pro", "team")] == [0, 0, 0, 0], "each is told"
        over = datetime.now(UTC) - timedelta(seconds=1)
        later = [asyncio.create_task(app.send(key=one)) for one in (key("team"), key("pro", over))]
        await soon(lambda: services.queue.waiting == 2)
        assert [waiting(plan) for plan in ("", "free", "pro", "team")] == [0, 1, 0, 1]
        assert [waiting(plan, "preview") for plan in ("", "free", "pro", "team")] == [0, 0, 0, 0]
        let_go.set()
        assert {reply.status for reply in await asyncio.gather(*first, *later)} == {200}
        for plan, count in {"free": 1, "pro": 1 + RENDERS_AHEAD, "team": 1}.items():
            labels = {"operation": "mockup", "plan": plan}
            assert sample("mockup_queue_wait_seconds_count", labels) == count


@pytest.mark.skipif(not shutil.which("promtool"), reason="no promtool")
def test_an_alert_names_the_plan_that_waits(tmp_path: Path) -> None:
    """One plan may have so few users that their waiting would not show in a figure for all plans."""
    series = []
    for plan, waiting, rate in (("pro", "0.5", 600), ("team", "5", 6)):
        for bound in ("0.5", "5", "+Inf"):
            rises = rate if float(bound) >= float(waiting) else 0
            labels = f'job="mockup", operation="mockup", plan="{plan}", le="{bound}"'
            name = f"mockup_queue_wait_seconds_bucket{{{labels}}}"
            series.append({"series": name, "values": f"0+{rises}x30"})
    expected = {
        "exp_labels": {"severity": "warning", "job": "mockup", "plan": "team"},
        "exp_annotations": {"summary": "Mockups of the plan team wait 4.775s"},
    }
    asked = [{"eval_time": "25m", "alertname": "MockupSlow", "exp_alerts": [expected]}]
    tests = [{"interval": "1m", "input_series": series, "alert_rule_test": asked}]
    file = tmp_path / "test.yaml"
    file.write_text(yaml.safe_dump({"rule_files": [str(RULES)], "tests": tests}))
    done = subprocess.run(
        ["promtool", "test", "rules", str(file)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.skipif(not shutil.which("promtool"), reason="no promtool")
def test_prometheus_takes_the_rules() -> None:
    done = subprocess.run(
        ["promtool", "check", "rules", str(RULES)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
