"""One question: its form opens in its row where script runs, else on a page; a new one, a second one like it."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render

from workspace.brand.models import Brand
from workspace.dashboard.forms import ToolForm
from workspace.dashboard.item_presenters import ask, done
from workspace.dashboard.session import SignedInRequest, is_part
from workspace.dashboard.tool_views import call, page
from workspace.lib.errors import InvalidInput, Issue, NotFound
from workspace.products.form.api import tools
from workspace.products.form.api.serializers import FormWhole
from workspace.products.form.dashboard import build_views
from workspace.products.form.dashboard.condition_text import Sentences
from workspace.products.form.dashboard.field_type_labels import CHOICES, GROUPS, NAMES, SETTINGS, settings_of
from workspace.products.form.dashboard.layout import FRAME
from workspace.products.form.dashboard.option_lines import as_lines, from_lines
from workspace.products.form.dashboard.presenters import find, question_of, said_elsewhere
from workspace.products.form.rules import field_types

LABELS = {
    "label": "Question",
    "type": "Kind of answer",
    "hint": "Help",
    "options": "Options",
    "placeholder": "Example in the field",
    "default": "Stands there at first",
    "min_length": "At least so many characters",
    "max_length": "At most so many characters",
    "pattern": "Has to look like",
    "min": "Least",
    "max": "Most",
    "accept": "Kinds of files",
    "max_files": "Files at most",
    "max_mb": "MB of each at most",
    "formula": "How it is counted",
    "decimals": "Decimals",
}
_SWITCHES = ("required", "whole", "other", "section", "hidden")


@page("GET", "HEAD", "POST")
def question(request: SignedInRequest, id: str, key: str) -> HttpResponse:
    found = find(request, id)
    row = question_of(found, key)
    form = question_form(request, found, row)
    if "_redraw" in request.POST:
        return _drawn(request, found, form, row)
    if request.method == "POST" and saved(request, form, found):
        said = "Saved. Guests see it on their next load."
        return build_views.listed(request, id, said, focus=key)
    return _drawn(request, found, form, row)


@page("GET", "HEAD", "POST")
def new(request: SignedInRequest, id: str) -> HttpResponse:
    found = find(request, id)
    into = request.GET.get("page", "")
    to = next((one for one in found["pages"] if one["key"] == into), found["pages"][-1])
    type = request.POST.get("type") or request.GET.get("type", "")
    context = {
        "page_key": to["key"],
        "page_title": to["title"],
        "url": f"{FRAME.home}/{id}/add?page={to['key']}",
        "back": f"{FRAME.home}/{id}",
        "in_place": is_part(request),
    }
    if type not in NAMES:
        return _part_or_page(request, id, "types", {**context, "groups": GROUPS})
    form = question_form(request, found, {"type": type, "page": to["key"]})
    if "_redraw" not in request.POST and request.method == "POST" and saved(request, form, found):
        there = {one["key"] for one in _fields(found)}
        now = find(request, id)
        added = next((one["key"] for one in _fields(now) if one["key"] not in there), "")
        return build_views.listed(request, id, "Added. Guests see it on their next load.", focus=added, now=now)
    return _drawn(request, found, form, {"type": type, "page": to["key"]}, context)


@page("POST")
def duplicate(request: SignedInRequest, id: str, key: str) -> HttpResponse:
    """A second one, right behind it."""
    found = find(request, id)
    row = question_of(found, key)
    taken = FRAME.find(request, id).keys
    second = next(name for number in range(2, 1000) if (name := f"{key[:36]}_{number}") not in taken)
    keys = [one["key"] for one in _fields(found)]
    keys.insert(keys.index(key) + 1, second)
    copy = {**row, "key": second}
    call(request, tools.save_fields, id=id, items=[copy], order=keys)
    return build_views.listed(request, id, f"“{row['label'][:60]}” stands there twice now.", focus=second)


@page("GET", "HEAD", "POST")
def remove(request: SignedInRequest, id: str, key: str) -> HttpResponse:
    found = find(request, id)
    row = question_of(found, key)
    if request.method == "POST":
        try:
            call(request, tools.save_fields, id=id, remove=[key])
        except InvalidInput as refusal:
            left = [{**page, "fields": [one for one in page["fields"] if one["key"] != key]} for page in found["pages"]]
            told = f"Others need it. {said_elsewhere(refusal, left)}"
            raise InvalidInput([Issue("", told)]) from None
        return done(request, f"“{row['label'][:60]}” is not asked any more.", f"{FRAME.home}/{id}")
    return ask(
        request,
        title=f"Remove “{row['label'][:80]}”?",
        text="Guests are not asked any more. What was answered stays with the responses.",
        button="Remove it",
        back=f"{FRAME.home}/{id}/questions/{key}",
    )


def question_form(request: SignedInRequest, found: FormWhole, row: dict[str, Any]) -> ToolForm:
    """Of one that is there, or of a new one, which has no key: with the settings that go with its type."""
    key = row.get("key", "")
    initial = {name: row[name] for name in SETTINGS if name in row}
    if _type_of(request, row) in field_types.ASKED_FOR and not (key and row["type"] in field_types.ASKED_FOR):
        initial["required"] = True  # as the tool takes one that is new
    form = ToolForm(
        tools.save_fields,
        request,
        initial=initial,
        fixed={"id": found["id"]},
        editing=bool(key),
        labels=LABELS,
        entry="items",
        entry_fixed={"key": key} if key else {"page": row["page"]},
        ids=f"q-{key}" if key else "new",
    )
    if form.bound:
        form.values = _typed(request, row)
    return form


def saved(request: SignedInRequest, form: ToolForm, found: FormWhole) -> bool:
    """Whether it is; else what is wrong stands at the form's fields, and of other questions above them."""
    if form.submit(request.caller):
        return True
    elsewhere = [Issue(path, text) for path in form.errors if path.startswith("pages.") for text in form.errors[path]]
    if elsewhere:
        form.error = said_elsewhere(InvalidInput(elsewhere), found["pages"])
    lines = [path for path in form.errors if path.startswith("options.")]
    if lines:
        told = [f"Line {int(path.split('.')[1]) + 1}: {form.errors[path][0]}" for path in lines]
        form.errors["options"] = (". ".join(told),)
    words = Sentences(found["pages"])
    form.errors = {
        path: tuple(words.problem(text) for text in texts)
        for path, texts in form.errors.items()
        if not path.startswith(("options.", "pages."))
    }
    return False


