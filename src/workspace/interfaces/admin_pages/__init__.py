"""The administrator's pages below /app/operator: open tasks, and actions for them.

They call the same functions as the administrator's command.
"""
