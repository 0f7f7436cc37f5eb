"""Tools for forms: create, find, edit and delete them, as a whole or by field.

Tools for responses are in `response_tools.py`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Unpack

from pydantic import Field, StringConstraints
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.delivery import webhooks
from workspace.lib import clock
from workspace.lib.errors import InvalidInputError
from workspace.lib.text import escape_markdown, format_count
from workspace.products.form.api.arguments import Answers, FormEdit, FormId, Items, Keys, NewForm, PageItems, Title
from workspace.products.form.api.serializers import FormDetail, FormSummary, form_detail, form_summaries
from workspace.products.form.api.text import form_facts, format_form, format_pages
from workspace.products.form.domain import form_definition, template_gallery
from workspace.products.form.domain.queries import forms_for, get_form
from workspace.products.form.domain.submissions import ERROR_MESSAGES, today_for
from workspace.products.form.models import KIND, Form, Response
from workspace.products.form.rules.definition_fields import answerable_fields
from workspace.products.form.rules.evaluation import evaluate_form
from workspace.publishing.serializers import DeletedItems, get_many_or_404
from workspace.publishing.shared_item_arguments import PUBLISHING_ARGUMENTS, Ids, parse_future_moment
from workspace.storage import journal
from workspace.tools.answer import Answer, Listing, format_fact_list, listing_answer
from workspace.tools.tool import Toolbox

box = Toolbox(KIND, "Forms")


@box.tool("svc_forms_list", title="List forms", reads=True, columns="title responses unread accepting state slug")
def list_forms(account: Account) -> Answer[Listing[FormSummary]]:
    """All your forms, newest first, with title, public link, whether they take answers, and how many came."""
    forms = form_summaries(list(forms_for(account)), account)
    return listing_answer(forms, total=len(forms), offset=0, noun="forms", line=format_form)


@box.tool("svc_form_get", title="Get a form", reads=True)
def get(
    account: Account,
    id: FormId,
    version: Annotated[int, Field(ge=1, le=2**31 - 1, description="What it asked at that version")] | None = None,
) -> Answer[FormDetail]:
    """One form whole: its pages, fields, conditions and jumps as svc_form_create takes them, its settings, its
    versions, and how many answers came."""
    form = get_form(account, id)
    if version is not None and not form.versions.filter(number=version).exists():
        raise InvalidInputError.at_path("version", f"There is no version {version}: the newest is {form.version}")
    result = form_detail(form, version)
    head = f"Form “{escape_markdown(result['title'])}”" + (f", version {version}" if version else "")
    return Answer(result, "\n".join([format_fact_list(head, form_facts(result)), *format_pages(result["pages"])]))


@box.tool("svc_form_create", title="Create a form")
def create(
    account: Account,
    title: Title,
    copy_of: Annotated[
        str,
        StringConstraints(strip_whitespace=True, min_length=1, max_length=300),
        Field(
            description=f"A form of yours, or a template: {', '.join(template_gallery.TEMPLATE_NAMES)}; "
            ".de or .es in other languages"
        ),
    ]
    | None = None,
    **fields: Unpack[NewForm],
) -> Answer[FormDetail]:
    """Make a form in one call: fields, or pages of them with jumps. A field is {label, type, required, options,
    show_if, …}; what is shown, required and counted follows from conditions such as {"field": "kids", "is": true}. All
    that is wrong is named at its place. Without fields it asks for a name, an e-mail address and a message."""
    Form.check_quota(account)
    values: dict[str, Any] = dict(fields)
    fields_input, pages = values.pop("fields", None), values.pop("pages", None)
    started: dict[str, Any] = {}
    if copy_of is not None:
        started = template_gallery.definition_from_template(account, copy_of)
        if fields_input is None and pages is None:
            pages = started.pop("pages")
        started.pop("pages", None)
    if fields_input is None and pages is None:
        fields_input = form_definition.DEFAULT_FIELDS
    definition = form_definition.parse_definition(fields=fields_input, pages=pages)
    published = {name: values.pop(name) for name in PUBLISHING_ARGUMENTS if name in values}
    pushed_to = values.pop("webhook_url", None)
    form = form_definition.create_form(
        account, definition=definition, title=title, **{**started, **_column_values(account, values), **published}
    )
    _set_webhook_url(account, form.pk, pushed_to)
    return form_answer(account, form.pk, f"Created the form “{escape_markdown(title)}”")


@box.tool("svc_form_edit", title="Edit a form", idempotent=True)
def edit(account: Account, id: FormId, **fields: Unpack[FormEdit]) -> Answer[FormDetail]:
    """Change a form: only what is given. fields or pages replace all that it asks, as a new version: keep the keys of
    fields that stay. What was answered keeps the words of its own version. accepting=false closes it for a while."""
    form = get_form(account, id)
    values: dict[str, Any] = dict(fields)
    fields_input, pages = values.pop("fields", None), values.pop("pages", None)
    published = {name: values.pop(name) for name in PUBLISHING_ARGUMENTS if name in values}
    replaced = _set_webhook_url(account, form.pk, values.pop("webhook_url", None))
    form.edit(**_column_values(account, values), **published)
    if fields_input is not None or pages is not None:
        form_definition.save_definition(form, fields=fields_input, pages=pages)
    what = "Changed" if journal.has_changed() else "Nothing changed on"
    more = f". {replaced}" if replaced else ""
    return form_answer(account, id, f"{what} the form “{escape_markdown(form.title)}”{more}")


@box.tool("svc_form_save_fields", title="Add, change and order fields of a form", idempotent=True)
def save_fields(
    account: Account,
    id: FormId,
    items: Items | None = None,
    pages: PageItems | None = None,
    remove: Annotated[Keys, Field(description="Keys of fields to take away")] | None = None,
    order: Annotated[Keys, Field(description="All keys in their new order; each stays on its page")] | None = None,
) -> Answer[FormDetail]:
    """Change some fields and leave the others: those with a key that is there are changed, where something empty takes
    it away; others are added, at the end or on a page. A change is a new version; answers keep their own."""
    if items is None and pages is None and not remove and order is None:
        raise InvalidInputError.at_path("items", "Give items, pages, remove or order")
    form = get_form(account, id)
    changed = form_definition.save_fields(form, items or [], pages=pages, remove=remove or [], order=order)
    what = f"Saved as version {form.version}" if changed else "Nothing changed"
    return form_answer(account, id, f"{what}: “{escape_markdown(form.title)}”")


class AnswerProblem(TypedDict):
    key: str
    code: str
    message: str


class TrialResult(TypedDict):
    """`shown` and `required` are keys of fields, `why` says of those not shown what hides them: their page, their
    section or their own show_if; `kept` is what would be stored; `ignored` are keys of answers that no field
    takes."""

    pages: list[str]
    shown: list[str]
    required: list[str]
    why: dict[str, str]
    kept: dict[str, Any]
    errors: list[AnswerProblem]
    ignored: list[str]


@box.tool("svc_form_test", title="Try answers on a form", reads=True)
def try_answers(account: Account, id: FormId, answers: Answers) -> Answer[TrialResult]:
    """What a guest with these answers would see, and why not the rest; what would be kept, calculated and refused.
    Nothing is stored."""
    form = get_form(account, id)
    result = evaluate_form(form.definition, answers, today_for(account))
    taken = {field["key"] for field in answerable_fields(form.definition) if field["type"] != "calculated"}
    data: TrialResult = {
        "pages": result.pages,
        "shown": list(result.visible),
        "required": result.required,
        "why": result.hidden_by,
        "kept": result.stored_answers,
        "errors": [{"key": key, "code": code, "message": ERROR_MESSAGES[code]} for key, code in result.errors.items()],
        "ignored": [key for key in answers if key not in taken],
    }
    hides = {
        "page": "its page is not reached",
        "section": "its section is hidden",
        "show_if": "its show_if does not hold",
    }
    lines = [
        f"- pages: {', '.join(f'`{key}`' for key in data['pages'])}",
        f"- shown: {', '.join(f'`{key}`' for key in data['shown'])}",
        f"- required: {', '.join(f'`{key}`' for key in data['required']) or 'none'}",
        *(f"- not shown: `{key}` ({reason}): {hides[reason]}" for key, reason in result.hidden_by.items()),
        *(f"- kept: `{key}` = {_format_value(value)}" for key, value in result.stored_answers.items()),
        *(f"- wrong: `{error['key']}` {error['code']}: {error['message']}" for error in data["errors"]),
        *(f"- ignored: `{key}`, which no field here takes" for key in data["ignored"]),
    ]
    return Answer(data, "\n".join([f"Tried on “{escape_markdown(form.title)}”:", "", *lines]))


@box.tool("svc_form_delete", title="Delete forms or responses", destructive=True)
def delete(account: Account, ids: Ids) -> Answer[DeletedItems]:
    """Delete forms with all their responses, or single responses, by id. For 30 days svc_undo brings them back; a
    form's address says at once that it is gone. To stop taking answers use accepting=false of svc_form_edit."""
    mine = Response.objects.filter(account=account, form__binned_at=None).select_related(
        "form__publication", "form__account"
    )
    missing = "There is no such form or response: svc_forms_list and svc_form_responses show them with their ids"
    items = get_many_or_404(ids, missing, forms_for(account), mine)
    forms = [item for item in items if isinstance(item, Form)]
    Form.remove_many(forms)
    removed = {form.pk for form in forms}
    single = [item for item in items if isinstance(item, Response) and item.form_id not in removed]
    if single:
        journal.set_item(KIND, single[0].form_id)
        journal.update_rows((response, {"binned_at": clock.now()}) for response in single)
        for form in {response.form_id: response.form for response in single}.values():
            form.mark_count_changed()
    data: DeletedItems = {"deleted": [{"id": item.pk, "title": _format_title(item)} for item in items]}
    lines = [f"- {escape_markdown(item_name['title'])} `{item_name['id']}`" for item_name in data["deleted"]]
    head = f"Deleted {format_count(len(items), 'entry', 'entries')}, and for 30 days svc_undo brings them back:"
    return Answer(data, "\n".join([head, "", *lines]))


