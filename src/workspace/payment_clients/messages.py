"""Error messages about payment providers, which owners read. Guests get different ones."""

from __future__ import annotations

from workspace.lib.messages import owner_message

PROVIDER_UNAVAILABLE = owner_message("The payment provider isn’t responding. Try again in a minute.")
