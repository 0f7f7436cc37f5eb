"""Error messages that owners and API callers read."""

from __future__ import annotations

from workspace.lib.messages import owner_message

TEMPLATE_NOT_FOUND = owner_message("No certificate template has this ID. Find IDs with svc_certs_templates.")
CERTIFICATE_NOT_FOUND = owner_message("No certificate has this ID or code. Find certificates with svc_certs_list.")
CERTIFICATE_OF_LIST_NOT_FOUND = owner_message(
    "%(path)s: No certificate has this ID or code. Find certificates with svc_certs_list."
)
FILE_NOT_FOUND = owner_message("This certificate has no PDF. It was erased with the recipient’s data.")
FILE_NOT_READY = owner_message(
    "This file isn’t ready yet, or it was erased with the recipient’s data. Try again in a minute."
)
CERTIFICATES_ARE_KEPT = owner_message("Certificates can’t be deleted. Revoke them with svc_certs_edit instead.")
TEMPLATE_WAS_DELETED = owner_message("The template was deleted before the PDF was created.")
TEMPLATE_OF_SAMPLE_WAS_DELETED = owner_message("The template was deleted before the sample was created.")

NAME_NEEDED = owner_message("Enter a name for the new template.")
RECIPIENTS_NEEDED = owner_message("Enter at least one name, or choose a file.")
AMBIGUOUS_DAYS = owner_message("Say whether the day or the month comes first in dates such as %(date)s: dmy or mdy.")
NAME_COLUMN_NEEDED = owner_message("Choose the column with the names of the recipients.")
RECIPIENT_NAME_NEEDED = owner_message("Enter the name to print on the certificate.")
CERTIFICATE_OR_TEMPLATE_NEEDED = owner_message("Provide id for one certificate, or template_id for a ZIP file.")
CHANGE_NEEDED = owner_message("Provide at least one change, such as state or name, or set notify=true.")
NOT_ONE_OF = owner_message("Use one of %(values)s.")
UNKNOWN_PLACEHOLDER = owner_message("%(placeholder)s isn’t a placeholder. Use %(names)s.")
INVALID_COLOR = owner_message("Enter a color as #rrggbb, such as #17604b.")
NO_SUCH_DATE = owner_message("This date doesn’t exist. Enter it as YYYY-MM-DD.")
INVALID_EXPIRY_DATE = owner_message("Enter the last valid day as YYYY-MM-DD.")

ONLY_ONE_CERTIFICATE = owner_message("Use this for one certificate at a time. Provide only one id.")
CORRECTION_OR_STATE = owner_message("Use either state or corrections, not both.")
REASON_NEEDS_REVOCATION = owner_message("Use this only with state=revoked.")
CERTIFICATE_WAS_REPLACED = owner_message("%(code)s was replaced by %(replacement)s. Change that one instead.")
CERTIFICATE_IS_REVOKED = owner_message("%(code)s is revoked. Restore it first with state=valid.")
TEMPLATE_IS_MISSING = owner_message(
    "The template of %(code)s was deleted. Issue a new certificate and revoke this one instead."
)
NO_EMAIL_ADDRESS = owner_message("%(code)s has no email address. Provide one in email.")
NOT_VALID = owner_message("Only valid certificates can be emailed, and %(code)s is %(state)s.")

BEYOND_RIGHT_EDGE = owner_message("This element extends beyond the page. x plus width can be at most 100.")
BEYOND_BOTTOM_EDGE = owner_message("This element extends beyond the page. y plus height can be at most 100.")
ELEMENT_TEXT_NEEDED = owner_message("Enter text for this element.")
ELEMENT_TEXT_NOT_ALLOWED = owner_message("Use text only with part=text.")
DUPLICATE_ELEMENT = owner_message("This element is listed twice. Only text elements can repeat.")
CODE_TOO_SMALL = owner_message(
    "This QR code is too small to scan. Use at least %(width)s for width and %(height)s for height."
)
NAME_ELEMENT_NEEDED = owner_message("The name must be on the certificate. Add an element with part=name.")
CODE_ELEMENT_NEEDED = owner_message("The code must be on the certificate. Add an element with part=code.")
