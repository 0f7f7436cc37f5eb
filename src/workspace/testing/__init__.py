"""Shared helpers of tests: fixtures, fakes of other services, and samples.

This file imports nothing, because pytest loads `environment` before the settings.
"""
