"""The account's entries in the dashboard's navigation."""

from __future__ import annotations

from django.conf import settings

from workspace.accounts.models import Account, OAuthAccessToken
from workspace.brand.models import Brand
from workspace.dashboard import navigation
from workspace.dashboard.navigation import NavItem, OnboardingStep, SearchablePage
from workspace.insights import search
from workspace.payments.provider_registry import list_titles
from workspace.publishing import items
from workspace.support import help_articles

START_PAGE = SearchablePage(
    "Set up your first pages", "/app/welcome", "Your look on one screen, and examples to write over"
)
CALENDARS = SearchablePage(
    "Calendars", "/app/account/calendars", "google apple icloud outlook ics caldav busy sync connect calendar"
)
APPLICATIONS = SearchablePage("Applications", "/app/linked-apps", "family other apps connect tools mcp")
PAGES = (
    SearchablePage("Account", "/app/account", "business name time zone plan settings"),
    SearchablePage("Brand", "/app/account/brand", "logo colors colors font look address opening hours"),
    SearchablePage("E-mail notifications", "/app/account/notifications", "mails news notices notifications email"),
    SearchablePage("Payments", "/app/account/payments", f"{list_titles().lower()} card deposit refund money online"),
    CALENDARS,
    SearchablePage(
        "Address books", "/app/account/contacts", "contacts leads carddav vcard icloud iphone phone sync connect"
    ),
    SearchablePage("Webhooks", "/app/account/webhooks", "push events zapier make n8n developer endpoint"),
    SearchablePage("Plans", "/app/plans", "price upgrade billing subscription invoice card limits credits buy"),
    SearchablePage("Invite friends", "/app/invite", "referral free month share link friend recommend"),
    SearchablePage("Help", "/help", "articles how manual guide documentation", is_help=True),
    SearchablePage("Questions", "/app/support", "support question ask contact team problem ticket help", is_help=True),
    SearchablePage("Members", "/app/members", "team invite people"),
    SearchablePage("Activity", "/app/activity", "audit log history changes who did undo"),
    SearchablePage("API keys", "/app/keys", "rest developer token"),
    SearchablePage("Make an API key", "/app/keys/new", "new rest developer token"),
    SearchablePage("Connections", "/app/connections", "applications agents chatgpt claude"),
    SearchablePage("One person’s data", "/app/account/privacy", "find erase privacy gdpr export delete guest"),
    SearchablePage(
        "Take along", "/app/account/takeout", "export everything zip move backup import bring back portability gdpr"
    ),
    SearchablePage("Close the account", "/app/account/close", "delete cancel end"),
    SearchablePage("Password", "/account/password", "security sign in change"),
    SearchablePage("E-mail address", "/account/email", "sign in change"),
    SearchablePage("Passkeys", "/account/passkeys", "security sign in"),
    SearchablePage(
        "Two-step verification", "/account/second-step", "sign-in security two-factor 2fa authenticator code"
    ),
    SearchablePage("Devices", "/account/sessions", "where signed in sessions security devices sign out"),
    SearchablePage(
        "Connect an agent", "/app/connect", "mcp chatgpt claude assistant command line svc how", is_help=True
    ),
    SearchablePage("About this service", "/about", "imprint contact operator", is_help=True),
    SearchablePage("Privacy", "/privacy", "data gdpr cookies guests", is_help=True),
)


def register_account_pages() -> None:
    navigation.register_account_item(NavItem("Account", "/app/account", "gear", 10))
    navigation.register_account_item(NavItem("Brand", "/app/account/brand", "spark", 15))
    navigation.register_account_item(NavItem("Plans", "/app/plans", "tag", 17))
    navigation.register_account_item(NavItem("API keys", "/app/keys", "key", 20))
    navigation.register_account_item(NavItem("Connect an agent", "/app/connect", "plug", 30))
    navigation.register_account_item(NavItem("Connections", "/app/connections", "plug", 35))
    if settings.FAMILY:
        navigation.register_account_item(NavItem("Applications", "/app/linked-apps", "plug", 37))
        navigation.register_page(APPLICATIONS)
    navigation.register_account_item(NavItem("Members", "/app/members", "person", 40))
    navigation.register_account_item(NavItem("Activity", "/app/activity", "clock", 45))
    navigation.register_account_item(NavItem("Help", "/help", "help", 50))
    navigation.register_account_item(NavItem("Inbox", "/app/inbox", "message", 60, for_operator=True))
    navigation.register_account_item(NavItem("Installation", "/app/operator", "gear", 65, for_operator=True))
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
        OnboardingStep("Give your business its look", "/app/account/brand", 10, is_done=_is_branded)
    )
    navigation.register_onboarding_step(OnboardingStep("Connect an agent", "/app/connect", 90, is_done=_is_connected))


def _articles_for_page(path: str) -> list[tuple[str, str]]:
    return [(one.title, one.url) for one in help_articles.articles_for_page(path)]


def _is_branded(account: Account) -> bool:
    brand = Brand.for_account(account)
    return bool(brand.colors or brand.logo_id)


def _is_connected(account: Account) -> bool:
    return bool(OAuthAccessToken.objects.filter(account=account).exists())
