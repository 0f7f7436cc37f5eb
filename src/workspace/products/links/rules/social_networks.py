"""Social networks: their names, and how to build a URL from a handle."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from workspace.products.links.rules.network_icons import ICON_PATHS


@dataclass(frozen=True, slots=True)
class Network:
    """A social network.

    `handle` is the URL with {} in place of the handle, or empty if a full URL is needed.
    """

    key: str
    english_name: str
    handle: str = ""

    @property
    def title(self) -> str:
        return gettext(self.english_name)

    @property
    def icon_path(self) -> str:
        return ICON_PATHS[self.key]


NETWORKS: dict[str, Network] = {
    network.key: network
    for network in (
        Network("instagram", "Instagram", "https://www.instagram.com/{}"),
        Network("facebook", "Facebook", "https://www.facebook.com/{}"),
        Network("tiktok", "TikTok", "https://www.tiktok.com/@{}"),
        Network("youtube", "YouTube", "https://www.youtube.com/@{}"),
        Network("x", "X", "https://x.com/{}"),
        Network("threads", "Threads", "https://www.threads.com/@{}"),
        Network("bluesky", "Bluesky", "https://bsky.app/profile/{}"),
        Network("mastodon", "Mastodon"),
        Network("linkedin", "LinkedIn", "https://www.linkedin.com/in/{}"),
        Network("pinterest", "Pinterest", "https://www.pinterest.com/{}"),
        Network("snapchat", "Snapchat", "https://www.snapchat.com/add/{}"),
        Network("whatsapp", "WhatsApp", "https://wa.me/{}"),
        Network("telegram", "Telegram", "https://t.me/{}"),
        Network("signal", "Signal"),
        Network("spotify", "Spotify"),
        Network("soundcloud", "SoundCloud", "https://soundcloud.com/{}"),
        Network("github", "GitHub", "https://github.com/{}"),
        Network("tripadvisor", "Tripadvisor"),
        Network("maps", _("Map")),
        Network("email", _("Email"), "mailto:{}"),
        Network("phone", _("Phone"), "tel:{}"),
        Network("website", _("Website")),
    )
}
