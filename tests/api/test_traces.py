"""Traces as a collector gets them, from a real server."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from service.admission.client_address import TrustedProxies
from service.api import tracing
from tests.support import pictures
from tests.support.live import ONE_AT_ONCE, Live, furnish, running
from tests.support.waiting import PATIENCE_S

TRACE, PARENT = 32 * "a", 16 * "b"
GIVEN = {"traceparent": f"00-{TRACE}-{PARENT}-01"}


class Collector:
    """An OTLP collector on this machine, and a website that records the requests it gets."""

    def __init__(self) -> None:
        self.spans: queue.Queue[Any] = queue.Queue()
        self.fetched: list[tuple[str, str | None]] = []
        collector = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

                sent = ExportTraceServiceRequest()
                sent.ParseFromString(self.rfile.read(int(self.headers["Content-Length"])))
                for group in sent.resource_spans:
                    about = {item.key: item.value.string_value for item in group.resource.attributes}
                    for scope in group.scope_spans:
                        for span in scope.spans:
                            collector.spans.put((about, span))
                self._answer(b"")

            def do_GET(self) -> None:
                host = self.headers["Host"].partition(":")[0]
                collector.fetched.append((host, self.headers["traceparent"]))
                self._answer(pictures.png())

            def _answer(self, body: bytes) -> None:
                self.send_response(200)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: Any) -> None:
                """Keep quiet."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_port

    def request(self) -> tuple[dict[str, str], Any, dict[str, Any]]:
        """The resource and span of the next request, and the spans of its stages by name."""
        stages: dict[str, Any] = {}
        while True:
            about, span = self.spans.get(timeout=PATIENCE_S)
            if span.kind == span.SPAN_KIND_SERVER:
                return about, span, stages
            stages[span.name] = span


