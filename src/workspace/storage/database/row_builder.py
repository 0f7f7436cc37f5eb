"""Build the rows of a compiled query, like Django's iterables.

A related row that several rows share, such as the page of fifty bookings, is converted and built once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Any, cast

from django.db import DEFAULT_DB_ALIAS
from django.db.models import Model, Prefetch, QuerySet
from django.db.models.query import FlatValuesListIterable, ModelIterable, RelatedPopulator, ValuesIterable

Built = dict[tuple[int, Any], Any]  # the related rows of one result, by the position and the value of their key
Builder = Callable[[Sequence[Any], Built], Any]
_Conversions = list[tuple[int, Sequence[Callable[..., Any]], Any]]  # position, converters, expression


def make_builder(queryset: QuerySet[Any, Any], compiler: Any) -> Builder:
    """Return a function that builds a row of `queryset`, which `compiler` has compiled."""
    iterable = queryset._iterable_class
    if issubclass(iterable, ModelIterable):
        return _make_model_builder(compiler)
    convert = _make_converter(compiler, 0, len(compiler.select))
    if issubclass(iterable, FlatValuesListIterable):
        return lambda row, built: convert(row)[0]
    if issubclass(iterable, ValuesIterable):
        names = [*(queryset.query.selected or (*queryset.query.values_select, *queryset.query.annotation_select))]
        return lambda row, built: dict(zip(names, convert(row), strict=True))
    return lambda row, built: tuple(convert(row))


def _make_converter(compiler: Any, start: int, end: int) -> Callable[[Sequence[Any]], Sequence[Any]]:
    """Return a function that converts these columns of a row."""
    own = compiler.get_converters([column for column, *_ in compiler.select[start:end]])
    steps: _Conversions = [(place, converters, expression) for place, (converters, expression) in own.items()]
    connection = compiler.connection

    def convert(row: Sequence[Any]) -> Sequence[Any]:
        values = list(row[start:end])
        for place, converters, expression in steps:
            for converter in converters:
                values[place] = converter(values[place], expression, connection)
        return values

    return convert if steps else lambda row: row[start:end]


def _make_model_builder(compiler: Any) -> Builder:
    info, select = compiler.klass_info, compiler.select
    start, end = info["select_fields"][0], info["select_fields"][-1] + 1
    names = [column.target.attname for column, *_ in select[start:end]]
    from_db, convert = info["model"].from_db, _make_converter(compiler, start, end)
    related = [_make_populator(one, compiler) for one in info.get("related_klass_infos", [])]
    annotated = [
        (name, _make_converter(compiler, place, place + 1)) for name, place in compiler.annotation_col_map.items()
    ]

    def build_model(row: Sequence[Any], built: Built) -> Any:
        made = from_db(DEFAULT_DB_ALIAS, names, convert(row))
        for populate in related:
            populate(row, made, built)
        for name, convert_one in annotated:
            setattr(made, name, convert_one(row)[0])
        return made

    return build_model


def _make_populator(info: Any, compiler: Any) -> Callable[[Sequence[Any], Any, Built], None]:
    """Return a function that sets the related row of a row."""
    django: Any = RelatedPopulator(info, compiler.select, DEFAULT_DB_ALIAS)  # type: ignore[call-arg]  # of a later Django
    key, set_related, set_reverse = django.cols_start + django.pk_idx, django.local_setter, django.remote_setter
    from_db, names = django.model_cls.from_db, django.init_list
    convert = _make_converter(compiler, django.cols_start, django.cols_end)
    related = [_make_populator(one, compiler) for one in info.get("related_klass_infos", [])]

    def populate(row: Sequence[Any], origin: Any, built: Built) -> None:
        value = row[key]
        if value is None:
            set_related(origin, None)
            return
        made = built.get((key, value))
        if made is None:
            made = built[key, value] = from_db(DEFAULT_DB_ALIAS, names, convert(row))
            for further in related:
                further(row, made, built)
        set_related(origin, made)
        set_reverse(made, origin)

    return populate


class Prefetcher:
    """Loads the parts of rows, like a lookup of `prefetch_related`, by one query.

    A lookup is a path of loaded relations that ends in a relation to many rows."""

    def __init__(self, model: type[Model], lookup: str | Prefetch[Any]) -> None:
        """Parse the lookup of a queryset of `model`."""
        prefetch: Any = lookup if isinstance(lookup, Prefetch) else Prefetch(lookup)
        *self.steps, self.name = prefetch.prefetch_through.split("__")
        for step in self.steps:
            model = cast(type[Model], model._meta.get_field(step).related_model)
        relation: Any = model._meta.get_field(self.name)
        self.field, self.cache_name = relation.field, relation.cache_name
        manager = relation.related_model._default_manager
        self._children: Any = manager.all() if prefetch.queryset is None else prefetch.queryset

    def filter_children(self, parents: Any) -> QuerySet[Any]:
        """Return the parts of the parents with these keys."""
        return cast("QuerySet[Any]", self._children.filter(**{f"{self.field.name}__in": parents}))

    def list_parents(self, rows: Iterable[Any]) -> list[Any]:
        """Follow the path from these rows. Return the rows to which the parts belong."""
        for step in self.steps:
            rows = [parent for row in rows if (parent := getattr(row, step)) is not None]
        return list(rows)

    def attach(self, parents: Sequence[Any], children: Iterable[Any]) -> None:
        """Attach the parts to their parents."""
        found: dict[Any, list[Any]] = defaultdict(list)
        by_key = {parent.pk: parent for parent in parents}
        get_key, set_parent = self.field.attname, self.field.set_cached_value
        for child in children:
            key = getattr(child, get_key)
            set_parent(child, by_key[key])
            found[key].append(child)
        every = self._children.all()  # another thread may run this as well
        for parent in parents:
            every._defer_next_filter = True  # the filter is built only if the queryset is filtered further
            own = every.filter(**{self.field.name: parent})
            own._result_cache, own._prefetch_done = found[parent.pk], True
            own._known_related_objects = {self.field: {parent.pk: parent}}
            parent.__dict__.setdefault("_prefetched_objects_cache", {})[self.cache_name] = own
