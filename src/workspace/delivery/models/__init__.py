from workspace.delivery.models.chore import Chore
from workspace.delivery.models.delivery import Delivery, State
from workspace.delivery.models.job import Job, JobItem, JobState
from workspace.delivery.models.notice import Notice

__all__ = ["Chore", "Delivery", "Job", "JobItem", "JobState", "Notice", "State"]
