"""The administrator's pages below /app/operator: what is waiting, and what the administrator can do about it.

They call the same functions as the administrator's command.
"""
