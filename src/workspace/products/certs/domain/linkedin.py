"""The URL that adds a certificate to a LinkedIn profile."""

from __future__ import annotations

from urllib.parse import urlencode

from workspace.products.certs.models import Certificate

ADD_URL = "https://www.linkedin.com/profile/add"


def add_to_profile_url(certificate: Certificate) -> str:
    """Return the URL that adds a certificate to a LinkedIn profile. Months are 1 to 12."""
    day = certificate.day or certificate.created_at.astimezone(certificate.account.zone).date()
    fields = {
        "startTask": "CERTIFICATION_NAME",
        "name": certificate.course or certificate.title,
        "organizationName": certificate.organization or certificate.account.name,
        "issueYear": day.year,
        "issueMonth": day.month,
        "certUrl": certificate.verify_url,
        "certId": certificate.formatted_code,
    }
    if certificate.expires_on is not None:
        fields |= {"expirationYear": certificate.expires_on.year, "expirationMonth": certificate.expires_on.month}
    return f"{ADD_URL}?{urlencode(fields)}"
