"""The fields that owners chose for the columns of their lists, so that the next list needs no choices."""

from __future__ import annotations

from collections.abc import Collection

from django.db import models

from workspace.accounts.models import Account
from workspace.lib.tabular.heading_matcher import heading_key
from workspace.lib.tabular.list_table import SKIP_COLUMN, ListTable

MAX_HEADINGS = 100  # for each kind of list


class RememberedColumns(models.Model):
    """The fields of headings in one kind of list, such as `seat.guests`. Keys are those of `heading_key`."""

    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="+", db_index=False)
    list_name = models.CharField(max_length=40)
    fields: models.JSONField[dict[str, str], dict[str, str]] = models.JSONField(default=dict)

    class Meta:
        """Each kind of list has one row."""

        constraints = [models.UniqueConstraint(fields=["account", "list_name"], name="columns_of_a_list")]

    def __str__(self) -> str:
        """Return the name of the list."""
        return self.list_name

    @classmethod
    def find_fields(cls, account: Account, list_name: str, known: Collection[str]) -> dict[str, str]:
        """Return the remembered fields that the list still has, keyed by heading (see `heading_key`)."""
        row = cls.objects.filter(account=account, list_name=list_name).first()
        fields = row.fields if row else {}
        return {key: field for key, field in fields.items() if field in known or field == SKIP_COLUMN}

    @classmethod
    def remember(cls, account: Account, list_name: str, sheet: ListTable) -> None:
        """Store the fields that the owner chose for columns with a heading. The latest choice is used."""
        chosen = {heading_key(one.heading): one.field for one in sheet.columns if one.is_set_by_owner and one.field}
        chosen.pop("", None)
        if not chosen:
            return
        row = cls.objects.filter(account=account, list_name=list_name).first() or cls(
            account=account, list_name=list_name
        )
        earlier = {key: field for key, field in row.fields.items() if key not in chosen}
        fields = dict([*earlier.items(), *chosen.items()][-MAX_HEADINGS:])
        if fields != row.fields:
            row.fields = fields
            row.save()
