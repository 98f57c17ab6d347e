"""Three instances with one PostgreSQL and one Redis behind a proxy: a short `make cluster`."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from benchmarks import cluster as parts
from benchmarks.clustered import PROXIES, Cluster, Kind, cluster, missing, proxied

pytestmark = [pytest.mark.long(seconds=15), pytest.mark.alone]


@pytest.fixture(
    scope="module",
    params=[PROXIES[0], *(pytest.param(one, marks=pytest.mark.thorough) for one in PROXIES[1:])],
)
def front(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    kind: Kind = request.param
    if absent := missing((kind,)):
        pytest.skip(f"not installed: {', '.join(absent)}")
    with (
        # Instances stop without draining, so no step has to wait for the balancer to notice.
        cluster(tmp_path_factory.mktemp(kind), DRAIN_S="0", MAX_UPLOADS="4") as behind,
        proxied(kind, behind) as (made, _),
    ):
        yield made


def test_the_rate_limit_holds_across_instances(front: Cluster) -> None:
    """No request is refused just because many arrive at once."""
    parts.burst(front, parts.Report())


def test_uploads_are_shared_by_all_instances(front: Cluster) -> None:
    parts.uploads(front, parts.Report(), 4)


def test_a_revoked_key_is_refused_everywhere(front: Cluster) -> None:
    parts.revoked(front, parts.Report())


def test_a_killed_instance_loses_only_its_own_renders(front: Cluster) -> None:
    kind: Kind = "nginx" if "nginx" in front.folder.name else "haproxy"
    parts.killed(front, kind, parts.Report(), parts.SCREENSHOT.read_bytes(), 1.0)


def test_odd_requests_get_one_answer(front: Cluster) -> None:
    parts.odd(front, parts.Report())
