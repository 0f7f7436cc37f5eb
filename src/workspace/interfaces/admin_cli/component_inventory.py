"""`bin/workspace inventory`: installed components with versions and licenses, also as a bill of materials.

The format is CycloneDX 1.6 in JSON (https://cyclonedx.org/docs/1.6/json/).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

import click

OWN_PACKAGE = "workspace-tools"
# from their license files; their metadata lacks it
_KNOWN_LICENSES = {"resvg-py": "MIT"}
_ROW = re.compile(r"^\| `[^`]+` \| ([\w.@/-]+)[^|]*\| ([\d.]+) \| ([\w.-]+)", re.MULTILINE)


@dataclass(frozen=True, slots=True, order=True)
class Component:
    """A component. `kind` is "pypi" or "npm"."""

    kind: str
    name: str
    version: str
    license: str


def list_components() -> list[Component]:
    """List the components of the service: installed Python packages, including extras, and front-end files."""
    return sorted({*_list_packages(), *_list_vendored()})


def _list_packages() -> Iterator[Component]:
    from packaging.requirements import Requirement  # the other commands start without it
    from packaging.utils import canonicalize_name

    seen, waiting = {OWN_PACKAGE}, [OWN_PACKAGE]
    while waiting:
        name = waiting.pop()
        environments = [{"extra": extra} for extra in ("", *_list_extras(name))]
        for written in metadata.requires(name) or []:
            wanted = Requirement(written)
            name_of_it = canonicalize_name(wanted.name)
            if name_of_it in seen or (wanted.marker and not any(wanted.marker.evaluate(one) for one in environments)):
                continue
            try:
                found = metadata.metadata(name_of_it)
            except metadata.PackageNotFoundError:  # an extra that is not installed
                continue
            seen.add(name_of_it)
            waiting.append(name_of_it)
            yield Component("pypi", name_of_it, found["Version"], _get_license(name_of_it, found))


def _list_extras(name: str) -> list[str]:
    return [str(one) for one in metadata.metadata(name).get_all("Provides-Extra", [])]


def _get_license(name: str, package: metadata.PackageMetadata) -> str:
    classes = [one.split(" :: ")[-1] for one in package.get_all("Classifier", []) if one.startswith("License ::")]
    license_text = str(package.get_all("License-Expression", [""])[0]) or ", ".join(classes)
    short = str(package.get_all("License", [""])[0]).strip().splitlines()
    return license_text or (short[0][:80] if short else "") or _KNOWN_LICENSES.get(name, "unknown")


def _list_vendored() -> Iterator[Component]:
    root = Path(__file__).resolve().parents[2]
    for page in root.rglob("vendor/README.md"):
        for name, version, licence in _ROW.findall(page.read_text()):
            yield Component("npm", name, version, licence)


def build_sbom(packages: list[Component]) -> str:
    """Return a CycloneDX 1.6 document, which is identical for identical components."""
    components = [
        {
            "type": "library",
            "bom-ref": f"pkg:{one.kind}/{one.name}@{one.version}",
            "name": one.name,
            "version": one.version,
            "purl": f"pkg:{one.kind}/{one.name}@{one.version}",
            "licenses": [{"license": {"name": one.license}}],
        }
        for one in packages
    ]
    ours = {"type": "application", "name": OWN_PACKAGE, "version": metadata.version(OWN_PACKAGE)}
    document = {"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1, "metadata": {"component": ours}}
    return json.dumps({**document, "components": components}, indent=2)


def add_inventory_command(group: click.Group) -> None:
    @group.command("inventory")
    @click.option("--sbom", is_flag=True, help="Print a bill of materials (CycloneDX, JSON).")
    def inventory(sbom: bool) -> None:
        """List installed components with versions and licenses."""
        found = list_components()
        if sbom:
            click.echo(build_sbom(found))
            return
        widest = max(len(one.name) for one in found)
        for one in found:
            click.echo(f"{one.name:<{widest}}  {one.version:<12}  {one.license}")
