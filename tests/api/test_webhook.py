from __future__ import annotations

from datetime import UTC, datetime

import pytest

from service.api import webhook_secret
from service.api.webhook import headers


def test_calls_are_signed_as_the_specification_signs_its_example() -> None:
    at = datetime.fromtimestamp(1614265330, UTC)
    # The example of Svix's documentation, with which the specification agrees.
    made = headers(
        "msg_p5jXN8AQM9LWM0D4loKWxJek",
        at,
        b'{"test": 2432232314}',
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    )
    assert made["webhook-signature"] == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
    assert made["Accept"] == "*/*", "the answer need not be a picture"


def test_secrets_after_the_prefix_are_base64() -> None:
    assert webhook_secret.key("plain secret") == b"plain secret"
    assert webhook_secret.key("whsec_AAEC") == b"\x00\x01\x02"
    for wrong in ("whsec_AAE", "whsec_A!EC", "whsec_\N{LATIN SMALL LETTER E WITH ACUTE}"):
        with pytest.raises(ValueError, match="expected base64 after whsec_"):
            webhook_secret.key(wrong)
