"""Waivers: texts, versions and signatures."""
