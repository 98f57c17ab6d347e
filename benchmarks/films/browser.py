"""A page that plays the same recording on a rounded card in CSS 3D, captured frame by frame by Chromium."""

from __future__ import annotations

import base64
import subprocess
import sys
import time
from pathlib import Path

from playwright.sync_api import sync_playwright

from benchmarks.films.recorded import FPS
from benchmarks.processor_time import Account
from benchmarks.speed.peers.devtools import program

PAGE = """<!doctype html><style>
body { margin: 0; width: 1920px; height: 1080px; overflow: hidden; background: #f2f3f5; perspective: 2400px }
div { position: absolute; left: 745px; top: 70px; width: 430px; height: 940px; border-radius: 70px;
  background: #222; box-shadow: 0 30px 80px #0006; transform-style: preserve-3d }
video { position: absolute; inset: 16px; width: 398px; height: 908px; border-radius: 56px; object-fit: cover }
</style><div><video muted src="data:video/mp4;base64,%s"></video></div><script>
const card = document.querySelector('div'), video = document.querySelector('video');
async function show(time) {
  const seeked = new Promise((done) => video.addEventListener('seeked', done, {once: true}));
  video.currentTime = time;
  await seeked;
  const phase = time * 2;
  card.style.transform = `rotateX(${1.6 * Math.sin(phase)}deg) rotateY(${2.6 * Math.sin(phase + 1.9)}deg)`;
  await new Promise(requestAnimationFrame);
}
</script>"""


def captured(account: Account, source: Path, target: Path, count: int) -> tuple[float, float]:
    """Make a film of some frames; returns seconds and processor seconds per frame.

    The browser's start counts only towards processor time.
    """
    before = account.seconds
    command = [sys.executable, "-m", __name__, str(source), str(target), str(count)]
    done = subprocess.run([*account.command, *command], capture_output=True, text=True, check=True)
    return float(done.stdout), (account.seconds - before) / count


def _capture(source: Path, target: Path, count: int) -> float:
    command = ["ffmpeg", "-y", "-loglevel", "error", "-f", "image2pipe", "-r", str(FPS), "-i", "-"]
    command += ["-c:v", "libx264", "-preset", "veryfast", "-crf", "18", "-pix_fmt", "yuv420p", str(target)]
    # Debian's Chromium decodes H.264; others may need another codec.
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program(), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1920, "height": 1080})
        page.set_content(PAGE % base64.b64encode(source.read_bytes()).decode())
        page.wait_for_function("video.readyState >= 2")
        with subprocess.Popen(command, stdin=subprocess.PIPE) as encoder:
            assert encoder.stdin is not None
            begun = time.perf_counter()
            for number in range(count):
                page.evaluate("show", (number + 0.5) / FPS)
                encoder.stdin.write(page.screenshot(type="jpeg", quality=95))
            encoder.stdin.close()
            encoder.wait()
            taken = time.perf_counter() - begun
        browser.close()
    return taken / count


if __name__ == "__main__":
    print(_capture(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])))
