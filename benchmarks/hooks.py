"""For requests made from the OpenAPI document: whom they may lead to, and what may refuse valid ones.

No schema can say that a text is a picture's base64, or that two members do not suit each other. Those
refusals are documented, and only those are let pass.
"""

from __future__ import annotations

import json
import os
import re
from typing import Any

import schemathesis
from schemathesis.checks import CHECKS, load_all_checks
from schemathesis.core.failures import Failure

# A port of this machine that nothing listens on.
NOWHERE = "http://127.0.0.1:9/"
# Names the ids of the user and the key that requests are made with, which must not be removed.
KEPT = "MOCKUP_FUZZ_KEPT"


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


# Where a schema-valid body may be refused, and by what words.
BEYOND_THE_SCHEMA = {
    r"id": r".+ is (revoked|expired); issue a new key instead",
    r"email": r".+ is a user already|not an e-mail address: .+",
    r"userId": r"no such user: .+",
    r"plan": r"expected one of .+",
    r"name": r"a key's name has 1 to \d+ printable characters",
    r"until|expiresAt": r".+ is in the past; .+|expected a date and time .+",
    r"settings": r"expected at most .+ bytes of JSON",
    r"screenshot|screenshot\.src|screenshot_url|screenshot_base64|url": r".+",
    r"settings\.export\.scale": r"expected at most .+ megapixels",
    r"settings\.device\..+": r".+",
    r"settings\.orientation": r".+ can only be .+",
    r"settings\.appearance\.deviceColor": r"expected a hex colour or a finish of .+",
}


@schemathesis.check
def valid_bodies_are_accepted(context: Any, response: Any, case: Any) -> bool | None:
    """The tool's own check of what schema-valid requests come to, but for the documented refusals."""
    load_all_checks()
    accepted: Any = CHECKS.get_one("positive_data_acceptance")
    try:
        return accepted(context, response, case)  # type: ignore[no-any-return]
    except Failure:
        if response.status_code == 400 and is_documented(json.loads(response.content)):
            return None
        raise


def is_documented(body: Any) -> bool:
    """Whether every detail of an error is one that no schema can say."""
    details = body["error"].get("details", [])
    return bool(details) and all(
        any(
            re.fullmatch(path, item["path"]) and re.match(words, item["message"])
            for path, words in BEYOND_THE_SCHEMA.items()
        )
        for item in details
    )


def _leads_away(value: Any) -> bool:
    return isinstance(value, str) and ":" in value and not value.startswith("data:")
