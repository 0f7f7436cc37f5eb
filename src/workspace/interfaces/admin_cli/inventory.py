"""`bin/workspace inventory`: what is installed, in which version and under which licence; as a bill of materials too.

The form is CycloneDX 1.6 in JSON (https://cyclonedx.org/docs/1.6/json/)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

import click
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

OURS = "workspace-tools"
# as their files say; their metadata does not
_TOLD_ELSEWHERE = {"resvg-py": "MIT"}
_ROW = re.compile(r"^\| `[^`]+` \| ([\w.@/-]+)[^|]*\| ([\d.]+) \| ([\w.-]+)", re.MULTILINE)


@dataclass(frozen=True, slots=True, order=True)
class Part:
    """`kind` is "pypi" or "npm"."""

    kind: str
    name: str
    version: str
    licence: str


def parts() -> list[Part]:
    """What the service runs on here: Python packages as installed, extras where they are, and front-end files."""
    return sorted({*_packages(), *_vendored()})


def _packages() -> Iterator[Part]:
    seen, waiting = {OURS}, [OURS]
    while waiting:
        name = waiting.pop()
        environments = [{"extra": extra} for extra in ("", *_extras(name))]
        for written in metadata.requires(name) or []:
            wanted = Requirement(written)
            name_of_it = canonicalize_name(wanted.name)
            if name_of_it in seen or (wanted.marker and not any(wanted.marker.evaluate(one) for one in environments)):
                continue
            try:
                found = metadata.metadata(name_of_it)
            except metadata.PackageNotFoundError:  # an extra that was left out
                continue
            seen.add(name_of_it)
            waiting.append(name_of_it)
            yield Part("pypi", name_of_it, found["Version"], _licence(name_of_it, found))


def _extras(name: str) -> list[str]:
    return [str(one) for one in metadata.metadata(name).get_all("Provides-Extra", [])]


def _licence(name: str, found: metadata.PackageMetadata) -> str:
    classes = [one.split(" :: ")[-1] for one in found.get_all("Classifier", []) if one.startswith("License ::")]
    told = str(found.get_all("License-Expression", [""])[0]) or ", ".join(classes)
    short = str(found.get_all("License", [""])[0]).strip().splitlines()
    return told or (short[0][:80] if short else "") or _TOLD_ELSEWHERE.get(name, "unknown")


def _vendored() -> Iterator[Part]:
    root = Path(__file__).resolve().parents[2]
    for page in root.rglob("vendor/README.md"):
        for name, version, licence in _ROW.findall(page.read_text()):
            yield Part("npm", name, version, licence)


def bill_of_materials(found: list[Part]) -> str:
    """CycloneDX 1.6, the same text for the same parts."""
    components = [
        {
            "type": "library",
            "bom-ref": f"pkg:{one.kind}/{one.name}@{one.version}",
            "name": one.name,
            "version": one.version,
            "purl": f"pkg:{one.kind}/{one.name}@{one.version}",
            "licenses": [{"license": {"name": one.licence}}],
        }
        for one in found
    ]
    ours = {"type": "application", "name": OURS, "version": metadata.version(OURS)}
    told = {"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1, "metadata": {"component": ours}}
    return json.dumps({**told, "components": components}, indent=2)


def of_inventory(group: click.Group) -> None:
    @group.command("inventory")
    @click.option("--sbom", is_flag=True, help="Print a bill of materials (CycloneDX, JSON).")
    def inventory(sbom: bool) -> None:
        """List what is installed, in which version and under which licence."""
        found = parts()
        if sbom:
            click.echo(bill_of_materials(found))
            return
        widest = max(len(one.name) for one in found)
        for one in found:
            click.echo(f"{one.name:<{widest}}  {one.version:<12}  {one.licence}")
