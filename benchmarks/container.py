"""`make container`: builds the image twice, and runs it with as few privileges as Docker and Kubernetes give.

Needs buildah and runc, as root. Without the base image, `deploy/container/base.sh` makes one.
"""

from __future__ import annotations

import argparse
import base64
import json
import os
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
BASE = "docker.io/library/debian:bookworm-slim"
BUILD = ROOT / "deploy" / "container" / "build.sh"
# The profile that Docker, podman and containerd share, as Debian's package of buildah installs it.
PROFILE = Path("/usr/share/containers/seccomp.json")
USER = 10001
MEMORY = 512 * 2**20
PIDS = 256
LARGEST = 448 * 2**20
# Memory limits of all idle processes: shared pages counted once, and without pages that can be read from
# files again.
MOST_AT_REST = 224 * 2**20
STARTS = 3
SETTLING_S = 8.0  # seconds until idle processes have returned memory
PATIENCE_S = 60.0
PORT, METRICS_PORT = 8917, 8918
# System calls that decoders need, but old or strict profiles forbid.
FORBIDDEN = frozenset({"memfd_create", "pidfd_open"})
SAMPLE = ROOT / "frames" / "samples"


class FaultError(Exception):
    """A check that failed."""


@dataclass(frozen=True)
class Image:
    """An image and where its files are."""

    tag: str
    root: Path


def run(*command: str, cwd: Path | None = None) -> str:
    """The output of a command; raises FaultError with its message if it fails."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=cwd)
    if done.returncode:
        raise FaultError(f"{' '.join(command)}: {done.stderr.strip()[-2000:]}")
    return done.stdout.strip()


def built(tag: str) -> str:
    """Build the image; returns the digest of its manifest."""
    started = time.monotonic()
    done = subprocess.run([str(BUILD), tag], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    if done.returncode:
        raise FaultError(done.stderr.decode()[-2000:])
    # buildah prints a line for each name of the image.
    found = run("buildah", "images", "--format", "{{.Digest}}", tag).splitlines()[0]
    print(f"built {tag} in {time.monotonic() - started:.0f} s: {found}", flush=True)
    return found


@contextmanager
def mounted(tag: str) -> Iterator[Image]:
    """The image's files."""
    container = run("buildah", "from", "--pull-never", tag).splitlines()[-1]
    try:
        yield Image(tag, Path(run("buildah", "mount", container)))
    finally:
        run("buildah", "rm", container)


def size(folder: Path) -> int:
    """Bytes of all files; hard links count once."""
    return int(run("du", "--summarize", "--block-size=1", "--one-file-system", str(folder)).split()[0])


def breakdown(root: Path) -> dict[str, int]:
    """Bytes by part."""
    (packages,) = root.glob("opt/mockup/.venv/lib/python3*/site-packages")
    parts = {
        "OpenCV": ("cv2", "opencv_python_headless.libs"),
        "NumPy": ("numpy", "numpy.libs"),
        "SQLAlchemy": ("sqlalchemy",),
        "AVIF": ("pillow_avif_plugin.libs",),
        "psycopg": ("psycopg", "psycopg_binary", "psycopg_binary.libs"),
    }
    sizes = {name: sum(size(packages / part) for part in of) for name, of in parts.items()}
    sizes["other packages"] = size(packages) - sum(sizes.values())
    sizes["frames"] = size(root / "opt" / "mockup" / "frames")
    sizes["service"] = size(root / "opt" / "mockup" / "service")
    sizes["Debian and Python"] = size(root) - sum(sizes.values())
    return sizes


