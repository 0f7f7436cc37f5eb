"""Waivers when an account moves."""

from __future__ import annotations

from workspace.accounts.takeout import column_types
from workspace.accounts.takeout.tables import Carried, Numbered
from workspace.products.waiver.api.arguments import Clauses, Marketing, Questions, Title, WaiverEdit
from workspace.products.waiver.api.arguments import Text as WaiverText
from workspace.products.waiver.models import NameWord, Signature, Signing, Visit, Waiver, WaiverVersion
from workspace.products.waiver.rules.drawn_signature import clean
from workspace.products.waiver.rules.validity import Reason

Key = column_types.matching(r"[a-z0-9_]{1,40}", "Up to 40 of a-z, 0-9 and _")
Answer = column_types.any_of(column_types.PlainText, bool, int, float, column_types.list_of(column_types.PlainText, 50))


Body = column_types.shape(
    format=column_types.OneLine,
    id=column_types.Identifier,
    version=column_types.up_to(2**31 - 1),
    title=Title,
    text=WaiverText,
    clauses=Clauses,
    questions=Questions,
    marketing_opt_in=Marketing,
)
CARRIED = (
    Carried(
        model=Waiver,
        reads={
            **column_types.as_given(
                WaiverEdit, "hosts", "text", "clauses", "questions", "marketing_opt_in", "valid_for"
            ),
            **column_types.as_given(WaiverEdit, "age_of_majority", "minors", "guardian_participates", "max_minors"),
            **column_types.as_given(WaiverEdit, "signature", "kiosk", "redirect_url", "language"),
        },
        numbered={"version": Numbered(WaiverVersion, "waiver")},
    ),
    Carried(model=WaiverVersion, reads={"body": column_types.json_text(Body)}),
    Carried(
        model=Signing,
        files=("pdf_key",),
        hashed={"pdf_key": "pdf_sha256"},
        reads={
            "answers": column_types.keyed(Key, Answer),
            "initials": column_types.keyed(Key, column_types.OneLine),
            "typed": column_types.OneLine,
            "strokes": column_types.checked_by(list, clean),
        },
        numbered={"version": Numbered(WaiverVersion, "waiver", of="waiver_id")},
    ),
    Carried(
        model=Signature,
        reads=dict.fromkeys(("person", "relationship", "national", "void_reason"), column_types.OneLine),
        numbered={"version": Numbered(WaiverVersion, "waiver", of="waiver_id")},
    ),
    Carried(model=NameWord, reads={"word": column_types.OneLine}),
    Carried(model=Visit, reads={"checked": column_types.one_of(*Reason)}),
)
