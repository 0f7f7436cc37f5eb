"""Tables of review pages and testimonials."""

from workspace.products.reviews.models.page import KIND, ReviewPage
from workspace.products.reviews.models.testimonial import Status, Testimonial

__all__ = ["KIND", "ReviewPage", "Status", "Testimonial"]
