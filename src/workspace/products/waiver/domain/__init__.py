"""Operations of waivers. Each function is one action in one transaction."""