def _type_of(request: SignedInRequest, row: dict[str, Any]) -> str:
    type = request.POST.get("type", "")
    return type if type in NAMES else str(row["type"])


def _typed(request: SignedInRequest, row: dict[str, Any]) -> dict[str, Any]:
    """What was posted of the settings that go with the chosen type; what went with another one is taken away."""
    type = _type_of(request, row)
    values: dict[str, Any] = {name: "" for name in SETTINGS if name in row}
    for name in settings_of(type):
        text = request.POST.get(name, "").replace("\r\n", "\n").strip()
        if name == "required" and "_redraw" in request.POST and type in field_types.ASKED_FOR:
            values[name] = True
        elif name in _SWITCHES:
            values[name] = name in request.POST
        elif name == "options":
            values[name] = from_lines(text, row.get("options", ()), Brand.of(request.account).country)
        elif name == "accept":
            values[name] = [one for one in text.replace(",", " ").split() if one]
        else:
            values[name] = text
    for name in _SWITCHES:
        if name in values and values[name] == "":
            values[name] = False
    if row.get("other") and "other" not in settings_of(type):
        values["other"] = ""
    values["type"] = type
    return values


def _drawn(
    request: SignedInRequest,
    found: FormWhole,
    form: ToolForm,
    row: dict[str, Any],
    more: dict[str, Any] | None = None,
) -> HttpResponse:
    id, key = found["id"], row.get("key", "")
    type = form.values.get("type") or row["type"]
    options = form.values.get("options") or []
    url = f"{FRAME.home}/{id}/questions/{key}"
    words = Sentences(found["pages"])
    settings = settings_of(type)
    context = {
        "form": form,
        "question": {**row, "name": row.get("label", "")},
        "type": type,
        "type_name": NAMES[type],
        "types": CHOICES,
        "settings": settings,
        "family": field_types.family(type),
        "options": as_lines(options) if isinstance(options, list) else "",
        "accept": ", ".join(form.values.get("accept") or []),
        "limits": {name for name in settings if name not in ("label", "type", "hint", "required", "options", "other")},
        "opened": any(name in row or form.errors.get(name) for name in ("min_length", "max_length", "pattern", "min",
                      "max", "step", "whole", "placeholder", "default", "decimals")),
        "shown_if": words.condition(row["show_if"]) if "show_if" in row else "",
        "required_if": words.condition(row["require_if"]) if "require_if" in row and not row.get("required") else "",
        "countable": _countable(found, row),
        "url": url,
        "back": f"{FRAME.home}/{id}",
        "in_place": is_part(request),
        **(more or {}),
    }  # fmt: skip
    return _part_or_page(request, id, "question_form", context, form.status)


def _countable(found: FormWhole, row: dict[str, Any]) -> list[dict[str, Any]]:
    """What a formula of this question may name: what stands on its page, or before it."""
    keys = [page["key"] for page in found["pages"]]
    before = found["pages"][: keys.index(row["page"]) + 1] if row["page"] in keys else []
    return [one for page in before for one in page["fields"] if _counts(one) and one["key"] != row.get("key")]


def _counts(one: dict[str, Any]) -> bool:
    family = field_types.family(one["type"])
    if family in (field_types.CHOICE, field_types.MULTI):
        return any("score" in option for option in one["options"])
    return family in (field_types.NUMBER, field_types.YES_NO, field_types.TICK)


def _part_or_page(
    request: SignedInRequest, id: str, part: str, context: dict[str, Any], status: int = 200
) -> HttpResponse:
    if not is_part(request):
        return FRAME.page(request, id, "form/question.html", {**context, "part": f"form/parts/{part}.html"}, status)
    response = render(request, f"form/parts/{part}.html", context, status=status)
    if request.method == "POST":  # a refused one stays where it was opened
        place = f"edit-{context['question']['key']}" if context["question"].get("key") else f"new-{context['page_key']}"
        response.headers["HX-Retarget"], response.headers["HX-Reswap"] = f"#{place}", "innerHTML"
    return response


def _fields(found: FormWhole) -> list[dict[str, Any]]:
    return [one for page in found["pages"] for one in page["fields"]]


def preview_form(request: SignedInRequest, id: str) -> ToolForm | None:
    """The form of the question that is being typed, for the phone; None where it is gone."""
    found = find(request, id)
    key = request.POST.get("_question", "")
    try:
        row = question_of(found, key) if key else {"type": request.POST.get("type", ""), "page": ""}
    except NotFound:
        return None
    if not key:
        to = request.POST.get("_page", "")
        if row["type"] not in NAMES or to not in {one["key"] for one in found["pages"]}:
            return None
        row["page"] = to
    return question_form(request, found, row)
