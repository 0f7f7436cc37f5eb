"""Export and import of waivers."""

from __future__ import annotations

from workspace.accounts.takeout import column_types
from workspace.accounts.takeout.tables import NumberReference, TakeoutTable
from workspace.products.waiver.api.arguments import Clauses, Marketing, Questions, Title, WaiverEdit
from workspace.products.waiver.api.arguments import Text as WaiverText
from workspace.products.waiver.models import Attendance, NameWord, Signature, Signing, Waiver, WaiverVersion
from workspace.products.waiver.rules.drawn_signature import clean_strokes
from workspace.products.waiver.rules.validity import Reason

Key = column_types.text_matching(r"[a-z0-9_]{1,40}", "Use up to 40 characters: a-z, 0-9 and _")
AnswerShape = column_types.any_of(
    column_types.PlainText, bool, int, float, column_types.list_of(column_types.PlainText, 50)
)


Body = column_types.object_of(
    format=column_types.OneLine,
    id=column_types.Identifier,
    version=column_types.integer_up_to(2**31 - 1),
    title=Title,
    text=WaiverText,
    clauses=Clauses,
    questions=Questions,
    marketing_opt_in=Marketing,
)
TAKEOUT_TABLES = (
    TakeoutTable(
        model=Waiver,
        column_types={
            **column_types.from_arguments(
                WaiverEdit, "hosts", "text", "clauses", "questions", "marketing_opt_in", "valid_for"
            ),
            **column_types.from_arguments(
                WaiverEdit, "age_of_majority", "minors", "guardian_participates", "max_minors"
            ),
            **column_types.from_arguments(WaiverEdit, "signature", "kiosk", "redirect_url", "language"),
        },
        number_references={"version": NumberReference(WaiverVersion, "waiver")},
    ),
    TakeoutTable(model=WaiverVersion, column_types={"body": column_types.json_text(Body)}),
    TakeoutTable(
        model=Signing,
        files=("pdf_key",),
        file_hashes={"pdf_key": "pdf_sha256"},
        column_types={
            "answers": column_types.dict_of(Key, AnswerShape),
            "initials": column_types.dict_of(Key, column_types.OneLine),
            "typed_name": column_types.OneLine,
            "strokes": column_types.with_checks(list, clean_strokes),
        },
        number_references={"version": NumberReference(WaiverVersion, "waiver", of="waiver_id")},
    ),
    TakeoutTable(
        model=Signature,
        column_types=dict.fromkeys(("person", "relationship", "phone_national", "void_reason"), column_types.OneLine),
        number_references={"version": NumberReference(WaiverVersion, "waiver", of="waiver_id")},
    ),
    TakeoutTable(model=NameWord, column_types={"word": column_types.OneLine}),
    TakeoutTable(model=Attendance, column_types={"validity": column_types.one_of(*Reason)}),
)
