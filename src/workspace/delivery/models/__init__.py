from workspace.delivery.models.chore import Chore
from workspace.delivery.models.delivery import Delivery, State
from workspace.delivery.models.job import Job, JobItem, JobState
from workspace.delivery.models.notice import Notice
from workspace.delivery.models.webhook import Endpoint, Message, MessageState

__all__ = ["Chore", "Delivery", "Endpoint", "Job", "JobItem", "JobState", "Message", "MessageState", "Notice", "State"]
