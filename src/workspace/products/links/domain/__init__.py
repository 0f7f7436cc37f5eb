"""Operations of link pages: a function for each action, in one transaction."""
