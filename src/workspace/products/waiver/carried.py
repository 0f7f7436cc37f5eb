"""Waivers when an account moves."""

from __future__ import annotations

from workspace.accounts.carrying import readers
from workspace.accounts.carrying.tables import Carried, Numbered
from workspace.products.waiver.arguments import Clauses, Marketing, Questions, Title, WaiverEdit
from workspace.products.waiver.arguments import Text as WaiverText
from workspace.products.waiver.models import NameWord, Signature, Signing, Visit, Waiver, WaiverVersion
from workspace.products.waiver.strokes import clean
from workspace.products.waiver.validity import Reason

Key = readers.matching(r"[a-z0-9_]{1,40}", "Up to 40 of a-z, 0-9 and _")
Answer = readers.any_of(readers.PlainText, bool, int, float, readers.list_of(readers.PlainText, 50))


Body = readers.shape(
    format=readers.OneLine,
    id=readers.Identifier,
    version=readers.up_to(2**31 - 1),
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
            **readers.as_given(WaiverEdit, "hosts", "text", "clauses", "questions", "marketing_opt_in", "valid_for"),
            **readers.as_given(WaiverEdit, "age_of_majority", "minors", "guardian_participates", "max_minors"),
            **readers.as_given(WaiverEdit, "signature", "kiosk", "redirect_url", "language"),
        },
        numbered={"version": Numbered(WaiverVersion, "waiver")},
    ),
    Carried(model=WaiverVersion, reads={"body": readers.json_text(Body)}),
    Carried(
        model=Signing,
        files=("pdf_key",),
        hashed={"pdf_key": "pdf_sha256"},
        reads={
            "answers": readers.keyed(Key, Answer),
            "initials": readers.keyed(Key, readers.OneLine),
            "typed": readers.OneLine,
            "strokes": readers.checked_by(list, clean),
        },
        numbered={"version": Numbered(WaiverVersion, "waiver", of="waiver_id")},
    ),
    Carried(
        model=Signature,
        reads=dict.fromkeys(("person", "relationship", "national", "void_reason"), readers.OneLine),
        numbered={"version": Numbered(WaiverVersion, "waiver", of="waiver_id")},
    ),
    Carried(model=NameWord, reads={"word": readers.OneLine}),
    Carried(model=Visit, reads={"checked": readers.one_of(*Reason)}),
)
