"""Money that customers pay to the accounts, through a provider of each account's own."""

PAYMENTS = "payments"  # how its tools are called, as a product's are
