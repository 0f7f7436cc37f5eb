"""The account's entries in the dashboard's navigation."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db.models import QuerySet

from workspace.accounts.models import Account, OAuthAccessToken
from workspace.brand.models import Brand
from workspace.dashboard import navigation
from workspace.dashboard.navigation import DEVELOPERS, SETTINGS, NavItem, OnboardingStep, SearchablePage
from workspace.insights import search
from workspace.owner_translation import owner_gettext_lazy
from workspace.payments.provider_registry import list_titles
from workspace.publishing import items
from workspace.storage.database.compiled_function import compile_once
from workspace.support import help_articles

START_PAGE = SearchablePage(
    owner_gettext_lazy("Set up your first pages"),
    "/app/welcome",
    owner_gettext_lazy("Choose your design on one screen, and start with examples"),
)
CALENDARS = SearchablePage(
    owner_gettext_lazy("Calendars"),
    "/app/account/calendars",
    "google apple icloud outlook ics caldav busy sync connect calendar integration integrations",
)
LINKED_APPS = SearchablePage(
    owner_gettext_lazy("Linked apps"),
    "/app/linked-apps",
    "family other apps applications connect tools mcp integrations",
)
PAGES = (
    SearchablePage(
        owner_gettext_lazy("Account"),
        "/app/account",
        "profile business name time zone timezone country currency settings preferences",
    ),
    SearchablePage(
        owner_gettext_lazy("Brand"),
        "/app/account/brand",
        "branding logo color colors font fonts design style theme customize opening hours address "
        "language languages slogan",
    ),
    SearchablePage(
        owner_gettext_lazy("Email notifications"),
        "/app/account/notifications",
        "notification email emails alerts messages unsubscribe",
    ),
    SearchablePage(
        owner_gettext_lazy("Payments"),
        "/app/account/payments",
        f"{list_titles().lower()} card deposit deposits refund refunds money online payout payment provider",
    ),
    CALENDARS,
    SearchablePage(
        owner_gettext_lazy("Address books"),
        "/app/account/contacts",
        "contacts leads carddav vcard icloud iphone phone sync connect integration",
    ),
    SearchablePage(
        owner_gettext_lazy("Webhooks"),
        "/app/account/webhooks",
        "integration integrations automation push events zapier make n8n developer endpoint",
    ),
    SearchablePage(
        owner_gettext_lazy("Plans"),
        "/app/plans",
        "price prices pricing upgrade downgrade billing subscription cancel invoice invoices credit card "
        "limits usage credits buy",
    ),
    SearchablePage(
        owner_gettext_lazy("Invite friends"), "/app/invite", "invitation referral free month share recommend discount"
    ),
    SearchablePage(
        owner_gettext_lazy("Help"), "/help", "articles how manual guide documentation docs faq", is_help=True
    ),
    SearchablePage(
        owner_gettext_lazy("Support"),
        "/app/support",
        "contact us question questions ask problem bug ticket tickets feedback",
        is_help=True,
    ),
    SearchablePage(
        owner_gettext_lazy("Members"),
        "/app/members",
        "team staff people users employees invite roles permissions access share account",
    ),
    SearchablePage(owner_gettext_lazy("Activity"), "/app/activity", "audit log history changes undo who changed"),
    SearchablePage(
        owner_gettext_lazy("Bin"), "/app/bin", "trash recycle deleted archive archived restore recover undo"
    ),
    SearchablePage(owner_gettext_lazy("API keys"), "/app/keys", "rest developer token secret integration"),
    SearchablePage(owner_gettext_lazy("Create API key"), "/app/keys/new", "new rest developer token"),
    SearchablePage(
        owner_gettext_lazy("Connected apps"),
        "/app/connections",
        "connections applications integrations agents chatgpt claude oauth revoke disconnect",
    ),
    SearchablePage(
        owner_gettext_lazy("Personal data"),
        "/app/account/privacy",
        "find erase delete guest customer client privacy gdpr data request",
    ),
    SearchablePage(
        owner_gettext_lazy("Export and import"),
        "/app/account/takeout",
        "export import download everything data zip move transfer backup restore portability gdpr",
    ),
    SearchablePage(
        owner_gettext_lazy("Close account"), "/app/account/close", "delete account cancel closure terminate deactivate"
    ),
    SearchablePage(owner_gettext_lazy("Password"), "/account/password", "security sign in login change reset"),
    SearchablePage(owner_gettext_lazy("Email address"), "/account/email", "sign in login change"),
    SearchablePage(
        owner_gettext_lazy("Passkeys"), "/account/passkeys", "security sign in login fingerprint face id webauthn"
    ),
    SearchablePage(
        owner_gettext_lazy("Two-step verification"),
        "/account/second-step",
        "sign-in security two-factor 2fa mfa authenticator code login",
    ),
    SearchablePage(
        owner_gettext_lazy("Devices"),
        "/account/sessions",
        "sessions signed in security sign out log out logout everywhere",
    ),
    SearchablePage(owner_gettext_lazy("Sign out"), "/sign-out", "log out logout logoff exit"),
    SearchablePage(owner_gettext_lazy("Switch account"), "/app/switch", "change account other business"),
    SearchablePage(owner_gettext_lazy("All tools"), "/app/tools", "products apps features"),
    SearchablePage(
        owner_gettext_lazy("AI assistants"),
        "/app/connect",
        "mcp connect ai agent chatgpt claude cursor assistant command line cli svc how integration",
        is_help=True,
    ),
    SearchablePage(
        owner_gettext_lazy("About"), "/about", "imprint contact operator administrator service", is_help=True
    ),
    SearchablePage(
        owner_gettext_lazy("Privacy"), "/privacy", "privacy policy data protection gdpr cookies guests", is_help=True
    ),
)


def register_account_pages() -> None:
    entries = [
        NavItem(owner_gettext_lazy("Account"), "/app/account", "gear", 10, group=SETTINGS),
        NavItem(owner_gettext_lazy("Brand"), "/app/account/brand", "spark", 15, group=SETTINGS),
        NavItem(owner_gettext_lazy("Members"), "/app/members", "people", 16, group=SETTINGS),
        NavItem(owner_gettext_lazy("Plans"), "/app/plans", "tag", 17, group=SETTINGS),
        NavItem(owner_gettext_lazy("API keys"), "/app/keys", "key", 20, group=DEVELOPERS),
        NavItem(owner_gettext_lazy("AI assistants"), "/app/connect", "assistant", 30, group=DEVELOPERS),
        NavItem(owner_gettext_lazy("Connected apps"), "/app/connections", "plug", 35, group=DEVELOPERS),
        NavItem(owner_gettext_lazy("Webhooks"), "/app/account/webhooks", "webhook", 38, group=DEVELOPERS),
        NavItem(owner_gettext_lazy("Activity"), "/app/activity", "history", 45),
        NavItem(owner_gettext_lazy("Help"), "/help", "help", 50),
        NavItem(owner_gettext_lazy("Inbox"), "/app/inbox", "message", 60, for_operator=True),
        NavItem(owner_gettext_lazy("Administration"), "/app/operator", "sliders", 65, for_operator=True),
    ]
    if settings.FAMILY:
        entries.append(NavItem(owner_gettext_lazy("Linked apps"), "/app/linked-apps", "link", 37, group=DEVELOPERS))
        navigation.register_page(LINKED_APPS)
    for entry in entries:
        navigation.register_account_item(entry)
    for place in PAGES if items.has_calendar_products() else [place for place in PAGES if place is not CALENDARS]:
        navigation.register_page(place)
    for one in help_articles.list_articles():
        navigation.register_page(SearchablePage(one.title, one.url, f"{one.product} {one.words}", is_help=True))
    navigation.register_help_finder(_articles_for_page)
    search.register_articles(
        lambda text: [(one.slug, one.title, one.url) for one in help_articles.search_articles(text)]
    )
    navigation.register_start_page(START_PAGE)
    navigation.register_onboarding_step(
        OnboardingStep(owner_gettext_lazy("Set up your brand"), "/app/account/brand", 10, is_done=_is_branded)
    )
    navigation.register_onboarding_step(
        OnboardingStep(
            owner_gettext_lazy("Connect an AI assistant"),
            "/app/connect",
            90,
            is_done=_is_connected,
            trades=("freelancer", "other", ""),
        )
    )


def _articles_for_page(path: str) -> list[tuple[str, str]]:
    return [(one.title, one.url) for one in help_articles.articles_for_page(path)]


def _is_branded(account: Account) -> bool:
    brand = Brand.for_account(account)
    return bool(brand.colors or brand.logo_id)


def _is_connected(account: Account) -> bool:
    return _access_tokens.exists(account)


@compile_once
def _access_tokens(account: Account) -> QuerySet[Any]:
    tokens: QuerySet[Any] = OAuthAccessToken.objects.filter(account=account)
    return tokens
