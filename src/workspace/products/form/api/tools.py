"""Tools for forms: create, find, edit and delete them, as a whole or by field.

The tools for responses are in `response_tools.py`.
"""

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
from workspace.products.form import messages
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


@box.tool(
    "svc_forms_list",
    title="List forms",
    about="List forms, newest first, with title, public link, number of responses, and whether they accept responses.",
    short="List forms with public link and number of responses.",
    synonyms="surveys, questionnaires, my forms, rsvp form, formulare, umfragen, fragebögen, formularios, "
    "encuestas, cuestionarios",
    reads=True,
    columns="title responses unread accepting state slug",
)
def list_forms(account: Account) -> Answer[Listing[FormSummary]]:
    forms = form_summaries(forms_for.fetch(account), account)
    return listing_answer(forms, total=len(forms), offset=0, noun="forms", line=format_form)


@box.tool(
    "svc_form_get",
    title="Get a form",
    about="Get a form with its settings, versions and number of responses. Pages, fields, conditions and jumps use the "
    "same format as in svc_form_create.",
    short="Get a form with its fields, logic, settings and versions.",
    synonyms="questions of a form, form details, show survey, formular ansehen, fragen, ver formulario, "
    "preguntas, which fields, form settings",
    reads=True,
)
def get(
    account: Account,
    id: FormId,
    version: Annotated[
        int, Field(ge=1, le=2**31 - 1, description="Version number of the form. Defaults to the current version.")
    ]
    | None = None,
) -> Answer[FormDetail]:
    form = get_form(account, id)
    if version is not None and not form.versions.filter(number=version).exists():
        raise InvalidInputError.at_path("version", messages.VERSION_NOT_FOUND(version=version, newest=form.version))
    result = form_detail(form, version)
    head = f"Form “{escape_markdown(result['title'])}”" + (f", version {version}" if version else "")
    return Answer(result, "\n".join([format_fact_list(head, form_facts(result)), *format_pages(result["pages"])]))


@box.tool(
    "svc_form_create",
    title="Create a form",
    about="Create a form (survey, questionnaire) with fields, or with pages and jumps, in one call. A field is "
    '{label, type, required, options, show_if}. show_if is a condition such as {"field": "kids", "is": true}. '
    "Without fields, the form asks for name, email and message. Errors name the invalid field.",
    short="Create a form with fields, pages and conditional logic.",
    synonyms="survey, questionnaire, contact form, rsvp form, registration, sign-up, application form, poll, quiz, "
    "order form, intake, formular erstellen, umfrage, kontaktformular, anmeldung, crear formulario, encuesta, "
    "cuestionario, inscripción, formulario de contacto",
)
def create(
    account: Account,
    title: Title,
    copy_of: Annotated[
        str,
        StringConstraints(strip_whitespace=True, min_length=1, max_length=300),
        Field(
            description=f"Form to copy, or a template such as rsvp. Templates: "
            f"{', '.join(template_gallery.TEMPLATE_NAMES)}. Append a language code for a translation, such as rsvp.fr."
        ),
    ]
    | None = None,
    **fields: Unpack[NewForm],
) -> Answer[FormDetail]:
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


@box.tool(
    "svc_form_edit",
    title="Update a form",
    about="Update a form. Pass only the settings to change. fields or pages replaces all questions with a new "
    "version, so keep existing keys. Existing responses keep their wording. accepting=false closes the form. "
    "To change only some questions, use svc_form_save_fields.",
    short="Update a form's settings or all its fields, or open or close it.",
    synonyms="close form, stop responses, deadline, limit responses, confirmation message, notify me, formular "
    "schließen, anmeldeschluss, formular ändern, cerrar formulario, fecha límite, cambiar formulario, "
    "mensaje de confirmación, limit registrations, maximum responses, only 50 people, reopen form, "
    "anmeldungen begrenzen, limitar inscripciones",
    idempotent=True,
)
def edit(account: Account, id: FormId, **fields: Unpack[FormEdit]) -> Answer[FormDetail]:
    form = get_form(account, id)
    values: dict[str, Any] = dict(fields)
    fields_input, pages = values.pop("fields", None), values.pop("pages", None)
    published = {name: values.pop(name) for name in PUBLISHING_ARGUMENTS if name in values}
    replaced = _set_webhook_url(account, form.pk, values.pop("webhook_url", None))
    form.edit(**_column_values(account, values), **published)
    if fields_input is not None or pages is not None:
        form_definition.save_definition(form, fields=fields_input, pages=pages)
    head = "Updated the form" if journal.has_changed() else "Nothing changed in the form"
    more = f". {replaced}" if replaced else ""
    return form_answer(account, id, f"{head} “{escape_markdown(form.title)}”{more}")