def _format_title(item: Form | Response) -> str:
    return item.title if isinstance(item, Form) else f"Response {item.reference}"


def _format_value(value: Any) -> str:
    return escape_markdown(str(value).lower() if isinstance(value, bool) else str(value))


def _set_webhook_url(account: Account, id: str, url: str | None) -> str:
    """Set the webhook URL. Return a note on a replaced address.

    Raise OperationNotAllowedError if the plan has no webhooks."""
    if url is not None:
        journal.set_item(KIND, id)
    return webhooks.change_item_webhook(account, KIND, id, url)


def _column_values(account: Account, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Convert settings to column values. Raise InvalidInputError for invalid ones."""
    result = dict(fields)
    if "closes_at" in result:
        result["closes_at"] = parse_future_moment(result["closes_at"], account.zone, "closes_at")
    if "max_responses" in result:
        result["max_responses"] = result["max_responses"] or None
    thanks = result.pop("thank_you", None)
    if thanks is not None:
        result |= {"thank_you": thanks.get("text", ""), "redirect_url": thanks.get("redirect_url", "")}
    if "notify" in result:
        result["notify"] = list(dict.fromkeys(result["notify"]))
    return result


def form_answer(account: Account, id: str, title: str) -> Answer[FormDetail]:
    form = form_detail(get_form(account, id))
    return Answer(form, "\n".join([format_fact_list(title, form_facts(form)), *format_pages(form["pages"])]))
