"""Operations of link pages. Each function is one action in one transaction."""
