"""Headings of lists of QR codes in six languages."""

from __future__ import annotations

import re

from workspace.lib.tabular.heading_matcher import Vocabulary
from workspace.lib.tabular.list_table import SKIP_COLUMN, ListFormat

MAX_ROWS = 1000

# If a heading contains words of two fields, the field listed first is used. General fields come last.
_HEADINGS = {
    # other columns of svc_qr_export
    SKIP_COLUMN: "holds, public url, printed url, state, total scans, created at",
    "id": "id",
    "kind": "kind",
    "slug": "custom link, short link, printed address, address, slug, code, short, kurzlink, eigener link, "
    "enlace corto, enlace propio, lien court, link breve, link curto",
    "folder": "folder, group, ordner, gruppe, mappe, carpeta, grupo, dossier, groupe, cartella, gruppo, pasta",
    "target_url": "destination, target, target url, url, link, links, leads to, website, web page, ziel, zieladresse, "
    "webadresse, webseite, destino, enlace, página web, sitio web, lien, cible, site, destinazione, collegamento, "
    "sito, ligação, hiperligação",
    "name": "name, names, label, title, name of the code, bezeichnung, titel, nombre, título, nom, titre, nome, titolo",
}
CODE_LIST = ListFormat(
    Vocabulary(_HEADINGS),
    max_items=MAX_ROWS,
    # Two columns without a heading: a comma in a link would otherwise look like the separator before a folder.
    order=("name", "target_url"),
    is_order_complete=True,
    content={"target_url": re.compile(r"^\S+\.\S+$|://")},
    may_lack_words=False,
)
