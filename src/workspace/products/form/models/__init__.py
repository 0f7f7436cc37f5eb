"""Tables of forms, versions, responses and uploaded files."""

from workspace.products.form.models.file import GuestFile
from workspace.products.form.models.form import KIND, Form
from workspace.products.form.models.response import SUSPICIONS, Response
from workspace.products.form.models.version import FormVersion
from workspace.products.form.rules.response_folders import INBOX, PARTIAL, SPAM

__all__ = ["INBOX", "KIND", "PARTIAL", "SPAM", "SUSPICIONS", "Form", "FormVersion", "GuestFile", "Response"]
