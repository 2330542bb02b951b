"""Webhooks as their receiver checks them."""

import base64
import time

import pytest
from standardwebhooks import Webhook

from trix_client import VerificationError, verify_webhook

KEY = "whsec_" + base64.b64encode(bytes(range(32))).decode()
BODY = '{"type": "match_finished", "data": {"match": "kMTn8qWkXH", "by": "كارلا"}}'.encode()


def signed(body: bytes = BODY, age: float = 0, key: str = KEY) -> dict[str, str]:
    """The headers of a delivery, signed by the reference library of the scheme."""
    from datetime import UTC, datetime

    sent = time.time() - age
    signature = Webhook(key).sign("msg_1", datetime.fromtimestamp(sent, UTC), body.decode())
    return {"Webhook-Id": "msg_1", "webhook-timestamp": str(int(sent)), "webhook-signature": signature}


def test_what_the_server_signed_has_its_id():
    assert verify_webhook(signed(), BODY, KEY) == "msg_1"


def test_one_of_several_signatures_is_enough():
    headers = signed()
    headers["webhook-signature"] = f"v1,AAAA v2,BBBB {headers['webhook-signature']}"
    assert verify_webhook(headers, BODY, KEY) == "msg_1"


@pytest.mark.parametrize("age", [-400, 400])
def test_an_old_delivery_and_one_of_the_future_are_refused(age):
    with pytest.raises(VerificationError, match="away from now"):
        verify_webhook(signed(age=age), BODY, KEY)


def test_another_body_and_another_key_are_refused():
    with pytest.raises(VerificationError, match="not the key's"):
        verify_webhook(signed(), BODY + b" ", KEY)
    with pytest.raises(VerificationError, match="not the key's"):
        verify_webhook(signed(), BODY, "whsec_" + base64.b64encode(b"another").decode())


@pytest.mark.parametrize("name", ["Webhook-Id", "webhook-timestamp", "webhook-signature"])
def test_a_header_that_is_missing_is_named(name):
    headers = {given: value for given, value in signed().items() if given != name}
    with pytest.raises(VerificationError, match=name.lower()):
        verify_webhook(headers, BODY, KEY)


def test_what_is_no_time_and_what_is_no_key_is_refused():
    with pytest.raises(VerificationError, match="not signed as it should be"):
        verify_webhook(signed() | {"webhook-timestamp": "yesterday"}, BODY, KEY)
    with pytest.raises(VerificationError, match="no webhook's key"):
        verify_webhook(signed(), BODY, "whsec_é")
