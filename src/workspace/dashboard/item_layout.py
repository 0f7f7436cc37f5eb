"""The layout of all pages of an item: its name, its state, Share, Preview, and the same tabs in the same order.

A product defines its model and its own pages. All other pages come from here:

    LAYOUT = ItemLayout(
        Card,
        noun="card",
        edit=tools.edit,
        delete=tools.delete,
        id="card_id",
        tabs=(Tab("", "Edit"), Tab("look", "Look"), Tab("leads", "Leads", submissions="lead")),
    )
    views = {"": edit_views.edit, "look": design_views.design, "leads": lead_views.leads}
    urlpatterns = [..., *build_item_urls(LAYOUT, views)]

Its own pages extend `dashboard/frame.html`, and their views end with:

    return LAYOUT.render_item_page(request, id, "card/owner/design.html", {...})
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext, gettext_lazy

from workspace.accounts.models import Account
from workspace.dashboard import item_lists, item_presenters
from workspace.dashboard.forms import ToolForm
from workspace.dashboard.item_duplication import Duplication
from workspace.dashboard.messages import ITEM_NOT_FOUND
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import call_tool, clean_text
from workspace.insights import search_tools
from workspace.owner_translation import OwnerText
from workspace.publishing.items import get_manifest
from workspace.publishing.manifest import Manifest
from workspace.publishing.models import PublishedItem, State
from workspace.publishing.serializers import item_summary, item_urls, with_public_state
from workspace.storage.database.compiled_function import compile_once
from workspace.tools.tool import Tool

COMMON_PAGES = ("share", "results", "settings")  # pages that the dashboard provides for all items
_LIVE, _PAUSED = gettext_lazy("Live"), gettext_lazy("Paused")
_NO_ITEMS, _CREATE_ITEM = gettext_lazy("No items yet"), gettext_lazy("Create item")
_IS_SHOWN, _IS_HIDDEN = (
    gettext_lazy("Guests can see this page."),
    gettext_lazy("Guests see a short notice from {business}."),
)
ACTION_PATHS = ("paper", "state", "preview", "delete", "duplicate", "password/remove")


@dataclass(frozen=True, slots=True)
class Tab:
    """A page of the product at `/app/PRODUCT/ID/KEY`; the first one has no key.

    With `submissions`, a kind of submission, the tab is placed before the analytics, with the count of those waiting,
    or of all. `extra_paths` are additional paths of the tab's pages: `services` of /app/booking/ID/services/…
    """

    key: str
    label: OwnerText
    submissions: str = ""
    extra_paths: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Switch:
    """A switch that turns an item on and off.

    `argument` is the argument of the edit tool, `on` and `off` are the labels of both states, and `is_offered` decides
    which items have a switch. An item is on if its page is not paused and `is_on` returns True; `row_is_on` does the
    same for a row of a list. `messages` describe what guests can do in each state, where {business} stands for the
    account's name.

    If turning an item on needs a confirmation, `confirmation_path` is the end of its page's URL. If `closed_reason`
    returns a message, something else has closed the item. The message then replaces the state and links to the
    settings.
    """

    argument: str = "live"
    on: OwnerText = _LIVE
    off: OwnerText = _PAUSED
    is_on: Callable[[Any], bool] = lambda thing: True
    row_is_on: Callable[[Mapping[str, Any]], bool] = lambda row: True
    messages: tuple[OwnerText, OwnerText] = (_IS_SHOWN, _IS_HIDDEN)
    is_offered: Callable[[Any], bool] = lambda thing: True
    closed_reason: Callable[[Any], OwnerText] = lambda thing: ""
    confirmation_path: Callable[[Any], str] = lambda thing: ""

    def badge_for(self, row: Mapping[str, Any], usual: tuple[OwnerText, str]) -> tuple[OwnerText, str]:
        """Return the badge of a row in a list.

        States that owners cannot switch, such as Expired, use the usual badge.
        """
        if row["state"] not in (State.LIVE, State.PAUSED):
            return usual
        is_on = row["state"] == State.LIVE and self.row_is_on(row)
        return (self.on, "good") if is_on else (self.off, "wait")


@compile_once
def _items_of(model: type[PublishedItem], account: Account) -> QuerySet[Any]:
    return with_public_state(model._default_manager.filter(account=account))


@dataclass(frozen=True, slots=True)
class ItemLayout:
    """The pages of a product's items, and their list.

    Required: `model`; `noun`, the name of an item in a sentence; the tools `edit` and `delete`, and `id`, the name of
    their first argument; `tabs` of the product.

    Optional, for an item:
    - `stats`: the tool for analytics. `counts`: the daily counts to show, with labels; by default the views of
      `svc_overview`. `results`: a template below them, which gets the tool's answer as `stats` and the result of
      `results_context`.
    - `settings`: additional arguments of the edit tool. `settings_form`: the template of their fields, with `labels`
      and `settings_context`. `extra_initial`: initial values that are not columns of the row.
    - `share`: a template at the end of the share page, which gets the result of `share_context` for the row.
    - `deletion_text`: a sentence on what else a deletion removes. `copy`: how an item is duplicated. `switch`: its
      on-off switch.
    - `has_page=False`: guests see no page of ours, so the QR code replaces the phone preview. `preview_suffix`: the end
      of the preview URL, in place of the guest page. `steps`: steps of the guest page for the preview, as their
      `?step=` and label.
    - `website`: True if a button belongs on the owner's website in addition to the QR code, None if neither does.
      `embed_noun`: the part of an `Embeddable` that is embedded in other websites, in a sentence.
    - `has_prints=False`: it is for one person, who needs no posters. `is_ready`: whether a new item can be shared.
    - `has_slug=False`: its address cannot be changed. `example`: an example of a slug.
    - `first_action`: the key of a tab and the text of a button, if a new item needs a step before it is shown.

    Optional, for the list:
    - `empty_state`: title, text and button if there are no items. `new_label`: the text of the button.
    - `list_head`, `list_actions`, `list_foot`: templates above, beside and below it.
    - `load_rows`: loads rows by id, for search and other orders.
    - `bulk`: a path that accepts the selected items as `id`, and the text of its button.
    """

    model: type[PublishedItem]
    noun: str
    edit: Tool[Any]
    delete: Tool[Any]
    tabs: Sequence[Tab]
    id: str = "id"
    stats: Tool[Any] | None = None
    counts: Mapping[str, OwnerText] = field(default_factory=lambda: {"views": gettext("Views")})
    results: str = ""
    results_context: Callable[[Any], Mapping[str, Any]] = lambda stats: {}
    settings: Sequence[str] = ()
    settings_form: str = ""
    settings_context: Mapping[str, Any] = field(default_factory=dict)
    extra_initial: Callable[[Any], Mapping[str, Any]] = lambda found: {}
    labels: Mapping[str, OwnerText] = field(default_factory=dict)
    share: str = ""
    share_context: Callable[[Any], Mapping[str, Any]] = lambda found: {}
    deletion_text: OwnerText = ""
    copy: Duplication | None = None
    switch: Switch = Switch()
    has_page: bool = True
    has_slug: bool = True
    first_action: tuple[str, OwnerText] | None = None
    preview_suffix: str = ""
    steps: Sequence[tuple[str, OwnerText]] = ()
    website: bool | None = False
    has_prints: bool = True
    is_ready: Callable[[Any], bool] = lambda found: True
    embed_noun: str = ""
    example: str = ""
    empty_state: tuple[OwnerText, OwnerText, OwnerText] = (
        gettext_lazy("No items yet"),
        "",
        gettext_lazy("Create item"),
    )
    new_label: OwnerText = _CREATE_ITEM
    list_head: str = ""
    list_actions: str = ""
    list_foot: str = ""
    load_rows: Callable[[Account, Sequence[str]], Iterable[Mapping[str, Any]]] | None = None
    bulk: tuple[str, OwnerText] | None = None

    @property
    def product(self) -> Manifest:
        return get_manifest(self.model.kind)

    @property
    def home(self) -> str:
        return self.product.home

    def account_items(self, request: SignedInRequest) -> QuerySet[Any]:
        """Return the account's items with their public state."""
        return _items_of(self.model, request.account).select_related("publication", "account")

    def get_item(self, request: SignedInRequest, id: str) -> Any:
        """Return the item with this ID. Raise NotFoundError if it does not exist."""
        item = _items_of.get(id, str(ITEM_NOT_FOUND), self.model, request.account)
        item.account = request.account
        return item

    def edit_form(self, request: SignedInRequest, id: str, **more: Any) -> ToolForm:
        """Build a form for the edit tool. `more` are arguments of `ToolForm`."""
        return ToolForm(self.edit, request, **{"fixed": {self.id: id}, "editing": True, "labels": self.labels, **more})

    def render_item_page(
        self, request: SignedInRequest, id: str, template: str, context: Mapping[str, Any], status: int = 200
    ) -> HttpResponse:
        """Render a page of an item.

        The template also gets `thing`, the result of `present_item`.
        """
        return self.render_page(request, self.get_item(request, id), template, context, status)

    def render_page(
        self, request: SignedInRequest, item: Any, template: str, context: Mapping[str, Any], status: int = 200
    ) -> HttpResponse:
        """Render a page of an item that is already loaded."""
        presented = self.present_item(item)
        around = {
            "thing": presented,
            "frame": self,
            "tab_list": self._present_tabs(request, presented),
            "is_new": "made" in request.GET,
            "is_share_page": request.path == presented["share_url"],
            "is_ready": "made" in request.GET and presented["is_on"] and self.is_ready(item),
            "share_links": item_presenters.build_share_links(item),
            "print_url": item_presenters.PRINT_PATH,
            "first": (presented[f"{self.first_action[0]}_url"], self.first_action[1]) if self.first_action else None,
        }
        return render(request, template, {**around, **context}, status=status)

    def present_item(self, item: Any) -> dict[str, Any]:
        """Prepare an item like `item_presenters.present_item`, and add its switch and the URL of its preview."""
        keys = (*COMMON_PAGES, *ACTION_PATHS, *(tab.key for tab in self.tabs if tab.key))
        row = {**item_summary(item), **item_urls(item), "title": str(item)}
        presented = item_presenters.present_item(row, self.home, keys)
        see = (
            item_presenters.tab_url(presented["url"], self.preview_suffix) if self.preview_suffix else presented["path"]
        )
        is_on = item.publication.paused_at is None and self.switch.is_on(item)
        has_switch = self.switch.is_offered(item) or not is_on
        shut = self.switch.closed_reason(item) if is_on and presented["state"] == "live" else ""
        off_message = str(self.switch.messages[1]).format(business=item.account.name)
        state = {"is_on": is_on, "has_switch": has_switch, "shut": shut, "off_message": off_message}
        return {**presented, **state, "see_url": see}

    def present_row(self, row: Mapping[str, Any], tabs: Sequence[str] = ()) -> dict[str, Any]:
        """Prepare a row of a list for the page."""
        shown = item_presenters.present_item(row, self.home, tabs)
        return {**shown, "badge": self.switch.badge_for(row, shown["badge"])}

    @property
    def has_copies(self) -> bool:
        """True if items can be duplicated. Templates use this property, because a template would call `copy`."""
        return self.copy is not None

    @property
    def plural(self) -> str:
        return str(self.model._meta.verbose_name_plural)

    def list_items(self, request: SignedInRequest, tool: Tool[Any], *names: str) -> Any:
        """Return the items of a list by calling its tool, which accepts the query parameters in `names`.

        If the tool does not support the search words or the order, return the results of the search.
        """
        wanted, q, sort = (
            item_lists.parse_list_arguments(request, *names),
            clean_text(request.GET.get("q"), 200),
            item_lists.parse_sort_order(request),
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
        listing: Mapping[str, Any],
        build_list_item: Callable[[Any], item_lists.ListItem],
        *,
        limit: int | None = None,
        is_searchable: bool = False,
        chips: Sequence[item_lists.FilterChip] = (),
        filters: Sequence[str] = (),
    ) -> HttpResponse:
        """Render the list of items.

        `listing` is the result of `list_items`. `build_list_item` builds the ListItem for a row. `limit` is the plan's
        limit. `is_searchable` means that the tool accepts `q`. `filters` are other query parameters that filter the
        list.
        """
        rows = listing["items"]
        q = clean_text(request.GET.get("q"), 200)
        kept = [(name, clean_text(request.GET.get(name), 200)) for name in filters]
        kept = [(name, value) for name, value in kept if value]
        is_filtered = bool(q or kept)
        used = self.account_items(request).count() if is_filtered else listing["total"]
        taken = used if limit is None else used - len(self.model.list_starters(request.account))
        changed = item_lists.count_weekly_visits(request.account, [row["id"] for row in rows])
        keys = (*COMMON_PAGES, *(tab.key for tab in self.tabs if tab.key))
        context = {
            "frame": self,
            "listing": listing,
            "limit": item_lists.PAGE_SIZE,
            "things": item_lists.present_items(
                [(self.present_row(row, keys), build_list_item(row)) for row in rows], changed
            ),
            "room": None if limit is None else {"used": taken, "most": limit, "left": max(0, limit - taken)},
            "searches": (is_searchable or self.load_rows is not None)
            and (used >= item_lists.MIN_ITEMS_FOR_SEARCH or q),
            "q": q,
            "sorts": item_lists.SORT_CHOICES if self.load_rows is not None and not kept else (),
            "sort": item_lists.parse_sort_order(request),
            "kept": kept,
            "is_filtered": is_filtered,
            "chips": chips,
            "new_url": f"{self.home}/new",
            "new_query": f"?{urlencode(kept)}" if kept else "",
        }
        return render(request, "dashboard/frame/list.html", context)

    def _present_tabs(
        self, request: SignedInRequest, item: Mapping[str, Any]
    ) -> list[tuple[OwnerText, str, int | None, bool]]:
        """Return (label, URL, count, is current) of each tab, in the same order for all products."""
        own = [(tab.label, tab.key, None) for tab in self.tabs if not tab.submissions]
        came = [
            (tab.label, tab.key, self._count_submissions(request.account, item["id"], tab.submissions))
            for tab in self.tabs
            if tab.submissions
        ]
        # an item without a public URL has no visits
        seen = [(gettext("Analytics"), "results", None)] if item["path"] else []
        pages = [*own, (gettext("Share"), "share", None), *came, *seen, (gettext("Settings"), "settings", None)]
        urls = [(label, f"{item['url']}/{key}" if key else item["url"], count) for label, key, count in pages]
        also = {
            f"{item['url']}/{key}": item_presenters.tab_url(item["url"], tab.key)
            for tab in self.tabs
            for key in tab.extra_paths
        }
        at = _nearest_url(request, [*(url for _, url, _ in urls), *also])
        at = also.get(at, at)
        return [(label, url, count, url == at) for label, url, count in urls]

    def _count_submissions(self, account: Account, id: str, kind: str) -> int:
        [came] = [one for one in self.product.submissions if one.kind == kind]
        rows = came.list_rows(account).filter(**{came.item_column: id})
        return (rows.filter(came.waiting_filter) if came.waiting_filter is not None else rows).count()


def _nearest_url(request: HttpRequest, urls: Sequence[str]) -> str:
    """Return the URL in the list that is the current page, or else the nearest page above it."""
    at = request.path
    return max((url for url in urls if at == url or at.startswith(f"{url}/")), key=len, default="")
