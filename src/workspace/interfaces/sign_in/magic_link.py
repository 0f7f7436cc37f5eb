"""Sign-in links created by the administrator. They are valid for an hour and work once."""

from __future__ import annotations

from allauth.account.models import EmailAddress
from allauth.account.utils import perform_login
from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from workspace.accounts.models import Person
from workspace.interfaces.sign_in.allauth_internals import record_authentication
from workspace.lib import clock
from workspace.storage.database.transactions import write_transaction

LIFETIME = 3600  # seconds
_SALT = "workspace.sign-in-once"


def build_sign_in_link(person: Person) -> str:
    """Return the absolute URL. It expires after an hour, after use, or when the person signs in another way."""
    token = signing.dumps({"person": person.pk, "seen": _last_login_mark(person)}, salt=_SALT)
    return settings.BASE_URL + reverse("sign_in_once", args=[token])


@never_cache
@require_http_methods(["GET", "POST"])
def sign_in_once(request: HttpRequest, token: str) -> HttpResponse:
    """Show a page with a button, so that link scanners do not use up the link."""
    person = _find_person(token)
    if person is None or (request.method == "POST" and not _consume_link(person)):
        return render(request, "sign_in/magic_link_expired.html", status=410)
    if request.method == "GET":
        return render(request, "sign_in/magic_link.html", {"person": person})
    # The administrator vouches for the address by creating the link.
    EmailAddress.objects.update_or_create(user=person, email=person.email, defaults={"verified": True, "primary": True})
    record_authentication(request, person, method="link")
    next_page = None if person.has_usable_password() else reverse("account_set_password")
    response: HttpResponse = perform_login(request, person, redirect_url=next_page)
    return response


def _last_login_mark(person: Person) -> str:
    return person.last_login.isoformat() if person.last_login else ""


def _find_person(token: str) -> Person | None:
    try:
        held = signing.loads(token, salt=_SALT, max_age=LIFETIME)
    except signing.BadSignature:
        return None
    person = Person.objects.filter(pk=held["person"], is_active=True).first()
    return person if person is not None and _last_login_mark(person) == held["seen"] else None


def _consume_link(person: Person) -> bool:
    """Return whether this is the first use.

    It updates the time of the last sign-in. Of two simultaneous clicks, only one can do so.
    """
    with write_transaction():
        unused = Person.objects.filter(pk=person.pk, last_login=person.last_login)
        return unused.update(last_login=clock.now()) == 1
