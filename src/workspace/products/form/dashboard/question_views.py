"""The forms for a question: editing, adding, duplicating and removing it.

With scripts, the form opens in the row of the question, and otherwise on a page.
"""

from __future__ import annotations

from typing import Any, cast

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext

from workspace.brand.models import Brand
from workspace.dashboard.forms import ToolForm
from workspace.dashboard.item_presenters import redirect_with_message, render_confirmation
from workspace.dashboard.session import SignedInRequest, is_partial
from workspace.dashboard.tool_views import call_tool, page
from workspace.lib.errors import InvalidInputError, Issue, NotFoundError
from workspace.owner_translation import owner_gettext_lazy
from workspace.products.form.api import tools
from workspace.products.form.api.serializers import FormDetail
from workspace.products.form.dashboard.condition_text import ConditionWriter
from workspace.products.form.dashboard.field_type_labels import (
    ALL_SETTINGS,
    TYPE_CHOICES,
    TYPE_GROUPS,
    TYPE_NAMES,
    settings_for,
)
from workspace.products.form.dashboard.item_layout import LAYOUT
from workspace.products.form.dashboard.option_lines import format_options, parse_options
from workspace.products.form.dashboard.presenters import (
    describe_other_problems,
    get_form,
    get_question,
    join_sentences,
)
from workspace.products.form.dashboard.question_list import render_question_list
from workspace.products.form.rules import field_types

LABELS = {
    "label": owner_gettext_lazy("Question"),
    "type": owner_gettext_lazy("Answer type"),
    "hint": owner_gettext_lazy("Help text"),
    "options": owner_gettext_lazy("Options"),
    "placeholder": owner_gettext_lazy("Placeholder"),
    "default": owner_gettext_lazy("Default value"),
    "min_length": owner_gettext_lazy("Minimum characters"),
    "max_length": owner_gettext_lazy("Maximum characters"),
    "pattern": owner_gettext_lazy("Pattern"),
    "min": owner_gettext_lazy("Minimum"),
    "max": owner_gettext_lazy("Maximum"),
    "accept": owner_gettext_lazy("File types"),
    "max_files": owner_gettext_lazy("Maximum files"),
    "max_mb": owner_gettext_lazy("Maximum file size (MB)"),
    "formula": owner_gettext_lazy("Formula"),
    "decimals": owner_gettext_lazy("Decimals"),
}
_BOOLEAN_SETTINGS = ("required", "whole", "other", "section", "hidden")


@page("GET", "HEAD", "POST")
def edit(request: SignedInRequest, id: str, key: str) -> HttpResponse:
    form_detail = get_form(request, id)
    row = get_question(form_detail, key)
    form = build_form(request, form_detail, row)
    if "_redraw" in request.POST:
        return _render_form(request, form_detail, form, row)
    if request.method == "POST" and (saved := save_question(request, form, form_detail)):
        return render_question_list(request, id, gettext("Question saved."), focus=key, form=saved)
    return _render_form(request, form_detail, form, row)


@page("POST")
def rename(request: SignedInRequest, id: str, key: str) -> HttpResponse:
    """Save the text of a question that was edited in the list. Its other settings do not change."""
    label = request.POST.get("label", "").strip()
    call_tool(request, tools.save_fields, id=id, items=[{"key": key, "label": label}])
    if is_partial(request):
        return HttpResponse(status=204)  # the page shows what was typed
    return render_question_list(request, id, gettext("Question saved."), focus=key)


@page("GET", "HEAD", "POST")
def new(request: SignedInRequest, id: str) -> HttpResponse:
    form_detail = get_form(request, id)
    into = request.GET.get("page", "")
    to = next((page for page in form_detail["pages"] if page["key"] == into), form_detail["pages"][-1])
    type = request.POST.get("type") or request.GET.get("type", "")
    context = {
        "page_key": to["key"],
        "page_title": to["title"],
        "url": f"{LAYOUT.home}/{id}/add?page={to['key']}",
        "back": f"{LAYOUT.home}/{id}",
        "in_place": is_partial(request),
    }
    if type not in TYPE_NAMES:
        return _render_part(request, id, "types", {**context, "groups": TYPE_GROUPS})
    form = build_form(request, form_detail, {"type": type, "page": to["key"]})
    is_quick = "_quick" in request.POST  # the form has only fields for the question and its type
    is_complete = "_redraw" not in request.POST and not (is_quick and "options" in settings_for(type))
    if request.method == "POST" and is_complete and (saved := save_question(request, form, form_detail)):
        existing = {field["key"] for field in _list_fields(form_detail)}
        added = next((field["key"] for field in _list_fields(saved) if field["key"] not in existing), "")
        saved = _place_after(request, saved, added, request.POST.get("_after", ""))
        continued = {"continue_after": added} if is_quick else {"focus": added}
        return render_question_list(request, id, gettext("Question added."), form=saved, **continued)
    return _render_form(request, form_detail, form, {"type": type, "page": to["key"]}, context)


