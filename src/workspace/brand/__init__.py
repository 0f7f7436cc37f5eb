"""An account's brand: colors, fonts, logo and languages."""
