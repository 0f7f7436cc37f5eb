"""The waivers' code for other packages, with a module for each field of the manifest."""
