"""The software inventory: every component has a license that allows redistribution with the service."""

from __future__ import annotations

import json
import re
from pathlib import Path

from click.testing import CliRunner

from workspace.interfaces.admin_cli.__main__ import main
from workspace.interfaces.admin_cli.component_inventory import list_components

ROOT = Path(__file__).resolve().parents[4]
# LGPL and MPL: separate libraries that anyone may replace
ALLOWED = re.compile(
    r"MIT|BSD|Apache|ISC|PSF|Python Software Foundation|Unlicense|Mozilla Public|MPL|LGPL|Lesser General|OFL|Zlib"
)
DEVELOPMENT = {"codespell"}  # run as a check, never imported and never shipped: its license does not affect the service


def test_every_component_has_a_license_that_allows_redistribution() -> None:
    shipped = (ROOT / "requirements" / "run.txt").read_text()
    assert not [name for name in DEVELOPMENT if re.search(rf"^{name}==", shipped, re.MULTILINE)]
    found = [one for one in list_components() if one.name not in DEVELOPMENT]
    assert [one for one in found if not ALLOWED.search(one.license)] == []
    assert [one for one in found if re.search(r"\bA?GPL|GNU (Affero )?General Public", one.license)] == []


def test_locked_and_vendored_components_are_listed() -> None:
    listed = {one.name: one.version for one in list_components()}
    text = (ROOT / "requirements/run.txt").read_text()
    locked = dict(re.findall(r"^([a-z0-9_.-]+)==([^ ;\\]+)", text, re.MULTILINE))
    assert {"django", "granian", "zxing-cpp", "opencv-python-headless"} <= listed.keys() & locked.keys()
    assert {"htmx.org", "basecoat-css", "sortablejs", "signature_pad"} <= listed.keys()
    assert listed["django"] == locked["django"]


def test_the_bill_of_materials_is_valid_cyclonedx() -> None:
    # imported here because that takes seconds
    from cyclonedx.schema import SchemaVersion
    from cyclonedx.validation.json import JsonStrictValidator

    told = CliRunner().invoke(main, ["inventory", "--sbom"])
    assert told.exit_code == 0, told.output
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(told.output) is None
    assert len(json.loads(told.output)["components"]) == len(list_components()) > 80
    assert "Apache-2.0" in CliRunner().invoke(main, ["inventory"]).output
