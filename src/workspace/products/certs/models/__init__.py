"""Tables of certificate templates, certificates and issuers."""

from workspace.products.certs.models.certificate import Certificate, State, first_of_month
from workspace.products.certs.models.issuer import Issuer, IssuerKey, StatusList
from workspace.products.certs.models.name_word import NameWord, whole
from workspace.products.certs.models.template import KIND, SIGNATURES, Template

__all__ = [
    "KIND",
    "SIGNATURES",
    "Certificate",
    "Issuer",
    "IssuerKey",
    "NameWord",
    "State",
    "StatusList",
    "Template",
    "first_of_month",
    "whole",
]
