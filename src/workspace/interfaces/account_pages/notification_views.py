"""The page of notification settings."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from workspace.dashboard.item_presenters import redirect_with_message
from workspace.dashboard.session import SignedInRequest, require_sign_in
from workspace.dashboard.tool_views import call_tool
from workspace.delivery import account_settings_tools, notifications
from workspace.owner_translation import owner_gettext


@require_http_methods(["GET", "HEAD", "POST"])
@require_sign_in
def notification_settings(request: SignedInRequest) -> HttpResponse:
    if request.method == "POST":
        wanted = set(request.POST.getlist("on"))
        kinds = [one.kind.name for one in notifications.list_switches(request.account)]
        call_tool(request, account_settings_tools.edit, notifications={name: name in wanted for name in kinds})
        return redirect_with_message(request, owner_gettext("Notifications saved."), reverse("notifications"))
    page = {"switches": notifications.list_switches(request.account), "to": request.account.owner.email}
    return render(request, "account_pages/notifications.html", page)
