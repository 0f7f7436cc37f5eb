"""Declarations of models for the journal: each name exists on `Journaled`, and each field exists on the model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from inspect import isfunction
from typing import Any

import pytest
from django.apps import apps
from django.db.models import ForeignKey, Model

from workspace.storage.journal import Journaled

DECLARED = [name for name in vars(Journaled) if name.startswith("journal_")]
METHODS = [
    name
    for name, value in vars(Journaled).items()
    if not name.startswith("_") and (isfunction(value) or isinstance(value, classmethod))
]
MAPPINGS = [name for name in DECLARED if isinstance(getattr(Journaled, name), Mapping)]
MODELS = [model for model in apps.get_models() if issubclass(model, Journaled)]


def _names(model: type[Model]) -> Iterator[tuple[type[Any], str]]:
    """Return the attributes that a model and its bases above `Journaled` define themselves."""
    for base in model.__mro__:
        if base is Journaled or base.__module__.startswith("django."):
            return
        yield from ((base, name) for name in vars(base))


def find_unknown_names(model: type[Model]) -> list[str]:
    """Return names of a model that look like those of `Journaled`, but do not exist there."""
    known = {*DECLARED, *METHODS}
    return [
        name
        for _, name in _names(model)
        if name not in known and (name.startswith("journal_") or get_close_matches(name, METHODS, n=1, cutoff=0.9))
    ]


def find_unmarked_overrides(model: type[Model]) -> list[str]:
    return [
        f"{base.__name__}.{name}"
        for base, name in _names(model)
        if name in METHODS and not getattr(vars(base)[name], "__override__", False)
    ]


def test_the_names_are_those_of_the_base_class() -> None:
    assert {"undo_creation_many", "mark_many_changed", "check_part_limits"} <= set(METHODS)
    assert {"journal_secret_fields", "journal_displayed_fields", "journal_field_restorers"} <= set(DECLARED)


def test_a_misspelled_name_is_found() -> None:
    class Wrong:
        journal_secret_field = ("secret",)

        @classmethod
        def undo_creatoin_many(cls, rows: Any) -> None: ...

        @classmethod
        def lock_many(cls, rows: Any) -> None: ...

    wrong: Any = Wrong
    assert find_unknown_names(wrong) == ["journal_secret_field", "undo_creatoin_many"]
    assert find_unmarked_overrides(wrong) == ["Wrong.lock_many"]


@pytest.mark.parametrize("model", apps.get_models(), ids=lambda model: model._meta.label)
def test_models_use_only_existing_names(model: type[Model]) -> None:
    if issubclass(model, Journaled):
        assert find_unknown_names(model) == []
        assert find_unmarked_overrides(model) == []  # mypy checks the names of those that are marked
    else:
        assert [name for name in dir(model) if name.startswith("journal_")] == []


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model._meta.label)
def test_the_fields_that_models_declare_exist(model: type[Journaled]) -> None:
    named = {name for mapping in MAPPINGS for name in getattr(model, mapping)} | {*model.journal_secret_fields}
    assert {name for name in named if not hasattr(model, name)} == set()


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model._meta.label)
def test_a_model_keeps_the_declarations_that_it_inherits(model: type[Journaled]) -> None:
    for name in MAPPINGS:
        inherited = {key for base in model.__mro__ for key in getattr(base, name, ())}
        assert inherited == set(getattr(model, name)), name


@pytest.mark.parametrize("model", [model for model in MODELS if model.journal_item_path], ids=lambda m: m._meta.label)
def test_the_path_of_a_part_leads_to_a_journaled_item(model: type[Journaled]) -> None:
    item: Any = model
    for step in model.journal_item_path.split("__"):
        field = item._meta.get_field(step)
        assert isinstance(field, ForeignKey)
        item = field.related_model
    assert issubclass(item, Journaled)
