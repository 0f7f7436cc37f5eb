"""Certificates as tools: templates, issuing, and what becomes of what was issued."""

from __future__ import annotations

from typing import Annotated, Any, NotRequired, Unpack

from django.utils.translation import gettext
from pydantic import Field
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.documents import document
from workspace.documents.typesetter import typeset
from workspace.lib.errors import InvalidInput, ToolError
from workspace.lib.text import counted, escape_markdown
from workspace.products.certs.api.arguments import (
    CertificateId,
    Changes,
    Course,
    Custom,
    DateText,
    Hours,
    Notify,
    Recipients,
    TemplateFields,
    TemplateId,
)
from workspace.products.certs.api.serializers import (
    CertificateRow,
    CertificateWhole,
    TemplateRow,
    TemplateWhole,
    certificate_rows,
    certificate_whole,
    template_row,
    whole,
)
from workspace.products.certs.api.text import certificate_facts, certificate_line, template_line, template_words
from workspace.products.certs.domain import corrections, issuance, pdf, previews
from workspace.products.certs.domain.downloads import among
from workspace.products.certs.domain.queries import NO_TEMPLATE, certificates_named, template_of, templates_of
from workspace.products.certs.domain.recipients import day_text, doubtful
from workspace.products.certs.models import KIND, Template
from workspace.publishing.arguments import Ids
from workspace.publishing.call_to_action import language_of
from workspace.publishing.serializers import DeletedAll, several
from workspace.storage.journal import has_changed
from workspace.tools.answer import Answer, Listing, bullets, facts, listing
from workspace.tools.argument_types import Id, Limit, Offset, Query
from workspace.tools.tool import Toolbox

box = Toolbox(KIND, "Certificates")


class Templates(TypedDict):
    total: int
    count: int
    offset: int
    has_more: bool
    items: list[TemplateRow]
    left_this_month: Annotated[
        int | None, Field(description="Certificates that can still be issued; null for no limit")
    ]


@box.tool(
    "svc_certs_templates", title="List certificate templates", reads=True, columns="name layout issued state slug"
)
def templates(account: Account) -> Answer[Templates]:
    """Your certificate templates, newest first, and how many certificates can still be issued this month."""
    rows = [template_row(one) for one in templates_of(account)]
    left = issuance.left_this_month(account)
    head = f"{counted(len(rows), 'template')}. {_left(left)}"
    data: Templates = {
        "total": len(rows),
        "count": len(rows),
        "offset": 0,
        "has_more": False,
        "items": rows,
        "left_this_month": left,
    }
    return Answer(data, "\n".join([head, "", *bullets(rows, template_line)]))


def _left(left: int | None) -> str:
    return "No limit to what is issued." if left is None else f"{left:,} more can be issued this month."


@box.tool("svc_certs_list", title="List certificates", reads=True, columns="name course date state id")
def list_certificates(
    account: Account,
    template_id: Annotated[Id, Field(description="Of this template only")] | None = None,
    q: Annotated[Query, Field(description="Part of a name or course")] | None = None,
    limit: Limit = 50,
    offset: Offset = 0,
) -> Answer[Listing[CertificateRow]]:
    """Issued certificates, newest first, with verification links, states and what became of their mails. In q
    `state:revoked` finds those of a state."""
    template = template_of(account, template_id) if template_id is not None else None
    found = among(account, template, q or "")
    page = certificate_rows(found[offset : offset + limit])
    return listing(page, total=found.count(), offset=offset, noun="certificates", line=certificate_line)


class IssuedAll(TypedDict):
    """`batch_id` is the job that makes the papers: svc_jobs_get tells how far it is."""

    issued: int
    did_not_fit: int
    left_this_month: int | None
    batch_id: str
    items: list[CertificateRow]


def _drawable(account: Account, arguments: Any) -> None:
    """Marks that fonts may not draw on their letter are tried, before anything is issued."""
    for path, text in doubtful(arguments.recipients):
        try:
            typeset(document.LAYOUT, document.data([document.Words(text)]), title="")
        except InvalidInput as refusal:
            raise InvalidInput.at(path, refusal.issues[0].message) from None


@box.tool("svc_certs_issue", title="Issue certificates", prepare=_drawable, sends=True)
def issue(
    account: Account,
    template_id: TemplateId,
    recipients: Recipients,
    course: Course | None = None,
    date: DateText | None = None,
    hours: Hours | None = None,
    custom: Custom | None = None,
) -> Answer[IssuedAll]:
    """Issue one certificate for each recipient, with a code that anybody can verify and a sealed PDF, which is made in
    the moments after; who has an e-mail address gets it by mail. Stops at the plan's monthly limit and says how many
    did not fit. course, date, hours and custom fill what a recipient leaves blank."""
    try:
        day = day_text(date or "")
    except ValueError as problem:
        raise InvalidInput.at("date", str(problem)) from None
    defaults = {"course": course or "", "date": day, "hours": hours or "", "custom": custom or ""}
    done = issuance.issue(template_of(account, template_id), recipients, defaults)
    data: IssuedAll = {
        "issued": len(done.certificates),
        "did_not_fit": done.did_not_fit,
        "left_this_month": done.left,
        "batch_id": done.job.pk if done.job else "",
        "items": certificate_rows(done.certificates),
    }

    def said() -> str:
        told = [f"Issued {counted(data['issued'], 'certificate')}. {_left(done.left)}"]
        if data["did_not_fit"]:
            way = account.or_larger(KIND, "wait for the next month")
            told.append(f"{data['did_not_fit']:,} did not fit into this month's limit: {way}.")
        if data["batch_id"]:
            told.append(f"Their PDFs are being made and sealed: svc_jobs_get job_id={data['batch_id']} tells how far.")
        return "\n".join([" ".join(told), "", *bullets(data["items"], certificate_line)])

    return Answer(data, said)


