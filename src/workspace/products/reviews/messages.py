"""Error messages that owners and API callers read."""

from __future__ import annotations

from workspace.lib.messages import owner_message, owner_plural_message

PAGE_NOT_FOUND = owner_message("No review page has this ID. Find IDs with svc_reviews_get.")
TESTIMONIAL_NOT_FOUND = owner_message("No testimonial on this page has this ID. Find IDs with svc_reviews_list.")
PAGE_OR_TESTIMONIAL_NOT_FOUND = owner_message(
    "No review page or testimonial has this ID. Find IDs with svc_reviews_get or svc_reviews_list."
)
NOTHING_TO_SAVE = owner_message("Provide at least one of items, csv or remove.")
CONSENT_UNKNOWN = owner_message("Set consented to true or false. Testimonials without consent can’t be approved.")
TESTIMONIAL_REPEATED = owner_message("This testimonial is listed twice. Use it only once.")
PAGE_CANNOT_BE_ERASED = owner_message("Only testimonials can be erased. Remove this page from ids.")
REQUIRED = owner_message("This field is required.")
WRITTEN_BY_GUEST = owner_message("Testimonials written by guests can’t be edited. Omit this field.")
PHOTO_OF_GUEST = owner_message("A guest’s photo can be removed, but not replaced. Use an empty photo_id, or omit it.")
CONSENT_OF_GUEST = owner_message("Only the guest can consent to publishing this testimonial. Omit consented.")
CONSENT_NOT_ADDABLE = owner_message("Only the guest can consent to publishing this testimonial.")
CONSENT_NEEDED = owner_message("If %(name)s agreed to publication, set this to true. Otherwise omit action.")
CONSENT_NOT_RECORDED = owner_message(
    "The consent of %(name)s isn’t recorded. If they agreed to publication, set consented=true with the action in "
    "svc_reviews_save_items."
)
NO_CONSENT = owner_message("%(name)s didn’t agree to have their review published. Only you can read this testimonial.")
ALREADY_ON_PAGE = owner_message("Line %(number)s: already on this page.")
EXCERPT_DIFFERS = owner_message("Copy the excerpt exactly from the text.")
DATE_IN_FUTURE = owner_message("The date can’t be in the future.")
DATE_TOO_EARLY = owner_message("Enter a date after 1970.")
TAG_INVALID = owner_message("Remove the character | from the tag.")
TAGS_INVALID = owner_message("Format tags as |first|second|.")
RATING_INVALID = owner_message("Use a whole number from 1 to 5.")
EMPTY_VALUE = owner_message("Fill in this field.")
VALUE_TOO_LONG = owner_message("This value is too long. Shorten it.")
VALUE_INVALID = owner_message("This value isn’t valid. Correct it.")
LIST_EMPTY = owner_message(
    "This list has no testimonials. Use one line for each, with the author’s name and the review."
)
PAGE_LIMIT = owner_plural_message(
    "You’ve reached your plan’s limit of %(most)s review page. To add more, %(way_out)s",
    "You’ve reached your plan’s limit of %(most)s review pages. To add more, %(way_out)s",
    count="most",
)
