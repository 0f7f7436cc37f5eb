"""What a guest meets at `/q/CODE`: the redirect, or a friendly page that says why there is none."""

from __future__ import annotations

import re
from datetime import datetime

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.csrf import csrf_exempt

from workspace.products.qr.drawing import picture_of
from workspace.products.qr.models import KIND, SCAN, Code
from workspace.products.qr.target import Target
from workspace.publishing import front_door
from workspace.publishing.front_door import Follow, follow_response
from workspace.publishing.guests import allow, same_origin
from workspace.publishing.icons import icon
from workspace.publishing.models import Address, State

MINUTE = 60
TEST_SALT = "qr.test-scan"
TEST_AGE = 15 * MINUTE
TRIES = 10
SLUG_LIKE = re.compile(r"[A-Za-z0-9-]{1,50}")
# By kind: an icon, a heading and a text, in which the business stands for itself.
SAYINGS = {
    "unknown": ("help", "This code is not known here", "If you typed the address, please check it letter by letter."),
    "paused": ("pause", "Taking a short break", "{business} has paused this code. Please try again later."),
    "expired": ("clock", "This code has expired", "{business} had it work until a date that is past."),
    "deleted": ("bin", "This code is gone", "Its owner has deleted it. What is printed here leads nowhere any more."),
    "banned": ("warning", "This code is blocked", "It broke the rules of this service, so it leads nowhere."),
    "password": ("", "Please enter the password", "{business} has protected this code."),
    "inspect": ("", "Where this code leads", ""),
    "stale-test": (
        "clock",
        "This test is over",
        "A test code works for a quarter of an hour. Make a new one on the code's page.",
    ),
}


# guests get no cookie, so there is no token to compare: `_unlock` looks at where the password came from
@csrf_exempt
def scan(request: HttpRequest, slug: str) -> HttpResponse:
    """`/q/CODE`: 302 to the target. A POST brings the password of a protected code."""
    if token := request.GET.get("test"):
        return _test_scan(request, slug, token)
    follow = front_door.follow(KIND, slug)
    if follow is not None and request.method in ("GET", "HEAD"):
        return follow_response(request, follow)
    found = _found(slug)
    if found is None:
        return _unknown(request, slug)
    address, code = found
    state = address.publication.state
    if code is None or state is not State.LIVE:
        return page(request, state.value, address, status=410 if state is State.DELETED else 404)
    if request.method == "POST" and address.publication.password:
        return _unlock(request, address, code)
    if request.method not in ("GET", "HEAD"):
        return HttpResponse(status=405, headers={"Allow": "GET, HEAD"})
    return page(request, "password", address)


def _found(slug: str) -> tuple[Address, Code | None] | None:
    address = Address.find(KIND, slug)
    if address is None:
        return None
    return address, Code.objects.filter(publication=address.publication).first()


def _unlock(request: HttpRequest, address: Address, code: Code) -> HttpResponse:
    if not same_origin(request):
        return page(request, "password", address, status=403, problem="Please send the password from this page.")
    if not allow(request, f"unlock:{code.pk}", limit=TRIES, window=10 * MINUTE):
        problem = "Too many tries. Please wait ten minutes."
        return page(request, "password", address, status=429, problem=problem)
    if not address.publication.unlocks(request.POST.get("password", "")[:200]):
        return page(request, "password", address, status=403, problem="That is not the password. Please try again.")
    # a protected code counts when it opens, not when it asks
    return follow_response(request, Follow(address.publication_id, SCAN, code.target_url))


def test_link(code: Code) -> str:
    """An address that leads on for a quarter of an hour without counting, for the owner's own phone."""
    return f"{code.short_url}?test={signing.dumps(code.pk, salt=TEST_SALT)}"


def _test_scan(request: HttpRequest, slug: str, token: str) -> HttpResponse:
    found = _found(slug)
    try:
        id = signing.loads(token, salt=TEST_SALT, max_age=TEST_AGE)
    except signing.BadSignature:
        id = None
    address, code = found or (None, None)
    if address is None or code is None or code.pk != id:
        return page(request, "stale-test", status=404)
    if address.publication.state is not State.LIVE:
        return page(request, address.publication.state.value, address, status=404)
    response = HttpResponseRedirect(code.target_url)
    response.headers["Cache-Control"] = "no-store"
    return response


def inspect(request: HttpRequest, slug: str) -> HttpResponse:
    """`/q/CODE+`: where the code leads, without going there."""
    found = _found(slug)
    if found is None:
        return _unknown(request, slug)
    address, code = found
    state = address.publication.state
    if code is None or state is not State.LIVE:
        return page(request, state.value, address, status=410 if state is State.DELETED else 404)
    if address.publication.password:  # what it protects is not told
        return page(request, "inspect", address)
    url, made = code.target_url, code.created_at
    return page(request, "inspect", address, target=Target.of(url), target_url=url, made=made, since=_since(code))


def _since(code: Code) -> datetime | None:
    """When the code began to lead where it leads; None when it always did."""
    moments = [moment for change in code.retargets.values_list("at", "undone_at") for moment in change if moment]
    return max(moments, default=None)


def _unknown(request: HttpRequest, slug: str) -> HttpResponse:
    # what was typed is shown, for comparing with the paper, unless it could pass for a text of ours
    typed = slug if SLUG_LIKE.fullmatch(slug) else ""
    has_lookalikes = bool(set(typed.lower()) & set("01ilo"))
    return page(request, "unknown", status=404, typed=typed, has_lookalikes=has_lookalikes)


def picture(request: HttpRequest, slug: str, form: str) -> HttpResponse:
    """`/q/CODE.svg` and `/q/CODE.png?size=`: the code itself, a public address that agents can hand on."""
    found = _found(slug)
    if found is None or found[1] is None or found[0].publication.state is State.BANNED:
        return page(request, "unknown", status=404)
    return picture_of(request, found[1], form)


def page(
    request: HttpRequest, kind: str, address: Address | None = None, *, status: int = 200, **more: object
) -> HttpResponse:
    account = address.publication.account if address else None
    business = account.name if account else ""
    sign, heading, text = SAYINGS[kind]
    context = {
        "kind": kind,
        "sign": _large(sign),
        "heading": heading,
        "text": text.format(business=business or "Its owner"),
        "slug": address.slug if address else "",
        "business": business,
        "host": settings.BASE_URL.partition("://")[2],
        **more,
    }
    response = render(request, "qr/guest.html", context, status=status)
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Robots-Tag"] = "noindex"
    return response


def _large(name: str) -> SafeString:
    """An icon at the size of a page's sign."""
    return mark_safe(icon(name).replace('width="20" height="20"', 'width="32" height="32"')) if name else mark_safe("")
