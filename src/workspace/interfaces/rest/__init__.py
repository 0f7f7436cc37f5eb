"""The REST API and its OpenAPI document."""
