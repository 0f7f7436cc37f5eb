"""`python -m svc.catalog_refresh`: fetching the catalog of SVC_BASE_URL silently. `CatalogCache` starts it detached."""

from __future__ import annotations

import contextlib
import os

if __name__ == "__main__":
    from svc.catalog_cache import CatalogCache
    from svc.errors import CliError

    with contextlib.suppress(CliError):
        CatalogCache(os.environ["SVC_BASE_URL"]).fetch_catalog(timeout=30)