@box.tool(
    "svc_form_save_fields",
    title="Add, update and reorder form fields",
    about="Add, update, remove and reorder some fields of a form, and keep the others. Entries with an existing key "
    "are updated (an empty value clears a setting); others are added at the end or on a page. Creates a new "
    "version of the form. Existing responses keep their version.",
    short="Add, update, remove or reorder some fields of a form.",
    synonyms="add question, remove question, new field, make required, dropdown, options, conditional logic, frage "
    "hinzufügen, pflichtfeld, feld, añadir pregunta, campo obligatorio, opciones, quitar pregunta",
    idempotent=True,
)
def save_fields(
    account: Account,
    id: FormId,
    items: Items | None = None,
    pages: PageItems | None = None,
    remove: Annotated[Keys, Field(description="Keys of fields to remove.")] | None = None,
    order: Annotated[Keys, Field(description="All field keys, in their new order. Fields stay on their pages.")]
    | None = None,
) -> Answer[FormDetail]:
    if items is None and pages is None and not remove and order is None:
        raise InvalidInputError.at_path("items", messages.NOTHING_TO_SAVE)
    form = get_form(account, id)
    changed = form_definition.save_fields(form, items or [], pages=pages, remove=remove or [], order=order)
    title = f"“{escape_markdown(form.title)}”"
    head = f"Saved version {form.version} of the form {title}" if changed else f"Nothing changed in the form {title}"
    return form_answer(account, id, head)


class AnswerProblem(TypedDict):
    key: str
    code: str
    message: str


class TrialResult(TypedDict):
    """The result of trying answers.

    `shown` and `required` are keys of fields. `why` is the reason why each of the other fields is hidden: page, section
    or show_if. `kept` contains the answers that would be saved. `ignored` are keys of answers without a field.
    """

    pages: list[str]
    shown: list[str]
    required: list[str]
    why: dict[str, str]
    kept: dict[str, Any]
    errors: list[AnswerProblem]
    ignored: list[str]


@box.tool(
    "svc_form_test",
    title="Test a form's logic",
    about="Test a form's conditional logic with sample answers. Returns which questions would be shown and why, and "
    "what would be saved, calculated or rejected. Nothing is stored.",
    short="Test which questions a form shows for given answers.",
    synonyms="try form, preview, dry run, check conditions, jumps, simulate, formular testen, ausprobieren, "
    "vorschau, bedingungen prüfen, probar formulario, vista previa, comprobar lógica",
    reads=True,
)
def try_answers(account: Account, id: FormId, answers: Answers) -> Answer[TrialResult]:
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
        "page": "its page is not shown",
        "section": "its section is hidden",
        "show_if": "its show_if is not met",
    }
    lines = [
        f"- pages: {', '.join(f'`{key}`' for key in data['pages'])}",
        f"- shown: {', '.join(f'`{key}`' for key in data['shown'])}",
        f"- required: {', '.join(f'`{key}`' for key in data['required']) or 'none'}",
        *(f"- not shown: `{key}` ({reason}): {hides[reason]}" for key, reason in result.hidden_by.items()),
        *(f"- saved: `{key}` = {_format_value(value)}" for key, value in result.stored_answers.items()),
        *(f"- error in `{error['key']}` ({error['code']}): {error['message']}" for error in data["errors"]),
        *(f"- ignored: `{key}`, not a field of this form" for key in data["ignored"]),
    ]
    return Answer(data, "\n".join([f"Tested “{escape_markdown(form.title)}”:", "", *lines]))


@box.tool(
    "svc_form_delete",
    title="Delete forms or responses",
    about="Delete forms with all their responses, or single responses. Visitors see that the form no longer exists. "
    "To restore within 30 days, use svc_undo. To stop accepting responses, use svc_form_edit with "
    "accepting=false.",
    short="Delete forms or responses. Restorable for 30 days.",
    synonyms="remove form, remove submission, erase response, löschen, antwort löschen, eliminar formulario, "
    "borrar respuesta",
    destructive=True,
)
def delete(account: Account, ids: Ids) -> Answer[DeletedItems]:
    mine = Response.objects.filter(account=account, form__binned_at=None).select_related(
        "form__publication", "form__account"
    )
    items = get_many_or_404(ids, messages.FORM_OR_RESPONSE_NOT_FOUND, forms_for(account), mine)
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
    head = f"Deleted {format_count(len(items), 'item')}. Restorable for 30 days with svc_undo:"
    return Answer(data, "\n".join([head, "", *lines]))


def _format_title(item: Form | Response) -> str:
    return item.title if isinstance(item, Form) else f"Response {item.reference}"


def _format_value(value: Any) -> str:
    return escape_markdown(str(value).lower() if isinstance(value, bool) else str(value))


def _set_webhook_url(account: Account, id: str, url: str | None) -> str:
    """Set the webhook URL. If this replaces an address, return a note on it.

    Raise OperationNotAllowedError if the plan has no webhooks.
    """
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
