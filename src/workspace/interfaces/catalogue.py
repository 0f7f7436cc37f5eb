"""The tools of this installation: the account's own, then each product's, as its manifest lists them."""

from __future__ import annotations

from workspace.accounts import activity_tools, tools, upload_tools
from workspace.delivery import job_tools
from workspace.products import manifests
from workspace.publishing import search_tools
from workspace.toolkit.catalogue import Catalogue
from workspace.toolkit.tool import tools_in

ACCOUNT = tools_in(tools, activity_tools, upload_tools, job_tools, search_tools)
CATALOGUE = Catalogue([ACCOUNT, *(product.tools for product in manifests())])
