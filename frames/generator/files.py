"""The device file: JSON that a person can read, numbers of one vector on one line."""

from __future__ import annotations

import json
import re
from pathlib import Path

from service.devices.device import Device


def write_device(folder: Path, device: Device) -> None:
    """Write `device.json`, leaving out members that equal their defaults."""
    content = device.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    text = json.dumps(content, indent=2, ensure_ascii=False)
    text = re.sub(r"\[\s+([^\[\]{}]*?)\s+\]", lambda m: "[" + re.sub(r"\s+", " ", m[1]) + "]", text)
    (folder / "device.json").write_text(text + "\n", encoding="utf-8")
