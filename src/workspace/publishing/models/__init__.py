from workspace.publishing.models.address import Address
from workspace.publishing.models.publication import Publication, State
from workspace.publishing.models.report import Report

__all__ = ["Address", "Publication", "Report", "State"]
