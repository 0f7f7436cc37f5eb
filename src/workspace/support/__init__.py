"""Support: an owner asks whoever runs the installation, who answers by mail and on the help page."""