def _place_after(request: SignedInRequest, form: FormDetail, key: str, former: str) -> FormDetail:
    """Move a question behind another one. Return the form with the new order."""
    keys = [field["key"] for field in _list_fields(form)]
    if former not in keys or key not in keys or keys.index(key) == keys.index(former) + 1:
        return form
    keys.remove(key)
    keys.insert(keys.index(former) + 1, key)
    return call_tool(request, tools.save_fields, id=form["id"], order=keys)


@page("POST")
def duplicate(request: SignedInRequest, id: str, key: str) -> HttpResponse:
    """Duplicate a question, right after the original."""
    form = get_form(request, id)
    row = get_question(form, key)
    taken = LAYOUT.get_item(request, id).keys
    second = next(name for number in range(2, 1000) if (name := f"{key[:36]}_{number}") not in taken)
    keys = [field["key"] for field in _list_fields(form)]
    keys.insert(keys.index(key) + 1, second)
    copy = {**row, "key": second}
    call_tool(request, tools.save_fields, id=id, items=[copy], order=keys)
    return render_question_list(request, id, gettext("Question duplicated."), focus=second)


@page("GET", "HEAD", "POST")
def remove(request: SignedInRequest, id: str, key: str) -> HttpResponse:
    form = get_form(request, id)
    row = get_question(form, key)
    if request.method == "POST":
        try:
            call_tool(request, tools.save_fields, id=id, remove=[key])
        except InvalidInputError as refusal:
            left = [
                {**page, "fields": [field for field in page["fields"] if field["key"] != key]} for page in form["pages"]
            ]
            problems = describe_other_problems(refusal, left)
            text = gettext("Other questions depend on this one. %(problems)s") % {"problems": problems}
            raise InvalidInputError([Issue("", text)]) from None
        message = gettext("“%(name)s” removed.") % {"name": row["label"][:60]}
        return redirect_with_message(request, message, f"{LAYOUT.home}/{id}")
    return render_confirmation(
        request,
        title=gettext("Remove “%(name)s”?") % {"name": row["label"][:80]},
        text=gettext("The question is no longer asked. Earlier answers are kept."),
        button=gettext("Remove question"),
        back=f"{LAYOUT.home}/{id}/questions/{key}",
    )


def build_form(request: SignedInRequest, form_detail: FormDetail, row: dict[str, Any]) -> ToolForm:
    """Build the form of an existing question, or of a new one (without a key), with the settings of its type."""
    key = row.get("key", "")
    initial = {name: row[name] for name in ALL_SETTINGS if name in row}
    if _selected_type(request, row) in field_types.REQUIRED_BY_DEFAULT and not (
        key and row["type"] in field_types.REQUIRED_BY_DEFAULT
    ):
        initial["required"] = True  # the tool's default for a new question
    form = ToolForm(
        tools.save_fields,
        request,
        initial=initial,
        fixed={"id": form_detail["id"]},
        editing=bool(key),
        labels=LABELS,
        entry="items",
        entry_fixed={"key": key} if key else {"page": row["page"]},
        ids=f"q-{key}" if key else "new",
    )
    if form.is_bound:
        form.values = _parse_form(request, row)
    return form


def save_question(request: SignedInRequest, form: ToolForm, form_detail: FormDetail) -> FormDetail | None:
    """Save a question and return the form. Return None if the question was rejected.

    In that case, its errors are shown at their fields, and errors of other questions above them.
    """
    if answer := form.submit(request.caller):
        return cast("FormDetail", answer.data)
    elsewhere = [Issue(path, text) for path in form.errors if path.startswith("pages.") for text in form.errors[path]]
    if elsewhere:
        form.error = describe_other_problems(InvalidInputError(elsewhere), form_detail["pages"])
    lines = [path for path in form.errors if path.startswith("options.")]
    if lines:
        line_problem = gettext("Line %(number)s: %(problem)s")
        entries = [
            line_problem % {"number": int(path.split(".")[1]) + 1, "problem": form.errors[path][0]} for path in lines
        ]
        form.errors["options"] = (join_sentences(entries),)
    words = ConditionWriter(form_detail["pages"])
    form.errors = {
        path: tuple(words.format_problem(text) for text in texts)
        for path, texts in form.errors.items()
        if not path.startswith(("options.", "pages."))
    }
    return None


def _selected_type(request: SignedInRequest, row: dict[str, Any]) -> str:
    type = request.POST.get("type", "")
    return type if type in TYPE_NAMES else str(row["type"])


