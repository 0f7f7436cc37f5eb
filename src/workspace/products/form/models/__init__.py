"""Tables of forms, versions, responses and uploaded files."""

from workspace.products.form.models.file import GuestFile
from workspace.products.form.models.form import KIND, Form
from workspace.products.form.models.response import INBOX, PARTIAL, SPAM, SUSPICIONS, Response
from workspace.products.form.models.version import FormVersion

__all__ = ["INBOX", "KIND", "PARTIAL", "SPAM", "SUSPICIONS", "Form", "FormVersion", "GuestFile", "Response"]
