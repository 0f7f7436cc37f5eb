"""Link pages."""
