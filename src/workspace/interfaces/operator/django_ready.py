"""Importing this sets Django up; the command's modules import it before any model."""

from __future__ import annotations

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "workspace.settings")
django.setup()