@pytest.fixture(scope="module")
def collector() -> Iterator[Collector]:
    pytest.importorskip("opentelemetry.sdk.trace", reason="the extra traces is not installed")
    collector = Collector()
    with collector.server:
        thread = threading.Thread(target=collector.server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        yield collector
        collector.server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def live(collector: Collector, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", f"http://127.0.0.1:{collector.port}")
        patch.setenv("OTEL_BSP_SCHEDULE_DELAY", "100")
        with running(tmp_path_factory.mktemp("traces"), TRACE_HOSTS="127.0.0.1", **ONE_AT_ONCE) as live:
            yield live


def attributes(span: Any) -> dict[str, Any]:
    return {item.key: item.value.string_value or item.value.int_value for item in span.attributes}


@pytest.mark.long(seconds=2)
def test_a_request_is_a_span_and_so_is_each_stage(live: Live, collector: Collector) -> None:
    answer = live.mockup(headers=GIVEN)
    assert answer.status == 200
    about, span, stages = collector.request()
    assert about["service.name"] == "mockup"
    assert about["service.version"]
    assert span.name == "POST /api/v1/mockup"
    assert (span.trace_id.hex(), span.parent_span_id.hex()) == (TRACE, PARENT)
    assert attributes(span) == {
        "http.request.method": "POST",
        "http.route": "/api/v1/mockup",
        "http.response.status_code": 200,
        "mockup.request_id": answer.headers["X-Request-Id"],
    }
    timed = {part.partition(";")[0] for part in answer.headers["Server-Timing"].split(", ")}
    assert set(stages) == timed
    assert {"decode", "encode", "queue"} <= timed
    for stage in stages.values():
        assert (stage.trace_id.hex(), stage.parent_span_id) == (TRACE, span.span_id)
        # The clocks of several processes are rounded, so allow a millisecond.
        assert span.start_time_unix_nano - 10**6 <= stage.start_time_unix_nano <= stage.end_time_unix_nano
        assert stage.end_time_unix_nano <= span.end_time_unix_nano + 10**6
    assert stages["decode"].start_time_unix_nano <= stages["encode"].start_time_unix_nano


def test_refusals_are_traced_and_probes_are_not(live: Live, collector: Collector) -> None:
    assert live.send("GET", "/health").status == 200
    assert live.send("GET", "/api/v1/nothing").status == 404
    _, span, stages = collector.request()
    assert (span.name, stages, len(span.parent_span_id)) == ("GET", {}, 0)
    assert attributes(span)["http.response.status_code"] == 404
    assert live.send("GET", "/api/v1/poses", headers={"traceparent": "nonsense"}).status == 200
    _, span, _ = collector.request()
    assert (span.name, len(span.parent_span_id)) == ("GET /api/v1/poses", 0)


def test_only_named_hosts_receive_the_trace_id(live: Live, collector: Collector) -> None:
    for host in ("127.0.0.1", "localhost"):
        url = f"http://{host}:{collector.port}/shot.png"
        assert live.mockup(headers=GIVEN, screenshot_url=url).status == 200
    _, span, _ = collector.request()
    assert collector.fetched == [
        ("127.0.0.1", f"00-{TRACE}-{span.span_id.hex()}-01"),
        ("localhost", None),
    ]
    assert collector.request()[1].name == "POST /api/v1/mockup"


def test_remaining_spans_are_sent_at_shutdown(collector: Collector, tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", f"http://127.0.0.1:{collector.port}/v1/traces")
        patch.setenv("OTEL_BSP_SCHEDULE_DELAY", "3600000")
        patch.setenv("OTEL_SERVICE_NAME", "pictures")
        with running(tmp_path, **ONE_AT_ONCE) as live:
            assert live.send("GET", "/api/v1/looks").status == 200
    about, span, _ = collector.request()
    assert (about["service.name"], span.name) == ("pictures", "GET /api/v1/looks")


OFF: dict[str, dict[str, str]] = {
    "no endpoint": {},
    "disabled": {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9", "OTEL_SDK_DISABLED": "true"},
    "no exporter": {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9", "OTEL_TRACES_EXPORTER": "none"},
}


@pytest.mark.long(seconds=4)
def test_no_tracing_package_is_loaded_without_traces(tmp_path: Path) -> None:
    code = (
        "import json, os, sys\nfrom unittest.mock import Mock, patch\n"
        "from service.app import create_app\nfrom service.config import Config\n"
        "for name, variables in json.loads(sys.argv[1]).items():\n"
        "    with patch.dict(os.environ, variables):\n"
        # Renderers are processes of their own, which take longer to start than the rest.
        "        create_app(Config(), Mock(at_once=1))\n"
        "    print(name, [name for name in sys.modules if name.startswith('opentelemetry')])"
    )
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("OTEL_", "MOCKUP_"))}
    furnish(tmp_path)
    done = subprocess.run(
        [sys.executable, "-c", code, json.dumps(OFF)],
        env={**clean, "MOCKUP_DATA_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines()[-3:] == [f"{name} []" for name in OFF]


def test_the_service_warns_if_the_tracing_extra_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.delenv("OTEL_SDK_DISABLED", raising=False)
    monkeypatch.delitem(sys.modules, "service.api.tracer", raising=False)
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)
    with capture_logs() as lines:
        assert tracing.open_tracer(TrustedProxies(())) is None
    assert "setup/install.sh traces" in lines[0]["event"]


@pytest.mark.parametrize(("proxies", "recorded"), [("", 0), ("127.0.0.1", 2)])
def test_strangers_cannot_choose_recorded_traces(
    collector: Collector, monkeypatch: pytest.MonkeyPatch, proxies: str, recorded: int
) -> None:
    """Strangers cannot get their requests recorded, either by the flag or by an id that would be sampled; a
    trusted proxy can."""
    monkeypatch.setenv("OTEL_TRACES_SAMPLER", "parentbased_traceidratio")
    monkeypatch.setenv("OTEL_TRACES_SAMPLER_ARG", "0.000001")
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1")
    from service.api.tracer import Tracer

    tracer = Tracer(TrustedProxies(proxies.split()))

    def begun(traceparent: str) -> Any:
        return tracer.begin(
            {
                "type": "http",
                "method": "GET",
                "path": "/",
                "headers": [(b"traceparent", traceparent.encode())],
                "client": ("127.0.0.1", 4),
                "state": {"request_id": "a", "started": time.perf_counter()},
            }
        )

    low = "0" * 31 + "1"
    spans = [begun(f"00-{id}-{PARENT}-01") for id in (TRACE, low)]
    assert sum(span.is_recording() for span in spans) == recorded
    assert not begun(f"00-{TRACE}-{PARENT}-00").is_recording()
