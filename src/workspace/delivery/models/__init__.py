from workspace.delivery.models.delivery import Delivery, State
from workspace.delivery.models.job import Job, JobItem, JobState

__all__ = ["Delivery", "Job", "JobItem", "JobState", "State"]
