"""Making one code."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render

from workspace.dashboard.forms import ToolForm
from workspace.dashboard.session import SignedInRequest, redirect_whole
from workspace.products.qr.dashboard.calls import CREATE, HOME, page
from workspace.products.qr.rows import folders_of

LABELS = {"name": "Name", "target_url": "Where it leads", "folder": "Folder"}


@page("GET", "HEAD", "POST")
def new(request: SignedInRequest) -> HttpResponse:
    initial = {"folder": request.GET.get("folder", "")[:60]}
    form = ToolForm(CREATE, request, initial=initial, labels=LABELS)
    if answer := form.submit(request.caller):
        return redirect_whole(request, f"{HOME}/{answer.data['id']}?made")
    context = {"form": form, "folders": folders_of(request.account)}
    return render(request, "qr/new.html", context, status=form.status)
