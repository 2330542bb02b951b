"""Accounts and their tokens."""

from collections.abc import Collection
from datetime import timedelta

from django.contrib.auth import authenticate
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone

from games.bots import LEVELS
from games.models import ApiToken, IdempotentAnswer, Player, Scope
from games.services.locks import lock_account
from games.services.passwords import check_new_password
from trix_site.common.errors import BadRequest, Conflict, Missing, ProblemError
from trix_site.common.lines import check_line

# Who registers under one of these could be taken for the house, or one of its bots.
RESERVED_NAMES = {*LEVELS, "admin", "bot", "me", "organiser"}

MOST_TOKENS = 100  # of one account

# How long an answer to a creating call with an Idempotency-Key is kept.
KEPT = timedelta(hours=24)


class WrongCredentials(ProblemError):
    status = 401
    title = "Unauthorized"
    auth_header = "Bearer"


def register(*, username: str, password: str, email: str = "", is_bot: bool = False) -> Player:
    """A new account.

    Raises BadRequest for no name, one of the house's, or a weak password; Conflict for a name that is taken.
    """
    player = Player(username=Player.normalize_username(username), email=email, is_bot=is_bot)
    _check_username(player)
    check_new_password(password, player)
    player.set_password(password)
    try:
        with transaction.atomic():
            player.save(force_insert=True)
    except IntegrityError as error:
        raise Conflict("username_taken", f"There is a player {username} already.") from error
    return player


def _check_username(player: Player) -> None:
    """Check the name as it is stored: NFKC makes several characters of some, and other ones of many."""
    try:
        player.clean_fields(exclude={field.name for field in Player._meta.fields} - {"username"})
        player.clean()
    except ValidationError as error:
        raise _no_name(error.messages) from error
    if player.username.casefold() in RESERVED_NAMES:
        raise _no_name([f"The house keeps the name {player.username} for itself; choose another."])


def _no_name(words: list[str]) -> BadRequest:
    return BadRequest("invalid", f"username: {words[0]}", errors={"username": words})


def make_token(
    *,
    username: str,
    password: str,
    name: str = "",
    scopes: Collection[str] = Scope.values,
    expires_in: int = 90,
) -> tuple[ApiToken, str]:
    """A new token of an account for so many days, and its text, which is stored nowhere.

    Beyond `MOST_TOKENS` it takes the place of the one that would have ended first: a login that were refused
    would leave somebody without a token no way to revoke one.
    Raises WrongCredentials; BadRequest for a name that lists and terminals could not show.
    """
    if name:
        check_line("name", name)
    found = authenticate(username=Player.normalize_username(username), password=password)
    if found is None:
        raise _wrong_credentials()
    with transaction.atomic():
        # A password that is changed at this moment ends the tokens of the old one: this one too.
        account = lock_account(pk=found.pk)
        if account is None or account.password != found.password:
            raise _wrong_credentials()
        _make_room(account)
        kept = [scope for scope in Scope.values if scope in scopes]
        return ApiToken.objects.create(found, timedelta(days=expires_in), name=name, scopes=kept)


def _make_room(account: Player) -> None:
    """Delete what is beyond one token less than the most, those that end first. The account is locked."""
    beyond = account.auth_token_set.order_by("-expiry").values_list("pk", flat=True)[MOST_TOKENS - 1 :]
    ApiToken.objects.filter(pk__in=list(beyond)).delete()


def _wrong_credentials() -> WrongCredentials:
    return WrongCredentials("wrong_credentials", "There is no active account of this name and password.")


def revoke_token(*, player: Player, code: str) -> None:
    """Delete one token of a player. Raises Missing."""
    deleted, _ = ApiToken.objects.filter(user=player, code=code).delete()
    if not deleted:
        raise Missing("no_such_token", "You have no such token.")


def forget_old() -> None:
    """Delete tokens that have expired, and answers that are kept no longer."""
    now = timezone.now()
    ApiToken.objects.filter(expiry__lt=now).delete()
    IdempotentAnswer.objects.filter(created_at__lt=now - KEPT).delete()
