"""Which requests made from the OpenAPI document may be refused though they are valid, and by what words.

No schema can say that a text is a picture's base64, or that two members do not suit each other. Those
refusals are documented, and only those are let pass.
"""

from __future__ import annotations

import re
from typing import Any

# Names the ids of the user and the key that requests are made with, which must not be removed.
KEPT = "MOCKUP_FUZZ_KEPT"
# Where a schema-valid body may be refused, and by what words.
BEYOND_THE_SCHEMA = {
    r"id": r".+ is (revoked|expired); issue a new key instead",
    r"email": r".+ is a user already|not an e-mail address: .+",
    r"userId": r"no such user: .+",
    r"plan": r"expected one of .+",
    r"name": r"a key's name has 1 to \d+ printable characters",
    r"until|expiresAt": r".+ is in the past; .+|expected a date and time .+",
    r"settings": r"expected at most .+ bytes of JSON",
    r"screenshot|(screenshot|recording)\.src|screenshot_url|screenshot_base64|url": r".+",
    r"settings\.export\.scale": r"expected at most .+ megapixels",
    r"settings\.device\..+": r".+",
    r"settings\.orientation": r".+ can only be .+",
    r"settings\.appearance\.deviceColor": r"expected a hex colour or a finish of .+",
}


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
