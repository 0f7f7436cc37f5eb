"""Features that combine all products: overview, recent activity, search and contacts."""
