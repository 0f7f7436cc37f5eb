"""Waivers: text, versions and signatures."""
