"""Dynamic QR codes: printed once, pointed wherever their owner likes."""

from __future__ import annotations

from dataclasses import dataclass

from workspace.accounts.plans import Plan
from workspace.products.qr import demo, example, look_tools, many_tools, needs, print_tools, scan_tools, tools
from workspace.products.qr.carried import CARRIED
from workspace.products.qr.drawing import model_look
from workspace.products.qr.models import KIND, SCAN, Code, Retarget
from workspace.publishing.fast_routes import Redirect
from workspace.publishing.manifest import Group, Manifest
from workspace.publishing.personal import part, thing
from workspace.toolkit.tool import tools_in


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
    trades=tuple(example.NAMES),
    plans={
        "free": Plan(0, QrLimits(codes=10, history_days=30)),
        "pro": Plan(9, QrLimits(codes=None, history_days=400)),
    },
    tools=tools_in(tools, many_tools, scan_tools, print_tools, look_tools),
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
    example=example.example,
    needs=needs.needs,
    code_look=model_look,
    fast=Redirect(Code, "target_url", SCAN),
)
