"""Certificates as files: the list as a table, one as its sealed PDF."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from workspace.accounts.models import Account
from workspace.products.certs import papers
from workspace.products.certs.rows import certificate_rows, certificates_named, certificates_of, template_of
from workspace.products.certs.tools import box
from workspace.publishing.exports import Export, exported, exported_file
from workspace.toolkit import table
from workspace.toolkit.answer import Answer
from workspace.toolkit.errors import InvalidInput, ToolError
from workspace.toolkit.types import Id

MOST = 50_000
COLUMNS = (
    "code", "name", "e-mail", "course", "date", "hours", "custom", "state", "expires", "issued", "link", "pdf", "mail",
)  # fmt: skip


@box.tool("svc_certs_export", title="Export certificates", reads=True)
def export(
    account: Account,
    kind: Annotated[Literal["list", "pdf"], Field(description="All as a table, or one as its sealed PDF")],
    template_id: Annotated[Id, Field(description="Of this template only")] | None = None,
    id: Annotated[Id, Field(description="Which certificate: needed for pdf; its id or code")] | None = None,
) -> Answer[Export]:
    """A file to save: issued certificates as CSV with codes, states and links, or one as the very PDF that was
    sealed."""
    if kind == "pdf":
        return _pdf(account, id)
    found = certificates_of(account)
    if template_id is not None:
        found = found.filter(template=template_of(account, template_id))
    rows = [
        [
            row["code"], row["name"], row["email"], row["course"], row["date"], row["hours"], row["custom"],
            row["state"], row["expires"], row["issued_at"] or "", row["verify_url"], row["pdf_url"], row["mail"],
        ]
        for row in certificate_rows(found[:MOST])
    ]  # fmt: skip
    text = table.write(COLUMNS, rows)
    return exported(
        "certs", "certificate", "certificates.csv", text, rows=len(rows), kind=kind, template_id=template_id
    )


def _pdf(account: Account, id: str | None) -> Answer[Export]:
    if id is None:
        raise InvalidInput.at("id", "Say which certificate")
    (one,) = certificates_named(account, [id])
    try:
        content = papers.sealed(one)
    except FileNotFoundError:
        raise ToolError("Its PDF is not there: it is made within a minute, or was erased with the person") from None
    more = f"It is the very file that was sealed, SHA-256 {one.pdf_sha256}."
    return exported_file("certs", "certificate", papers.name_of(one), content, kind="pdf", more=more, id=one.pk)
