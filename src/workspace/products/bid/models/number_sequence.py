"""The counter of an account's proposal numbers.

It is separate from the proposals, so that a number is not reused after a permanent deletion and no two PDFs have the
same number.
"""

from __future__ import annotations

from django.db import connection, models

from workspace.accounts.models import Account

# an import may contain proposals but no counter
_NEXT_NUMBER_SQL = """
INSERT INTO bid_numbersequence (account_id, last_number)
VALUES (%s, (SELECT COALESCE(MAX(number), 0) + 1 FROM bid_proposal WHERE account_id = %s))
ON CONFLICT (account_id) DO UPDATE SET last_number = bid_numbersequence.last_number + 1
RETURNING last_number
"""


class NumberSequence(models.Model):
    account = models.OneToOneField(
        Account, on_delete=models.CASCADE, primary_key=True, related_name="bid_number_sequence"
    )
    last_number = models.PositiveIntegerField()

    def __str__(self) -> str:
        return f"up to {self.last_number}"

    @classmethod
    def take_next_number(cls, account: Account) -> int:
        """Consume the next number and return it."""
        with connection.cursor() as cursor:
            cursor.execute(_NEXT_NUMBER_SQL, [account.pk, account.pk])
            [number] = cursor.fetchone()
        return int(number)
