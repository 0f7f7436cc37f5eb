"""The frame around every published thing: its name, its state, Share, See it, and the same tabs in the same order.

A product says once what its things are and which pages are its own; all others are drawn here:

    LAYOUT = ItemLayout(
        Card,
        noun="card",
        edit=tools.edit,
        delete=tools.delete,
        id="card_id",
        tabs=(Tab("", "Edit"), Tab("look", "Look"), Tab("leads", "Leads", submissions="lead")),
    )
    views = {"": edit_views.edit, "look": design_views.design, "leads": lead_views.leads}
    urlpatterns = [..., *LAYOUT.url_patterns(views)]

and its own pages extend `dashboard/frame.html` and end with
`return LAYOUT.render_item_page(request, id, "card/look.html", {...})`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import URLPattern, path

from workspace.accounts.models import Account
from workspace.dashboard import embed_views, item_lists, item_presenters, item_views
from workspace.dashboard.duplicate_titles import Duplication
from workspace.dashboard.forms import ToolForm
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import call_tool, clean_text
from workspace.insights import search_tools
from workspace.publishing.items import get_manifest
from workspace.publishing.manifest import Manifest
from workspace.publishing.models import PublishedItem, State
from workspace.publishing.serializers import get_or_404, item_summary, item_urls, with_public_state
from workspace.tools.tool import Tool

View = Callable[..., HttpResponse]
COMMON_PAGES = ("share", "results", "settings")  # what the dashboard draws for all
ACTION_PATHS = ("paper", "state", "preview", "delete", "duplicate", "password/remove")


@dataclass(frozen=True, slots=True)
class Tab:
    """A page of the product's own at `/app/PRODUCT/ID/KEY`, the first one without a key. With `submissions`, the kind
    of what guests leave, it stands in front of Results with the count of those that wait, or of all. `extra_paths` are
    further addresses of the tab's pages: `services` of /app/booking/ID/services/…"""

    key: str
    label: str
    submissions: str = ""
    extra_paths: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Switch:
    """The state that an owner switches, and with it what guests can do: the `argument` of the edit tool, the words for
    both positions, and of which things: what guests cannot see yet has none while it is on. An item is on if its page
    is not paused and `is_on` agrees; `row_is_on` says the same of a row of a list. `messages` says what guests can do
    when it is on and when it is off, where {business} is the account's name.

    `confirmation_path` tells the end of the page that is asked first, where switching it on takes something. Where
    `closed_reason` has a word, something else has closed what is switched on: that word stands in its place, with the
    way to the settings."""

    argument: str = "live"
    on: str = "Live"
    off: str = "Paused"
    is_on: Callable[[Any], bool] = lambda thing: True
    row_is_on: Callable[[Mapping[str, Any]], bool] = lambda row: True
    messages: tuple[str, str] = ("Guests see it.", "Guests see a short page that names {business}.")
    is_offered: Callable[[Any], bool] = lambda thing: True
    closed_reason: Callable[[Any], str] = lambda thing: ""
    confirmation_path: Callable[[Any], str] = lambda thing: ""

    def badge_for(self, row: Mapping[str, Any], usual: tuple[str, str]) -> tuple[str, str]:
        """Return the badge of a row in a list. States that no owner switches, such as Expired, keep their own."""
        if row["state"] not in (State.LIVE, State.PAUSED):
            return usual
        is_on = row["state"] == State.LIVE and self.row_is_on(row)
        return (self.on, "good") if is_on else (self.off, "wait")


