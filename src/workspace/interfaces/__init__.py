"""The channels that reach the tools: REST, MCP, OAuth, sign-in, account pages and the administrator's command."""
