"""Support: owners ask the administrator, who answers by email and on the help page."""
