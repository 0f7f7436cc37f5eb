from __future__ import annotations

from django.urls import path

from workspace.dashboard.compressible import mark_compressible
from workspace.products.form.dashboard import build, filling, listing, logic, look, questions, responses
from workspace.products.form.dashboard.frame import FRAME

urlpatterns = [
    path("", listing.forms, name="forms"),
    path("/new", listing.new, name="form-new"),
    path("/<str:id>/preview", build.preview),  # in place of the frame's
    *FRAME.addresses({"": build.edit, "logic": logic.logic, "look": look.look, "responses": responses.responses}),
    path("/<str:id>/responses/read", responses.mark_all),
    path("/<str:id>/responses/add", filling.add),
    path("/<str:id>/share/link", filling.link),
    path("/<str:id>/responses/export", responses.export),
    path("/<str:id>/responses/<str:response>", responses.response),
    path("/<str:id>/responses/<str:response>/mark", responses.mark),
    path("/<str:id>/responses/<str:response>/delete", responses.delete),
    path("/<str:id>/logic/try", logic.trial),
    path("/<str:id>/logic/questions/<str:key>", logic.question),
    path("/<str:id>/logic/required/<str:key>", logic.question, {"part": "required"}),
    path("/<str:id>/logic/pages/<str:part>", logic.jumps),
    path("/<str:id>/order", build.order),
    path("/<str:id>/pages", build.add_page),
    path("/<str:id>/pages/<str:part>", build.one_page),
    path("/<str:id>/pages/<str:part>/join", build.join_page),
    path("/<str:id>/add", questions.new),
    path("/<str:id>/questions/<str:key>", questions.question),
    path("/<str:id>/questions/<str:key>/duplicate", questions.duplicate),
    path("/<str:id>/questions/<str:key>/remove", questions.remove),
    path("/<str:id>/questions/<str:key>/<str:way>", build.move),
]
mark_compressible(urlpatterns)
