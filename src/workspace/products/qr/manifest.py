"""Dynamic QR codes: printed once, pointed wherever their owner likes."""

from __future__ import annotations

from dataclasses import dataclass

from workspace.accounts.plans import Plan
from workspace.products.qr.api import bulk_tools, print_tools, stats_tools, style_tools, tools
from workspace.products.qr.domain.style import model_look
from workspace.products.qr.hooks import demo, starter, todo
from workspace.products.qr.hooks.takeout import CARRIED
from workspace.products.qr.models import KIND, SCAN, Code, Retarget
from workspace.publishing.fast_routes import Redirect
from workspace.publishing.manifest import Group, Manifest
from workspace.publishing.privacy import part, thing
from workspace.tools.tool import tools_in


@dataclass(frozen=True, slots=True)
class QrLimits:
    """None is unlimited."""

    codes: int | None
    history_days: int


PRODUCT = Manifest(
    key=KIND,
    word="qr",
    title="QR codes",
    noun="QR code",
    short="Codes",
    about="Printed codes whose target can change",
    path="/q/",
    icon="qr",
    group=Group.FOUND,
    trades=tuple(starter.NAMES),
    plans={
        "free": Plan(0, QrLimits(codes=10, history_days=30)),
        "pro": Plan(9, QrLimits(codes=None, history_days=400)),
    },
    tools=tools_in(tools, bulk_tools, stats_tools, print_tools, style_tools),
    things=[Code],
    visit=SCAN,
    carried=CARRIED,
    personal=[
        thing(Code, "QR code", home="/app/qr"),
        part(Retarget, "code", "earlier target", page=lambda row: f"/app/qr/{row.code_id}"),
    ],
    searched=("name", "target_url", "content", "folder"),
    first_step="Make your first QR code",
    demo=demo.fill,
    example=starter.example,
    needs=todo.needs,
    code_look=model_look,
    fast=Redirect(Code, "target_url", SCAN),
)
