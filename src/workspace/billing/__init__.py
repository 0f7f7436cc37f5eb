"""What accounts pay for this service: plans, credits, invitations."""
