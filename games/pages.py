"""Pages around passwords: the login of the admin, and for whoever has forgotten his: they ask for a link,
which leads to a form.
"""

from typing import Any

from django.contrib import admin
from django.contrib.auth.forms import SetPasswordForm
from django.contrib.auth.views import PasswordResetConfirmView
from django.core.exceptions import ValidationError
from django.forms import EmailField, Form
from django.http import HttpResponse
from django.urls import reverse_lazy
from django.views.generic import FormView, TemplateView
from django.views.generic.base import ContextMixin
from rest_framework.request import Request
from unfold.forms import AuthenticationForm
from unfold.widgets import UnfoldAdminEmailInputWidget, UnfoldAdminPasswordWidget

from games.api.throttles import GuessThrottle, MailThrottle, ResetThrottle
from games.models import Player
from games.services.passwords import request_reset


class LoginForm(AuthenticationForm):
    """The login of the admin: guesses here count together with those through the API."""

    def clean(self) -> dict[str, Any]:
        guesses = GuessThrottle()
        if not guesses.count(guesses.written(self.cleaned_data.get("username", ""))):
            raise ValidationError("That was tried too often. Please try again in a minute.")
        return super().clean()


class SitePage(ContextMixin):
    """Base: what the templates of the admin need, in whose looks these pages are."""

    title: str

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        site = admin.site.each_context(self.request)  # type: ignore[attr-defined]
        return site | super().get_context_data(**kwargs) | {"title": self.title}


class ForgottenForm(Form):
    email = EmailField(max_length=254, label="E-mail address", widget=UnfoldAdminEmailInputWidget)


class Forgotten(SitePage, FormView):
    """Asks for an e-mail address, and says the same whether anyone here has it or not."""

    title = "Forgotten password"
    template_name = "accounts/forgotten.html"
    form_class = ForgottenForm
    success_url = reverse_lazy("password-sent")

    def form_valid(self, form: ForgottenForm) -> HttpResponse:
        by_address, by_mail = ResetThrottle(), MailThrottle()
        email = form.cleaned_data["email"]
        ident = by_address.get_ident(Request(self.request))
        if by_address.count(ident) and by_mail.count(by_mail.written(email)):
            request_reset(email)
            return super().form_valid(form)
        form.add_error(None, "That was asked for too often. Please try again in an hour.")
        return self.form_invalid(form)


class Sent(SitePage, TemplateView):
    title = "Look into your mail"
    template_name = "accounts/sent.html"


class NewPasswordForm(SetPasswordForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            field.widget = UnfoldAdminPasswordWidget(attrs={"autocomplete": "new-password"})

    def save(self, commit: bool = True) -> Player:
        """Store the password alone: whatever else of the account was read may have changed since."""
        self.user.set_password(self.cleaned_data["new_password1"])
        self.user.save(update_fields=["password"])
        return self.user


class NewPassword(SitePage, PasswordResetConfirmView):
    title = "New password"
    template_name = "accounts/new_password.html"
    form_class = NewPasswordForm
    success_url = reverse_lazy("password-done")


class Done(SitePage, TemplateView):
    title = "New password"
    template_name = "accounts/done.html"
