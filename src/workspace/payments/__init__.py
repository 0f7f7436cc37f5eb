"""Money that customers pay to the accounts, through a provider of each account's own."""
