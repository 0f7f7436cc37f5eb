"""Exporting an account to a ZIP file, and importing it on another instance.

`tables` lists the exported tables, `exporter` writes the ZIP, and `import_check` and `importer` read it. The format is
described in `docs/export-and-import.md`.
"""
