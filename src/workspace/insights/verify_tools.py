"""The tool that verifies a signed PDF and the account's audit trail."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from workspace.accounts.account_tools import box
from workspace.accounts.models import Account
from workspace.accounts.models.upload import FILE
from workspace.audit_trail import verification as audit_trail_verification
from workspace.lib import clock
from workspace.lib.errors import InvalidInputError
from workspace.lib.text import escape_markdown, format_count
from workspace.publishing import file_verification as publishing_verification
from workspace.publishing import items
from workspace.storage.files import store
from workspace.tools.answer import Answer, format_fact_list
from workspace.tools.argument_types import AnyItem, Id

UploadId = Annotated[Id, Field(description="A PDF or badge to look at: from svc_upload_file")]
OneItem = Annotated[AnyItem, Field(description="Tell only what is wrong with records of this one")]


class DocumentData(TypedDict):
    """`record`: whether the record inside is the one that is kept; null where there is none."""

    verdict: Annotated[str, Field(description="this_file, genuine, changed or unknown")]
    meaning: str
    sha256: str
    what: str
    business: str
    state: Annotated[str, Field(description="How it stands today; empty where that does not change")]
    sealed_at: str | None
    record: bool | None


class ProblemData(TypedDict):
    number: int | None
    text: str


class ChainData(TypedDict):
    """Keep `records` and `head`: whoever has them can tell a chain that was written anew."""

    records: int
    head: str
    problems: list[ProblemData]


class VerificationData(TypedDict):
    paper: DocumentData | None
    chain: ChainData


@box.tool("svc_verify", title="Verify a sealed PDF, or your records", reads=True)
def verify(
    account: Account, upload_id: UploadId | None = None, thing: OneItem | None = None
) -> Answer[VerificationData]:
    """Whether a PDF is this very file that was sealed here, genuine content, changed, or unknown; and whether your
    chain of records is as it was written: what was changed, is missing or moved is told by number."""
    paper = _verify_document(account, upload_id) if upload_id is not None else None
    end = audit_trail_verification.find_chain_end(account)
    problems = audit_trail_verification.verify_chain(account)
    if thing is not None:
        of_it = audit_trail_verification.record_numbers(account, items.get_item(account, thing).id)
        problems = [one for one in problems if one.number is None or one.number in of_it]
    chain: ChainData = {
        "records": end.count if end else 0,
        "head": end.head if end else "",
        "problems": [{"number": one.number, "text": one.text} for one in problems],
    }
    return Answer({"paper": paper, "chain": chain}, "\n\n".join(_format_parts(paper, chain)))


def _verify_document(account: Account, upload_id: str) -> DocumentData:
    upload = account.uploads.filter(pk=upload_id, kind=FILE).first()
    try:
        content = store.get(upload_id) if upload is not None else b""
    except FileNotFoundError:
        content = b""
    if not content:
        raise InvalidInputError.at_path("upload_id", "There is no such file: send the PDF with svc_upload_file again")
    found = publishing_verification.verify_file(content)
    kept = found.document
    return {
        "verdict": found.verdict.value,
        "meaning": publishing_verification.describe_verdict(found),
        "sha256": found.sha256,
        "what": kept.what if kept else "",
        "business": kept.business if kept else "",
        "state": kept.state if kept else "",
        "sealed_at": clock.to_iso(kept.sealed_at) if kept else None,
        "record": found.record_matches,
    }


def _format_parts(paper: DocumentData | None, chain: ChainData) -> list[str]:
    parts = []
    if paper is not None:
        said = {
            "meaning": paper["meaning"],
            "what": escape_markdown(paper["what"]),
            "by": escape_markdown(paper["business"]),
            "state": paper["state"],
            "sealed": paper["sealed_at"],
            "SHA-256": paper["sha256"],
        }
        parts.append(format_fact_list(f"The file: {paper['verdict']}", said))
    wrong = [f"- {one['text']}" for one in chain["problems"]]
    head = f"Your records: {format_count(len(wrong), 'problem')}" if wrong else "Your records are as they were written"
    pairs = {"records": chain["records"], "newest hash": chain["head"]}
    parts.append("\n".join([format_fact_list(head, pairs), *wrong]))
    return parts
