"""Passwords: changed by who knows the old one, or through a link that the account's e-mail gets."""

from urllib.parse import urljoin

from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.contrib.auth.tokens import default_token_generator
from django.core.exceptions import ValidationError
from django.core.mail import send_mail
from django.db import transaction
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.http import urlsafe_base64_decode, urlsafe_base64_encode

from games.models import Player
from games.services.locks import lock_account
from trix_site.common.errors import BadRequest, Forbidden

# Accounts of one e-mail address that are written to at once: whoever makes more wants to annoy its owner.
MOST_ACCOUNTS = 10
LONGEST_PASSWORD = 200  # characters


class MaximumLength:
    """One of the checks of Django's forms and of the API: a password that tokens are made for anywhere."""

    def validate(self, password: str, user: Player | None = None) -> None:
        """Raise ValidationError for a password that is too long for the API."""
        if len(password) > LONGEST_PASSWORD:
            words = f"This password is too long. It must contain at most {LONGEST_PASSWORD} characters."
            raise ValidationError(words, "password_too_long")

    def get_help_text(self) -> str:
        return f"Your password must contain at most {LONGEST_PASSWORD} characters."


def check_new_password(password: str, player: Player) -> None:
    """Raise BadRequest for a password that is easily guessed."""
    try:
        validate_password(password, player)
    except ValidationError as error:
        words = error.messages
        raise BadRequest("weak_password", " ".join(words), errors={"password": words}) from error


def confirmed(player: Player, password: str) -> Player:
    """The account, locked, of whoever gives its password again. Raises Forbidden."""
    account = lock_account(pk=player.pk)
    if account is None or not account.check_password(password):
        raise Forbidden("wrong_password", "This is not the password of your account.")
    return account


def change_password(*, player: Player, password: str, new_password: str) -> None:
    """Set a new password, which ends all tokens of the account. Raises Forbidden, BadRequest."""
    with transaction.atomic():
        _set(confirmed(player, password), new_password)


def change_email(*, player: Player, password: str, email: str) -> Player:
    """Set the e-mail address, or none. Links that were sent to the old one are void. Raises Forbidden."""
    with transaction.atomic():
        account = confirmed(player, password)
        account.email = email
        account.save(update_fields=["email"])
    return account


def request_reset(email: str) -> None:
    """Have links sent to the accounts of this address. It does the same where there are none.

    The message to the worker names accounts and nothing else: it makes the links, so they are stored nowhere.
    """
    from games.tasks import mail_resets  # A task calls services, so it cannot be imported above.

    found = Player.objects.filter(email__iexact=email, is_active=True).order_by("pk")
    players = list(found.values_list("pk", flat=True)[:MOST_ACCOUNTS])
    transaction.on_commit(lambda: mail_resets.delay(players), robust=True)


def send_reset(player_id: int) -> None:
    """Send an account a link for a new password, to its own address. Sent twice it does no harm."""
    player = Player.objects.filter(pk=player_id, is_active=True).exclude(email="").first()
    if player and player.has_usable_password():
        text = render_to_string("accounts/reset_mail.txt", _reset_context(player))
        send_mail(f"A new password for {player.username}", text, None, [player.email])


def reset(*, uid: str, token: str, password: str) -> None:
    """Set a new password with what a link holds, once. It ends all tokens. Raises BadRequest."""
    with transaction.atomic():
        player = lock_account(pk=_player_of(uid), is_active=True)
        if player is None or not default_token_generator.check_token(player, token):
            detail = "This link has been used, or is too old, or never was one. Ask for a new one."
            raise BadRequest("invalid_reset_link", detail)
        _set(player, password)


def _set(account: Player, password: str) -> None:
    check_new_password(password, account)
    account.set_password(password)
    account.save(update_fields=["password"])


def _reset_context(player: Player) -> dict[str, object]:
    uid = urlsafe_base64_encode(str(player.pk).encode())
    token = default_token_generator.make_token(player)
    return {
        "player": player,
        "uid": uid,
        "token": token,
        "link": urljoin(settings.SITE_URL, reverse("password-page", args=[uid, token])),
        "site": settings.SITE_URL,
        "hours": settings.PASSWORD_RESET_TIMEOUT // 3600,
    }


def _player_of(uid: str) -> int | None:
    try:
        return int(urlsafe_base64_decode(uid))
    except ValueError:
        return None
