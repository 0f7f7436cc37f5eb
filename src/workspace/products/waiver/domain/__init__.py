"""Operations of waivers: a function for each action, in one transaction."""
