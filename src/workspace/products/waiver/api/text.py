"""The text of the waiver tools' answers, for people and agents who see only text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from workspace.lib.text import escape_markdown
from workspace.lib.web_address import to_unicode_host
from workspace.products.waiver.api.serializers import WaiverDetail, WaiverSummary
from workspace.products.waiver.api.signature_serializers import SignatureDetail, SignatureSummary
from workspace.products.waiver.domain.coverage_check import CoverageAnswer, PersonCoverage, WaiverCoverage
from workspace.products.waiver.domain.invitations import InvitationData
from workspace.products.waiver.rules.flagged_answers import FlaggedAnswer
from workspace.publishing.serializers import public_facts

REASON_TEXTS = {
    "valid": "valid",
    "voided": "not valid: voided",
    "expired": "not valid: expired",
    "outdated": "not valid: the text has changed, must sign again",
    "of_age": "not valid: now an adult, must sign for themselves",
}


def format_waiver(row: WaiverSummary) -> str:
    return ", ".join(
        [
            f"**{escape_markdown(row['title'])}**",
            row["public_url"],
            "accepting signatures" if row["accepting"] else "not accepting signatures",
            f"signed {row['signed_count']:,} times",
            f"version {row['version']} (required: {row['required_version']})",
            f"slug {row['slug']}",
            row["state"],
            *([f"until {row['expires_at']}"] if row["expires_at"] else []),
            *(["with a password"] if row["has_password"] else []),
            f"created {row['created_at']}, updated {row['updated_at']}",
            f"`{row['id']}`",
        ]
    )


def waiver_facts(row: WaiverDetail) -> dict[str, Any]:
    return {
        **public_facts(row),
        "signing": "open" if row["accepting"] else "closed",
        "signed": f"{row['signed_count']:,} times",
        "version": f"{row['version']}; signatures are valid from version {row['required_version']} on",
        "signatures are valid": row["counts"],
        "minors": f"{row['minors']}; of age at {row['age_of_majority']}",
        "guardian participates": row["guardian_participates"],
        "minors per guardian": row["max_minors"],
        "signature": row["signature"],
        "required": ", ".join(
            [*(["email"] if row["email_required"] else []), *(["phone"] if row["phone_required"] else [])]
        ),
        "marketing checkbox": escape_markdown(row["marketing_opt_in"]),
        "language": row["language"],
        "emails before expiry": "yes" if row["remind"] else "no",
        "kiosk": ", ".join(f"{name} {value}" for name, value in row["kiosk"].items()),
        "redirects to": escape_markdown(row["redirect_url"]),
        "webhook": escape_markdown(row["webhook_url"]),
        "websites that can embed it": ", ".join(map(to_unicode_host, row["hosts"])),
        "websites that tried to embed it": ", ".join(refused_website["host"] for refused_website in row["refused"]),
        "embed script": f"`{row['script']}`",
        "embed iframe": f"`{row['iframe']}`",
        "archived": "yes" if row["archived"] else "",
        "QR code": f"{row['svg_url']}, {row['png_url']}",
        "slugs": ", ".join(row["slugs"]),
    }


def format_waiver_text(row: WaiverDetail) -> list[str]:
    lines = ["", escape_markdown(row["text"])] if row["text"] else []
    for clause in row["clauses"]:
        marks = [
            f"`{clause['key']}`",
            *(["initials"] if clause["initials"] else []),
            *([] if clause["required"] else ["optional"]),
        ]
        lines += ["", f"**{escape_markdown(clause['title'])}** ({', '.join(marks)})", escape_markdown(clause["text"])]
    if row["questions"]:
        lines += ["", "Questions:"]
    for question in row["questions"]:
        more = [
            question["type"],
            *(["required"] if question["required"] else []),
            *map(escape_markdown, question["options"]),
        ]
        if question["flag"]:
            more.append(
                "flagged" + (f": {_format_value(question['flag'])}" if isinstance(question["flag"], list) else "")
            )
        hint = f" ({escape_markdown(question['help'])})" if question["help"] else ""
        lines.append(f"- {escape_markdown(question['label'])}{hint}: {', '.join(more)} `{question['key']}`")
    lines += ["", "Versions:"]
    for version in row["versions"]:
        what = "must be signed again" if version["material"] else "earlier signatures stay valid"
        text = f"signed by {version['signed']}, {what}, created {version['made_at']}, SHA-256 {version['hash']}"
        lines.append(f"- version {version['number']}: {text}")
    return lines


def format_invitations(rows: Sequence[InvitationData]) -> list[str]:
    lines = [
        f"- {escape_markdown(row['email'])}: {row['state']}, asked {row['times']} times, last {row['at']}"
        for row in rows
    ]
    return ["", "Requests by email:", *lines] if lines else []


def format_signature(row: SignatureSummary) -> str:
    who = f"**{escape_markdown(row['participant'])}**"
    if row["signer"] != row["participant"]:
        as_what = f" ({escape_markdown(row['relationship'])})" if row["relationship"] else ""
        who += f", signed by {escape_markdown(row['signer'])}{as_what}"
    elif row["relationship"]:
        who += f" ({escape_markdown(row['relationship'])})"
    if row["birth_year"]:
        who += f", born {row['birth_year']}"
    return ", ".join(
        [
            who,
            REASON_TEXTS[row["reason"]],
            f"reason {row['reason']}",
            f"signed {row['signed_at']}",
            f"valid until {row['expires_at']}" if row["expires_at"] else "no expiry",
            f"version {row['version']}",
            f"`{row['id']}` of `{row['signing_id']}`, waiver {escape_markdown(row['waiver'])} `{row['waiver_id']}`",
            *map(format_flag, row["flagged"]),
        ]
    )


def format_flag(flagged_answer: FlaggedAnswer) -> str:
    return f"FLAGGED: {escape_markdown(flagged_answer['label'])} {escape_markdown(flagged_answer['answer'])}"


def signature_facts(row: SignatureDetail) -> dict[str, Any]:
    return {
        "signature": format_signature(row),
        "born": row["birth_date"],
        "signer": escape_markdown(row["signer"]),
        "email": escape_markdown(row["signer_email"]),
        "phone": escape_markdown(row["signer_phone"]),
        "signer born": row["signer_birth_date"],
        "signed by": f"{row['signed_by']} {escape_markdown(row['typed'])}".strip(),
        "initials": ", ".join(f"{key}: {escape_markdown(value)}" for key, value in row["initials"].items()),
        "answers": "; ".join(f"{key}: {_format_value(value)}" for key, value in row["answers"].items()),
        "marketing": "opted in" if row["marketing"] else "",
        "reason for voiding": escape_markdown(row["void_reason"]),
        "record": f"`{row['record']}`, {'intact' if row['holds'] else 'NOT INTACT: see svc_verify'}",
        "SHA-256 of the signed PDF": row["pdf_sha256"],
        "check-ins": "; ".join(f"{visit['at']} ({visit['was']})" for visit in row["visits"]),
        "other signatures": "; ".join(format_signature(signature) for signature in row["history"]),
        "signed together with": "; ".join(format_signature(signature) for signature in row["others"]),
    }


def _format_value(value: Any) -> str:
    return escape_markdown(", ".join(map(str, value)) if isinstance(value, list) else str(value))


def format_person(row: PersonCoverage) -> list[str]:
    born = f", born {row['birth_year']}" if row["birth_year"] else ""
    by = f", signed by {escape_markdown(row['covered_by'])}" if row["covered_by"] else ""
    lines = [f"- **{escape_markdown(row['name'])}**{born}{by}:"]
    for waiver in row["waivers"]:
        lines.append(
            f"  - {escape_markdown(waiver['title'])} (`{waiver['waiver_id']}`): "
            f"{REASON_TEXTS[waiver['reason']]}{_format_until(waiver)}, reason "
            f"{waiver['reason']}, signed {waiver['signed_at']} `{waiver['signature_id']}`"
        )
        lines += [f"    - {format_flag(flagged_answer)}" for flagged_answer in waiver["flagged"]]
    return lines


def format_answers(rows: Sequence[CoverageAnswer], unknown_people: Sequence[str]) -> list[str]:
    """Return a line for each person in the query. Those who are not clearly covered come first."""
    head = f"{len(rows) - len(unknown_people)} of {len(rows)} people have a valid waiver."
    if unknown_people:
        head += f" Not covered: {', '.join(map(escape_markdown, unknown_people))}."
    ordered = sorted(rows, key=lambda row: row["verdict"] == "valid")
    return [head, "", *(f"- {escape_markdown(row['who'])}: {_format_coverage_verdict(row)}" for row in ordered)]


def _format_coverage_verdict(row: CoverageAnswer) -> str:
    if row["verdict"] == "none":
        return "none: no one with this name has signed. Names must match as whole words"
    if row["verdict"] == "several":
        return f"several: {len(row['people'])} people match; ask for the email address or the year of birth"
    coverages = row["people"][0]["waivers"]
    shown = [coverage for coverage in coverages if coverage["valid"]] or coverages
    lines = [
        f"{escape_markdown(coverage['title'])}, {REASON_TEXTS[coverage['reason']]}{_format_until(coverage)}"
        for coverage in shown
    ]
    return "; ".join(
        [row["verdict"], *lines, *(format_flag(flag) for coverage in shown for flag in coverage["flagged"])]
    )


def _format_until(coverage: WaiverCoverage) -> str:
    return f" until {coverage['expires_at']}" if coverage["expires_at"] and coverage["reason"] == "valid" else ""


def format_verdict(verdict: str, who: str, coverages: list[PersonCoverage]) -> str:
    if verdict == "none":
        return f"No one matching “{escape_markdown(who)}” has signed a waiver. Names must match as whole words."
    if verdict == "several":
        return f"several: {len(coverages):,} people match. Ask for the email address or the year of birth."
    name = escape_markdown(coverages[0]["name"])
    if verdict == "valid":
        return f"valid: {name} is covered."
    return f"invalid: {name} is NOT covered."
