"""Tests of support tickets and their emails."""