class Got(TypedDict):
    template: NotRequired[TemplateWhole]
    certificate: NotRequired[CertificateWhole]


@box.tool("svc_certs_get", title="Get a certificate or a template", reads=True)
def get(account: Account, id: CertificateId) -> Answer[Got]:
    """One certificate with its state, record, proof and mail, by its id or code; or one template with all its words.
    Both come with a picture of how they look."""
    template = templates_of(account).filter(pk=id).first() if id.isprintable() else None
    if template is not None:
        template.account = account
        found = whole(template)
        return Answer(
            {"template": found},
            facts(escape_markdown(template.name), template_words(found)),
            picture=lambda: previews.picture(template),
        )
    (one,) = certificates_named(account, [id])
    shown = certificate_whole(one)
    words = facts(escape_markdown(one.name), certificate_facts(shown))
    return Answer({"certificate": shown}, words, picture=previews.of(one))


def first_words(account: Account, language: str = "") -> dict[str, Any]:
    """What a new template says where its owner says nothing."""
    language = language or language_of(account)
    with pdf.words_of(language):
        return {
            "title": gettext("Certificate of Completion"),
            "lead": gettext("This is to certify that"),
            "body": gettext("has completed the course {course}."),
            "organization": account.name[:120],
            "language": language,
        }


@box.tool("svc_certs_save_template", title="Make or change a certificate template")
def save_template(
    account: Account, template_id: TemplateId | None = None, **fields: Unpack[TemplateFields]
) -> Answer[TemplateWhole]:
    """Make a template, or change the one of template_id: only what is given. Eight designs, up to four signers with
    pictures of their signatures, logo, seal, words with placeholders. What was issued stays as it is.
    svc_certs_get shows its picture."""
    given: dict[str, Any] = dict(fields)
    if template_id is None:
        if "name" not in given:
            raise InvalidInput.at("name", "Give a new template a name")
        language = given.setdefault("language", language_of(account))
        given = {**first_words(account, language), **given}
        id = Template.open(account, **given).pk
        what = "Made"
    else:
        id = template_id
        template_of(account, id).edit(**given)
        what = "Changed" if has_changed() else "Nothing changed on"
    found = whole(template_of(account, id))
    return Answer(found, facts(f"{what} the template {escape_markdown(found['name'])}", template_words(found)))


class Edited(TypedDict):
    """Each as it is now; in place of one that was corrected the new one, with its own code."""

    items: list[CertificateRow]


@box.tool("svc_certs_edit", title="Revoke, restore or correct certificates", sends=True)
def edit(
    account: Account,
    ids: Annotated[list[Id], Field(min_length=1, max_length=200, description="Ids or codes; up to 200")],
    notify: Notify = False,
    **fields: Unpack[Changes],
) -> Answer[Edited]:
    """Revoke certificates or restore them, by state. Other words on the paper make a new certificate with a code of its
    own, which counts towards no limit; the old one says that it was replaced. notify mails what happened, or, alone,
    the certificate once more."""
    if not fields and not notify:
        raise InvalidInput.at("ids", "Say what is to change: state, a correction, or notify")
    found = corrections.edit(account, certificates_named(account, ids), dict(fields), notify=notify)
    rows = certificate_rows(found)
    return Answer({"items": rows}, "\n".join(["Now:", "", *bullets(rows, certificate_line)]))


@box.tool("svc_certs_delete", title="Delete certificate templates", destructive=True)
def delete(account: Account, ids: Ids) -> Answer[DeletedAll]:
    """Delete templates. What was issued with them stays valid and is verified as before. Certificates are not deleted,
    since others rely on them: svc_certs_edit revokes them. svc_undo brings a template back."""
    if any(id.startswith("crt_") for id in ids):
        raise ToolError("Certificates are not deleted, since others rely on them: svc_certs_edit revokes them")
    found: list[Template] = several(ids, NO_TEMPLATE, templates_of(account))
    Template.remove_many(found)
    data: DeletedAll = {"deleted": [{"id": one.pk, "title": str(one)} for one in found]}
    lines = bullets(data["deleted"], lambda row: f"{escape_markdown(row['title'])} `{row['id']}`")
    return Answer(data, "\n".join([f"Deleted {counted(len(found), 'template')}.", "", *lines]))
