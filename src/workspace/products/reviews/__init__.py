"""Reviews: collecting, moderating and showing testimonials."""
