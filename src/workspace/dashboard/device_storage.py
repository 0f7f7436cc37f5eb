"""An account's data on a device: bound to a person and an account, and deleted when the person leaves.

The browser's part is in `static/dashboard/device.js`.
"""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.templatetags.static import static
from django.utils.crypto import salted_hmac

from workspace.accounts.models import Account, Person
from workspace.lib import strict_json

STORE_SCRIPT = "dashboard/checkin/store.js"
HEADER = "Clear-Site-Data"


def owner_token(request: HttpRequest) -> str:
    """Return a hash that identifies but does not reveal the person and the account of this page, or ""."""
    person, account = getattr(request, "user", None), getattr(request, "account", None)
    if not isinstance(person, Person) or not isinstance(account, Account):
        return ""
    return salted_hmac(
        "workspace.dashboard.device_storage", f"{person.pk}/{account.pk}", algorithm="sha256"
    ).hexdigest()[:32]


def clear_device_storage(response: HttpResponse) -> None:
    """Tell the browser to delete everything that it stores for this site, except cookies."""
    response.headers[HEADER] = '"cache", "storage"'


def clear_stored_pages(response: HttpResponse) -> None:
    """Tell the browser to delete its stored pages when the person switches accounts.

    The next page deletes stored lists. Unsent check-ins are kept until the person returns to their account.
    """
    response.headers[HEADER] = '"cache"'


def service_worker_response(script: str) -> HttpResponse:
    """Return the service worker from this static file. It stores pages through `store.js`."""
    sources = ", ".join(strict_json.dumps(static(one)).decode() for one in (STORE_SCRIPT, script))
    response = HttpResponse(f"importScripts({sources});\n", content_type="text/javascript")
    response.headers["Cache-Control"] = "no-cache"
    return response
