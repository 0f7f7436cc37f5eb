"""The administrator's command, `bin/workspace`."""
