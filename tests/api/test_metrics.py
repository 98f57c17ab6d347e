"""Prometheus metrics: what they count, and who may read them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.api.application import application
from tests.support.live import Live, running


async def test_answers_are_counted_by_the_paths_of_operations(tmp_path: Path) -> None:
    with application(tmp_path) as app:
        registry = app.app.state.services.metrics.registry

        def count(path: str, status: str, method: str = "GET") -> float | None:
            labels = {"method": method, "path": path, "status": status}
            return registry.get_sample_value("mockup_http_requests_total", labels)  # type: ignore[no-any-return]

        await app.send(key="", method="GET", path="/api/v1/devices/iphone-16-pro")
        await app.send(key="", method="GET", path="/api/v1/devices/none-such")
        for number in range(3):
            await app.send(key="", method="GET", path=f"/no/{number}")
        await app.send(key="", method="BREW", path="/no")
        assert (await app.send(key=app.key())).status == 200
        assert count("/api/v1/devices/{id}", "200") == count("/api/v1/devices/{id}", "404") == 1
        assert count("none", "404") == 3, "what callers make up is no label"
        assert count("none", "404", "other") == 1
        assert count("/api/v1/mockup", "200", "POST") == 1
        assert registry.get_sample_value("mockup_http_request_seconds_count", {"path": "/api/v1/mockup"}) == 1


async def test_durations_are_counted_in_ranges(tmp_path: Path) -> None:
    usual = "0.005 0.01 0.025 0.05 0.1 0.25 0.5 1.0 2.5 5.0 10.0 +Inf"
    expected = {
        "mockup_http_request_seconds": usual,
        "mockup_stage_seconds": f"0.0005 0.001 0.0025 {usual}",
        "mockup_refusal_seconds": "0.0005 0.001 0.002 0.005 0.01 0.02 0.05 0.1 0.25 1.0 +Inf",
    }
    with application(tmp_path, render_threads=1, queue_size=2) as app:
        assert (await app.send(key=app.key())).status == 200
        app.fill()
        assert (await app.send(key=app.key())).status == 503
        families = list(app.app.state.services.metrics.registry.collect())
    for name, ranges in expected.items():
        (samples,) = (one.samples for one in families if one.name == name)
        found = dict.fromkeys(one.labels["le"] for one in samples if one.name == f"{name}_bucket")
        assert " ".join(found) == ranges


async def test_refusals_and_the_queue_are_shown(tmp_path: Path) -> None:
    with application(tmp_path, render_threads=1, queue_size=2) as app:
        app.fill()
        assert (await app.send(key=app.key())).status == 503
        sample = app.app.state.services.metrics.registry.get_sample_value
        assert sample("mockup_refusal_seconds_count") == 1
        assert sample("mockup_renders_held") == sample("mockup_renders_capacity") == 3


def test_metrics_have_a_separate_port(server: Live) -> None:
    def pictures() -> float:
        text = server.figures()
        assert "process_resident_memory_bytes" in text
        found = re.findall(
            r'mockup_http_requests_total\{method="POST",path="/api/v1/mockup",status="200"\} (.+)', text
        )
        return float(found[0]) if found else 0

    assert server.metrics.startswith("http://127.0.0.1:")
    before = pictures()
    assert server.mockup().status == 200
    assert pictures() == before + 1
    assert server.send("GET", "/metrics").status == 404, "not shown to everybody"


def test_the_error_names_a_port_in_use(server: Live, tmp_path: Path) -> None:
    port = server.address.rpartition(":")[2]
    taken = running(tmp_path, METRICS_PORT=port)
    with pytest.raises(AssertionError, match=f"cannot show metrics on port {port}"):
        taken.__enter__()
