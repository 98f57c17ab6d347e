"""The documented refusals of requests that are valid by the OpenAPI document, with their messages.

A schema cannot express that a text is a picture in base64, or that two members contradict each other. These
refusals are documented, and the tests accept only these.
"""

from __future__ import annotations

import re
from typing import Any

# The variable with the ids of the requests' user and key, which must not be removed.
KEPT = "MOCKUP_FUZZ_KEPT"
# Paths at which a schema-valid body may be refused, and the messages.
BEYOND_THE_SCHEMA = {
    r"id": r".+ is (revoked|expired); issue a new key instead",
    r"email": r".+ is a user already|not an e-mail address: .+",
    r"userId": r"no such user: .+",
    r"plan": r"expected one of .+",
    r"name": r"a key's name has 1 to \d+ printable characters",
    r"until|expiresAt": r".+ is in the past; .+|expected a date and time .+",
    r"scopes": r"a key that pages may hold .+|a key for tests is never .+",
    r"origins": r"not an origin .+",
    r"settings": r"expected at most .+ bytes of JSON",
    r"(screenshot|recording)(\.src)?|screenshot_url|screenshot_base64|(webhook\.)?url": r".+",
    r"settings\.appearance\.backgroundImage\.src": r".+",
    r"devices\[\d\]\.screenshot(\.(src|index))?": r".+",
    r"motion(\.move|\.scroll|\.fps)?": r"expected .+|.+ takes .+|.+ has no lid; .+",
    r"template": r"unknown template .+",
    r"texts": r"\d+ texts for the \d+ captions .+",
    r"texts\[\d\]|settings\.captions\[\d\]\.text": r"expected at most \d+ combining marks .+",
    r"settings\.canvas\.slices": r"expected fewer or (narrower|smaller) slices: .+|expected 1 for a film, .+",
    r"settings\.appearance\.backgroundImage": r"expected none for a film",
    r"settings\.export\.scale": r"expected at most .+ megapixels",
    r"(settings|devices\[\d\])\.device\..+": r".+",
    r"(settings|devices\[\d\])\.orientation": r".+ can only be .+",
    r"(settings|devices\[\d\])\.appearance\.deviceColor": r"expected a hex colour or a finish of .+",
}
# Messages about forms, whose fields are texts: a field that is not JSON for its member, or has an unknown
# name.
NO_MEMBER = {
    r"devices|settings|fast|texts|include|projectId": r"expected .+, got .+",
    r".*": r"unknown field; .+|a part of the form has no name|expected one such part, .+",
}


def is_documented(body: Any, *, form: bool = False) -> bool:
    """Whether every detail of an error is about a rule that a schema cannot express."""
    known = BEYOND_THE_SCHEMA | (NO_MEMBER if form else {})
    details = body["error"].get("details", [])
    return bool(details) and all(
        any(
            re.fullmatch(path, item["path"]) and re.match(words, item["message"], re.DOTALL)
            for path, words in known.items()
        )
        for item in details
    )
