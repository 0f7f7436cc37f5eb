"""Workspace Tools: the suite that a small business runs its public face on."""

import zoneinfo

# Time zones come from the locked tzdata alone: a machine's files may be years older, and two machines would disagree
# about when it is noon. Nothing of ours can be imported before this, whoever starts it.
zoneinfo.reset_tzpath(to=[])
zoneinfo.ZoneInfo.clear_cache()