@dataclass(frozen=True, slots=True)
class ItemLayout:
    """Of every product: its `model`; `noun`, what one is called in a sentence; `edit` and `delete`, its tools, and
    `id`, the name of the first one's argument; `tabs` of its own.

    Where it has them: `stats`, its tool of figures, and `counts`, what to draw of its days, by their names (the views
    of `svc_overview` where left out); `results`, a template below them, which gets the tool's answer as `stats` and
    what `results_context` makes of it; `settings`, further arguments of the edit tool and, as `settings_form`, the
    template of their fields, with `labels` and what else it draws in `settings_context`, and in `extra_initial` what
    stands of a row in those that are no columns of it; `share`, a template at the end of Share, which gets what
    `share_context` makes of the row; `deletion_text`, what else a deletion takes along, as a sentence; `copy`, how one
    is duplicated; `switch`; `has_page=False` where guests see no page of ours, so that the code stands in place of the
    phone; `steps` of the guests' page to look at there, as their `?step=` and label; `website` where a button of its
    call belongs on the owner's own website beside its code, or None where nothing of it does; `embed_noun`, what of a
    `Embeddable` stands on other websites, in a sentence; `has_slug=False` where its address is its own for ever;
    `first_action`, the key of a tab and the words of a button, where a new one needs something before it is shown to
    anybody; `preview_suffix`, the end of the address that See it leads to, in place of the guests' page; an `example`
    of a slug.

    Of its list: `empty_state`, the title, the text and the button while there are none; `new_label`, the button;
    `list_head`, `list_actions` and `list_foot`, templates above it, beside it and below; `load_rows`, the rows of
    things by their ids, for what is searched and for other orders; `bulk`, an address that takes the chosen ones as
    `id`, and the words of its button."""

    model: type[PublishedItem]
    noun: str
    edit: Tool[Any]
    delete: Tool[Any]
    tabs: Sequence[Tab]
    id: str = "id"
    stats: Tool[Any] | None = None
    counts: Mapping[str, str] = field(default_factory=lambda: {"views": "Views"})
    results: str = ""
    results_context: Callable[[Any], Mapping[str, Any]] = lambda stats: {}
    settings: Sequence[str] = ()
    settings_form: str = ""
    settings_context: Mapping[str, Any] = field(default_factory=dict)
    extra_initial: Callable[[Any], Mapping[str, Any]] = lambda found: {}
    labels: Mapping[str, str] = field(default_factory=dict)
    share: str = ""
    share_context: Callable[[Any], Mapping[str, Any]] = lambda found: {}
    deletion_text: str = ""
    copy: Duplication | None = None
    switch: Switch = Switch()
    has_page: bool = True
    has_slug: bool = True
    first_action: tuple[str, str] | None = None
    preview_suffix: str = ""
    steps: Sequence[tuple[str, str]] = ()
    website: bool | None = False
    embed_noun: str = ""
    example: str = ""
    empty_state: tuple[str, str, str] = ("Nothing yet", "", "Make the first one")
    new_label: str = "New"
    list_head: str = ""
    list_actions: str = ""
    list_foot: str = ""
    load_rows: Callable[[Account, Sequence[str]], Iterable[Mapping[str, Any]]] | None = None
    bulk: tuple[str, str] | None = None

    @property
    def product(self) -> Manifest:
        return get_manifest(self.model.kind)

    @property
    def home(self) -> str:
        return self.product.home

    def account_items(self, request: SignedInRequest) -> QuerySet[Any]:
        return with_public_state(self.model._default_manager.filter(account=request.account)).select_related("account")

    def get_item(self, request: SignedInRequest, id: str) -> Any:
        """The model's row. Raises NotFoundError."""
        missing = f"There is no such {self.noun}"
        return get_or_404(self.account_items(request), id, missing)

    def edit_form(self, request: SignedInRequest, id: str, **more: Any) -> ToolForm:
        """A form over the edit tool; `more` as `ToolForm` takes it."""
        return ToolForm(self.edit, request, **{"fixed": {self.id: id}, "editing": True, "labels": self.labels, **more})

    def render_item_page(
        self, request: SignedInRequest, id: str, template: str, context: Mapping[str, Any], status: int = 200
    ) -> HttpResponse:
        """A page of one of the things. Its template gets `thing` (as `things.shown` makes it, with its `title`) beside
        the context."""
        return self.render_page(request, self.get_item(request, id), template, context, status)

    def render_page(
        self, request: SignedInRequest, found: Any, template: str, context: Mapping[str, Any], status: int = 200
    ) -> HttpResponse:
        """The same of a row that is at hand."""
        thing = self.present_item(found)
        around = {
            "thing": thing,
            "frame": self,
            "tab_list": self._present_tabs(request, thing),
            "is_new": "made" in request.GET,
            "first": (thing[f"{self.first_action[0]}_url"], self.first_action[1]) if self.first_action else None,
        }
        return render(request, template, {**around, **context}, status=status)

    def present_item(self, found: Any) -> dict[str, Any]:
        keys = (*COMMON_PAGES, *ACTION_PATHS, *(tab.key for tab in self.tabs if tab.key))
        row = {**item_summary(found), **item_urls(found), "title": str(found)}
        thing = item_presenters.present_item(row, self.home, keys)
        see = item_presenters.tab_url(thing["url"], self.preview_suffix) if self.preview_suffix else thing["path"]
        is_on = found.publication.paused_at is None and self.switch.is_on(found)
        has_switch = self.switch.is_offered(found) or not is_on
        shut = self.switch.closed_reason(found) if is_on and thing["state"] == "live" else ""
        told_off = self.switch.messages[1].format(business=found.account.name)
        state = {"is_on": is_on, "has_switch": has_switch, "shut": shut, "told_off": told_off}
        return {**thing, **state, "see_url": see}

    def present_row(self, row: Mapping[str, Any], tabs: Sequence[str] = ()) -> dict[str, Any]:
        """A row of a list for the page."""
        shown = item_presenters.present_item(row, self.home, tabs)
        return {**shown, "badge": self.switch.badge_for(row, shown["badge"])}

    @property
    def has_copies(self) -> bool:
        """Whether one can be duplicated: a template would call `copy`."""
        return self.copy is not None

    @property
    def plural(self) -> str:
        return str(self.model._meta.verbose_name_plural)

    def list_items(self, request: SignedInRequest, tool: Tool[Any], *names: str) -> Any:
        """What a list shows: what its tool lists, with the texts `names` of the address that it takes. For words or an
        order that it does not, what the search finds."""
        wanted, q, sort = (
            item_lists.list_arguments(request, *names),
            clean_text(request.GET.get("q"), 200),
            item_lists.sort_order(request),
        )
        narrowed = any(name in wanted for name in names if name != "q")
        if self.load_rows is None or narrowed or not (sort or (q and "q" not in names)):
            takes = tool.arguments.model_fields
            return call_tool(request, tool, **{name: value for name, value in wanted.items() if name in takes})
        page = {"limit": wanted["limit"], "offset": wanted["offset"]}
        found = call_tool(
            request, search_tools.search_account, q=q, kinds=[self.model.kind], sort=sort or "fit", **page
        )
        ids = [row["id"] for row in found["items"]]
        rows = {row["id"]: row for row in self.load_rows(request.account, ids)}
        return {**found, "items": [rows[id] for id in ids if id in rows]}

    def render_list(
        self,
        request: SignedInRequest,
        found: Mapping[str, Any],
        line: Callable[[Any], item_lists.ListItem],
        *,
        most: int | None = None,
        searches: bool = False,
        chips: Sequence[item_lists.FilterChip] = (),
        filters: Sequence[str] = (),
    ) -> HttpResponse:
        """The list of them: `list_items` is what the list tool answered, `line` says what it tells of a row, `most` is
        how many the plan holds. `searches` where the tool takes `q`; `filters` are the other names in the address that
        narrow the list."""
        rows = found["items"]
        q = clean_text(request.GET.get("q"), 200)
        kept = [(name, clean_text(request.GET.get(name), 200)) for name in filters]
        kept = [(name, value) for name, value in kept if value]
        is_filtered = bool(q or kept)
        used = self.account_items(request).count() if is_filtered else found["total"]
        taken = used if most is None else used - len(self.model.list_starters(request.account))
        changed = item_lists.weekly_visits(request.account, [row["id"] for row in rows])
        keys = (*COMMON_PAGES, *(tab.key for tab in self.tabs if tab.key))
        context = {
            "frame": self,
            "listing": found,
            "limit": item_lists.PAGE_SIZE,
            "things": item_lists.present_items([(self.present_row(row, keys), line(row)) for row in rows], changed),
            "room": None if most is None else {"used": taken, "most": most, "left": max(0, most - taken)},
            "searches": (searches or self.load_rows is not None) and (used >= item_lists.MIN_ITEMS_FOR_SEARCH or q),
            "q": q,
            "sorts": item_lists.SORT_CHOICES if self.load_rows is not None and not kept else (),
            "sort": item_lists.sort_order(request),
            "kept": kept,
            "is_filtered": is_filtered,
            "chips": chips,
            "new_url": f"{self.home}/new",
            "new_query": f"?{urlencode(kept)}" if kept else "",
        }
        return render(request, "dashboard/frame/list.html", context)

    def url_patterns(self, views: Mapping[str, View]) -> list[URLPattern]:
        """All addresses of one thing: the product's own by the keys of its tabs, the others from here."""
        of_all = {
            "share": item_views.share,
            "paper": item_views.download_print,
            "results": item_views.results,
            "settings": item_views.settings,
            "state": item_views.set_state,
            **({"preview": item_views.preview} if self.has_page else {}),
            "delete": item_views.delete,
            "password/remove": item_views.remove_password,
            **({"duplicate": item_views.duplicate} if self.copy else {}),
            **({"share/websites": embed_views.websites} if self.embed_noun else {}),
        }
        own = [path(f"/<str:id>/{key}" if key else "/<str:id>", view) for key, view in views.items()]
        return [*own, *(path(f"/<str:id>/{key}", view, {"frame": self}) for key, view in of_all.items())]

    def _present_tabs(
        self, request: SignedInRequest, thing: Mapping[str, Any]
    ) -> list[tuple[str, str, int | None, bool]]:
        """Label, address, count and whether it is the one that is looked at, in the order of all frames."""
        own = [(tab.label, tab.key, None) for tab in self.tabs if not tab.submissions]
        came = [
            (tab.label, tab.key, self._count_submissions(request.account, thing["id"], tab.submissions))
            for tab in self.tabs
            if tab.submissions
        ]
        # nobody comes by us to what has no address
        seen = [("Results", "results", None)] if thing["path"] else []
        pages = [*own, ("Share", "share", None), *came, *seen, ("Settings", "settings", None)]
        urls = [(label, f"{thing['url']}/{key}" if key else thing["url"], count) for label, key, count in pages]
        also = {
            f"{thing['url']}/{key}": item_presenters.tab_url(thing["url"], tab.key)
            for tab in self.tabs
            for key in tab.extra_paths
        }
        at = _nearest_url(request, [*(url for _, url, _ in urls), *also])
        at = also.get(at, at)
        return [(label, url, count, url == at) for label, url, count in urls]

    def _count_submissions(self, account: Account, id: str, kind: str) -> int:
        [came] = [one for one in self.product.submissions if one.kind == kind]
        rows = came.rows(account).filter(**{came.item_column: id})
        return (rows.filter(came.waiting_filter) if came.waiting_filter is not None else rows).count()


def _nearest_url(request: HttpRequest, urls: Sequence[str]) -> str:
    """The page that is looked at, or the one above it."""
    at = request.path
    return max((url for url in urls if at == url or at.startswith(f"{url}/")), key=len, default="")
