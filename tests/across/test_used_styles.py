"""Owners' pages load only the part of Basecoat that they use."""

from __future__ import annotations

import pytest

from tests.used_styles import USED, render_used_rules, select_used

pytestmark = pytest.mark.any_database


def test_the_loaded_part_is_that_of_the_present_pages() -> None:
    assert USED.read_text() == render_used_rules(), "Run python -m tests.used_styles"


def test_a_rule_stays_if_pages_have_its_classes() -> None:
    used, unused = ".btn:hover{color:red}", ".btn .no-such-class,.no-such-class>.btn{color:red}"
    assert select_used(used + unused) == used
    choices = ':is(.btn,.no-such-class) a{content:"}"}'
    assert select_used(f"@media print{{{unused}{choices}}}") == f"@media print{{{choices}}}"
    assert select_used(f"@media print{{{unused}}}") == ""


def test_a_variable_stays_if_a_rule_reads_it() -> None:
    css = ":root{--read-here:1;--read-nowhere:2}.btn{order:var(--read-here)}"
    assert select_used(css) == ":root{--read-here:1;}.btn{order:var(--read-here)}"
