"""Hooks for Schemathesis: generated requests contact no other host, and documented refusals pass.

Only Schemathesis may load this module: importing it takes half a second.
"""

from __future__ import annotations

import json
import os
from typing import Any

import schemathesis
from schemathesis.checks import CHECKS, load_all_checks
from schemathesis.core.failures import Failure

from benchmarks.refusals import KEPT, is_documented

# Nothing listens on this port.
NOWHERE = "http://127.0.0.1:9/"


@schemathesis.hook
def before_call(context: Any, case: Any, kwargs: Any) -> None:
    if (case.path_parameters or {}).get("id") in os.environ.get(KEPT, "").split():
        case.path_parameters["id"] = "none"
    body = case.body
    if isinstance(body, dict):
        screenshot = body.get("screenshot")
        if isinstance(screenshot, dict) and _leads_away(screenshot.get("src")):
            case.body = {**body, "screenshot": {**screenshot, "src": NOWHERE}}
        if _leads_away(body.get("screenshot_url")):
            case.body = {**case.body, "screenshot_url": NOWHERE}
        if _leads_away(body.get("url")):
            case.body = {**case.body, "url": NOWHERE}


@schemathesis.check
def valid_bodies_are_accepted(context: Any, response: Any, case: Any) -> bool | None:
    """Schemathesis' own check that valid requests are accepted, except for documented refusals."""
    load_all_checks()
    accepted: Any = CHECKS.get_one("positive_data_acceptance")
    try:
        return accepted(context, response, case)  # type: ignore[no-any-return]
    except Failure:
        form = case.media_type == "multipart/form-data"
        if response.status_code == 400 and is_documented(json.loads(response.content), form=form):
            return None
        raise


def _leads_away(value: Any) -> bool:
    return isinstance(value, str) and ":" in value and not value.startswith("data:")
