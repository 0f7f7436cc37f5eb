"""Emails to members: an invitation, a changed role, a removal.

They are in the language of the account's guests, which is the best guess for its members. Replies go to the person who
made the change.
"""

from __future__ import annotations

from collections.abc import Mapping

from django.conf import settings
from django.urls import reverse
from django.utils import translation
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy

from workspace.accounts import permissions, plans
from workspace.accounts.models import Account, MemberInvitation, Membership, Person
from workspace.interfaces.sign_in import html_email
from workspace.publishing.guest_language import guest_language


def send_invitation(invitation: MemberInvitation, token: str) -> None:
    _send_email(
        invitation.account,
        invitation.email,
        gettext_lazy("Invitation to join {business}"),
        "invitation",
        invitation.invited_by,
        link=settings.BASE_URL + reverse("join", args=[token]),
        role=invitation.role,
        product_roles=invitation.products,
    )


def notify_role_change(member: Membership, changed_by: Person) -> None:
    _send_email(
        member.account,
        member.person.email,
        gettext_lazy("Your role in {business} has changed"),
        "role",
        changed_by,
        link=f"{settings.BASE_URL}/app",
        role=member.role,
        product_roles=member.products,
    )


def notify_removal(account: Account, email: str, removed_by: Person) -> None:
    _send_email(account, email, gettext_lazy("You were removed from {business}"), "removed", removed_by)


def _send_email(
    account: Account,
    to: str,
    subject: Promise,
    template: str,
    sender: Person | None,
    *,
    link: str = "",
    role: str = "",
    product_roles: Mapping[str, str] | None = None,
) -> None:
    language = guest_language(account)
    with translation.override(language):
        context: dict[str, object] = {
            "business": account.name,
            "by": (sender.name or sender.email) if sender else "",
            "link": link,
            "as_what": _describe_role(role, product_roles or {}),
        }
        titled = str(subject).format(business=account.name)
    path = f"account_pages/email/{template}.txt"
    html_email.send_html_email(to, titled, path, context, language, reply_to=sender.email if sender else "")


def _describe_role(role: str, product_roles: Mapping[str, str]) -> str:
    """Describe the role in a sentence or two, in the active language."""
    if role == permissions.OWNER:
        return gettext("You can do everything, including managing members and plans.")
    if role == permissions.EDITOR:
        return gettext("You can view and edit everything except the account itself.")
    if role == permissions.VIEWER:
        return gettext("You can view everything, but not make changes.")
    changes, looks = (_product_titles(product_roles, one) for one in (permissions.EDITOR, permissions.VIEWER))
    said = [gettext("You can view and edit: {what}.").format(what=changes)] if changes else []
    said += [gettext("You can view: {what}.").format(what=looks)] if looks else []
    return " ".join(said)


def _product_titles(product_roles: Mapping[str, str], role: str) -> str:
    return ", ".join(plans.PRODUCTS[key].title for key in plans.PRODUCTS if product_roles.get(key) == role)
