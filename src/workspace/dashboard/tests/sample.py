"""A tool with every kind of argument, and pages over it, for the tests of this package."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from django.db.models import F
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import include, path
from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.dashboard.forms import ToolForm
from workspace.dashboard.session import SignedInRequest, redirect_full_page, require_sign_in
from workspace.lib.errors import InvalidInputError, OperationNotAllowedError
from workspace.tools.answer import Answer
from workspace.tools.argument_types import Id, Line
from workspace.tools.tool import Toolbox

box = Toolbox("qr", "QR codes")
Name = Annotated[str, Line(40)]
Folder = Annotated[str, Line(40, least=0)]


class Link(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    title: Name
    url: Name
    shown: bool = True
    size: Literal["small", "large"] = "small"


class Style(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    color: Name | None = None
    margin: int | None = None


@box.tool("svc_sample_create", title="Create a sample", about="Create a sample.")
def create(
    account: Account,
    name: Name,
    folder: Folder | None = None,
    count: Annotated[int, Field(ge=1, le=9)] | None = None,
    price: float | None = None,
    public: bool = True,
    size: Literal["small", "large"] | None = None,
    tags: list[Literal["vegan", "halal"]] | None = None,
    links: Annotated[list[Link], Field(max_length=3)] | None = None,
    style: Style | None = None,
) -> Answer[dict[str, Any]]:
    """Create something, and count the call in the account's event credits."""
    if name == "full":
        raise OperationNotAllowedError("Your plan holds no more samples")
    if name == "taken":
        raise InvalidInputError.at_path("name", "This name is taken")
    Account.objects.filter(pk=account.pk).update(event_credits=F("event_credits") + 1)
    return Answer({"name": name, "public": public, "links": len(links or [])}, f"Made {name}")


@box.tool("svc_sample_edit", title="Edit a sample", about="Edit a sample.", idempotent=True)
def edit(
    account: Account, id: Id, folder: Folder | None = None, count: int | None = None, public: bool | None = None
) -> Answer[dict[str, Any]]:
    """Return the arguments."""
    given = {"folder": folder, "count": count, "public": public}
    return Answer({name: value for name, value in given.items() if value is not None}, f"Changed {id}")


class Entry(TypedDict, total=False):
    id: Id
    title: Name
    note: Folder
    count: Annotated[int, Field(ge=1, le=9)]


@box.tool("svc_sample_save", title="Save samples", about="Save samples.", idempotent=True)
def save(account: Account, sample_id: Id, items: list[Entry]) -> Answer[dict[str, Any]]:
    """Return the arguments."""
    for number, item in enumerate(items):
        if item.get("title") == "taken":
            raise InvalidInputError.at_path(f"items.{number}.title", "This title is taken")
    return Answer({"sample_id": sample_id, "items": items}, f"Changed {sample_id}")


@require_sign_in
def new(request: SignedInRequest) -> HttpResponse:
    form = ToolForm(create, request, labels={"name": "Label", "links.url": "Address"})
    if form.submit(request.caller):
        return redirect_full_page(request, "/app")
    return render(request, "sample/new.html", {"form": form}, status=form.status)


@require_sign_in
def session_page(request: SignedInRequest) -> HttpResponse:
    return HttpResponse(f"{request.account.pk} {request.caller.bucket} {request.caller.person}")


urlpatterns = [
    path("", include("workspace.dashboard.urls")),
    path("app/sample/new", new),
    path("app/seen", session_page),
]

NEW_PAGE = """{% extends "dashboard/page.html" %}{% load dashboard %}
{% block title %}New{% endblock %}{% block heading %}New{% endblock %}
{% block content %}<form method="post">{% form_top form %}
{% field form "name" help="Only you see it." %}{% field form "folder" %}{% field form "count" %}
{% field form "price" unit="US dollars" %}
{% field form "public" %}{% field form "size" %}{% field form "tags" %}
{% marker "links" %}{% form_rows form "links" spare=2 as links %}{% for row in links %}
{% field row "title" %}{% field row "url" kind="url" %}
{% field row "shown" %}{% field row "size" kind="radios" %}{% endfor %}
<button>Make it</button></form>{% endblock %}"""