def _parse_form(request: SignedInRequest, row: dict[str, Any]) -> dict[str, Any]:
    """Return the posted settings of the chosen type. Settings of other types are cleared."""
    type = _selected_type(request, row)
    values: dict[str, Any] = {name: "" for name in ALL_SETTINGS if name in row}
    for name in settings_for(type):
        text = request.POST.get(name, "").replace("\r\n", "\n").strip()
        if name == "required" and "_redraw" in request.POST and type in field_types.REQUIRED_BY_DEFAULT:
            values[name] = True
        elif name in _BOOLEAN_SETTINGS:
            values[name] = name in request.POST
        elif name == "options":
            values[name] = parse_options(text, row.get("options", ()), Brand.for_account(request.account).country)
        elif name == "accept":
            values[name] = [value for value in text.replace(",", " ").split() if value]
        else:
            values[name] = text
    for name in _BOOLEAN_SETTINGS:
        if name in values and values[name] == "":
            values[name] = False
    if row.get("other") and "other" not in settings_for(type):
        values["other"] = ""
    values["type"] = type
    return values


def _render_form(
    request: SignedInRequest,
    form_detail: FormDetail,
    form: ToolForm,
    row: dict[str, Any],
    more: dict[str, Any] | None = None,
) -> HttpResponse:
    id, key = form_detail["id"], row.get("key", "")
    type = form.values.get("type") or row["type"]
    options = form.values.get("options") or []
    url = f"{LAYOUT.home}/{id}/questions/{key}"
    words = ConditionWriter(form_detail["pages"])
    settings = settings_for(type)
    context = {
        "form": form,
        "question": {**row, "name": row.get("label", "")},
        "type": type,
        "type_name": TYPE_NAMES[type],
        "types": TYPE_CHOICES,
        "settings": settings,
        "family": field_types.answer_family(type),
        "options": format_options(options) if isinstance(options, list) else "",
        "accept": ", ".join(form.values.get("accept") or []),
        "limits": {name for name in settings if name not in ("label", "type", "hint", "required", "options", "other")},
        "opened": any(name in row or form.errors.get(name) for name in ("min_length", "max_length", "pattern", "min",
                      "max", "step", "whole", "placeholder", "default", "decimals")),
        "shown_if": words.format_condition(row["show_if"]) if "show_if" in row else "",
        "required_if": words.format_condition(row["require_if"])
        if "require_if" in row and not row.get("required") else "",
        "countable": _list_formula_fields(form_detail, row),
        "url": url,
        "back": f"{LAYOUT.home}/{id}",
        "in_place": is_partial(request),
        **(more or {}),
    }  # fmt: skip
    return _render_part(request, id, "question_form", context, form.status)


def _list_formula_fields(form: FormDetail, row: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the fields that a formula of this question can use: those on its page or before it."""
    keys = [page["key"] for page in form["pages"]]
    before = form["pages"][: keys.index(row["page"]) + 1] if row["page"] in keys else []
    return [
        field
        for page in before
        for field in page["fields"]
        if _can_be_in_formula(field) and field["key"] != row.get("key")
    ]


def _can_be_in_formula(item: dict[str, Any]) -> bool:
    family = field_types.answer_family(item["type"])
    if family in (field_types.CHOICE, field_types.MULTI):
        return any("score" in option for option in item["options"])
    return family in (field_types.NUMBER, field_types.YES_NO, field_types.TICK)


def _render_part(
    request: SignedInRequest, id: str, template_name: str, context: dict[str, Any], status: int = 200
) -> HttpResponse:
    if not is_partial(request):
        return LAYOUT.render_item_page(
            request,
            id,
            "form/owner/question.html",
            {**context, "part": f"form/owner/parts/{template_name}.html"},
            status,
        )
    response = render(request, f"form/owner/parts/{template_name}.html", context, status=status)
    if request.method == "POST":  # a rejected form stays where it was opened
        element_id = (
            f"edit-{context['question']['key']}" if context["question"].get("key") else f"new-{context['page_key']}"
        )
        response.headers["HX-Retarget"], response.headers["HX-Reswap"] = f"#{element_id}", "innerHTML"
    return response


def _list_fields(form: FormDetail) -> list[dict[str, Any]]:
    return [field for page in form["pages"] for field in page["fields"]]


def build_preview_form(request: SignedInRequest, id: str) -> ToolForm | None:
    """Build the form of the question that is being edited, for the preview.

    Return None if the question no longer exists.
    """
    form = get_form(request, id)
    key = request.POST.get("_question", "")
    try:
        row = get_question(form, key) if key else {"type": request.POST.get("type", ""), "page": ""}
    except NotFoundError:
        return None
    if not key:
        to = request.POST.get("_page", "")
        if row["type"] not in TYPE_NAMES or to not in {page["key"] for page in form["pages"]}:
            return None
        row["page"] = to
    return build_form(request, form, row)
