"""Bodies made to be slow: parsed in linear time, and refused if they are too long."""

from __future__ import annotations

import json
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.test import Client

from workspace.interfaces import anonymous_body_limits
from workspace.lib import strict_json as strict
from workspace.lib.errors import InvalidInputError
from workspace.public_site import verify_views
from workspace.rate_limits.table import get_limit
from workspace.testing.api import Api


def test_a_repeated_name_among_many_is_found_quickly() -> None:
    # quadratic time would take hours and exceed the time limit of the test
    names = ",".join(f'"k{number}":1' for number in range(300_000))
    with pytest.raises(InvalidInputError) as refused:
        strict.parse(f'{{{names},"k299999":2}}'.encode())
    assert refused.value.issues[0].path == "k299999"


@pytest.mark.django_db
def test_a_large_body_is_accepted_only_from_an_authorized_caller(api: Api) -> None:
    owner = Client()
    owner.force_login(api.account.owner, "allauth.account.auth_backends.AuthenticationBackend")
    cookie = f"{settings.SESSION_COOKIE_NAME}={owner.cookies[settings.SESSION_COOKIE_NAME].value}"
    key = f"Bearer {api.key}"

    def judged(path: str, **headers: str) -> int | None:
        headers = {"content-type": "multipart/form-data; boundary=x", **headers}
        lines = [(name.encode(), value.encode()) for name, value in headers.items()]
        refused = anonymous_body_limits.find_rejection({"path": path, "headers": lines})
        if refused is not None and refused.status == 401:
            assert refused.headers[0][0] == b"www-authenticate"
        return refused.status if refused else None

    assert [judged(path, authorization=key) for path in ("/api/v1/call", "/mcp")] == [None, None]
    assert [judged(path, authorization=f"{key[:-1]}!") for path in ("/api/v1/upload", "/mcp")] == [401, 401]
    assert judged("/api/v1/call", cookie=cookie) == 401
    assert judged("/app/menu", cookie=cookie) is None
    assert judged("/app/menu", cookie=f"{settings.SESSION_COOKIE_NAME}=of-nobody") == 413
    fits, more = str(verify_views.MAX_BYTES), str(2 * verify_views.MAX_BYTES)
    page = urlsplit(api.run("svc_reviews_create", title="How was it?")["public_url"]).path
    form = urlsplit(api.run("svc_form_create", title="Tell us")["public_url"]).path
    framed = [f"{form}{part}" for part in ("", "/embed", "/embed/thanks", "/embedded")]
    assert [judged(path, **{"content-length": more}) for path in framed] == [None, None, 413, 413]
    kinds = [b"multipart/form-data; boundary=x", b"application/json"]
    most = [
        anonymous_body_limits.max_body_size({"path": path, "headers": [(b"content-type", kind)]})
        for path in (form, "/api/v1/call")
        for kind in kinds
    ]
    assert most == [settings.MAX_FILES, *[settings.MAX_BODY] * 3], "several files of a response come together"
    for path in (page, page.upper()):
        assert judged(path, **{"content-length": more}) is None
        assert judged(path) == 413, "whoever does not say how large it is"
        plain = {"content-length": more, "content-type": "application/x-www-form-urlencoded"}
        assert judged(path, **plain) == 413, "a form without files"
    for path in ("/app/menu", "/c/olive/exchange", "/r/nobody", f"{page}/thanks", f"{page}/", f"{page}/embed"):
        assert judged(path, **{"content-length": more}) == 413
    assert judged("/verify", **{"content-length": fits}) is None
    assert [judged("/verify", **{"content-length": more}), judged("/verify"), judged("/verify/more")] == [413] * 3
    tries = [judged(path, **{"content-length": fits}) for path in [page, "/verify"] * get_limit("large-body").count]
    assert (tries.count(None), tries[-1]) == (get_limit("large-body").count - 5, 429), (
        "of one address, wherever it sends them"
    )
    assert judged("/app/menu", cookie=cookie) is None


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/device/start", "/device/token"])
def test_an_unknown_client_may_send_only_a_short_body(path: str) -> None:
    body = json.dumps({"name": "Command line", "device_code": "x", "more": "x" * 1_000_000})
    response = Client().post(path, body, content_type="application/json")
    assert response.status_code == 413
