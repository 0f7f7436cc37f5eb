"""`python -m svc.refresh`: fetch the catalogue of SVC_BASE_URL in silence. Started detached by the shelf."""

from __future__ import annotations

import contextlib
import os

if __name__ == "__main__":
    from svc.catalog_cache import CatalogCache
    from svc.errors import CliError

    with contextlib.suppress(CliError):
        CatalogCache(os.environ["SVC_BASE_URL"]).fetch_catalog(timeout=30)
