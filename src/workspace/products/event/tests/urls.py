from django.urls import include, path

from workspace.products.event.urls import urlpatterns as event

urlpatterns = [*event, path("", include("workspace.urls"))]