def seccomp(forbidden: frozenset[str]) -> dict[str, Any]:
    """Docker's profile for a container without capabilities on x86-64, minus the `forbidden` calls."""
    profile = json.loads(PROFILE.read_text("utf-8"))
    rules = []
    for rule in profile["syscalls"]:
        includes, excludes = rule.get("includes") or {}, rule.get("excludes") or {}
        if includes.get("caps") or ("amd64" not in includes.get("arches", ["amd64"])):
            continue
        if "amd64" in excludes.get("arches", []):
            continue
        kept: dict[str, Any] = {
            "names": [name for name in rule["names"] if name not in forbidden],
            "action": rule["action"],
        }
        if rule.get("args"):
            kept["args"] = [
                {"index": a["index"], "value": a["value"], "valueTwo": a["valueTwo"], "op": a["op"]}
                for a in rule["args"]
            ]
        if rule.get("errnoRet") is not None:
            kept["errnoRet"] = rule["errnoRet"]
        if kept["names"]:
            rules.append(kept)
    # The error that a kernel without these calls returns.
    return {
        "defaultAction": profile["defaultAction"],
        "defaultErrnoRet": profile["defaultErrnoRet"],
        "architectures": ["SCMP_ARCH_X86_64", "SCMP_ARCH_X86", "SCMP_ARCH_X32"],
        "syscalls": rules,
    }


def bundle(folder: Path, image: Image, variables: Mapping[str, str], forbidden: frozenset[str]) -> None:
    """Write a container for runc: a read-only root, no capabilities, bounded memory and processes."""
    data = folder / "data"
    data.mkdir()
    os.chown(data, 0, USER)
    # Kubernetes prepares a volume with fsGroup like this.
    data.chmod(0o2770)
    run("runc", "spec", cwd=folder)
    config = json.loads((folder / "config.json").read_text())
    options = json.loads(run("buildah", "inspect", "--type", "image", image.tag))["OCIv1"]["config"]
    environment = dict(line.split("=", 1) for line in options["Env"]) | dict(variables)
    config["root"] = {"path": str(image.root), "readonly": True}
    config["process"] |= {
        "terminal": False,
        "user": {"uid": USER, "gid": USER},
        "args": [*options["Entrypoint"], *options["Cmd"]],
        "env": [f"{name}={value}" for name, value in environment.items()],
        "cwd": options["WorkingDir"],
        "noNewPrivileges": True,
        "capabilities": {kind: [] for kind in ("bounding", "effective", "permitted", "ambient")},
        "rlimits": [{"type": "RLIMIT_NOFILE", "hard": 4096, "soft": 1024}],
    }
    config["mounts"] += [
        {"destination": "/tmp", "type": "tmpfs", "options": ["nosuid", "nodev", "size=16m"]},  # noqa: S108
        {"destination": "/var/lib/mockup", "type": "bind", "source": str(data), "options": ["bind", "rw"]},
    ]
    linux = config["linux"]
    # Share the machine's loopback, so that the container's ports can be reached.
    linux["namespaces"] = [kind for kind in linux["namespaces"] if kind["type"] != "network"]
    linux["resources"] = {"memory": {"limit": MEMORY}, "pids": {"limit": PIDS}}
    linux["seccomp"] = seccomp(forbidden)
    linux["cgroupsPath"] = f"/{folder.name}"
    (folder / "config.json").write_text(json.dumps(config))


@contextmanager
def running(image: Image, forbidden: frozenset[str] = frozenset()) -> Iterator[Container]:
    """Run the container; yields it once it listens."""
    with TemporaryDirectory(prefix="mockup-container-") as name:
        folder = Path(name)
        variables = {
            "MOCKUP_HOST": "127.0.0.1",
            "MOCKUP_PORT": str(PORT),
            "MOCKUP_METRICS_PORT": str(METRICS_PORT),
            "MOCKUP_RENDER_TIMEOUT_S": "60",
        }
        bundle(folder, image, variables, forbidden)
        log = folder / "log"
        container = Container(folder.name, log)
        with log.open("wb") as out:
            process = subprocess.Popen(["runc", "run", "--bundle", name, folder.name], stdout=out, stderr=out)
        try:
            container.wait(process)
            try:
                yield container
            except OSError as error:
                raise FaultError(f"{error}; the container's log:\n{container.log()[-4000:]}") from error
        finally:
            subprocess.run(["runc", "kill", folder.name, "TERM"], check=False, capture_output=True)
            try:
                process.wait(PATIENCE_S)
            except subprocess.TimeoutExpired:
                subprocess.run(["runc", "kill", folder.name, "KILL"], check=False, capture_output=True)
                process.wait()
            subprocess.run(["runc", "delete", "--force", folder.name], check=False, capture_output=True)


