"""Deployment files: Kubernetes accepts the manifests, and proxies load their files."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

from service.config import Config
from service.limits import PREVIEW_BYTES

ROOT = Path(__file__).resolve().parent.parent
DEPLOY = ROOT / "deploy"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
VERSION = PROJECT["version"]
KUBERNETES = "1.35"
MANIFESTS = sorted(path for path in (DEPLOY / "kubernetes").rglob("*.yaml") if path.stem != "kustomization")
KUSTOMIZED = (DEPLOY / "kubernetes", DEPLOY / "kubernetes" / "bulk")
COMPOSED = ("compose.yaml", "compose.cluster.yaml")
VARIABLES = {f"MOCKUP_{name.upper()}{file}" for name in Config.model_fields for file in ("", "_FILE")}


def loaded(path: Path) -> Any:
    return yaml.safe_load(path.read_text("utf-8"))


@pytest.mark.parametrize("manifest", MANIFESTS, ids=lambda path: f"{path.parent.stem}-{path.stem}")
def test_kubernetes_takes_the_manifests(manifest: Path) -> None:
    kubernetes_validate.validate(loaded(manifest), KUBERNETES, strict=True)


@pytest.mark.parametrize("folder", KUSTOMIZED, ids=lambda path: path.stem)
def test_every_manifest_is_applied(folder: Path) -> None:
    listed = loaded(folder / "kustomization.yaml")["resources"]
    assert sorted(listed) == [path.name for path in MANIFESTS if path.parent == folder]


@pytest.mark.parametrize("name", ["deployment", "bulk/scheduler", "bulk/workers"])
def test_pods_are_as_restricted_as_they_can_be(name: str) -> None:
    """Check the rules of Pod Security's "restricted" level, which the namespace enforces, and further
    rules."""
    pod = loaded(DEPLOY / "kubernetes" / f"{name}.yaml")["spec"]["template"]["spec"]
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    assert not pod.get("hostNetwork")
    assert {kind for volume in pod["volumes"] for kind in volume} <= {
        "name",
        "emptyDir",
        "persistentVolumeClaim",
    }
    for container in pod["containers"]:
        assert container["securityContext"] == {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        }


def test_variables_and_versions_are_the_services_own() -> None:
    texts = {path: path.read_text("utf-8") for path in DEPLOY.rglob("*") if path.is_file()}
    texts |= {ROOT / name: (ROOT / name).read_text("utf-8") for name in ("Dockerfile", *COMPOSED)}
    named = {name for text in texts.values() for name in re.findall(r"MOCKUP_[A-Z_]+[A-Z]", text)}
    assert named - VARIABLES == set()
    versions = {
        *(loaded(folder / "kustomization.yaml")["images"][0]["newTag"] for folder in KUSTOMIZED),
        *(image for name in COMPOSED for image in re.findall(r"image: mockup:(\S+)", texts[ROOT / name])),
    }
    assert versions == {VERSION}


@pytest.mark.parametrize("name", COMPOSED)
def test_logs_of_containers_are_rotated(name: str) -> None:
    for service in loaded(ROOT / name)["services"].values():
        assert set(service["logging"]["options"]) == {"max-size", "max-file"}


def test_pods_open_only_their_ports() -> None:
    """The ingress controller may reach pages and pictures, Prometheus the metrics, each on its port."""
    folder = DEPLOY / "kubernetes"
    variables = loaded(folder / "config.yaml")["data"]
    assert variables["MOCKUP_METRICS_HOST"] == "0.0.0.0"
    (container,) = loaded(folder / "deployment.yaml")["spec"]["template"]["spec"]["containers"]
    ports = {port["name"]: port["containerPort"] for port in container["ports"]}
    assert ports == {"http": 8000, "metrics": int(variables["MOCKUP_METRICS_PORT"])}
    rules = loaded(folder / "network-policy.yaml")["spec"]["ingress"]
    assert [port["port"] for rule in rules for port in rule["ports"]] == list(ports.values())


def test_groups_that_the_image_is_built_with_exist() -> None:
    files = [ROOT / "Dockerfile", *DEPLOY.rglob("*.yaml"), *(ROOT / "docs").glob("*.md")]
    named = [text for file in files for text in re.findall(r'EXTRAS="([^"]*)"', file.read_text("utf-8"))]
    assert len(named) >= 4
    assert {name for text in named for name in text.split()} <= PROJECT["optional-dependencies"].keys()


def test_files_that_the_image_copies_exist() -> None:
    copied = re.findall(r"^COPY (?!--from)(.+) \S+$", (ROOT / "Dockerfile").read_text("utf-8"), re.MULTILINE)
    ignored = [line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")]
    names = {name for line in copied for name in line.split()}
    assert names == set(ignored)
    assert [name for name in names if not (ROOT / name).exists()] == []


@pytest.mark.skipif(not shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin"), reason="no nginx")
def test_nginx_loads_its_file(tmp_path: Path) -> None:
    text = (DEPLOY / "nginx.conf").read_text("utf-8")
    file = tmp_path / "nginx.conf"
    file.write_text(re.sub(r"mockup-\d:8000", "127.0.0.1:8000", text).replace("/tmp/", f"{tmp_path}/"))  # noqa: S108
    _passes(tmp_path, "nginx", "-t", "-q", "-c", str(file), "-p", str(tmp_path))


@pytest.mark.skipif(not shutil.which("haproxy", path=f"{os.environ['PATH']}:/usr/sbin"), reason="no haproxy")
def test_haproxy_loads_its_file(tmp_path: Path) -> None:
    text = (DEPLOY / "haproxy.cfg").read_text("utf-8")
    file = tmp_path / "haproxy.cfg"
    file.write_text(re.sub(r"mockup-\d:8000", "127.0.0.1:8000", text))
    _passes(tmp_path, "haproxy", "-c", "-f", str(file))


@pytest.mark.skipif(not shutil.which("caddy"), reason="no caddy")
def test_caddy_loads_its_file(tmp_path: Path) -> None:
    _passes(tmp_path, "caddy", "validate", "--adapter", "caddyfile", "--config", str(DEPLOY / "Caddyfile"))


def test_proxies_take_the_largest_body_that_the_service_takes_and_small_ones_elsewhere() -> None:
    most = Config.model_fields["max_body_bytes"].default
    small = PREVIEW_BYTES
    sizes = {
        "nginx.conf": (r"client_max_body_size (\d+)([km]);", {small, most}),
        "haproxy.cfg": (r"req.body_size gt (\d+)() ", {small, most}),
        # Caddy does not buffer bodies, so it leaves the smaller limits to the service.
        "Caddyfile": (r"max_size (\d+)(M)iB\n", {most}),
    }
    units = {"": 1, "k": 2**10, "m": 2**20}
    for name, (pattern, expected) in sizes.items():
        found = re.findall(pattern, (DEPLOY / name).read_text("utf-8"))
        assert {int(size) * units[unit.lower()] for size, unit in found} == expected, name


def test_folders_in_memory_are_limited() -> None:
    for name in COMPOSED:
        for service, given in loaded(ROOT / name)["services"].items():
            assert given["mem_limit"], (name, service)
            for folder in given.get("tmpfs", ()):
                assert re.search(r":(.*,)?size=\d+[mg]\b", folder), (name, service, folder)


def test_no_shared_network_is_trusted_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    """No file trusts a proxy by default, because only the operator knows its address."""
    shipped = loaded(DEPLOY / "kubernetes" / "config.yaml")["data"]["MOCKUP_TRUSTED_PROXIES"]
    monkeypatch.setenv("MOCKUP_TRUSTED_PROXIES", shipped)
    assert Config().trusted_proxies == ()


def _passes(place: Path, *command: str) -> None:
    places = {"PATH": f"{os.environ['PATH']}:/usr/sbin", "HOME": str(place), "XDG_DATA_HOME": str(place)}
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=60, env=os.environ | places
    )
    assert done.returncode == 0, done.stdout + done.stderr
