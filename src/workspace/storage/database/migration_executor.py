"""A migration executor that creates a new database in an eighth of the time.

Django keeps the models of each migration state as classes. After each change of a model, it rebuilds everything linked
to it by any number of relations. Here, nearly every model is related to an account, so it rebuilds everything, which
takes 90% of the time. But an operation on a table, column, index or constraint needs only its own model and the models
that this one references. An operation on a unique column also needs the models that reference it. Tables that are
created one after another share one set of models. All other operations get all models as usual. The executed SQL is
identical.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from django.db.migrations import operations
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.migration import Migration
from django.db.migrations.operations.base import Operation
from django.db.migrations.operations.fields import FieldOperation
from django.db.migrations.state import ProjectState, StateApps
from django.db.migrations.utils import resolve_relation
from django.db.transaction import atomic
from django.utils.functional import SimpleLazyObject

Key = tuple[str, str]

# these operations follow relations forward, never back
_FORWARD_OPERATIONS = (
    operations.CreateModel,
    operations.AddField,
    operations.RemoveField,
    operations.AlterField,
    operations.AddIndex,
    operations.RemoveIndex,
    operations.AddConstraint,
    operations.RemoveConstraint,
    operations.AlterUniqueTogether,
    operations.AlterModelOptions,
)


class NarrowExecutor(MigrationExecutor):
    """A migration executor that applies migrations in the same way as Django's."""

    # all models between two operations, until one changes them
    _full_state: ProjectState | None = None

    def _migrate_all_forwards(
        self, state: ProjectState, plan: Any, full_plan: Any, fake: bool, fake_initial: bool
    ) -> ProjectState:
        left = {migration for migration, _ in plan}
        for migration, _ in full_plan:
            if migration in left:
                state = self.apply_migration(state, migration, fake=fake, fake_initial=fake_initial)
                left.remove(migration)
        return state

    def apply_migration(
        self, state: ProjectState, migration: Migration, fake: bool = False, fake_initial: bool = False
    ) -> ProjectState:
        self._full_state = None
        state.__dict__.pop("apps", None)  # while it has no classes, changing and copying it costs nothing
        if fake or fake_initial:
            return super().apply_migration(state, migration, fake=fake, fake_initial=fake_initial)
        if self.progress_callback:
            self.progress_callback("apply_start", migration, fake)
        with self.connection.schema_editor(atomic=migration.atomic) as editor:
            for kind, group in groupby(migration.operations, key=_is_new_table):
                if kind:
                    self._create_tables(state, migration, list(group), editor)
                    continue
                for operation in group:
                    self._apply_operation(state, migration, operation, editor)
            is_recorded = not editor.deferred_sql
            if is_recorded:
                self.record_migration(migration)  # type: ignore[call-arg, arg-type]
        if not is_recorded:
            self.record_migration(migration)  # type: ignore[call-arg, arg-type]
        if self.progress_callback:
            self.progress_callback("apply_success", migration, fake)
        return state

    def _create_tables(self, state: ProjectState, migration: Migration, group: list[Any], editor: Any) -> None:
        """Create tables that follow one another.

        None of these operations changes another table, so they share one set of models.
        """
        label = migration.app_label
        for operation in group:
            operation.state_forwards(label, state)
        self._full_state, after = None, _narrow_state(state, [_model_key(label, operation) for operation in group])
        for operation in group:
            self._execute(migration, operation, editor, after, after)

    def _apply_operation(self, state: ProjectState, migration: Migration, operation: Operation, editor: Any) -> None:
        label = migration.app_label
        if type(operation) in _FORWARD_OPERATIONS:
            keys = _touched_keys(state, label, operation)
            self._full_state, before = None, _narrow_state(state, keys)
            operation.state_forwards(label, state)
            after = _narrow_state(state, keys)
        else:
            before = self._full_state or _copy_lazily(state)
            operation.state_forwards(label, state)
            after = self._full_state = before if type(operation) is operations.RunPython else _copy_lazily(state)
        if isinstance(operation, FieldOperation):
            before.apps.get_models()  # SQLite's columns are in the order in which their fields were built
        self._execute(migration, operation, editor, before, after)

    def _execute(
        self, migration: Migration, operation: Operation, editor: Any, before: ProjectState, after: ProjectState
    ) -> None:
        label = migration.app_label
        if not editor.atomic_migration and (operation.atomic or (migration.atomic and operation.atomic is not False)):
            with atomic(editor.connection.alias):
                operation.database_forwards(label, editor, before, after)
        else:
            operation.database_forwards(label, editor, before, after)


def _copy_lazily(state: ProjectState) -> ProjectState:
    """Return a copy of a state whose models are built on first use, because triggers do not need them."""
    copy = state.clone()
    copy.__dict__["apps"] = SimpleLazyObject(lambda: StateApps(list(copy.real_apps), copy.models))
    return copy


def _is_new_table(operation: Operation) -> bool:
    return isinstance(operation, operations.CreateModel) and not operation.options.get("proxy")


def _model_key(label: str, operation: Any) -> Key:
    return label, (getattr(operation, "model_name", None) or operation.name).lower()


def _touched_keys(state: ProjectState, label: str, operation: Any) -> list[Key]:
    """Return the keys of an operation's model, and of the models that are changed with it."""
    key = _model_key(label, operation)
    if isinstance(operation, operations.AlterField) and key in state.models:
        before = state.models[key].fields[operation.name]
        if any(field.primary_key or field.unique for field in (before, operation.field)):
            return [key, *_referring_keys(state, key)]  # by foreign keys
    return [key]


def _narrow_state(state: ProjectState, keys: Iterable[Key]) -> ProjectState:
    """Return a copy of a state with only these models and the models that they reference.

    Django raises an error if a needed model is missing."""
    waiting = list(keys)
    found: set[Key] = set()
    while waiting:
        key = waiting.pop()
        if key in state.models and key not in found:
            found.add(key)
            waiting += _related_keys(state, key)
    return ProjectState({key: state.models[key].clone() for key in sorted(found)}, real_apps=state.real_apps)


def _related_keys(state: ProjectState, key: Key) -> Iterator[Key]:
    model = state.models[key]
    for field in model.fields.values():
        if field.remote_field:
            for other in (field.remote_field.model, getattr(field.remote_field, "through", None)):
                if other:
                    yield resolve_relation(other, *key)
    for base in model.bases:
        if isinstance(base, str):
            yield resolve_relation(base, *key)


def _referring_keys(state: ProjectState, key: Key) -> set[Key]:
    found, grown = {key}, True
    while grown:
        more = {
            other for other in state.models if other not in found and not found.isdisjoint(_related_keys(state, other))
        }
        found, grown = found | more, bool(more)
    return found
