"""The URL that adds a certificate to a LinkedIn profile."""

from __future__ import annotations

from urllib.parse import urlencode

from workspace.products.certs.models import Certificate

ADD_URL = "https://www.linkedin.com/profile/add"


def add_to_profile_url(one: Certificate) -> str:
    """Return the URL. Months are 1 to 12."""
    day = one.day or one.created_at.astimezone(one.account.zone).date()
    given = {
        "startTask": "CERTIFICATION_NAME",
        "name": one.course or one.title,
        "organizationName": one.organization or one.account.name,
        "issueYear": day.year,
        "issueMonth": day.month,
        "certUrl": one.verify_url,
        "certId": one.formatted_code,
    }
    if one.expires_on is not None:
        given |= {"expirationYear": one.expires_on.year, "expirationMonth": one.expires_on.month}
    return f"{ADD_URL}?{urlencode(given)}"
