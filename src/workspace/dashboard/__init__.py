"""The owner's pages: forms over tools, lists, charts, home and the bin."""