class Container:
    """A running container of the image."""

    def __init__(self, name: str, log: Path) -> None:
        self._name, self._log = name, log
        self._begun = time.monotonic()
        self.started_s = 0.0

    def wait(self, process: subprocess.Popen[bytes]) -> None:
        """Wait until the container responds."""
        deadline = time.monotonic() + PATIENCE_S
        while True:
            if process.poll() is not None or time.monotonic() > deadline:
                raise FaultError(f"the container did not start:\n{self._log.read_text()[-2000:]}")
            try:
                self.get("/health")
            except OSError:
                time.sleep(0.01)
            else:
                self.started_s = time.monotonic() - self._begun
                return

    def get(self, path: str, port: int = PORT) -> tuple[int, bytes]:
        """Status and body of a GET."""
        return self._send(urllib.request.Request(f"http://127.0.0.1:{port}{path}"))

    def mockup(self, key: str) -> tuple[int, bytes]:
        """Status and body of a small mockup."""
        sample = sorted(SAMPLE.glob("*.png"))[0].read_bytes()
        body = {
            "type": "screenshot",
            "screenshot": {"type": "base64", "src": base64.b64encode(sample).decode()},
            "settings": {"canvas": {"width": 640, "height": 480}},
        }
        headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
        url = f"http://127.0.0.1:{PORT}/api/v1/mockup?output=raw"
        return self._send(urllib.request.Request(url, json.dumps(body).encode(), headers))

    @staticmethod
    def _send(request: urllib.request.Request) -> tuple[int, bytes]:
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE_S) as response:
                return response.status, response.read()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read()

    def command(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run `mockup` in the container."""
        command = ["runc", "exec", self._name, "mockup", *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    def log(self) -> str:
        """The lines that the container has logged."""
        return self._log.read_text()

    def memory(self, *kinds: str) -> int:
        """Bytes of all processes, by the fields of `smaps_rollup`."""
        rolled = (Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines() for pid in self._pids())
        fields = (line.split(":") for lines in rolled for line in lines)
        return sum(int(value.split()[0]) * 1024 for name, value, *_ in fields if name in kinds)

    def _pids(self) -> list[int]:
        return list(json.loads(run("runc", "ps", "--format", "json", self._name)))

    def processes(self) -> dict[str, dict[str, str]]:
        """The fields of `/proc/PID/status` by the name, number and command line of each process."""
        found = {}
        for pid in self._pids():
            line = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode().strip()
            name = Path(f"/proc/{pid}/comm").read_text().strip()
            rows = Path(f"/proc/{pid}/status").read_text().splitlines()
            found[f"{name} {pid} {line}"] = dict(row.split(":\t", 1) for row in rows if ":\t" in row)
        return found


def check(ok: bool, text: str) -> None:
    """One line of the result; raises FaultError."""
    print(f"{'ok  ' if ok else 'FAIL'}  {text}", flush=True)
    if not ok:
        raise FaultError(text)


def at_rest(image: Image) -> None:
    """Measure the time to the container's first response, and its memory before the first picture."""
    seconds, own, whole = [], [], []
    for _ in range(STARTS):
        with running(image) as container:
            while container.get("/health/ready")[0] != 200:
                time.sleep(0.1)
            time.sleep(SETTLING_S)
            seconds.append(container.started_s)
            own.append(container.memory("Pss_Anon", "Pss_Shmem"))
            whole.append(container.memory("Pss"))
    print(f"      {min(seconds):.2f} s  to the first answer, the quickest of {STARTS} starts", flush=True)
    print(f"      {max(whole) / 2**20:.0f} MiB  at rest, pages of files included", flush=True)
    check(max(own) < MOST_AT_REST, f"{max(own) / 2**20:.0f} MiB at rest, without pages of files")


def strict(image: Image) -> None:
    """Check that the container makes pictures under Docker's profile, and that decoders have two system call
    filters."""
    with running(image) as container:
        check(container.get("/health/ready")[0] == 200, "ready under Docker's profile, 512 MB, 256 processes")
        check(container.command("health").returncode == 0, "mockup health")
        doctor = container.command("doctor")
        faults = [line for line in doctor.stdout.splitlines() if line.startswith("FAIL")]
        check(not faults, f"mockup doctor: {'; '.join(faults) or 'no fault'}")
        container.command("users", "add", "someone@example.com", "--plan", "pro")
        key = container.command("keys", "issue", "someone@example.com").stdout.strip()
        pictures = [container.mockup(key) for _ in range(3)]
        signatures = {(status, body[:8]) for status, body in pictures}
        said = next((body.decode() for status, body in pictures if status != 200), "each a PNG")
        check(signatures == {(200, b"\x89PNG\r\n\x1a\n")}, f"three pictures, {said}")
        processes = container.processes()
        decoders = [status for name, status in processes.items() if name.startswith("decoder ")]
        check(bool(decoders), f"{len(processes)} processes, {len(decoders)} of them decoders")
        filters = {status["Seccomp_filters"] for status in decoders}
        check(filters == {"2"}, f"filters stacked on decoders: {', '.join(filters)}")
        weak = [
            name
            for name, status in processes.items()
            if status["Uid"].split()[0] != str(USER)
            or int(status["CapEff"], 16)
            or int(status["CapBnd"], 16)
            or status["NoNewPrivs"] != "1"
        ]
        check(not weak, "every process as user 10001, without capabilities or a way to gain any")
        check('"running as root' not in container.log(), "nothing runs as root")


def unsandboxed(image: Image) -> None:
    """Check that the container makes no pictures, and says why, if its profile forbids calls that decoders
    need."""
    with running(image, FORBIDDEN) as container:
        status, body = container.get("/health/ready")
        check(status == 503 and json.loads(body)["checks"]["sandbox"] is False, "not ready: sandbox")
        container.command("users", "add", "someone@example.com", "--plan", "pro")
        key = container.command("keys", "issue", "someone@example.com").stdout.strip()
        check(container.mockup(key)[0] == 503, "a render is refused with 503")
        check("no pictures will be made" in container.log(), "the log says why")
        check("FAIL  sandbox" in container.command("doctor").stdout, "mockup doctor says why")
        figures = container.get("/metrics", METRICS_PORT)[1].decode()
        check("\nmockup_sandbox 0.0\n" in figures, "the metric mockup_sandbox is 0")


def main() -> None:
    """Build, measure and run; exits with 1 at the first fault."""
    parser = argparse.ArgumentParser(prog="make container", description=__doc__)
    parser.add_argument("--once", action="store_true", help="build once, without comparing two builds")
    parser.add_argument("--image", help="take an image that is there instead of building one")
    options = parser.parse_args()
    missing = [name for name in ("buildah", "runc") if not shutil.which(name)]
    if missing:
        sys.exit(f"not installed: {', '.join(missing)}")
    try:
        tag = options.image
        if tag is None:
            looked = ["buildah", "inspect", "--type", "image", BASE]
            if subprocess.run(looked, capture_output=True, check=False).returncode:
                print(f"no {BASE} here; making one", flush=True)
                run(str(ROOT / "deploy" / "container" / "base.sh"), BASE)
            digests = [built(f"mockup:check-{turn}") for turn in range(1 if options.once else 2)]
            check(len(set(digests)) == 1, f"{len(digests)} builds, one digest")
            tag = "mockup:check-0"
        with mounted(tag) as image:
            total = size(image.root)
            for name, part in sorted(breakdown(image.root).items(), key=lambda item: -item[1]):
                print(f"      {part / 2**20:6.1f} MiB  {name}")
            check(total < LARGEST, f"{total / 2**20:.0f} MiB unpacked")
            at_rest(image)
            strict(image)
            unsandboxed(image)
    except FaultError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
