"""Rate limits: one table of named limits (`table.py`), and one function that counts them (`counter.py`)."""
