"""Reading a menu from pasted text or a spreadsheet."""
