"""Sign-up and sign-in: passwords, passkeys and codes."""
