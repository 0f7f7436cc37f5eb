"""Tables of messages, jobs, webhooks, calendars and address books."""

from workspace.delivery.models.address_book import AddressBook, ContactCopy
from workspace.delivery.models.calendar import BusyTime, Calendar, EventCopy
from workspace.delivery.models.delivery import Delivery, DeliveryState
from workspace.delivery.models.job import Job, JobItem, JobState
from workspace.delivery.models.notification_setting import NotificationSetting
from workspace.delivery.models.scheduled_task import ScheduledTask
from workspace.delivery.models.webhook import Endpoint, Message, MessageState

__all__ = [
    "AddressBook",
    "BusyTime",
    "Calendar",
    "ContactCopy",
    "Delivery",
    "DeliveryState",
    "Endpoint",
    "EventCopy",
    "Job",
    "JobItem",
    "JobState",
    "Message",
    "MessageState",
    "NotificationSetting",
    "ScheduledTask",
]
