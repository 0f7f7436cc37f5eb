"""Workspace Tools: a suite of public pages and tools for small businesses."""

import zoneinfo

# Time zones come only from the locked tzdata package: a machine's files may be years older, and two machines could
# then disagree about local times. This runs before any other import of ours, in every process.
zoneinfo.reset_tzpath(to=[])
zoneinfo.ZoneInfo.clear_cache()
