"""What joins all products: overview, recent activity, search, and contacts."""
