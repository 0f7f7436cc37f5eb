from workspace.products.certs.models.certificate import Certificate, State, first_of_month
from workspace.products.certs.models.template import KIND, SIGNATURES, Template

__all__ = ["KIND", "SIGNATURES", "Certificate", "State", "Template", "first_of_month"]
