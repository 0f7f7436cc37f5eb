import pytest

from workspace.analytics.bots import is_bot
from workspace.testing.publications import ANDROID, IPHONE, WINDOWS

APPLE = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148"
IN_WHATSAPP = f"{APPLE} WhatsApp/2.23.20"
IN_INSTAGRAM = f"{APPLE} Instagram 300.0"
IN_FACEBOOK = f"{ANDROID} [FB_IAB/FB4A;FBAV/480.0]"


@pytest.mark.parametrize("user_agent", [IPHONE, ANDROID, WINDOWS, IN_WHATSAPP, IN_INSTAGRAM, IN_FACEBOOK])
def test_people_are_people_even_inside_apps(user_agent: str) -> None:
    assert not is_bot(user_agent, {})


@pytest.mark.parametrize(
    "user_agent",
    [
        "WhatsApp/2.23.20.0 A",
        "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
        "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
        "TelegramBot (like TwitterBot)",
        "Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)",
        # link previews in messages on Apple devices
        "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 "
        "Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0",
        "LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)",
        "Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5 skype-url-preview@microsoft.com",
        "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
        "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)",
        "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/130.0 Safari/537.36",
        "Viber/22.0",
        "Snapchat/12.1",
    ],
)
def test_crawlers_and_preview_fetchers_are_bots(user_agent: str) -> None:
    assert is_bot(user_agent, {})


@pytest.mark.parametrize(
    "user_agent",
    [
        "",
        " ",
        "curl/8.5",
        "python-requests/2.32",
        "Go-http-client/2.0",
        "okhttp/4.12",
        "node",
        "Dalvik/2.1.0",
        "reqwest/0.12",
    ],
)
def test_a_user_agent_that_names_no_browser_is_a_bot(user_agent: str) -> None:
    assert is_bot(user_agent, {})


@pytest.mark.parametrize(
    "header",
    [("sec-purpose", "prefetch;prerender"), ("purpose", "prefetch"), ("x-moz", "prefetch"), ("x-purpose", "preview")],
)
def test_a_prefetched_page_was_seen_by_no_one(header: tuple[str, str]) -> None:
    assert is_bot(IPHONE, dict([header]))
    assert not is_bot(IPHONE, {header[0]: ""})
