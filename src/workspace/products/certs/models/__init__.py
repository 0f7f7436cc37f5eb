"""Tables of certificate templates, certificates and issuers."""

from workspace.products.certs.models.certificate import Certificate, State, month_start
from workspace.products.certs.models.issuer import Issuer, IssuerKey, StatusList
from workspace.products.certs.models.name_word import NameWord, full_name_key
from workspace.products.certs.models.template import KIND, SIGNATURE_FIELDS, Template

__all__ = [
    "KIND",
    "SIGNATURE_FIELDS",
    "Certificate",
    "Issuer",
    "IssuerKey",
    "NameWord",
    "State",
    "StatusList",
    "Template",
    "full_name_key",
    "month_start",
]
