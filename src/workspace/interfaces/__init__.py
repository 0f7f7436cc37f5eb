"""The channels that call tools: REST, MCP, OAuth, sign-in, account pages and the administrator's command."""
