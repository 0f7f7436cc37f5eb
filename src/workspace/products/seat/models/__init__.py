"""Tables of charts, guests, tables and preferences."""

from workspace.products.seat.models.change_step import Step
from workspace.products.seat.models.chart import KIND, Chart, Course
from workspace.products.seat.models.guest import CheckIn, Guest, Reply
from workspace.products.seat.models.preference import SeatingPreference, Weight
from workspace.products.seat.models.solver_run import SolverRun
from workspace.products.seat.models.table import OBJECTS, TABLE, Table

__all__ = [
    "KIND",
    "OBJECTS",
    "TABLE",
    "Chart",
    "CheckIn",
    "Course",
    "Guest",
    "Reply",
    "SeatingPreference",
    "SolverRun",
    "Step",
    "Table",
    "Weight",
]
