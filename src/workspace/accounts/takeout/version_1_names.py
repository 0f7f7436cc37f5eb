"""The names that tables and columns had in format 1 of the account export, with the names that they have now."""

from __future__ import annotations

# the table in the export -> the table now; the others kept their names
TABLES: dict[str, str] = {
    "bid.numbering": "bid.numbersequence",
    "booking.override": "booking.dateoverride",
    "dashboard.doorchoice": "dashboard.checkinsetting",
    "dashboard.firststeps": "dashboard.onboarding",
    "delivery.notice": "delivery.notificationsetting",
    "event.starred": "event.starlist",
    "publishing.dayslot": "publishing.dailycounter",
    "publishing.facet": "publishing.breakdown",
    "publishing.facetslot": "publishing.dailybreakdown",
    "publishing.tally": "publishing.visitcounter",
    "publishing.words": "publishing.searchdocument",
    "qr.retarget": "qr.destinationchange",
    "records.chain": "audit_trail.chain",
    "records.personalvalue": "audit_trail.personalvalue",
    "records.record": "audit_trail.record",
    "seat.wish": "seat.seatingpreference",
    "waiver.asked": "waiver.signinginvitation",
    "waiver.visit": "waiver.attendance",
}

# by the name of the table in the export: its column -> the column now; the others kept their names
COLUMNS: dict[str, dict[str, str]] = {
    "accounts.change": {
        "at": "created_at",
        "actor": "actor_key",
        "who": "actor_name",
        "face": "channel",
        "whose": "area",
        "thing_kind": "item_kind",
        "thing_id": "item_id",
        "text": "summary",
        "before": "previous",
        "final": "final_note",
    },
    "accounts.upload": {"uses": "use_count", "touched_at": "last_used_at"},
    "bid.bidevent": {"by": "actor", "told": "details", "at": "created_at"},
    "bid.decision": {
        "by": "decided_by",
        "stands": "is_current",
        "at": "created_at",
        "drawn": "signature_strokes",
        "words": "comment",
    },
    "bid.message": {"by": "author", "once": "dedupe_key"},
    "bid.numbering": {"last": "last_number"},
    "bid.revision": {"made_at": "created_at"},
    "booking.booking": {
        "waiting_for": "pending_reason",
        "protected_from": "blocked_from",
        "protected_until": "blocked_until",
        "owes_word": "expiry_notice_pending",
        "key": "dedupe_key",
        "note": "owner_note",
        "by_guest": "cancelled_by_guest",
    },
    "booking.service": {"notice": "min_notice_minutes", "horizon": "max_days_ahead"},
    "brand.brand": {
        "line": "slogan",
        "code_like": "qr_style_source_id",
        "stamp": "version",
        "corners": "corner_style",
        "colours": "colors",
    },
    "card.card": {"mailed_on": "email_count_date", "mailed": "email_count", "colour": "color"},
    "card.lead": {"once": "dedupe_key"},
    "certs.certificate": {"counts": "counts_toward_limit", "is_mailed": "is_emailed", "mail": "email_delivery_id"},
    "certs.issuer": {"made_at": "created_at"},
    "certs.issuerkey": {"made_at": "created_at"},
    "certs.statuslist": {"made_at": "created_at"},
    "certs.template": {"colours": "colors", "lead": "intro"},
    "dashboard.doorchoice": {"left_out": "hidden_kinds"},
    "dashboard.firststeps": {"put_away_at": "dismissed_at"},
    "delivery.endpoint": {"thing_id": "item_id"},
    "delivery.message": {"tries": "attempts"},
    "delivery.notice": {"began_at": "started_at", "sent": "sent_count", "more": "suppressed_count"},
    "event.event": {"colour": "color"},
    "event.room": {"folded": "name_key"},
    "form.form": {"full_told": "notified_max_responses", "over_told": "notified_closes_at", "colour": "color"},
    "form.formversion": {"made_at": "created_at"},
    "form.response": {"over": "is_over_limit", "once": "dedupe_key"},
    "links.element": {"live": "live_block_kind", "thing": "live_block_item_id"},
    "payments.payment": {
        "at_provider": "provider_account",
        "back": "return_url",
        "tries": "attempts",
        "intent": "payment_intent",
        "until": "hold_until",
        "asked_at": "checked_at",
        "effect_at": "applied_at",
    },
    "payments.refund": {"tries": "attempts"},
    "publishing.dayslot": {"tally": "counter"},
    "publishing.facet": {"tally": "counter"},
    "publishing.facetslot": {"facet": "breakdown"},
    "publishing.tally": {"part": "detail", "last_at": "last_visit_at"},
    "publishing.visit": {"part": "detail", "at": "occurred_at"},
    "publishing.words": {"thing_id": "item_id", "words": "text"},
    "qr.retarget": {"at": "created_at"},
    "records.record": {"at": "created_at"},
    "reviews.reviewpage": {"thanks": "thank_you", "colour": "color"},
    "seat.checkin": {"arrived": "is_checked_in", "at": "occurred_at"},
    "seat.guest": {"arrived_at": "checked_in_at"},
    "seat.step": {"gone": "deleted_ids", "undone": "is_undone", "at": "created_at"},
    "seat.table": {"closed": "is_closed", "colour": "color"},
    "support.message": {"at": "created_at"},
    "support.ticket": {"follows": "previous_ticket", "waits_since": "waiting_since"},
    "waiver.asked": {"times": "send_count", "at": "last_sent_at"},
    "waiver.signature": {"national": "phone_national"},
    "waiver.signing": {
        "how": "signature_kind",
        "typed": "typed_name",
        "at": "signed_at",
        "asked_version": "renewal_version",
        "asked_end": "expiry_notice_at",
        "quiet": "muted",
    },
    "waiver.visit": {"at": "occurred_at", "checked": "validity"},
    "waiver.waiver": {"remind": "reminders_enabled"},
    "waiver.waiverversion": {"made_at": "created_at"},
}

# by table and column: keys of the objects in the column's list
MEMBERS: dict[str, dict[str, dict[str, str]]] = {
    "certs.template": {"elements": {"colour": "color"}},
    "event.event": {"tracks": {"colour": "color"}},
}

# by table and column, or column and member of its objects: values
VALUES: dict[str, dict[str, dict[str, str]]] = {
    "certs.template": {"elements.part": {"lead": "intro"}},
    "seat.step": {"act": {"wishes": "rules"}},
}

# the keys of manifest.json
MANIFEST: dict[str, str] = {
    "packed_at": "exported_at",
    "packed_from": "exported_from",
    "left_behind": "excluded_tables",
}
