"""The sentences of errors of payment providers. Owners read them, and guests get other ones."""

from __future__ import annotations

from workspace.lib.messages import owner_message

PROVIDER_UNAVAILABLE = owner_message("The payment provider isn’t responding. Try again in a minute.")
