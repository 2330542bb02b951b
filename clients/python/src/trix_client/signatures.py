"""Webhooks as they arrive: whether they are the server's (standardwebhooks.com)."""

import base64
import hmac
import time
from collections.abc import Mapping

from .errors import VerificationError

TOLERANCE = 300  # seconds


def verify_webhook(headers: Mapping[str, str], body: bytes, key: str) -> str:
    """The id of a delivery, the same however often it is sent. Raises VerificationError if it is not genuine.

    ``body`` is what came, byte for byte; ``key`` is the webhook's, as `webhooks.create` answered. A delivery
    that was signed more than five minutes ago, or hence, is refused: somebody sends it again.
    """
    given = {name.lower(): value for name, value in headers.items()}
    try:
        identity, sent = given["webhook-id"], given["webhook-timestamp"]
        signatures = given["webhook-signature"].split()
        age = abs(time.time() - int(sent))
    except (KeyError, ValueError) as error:
        raise VerificationError(f"The delivery is not signed as it should be: {error}.") from error
    if age > TOLERANCE:
        raise VerificationError(f"The delivery was signed {age:.0f} seconds away from now.")
    wanted = f"v1,{_signature(identity, sent, body, key)}".encode()
    if not any(hmac.compare_digest(signature.encode(), wanted) for signature in signatures):
        raise VerificationError("The signature is not the key's.")
    return identity


def _signature(identity: str, sent: str, body: bytes, key: str) -> str:
    try:
        secret = base64.b64decode(key.removeprefix("whsec_"), validate=True)
    except ValueError as error:
        raise VerificationError(f"That is no webhook's key: {error}.") from error
    digest = hmac.digest(secret, f"{identity}.{sent}.".encode() + body, "sha256")
    return base64.b64encode(digest).decode()
