"""Gettext for messages that only owners, members and administrators read.

These are Django's functions under other names. The names tell `bin/messages` that a message is not for guests, so that
it need not be translated into all guest languages. Files of owner pages (`OWNER_PATHS` in `translations.py`) may use
Django's functions directly. The type of `owner_gettext_lazy` says that it returns a string, because pages use its
result like one. Only JSON and `str.join` need `str()` for it.
"""

from collections.abc import Callable
from typing import cast

from django.utils.functional import Promise
from django.utils.translation import gettext as owner_gettext
from django.utils.translation import gettext_lazy
from django.utils.translation import gettext_noop as owner_gettext_noop
from django.utils.translation import ngettext as owner_ngettext

owner_gettext_lazy = cast("Callable[[str], str]", gettext_lazy)

OwnerText = str | Promise
"""A text for owners. A promise is translated when it is shown."""

__all__ = ["OwnerText", "owner_gettext", "owner_gettext_lazy", "owner_gettext_noop", "owner_ngettext"]
