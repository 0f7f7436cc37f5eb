"""Which mails the owner gets about what comes in."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from workspace.dashboard.session import SignedInRequest, signed_in
from workspace.delivery import news
from workspace.storage.database import writing


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def notices(request: SignedInRequest) -> HttpResponse:
    if request.method == "POST":
        wanted = set(request.POST.getlist("on"))
        with writing():
            account = request.account.lock()
            news.switch(account, {one.kind.name: one.kind.name in wanted for one in news.switches(account)})
        messages.success(request, "Saved.")
        return redirect("notices")
    page = {"switches": news.switches(request.account), "to": request.account.owner.email}
    return render(request, "account_pages/notices.html", page)
