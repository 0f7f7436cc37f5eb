"""Error messages about linked apps.

The reason stored for an outage or for an ended access is a part of a sentence, without a period.
"""

from __future__ import annotations

from workspace.lib.messages import owner_message, owner_plural_message

# connecting
WRONG_STATE = owner_message("This response doesn’t belong to your request. Connect again.")
CONNECTION_EXPIRED = owner_message("The connection timed out or you switched accounts. Connect again.")
WRONG_ISSUER = owner_message("The response isn’t from the sign-in server of %(title)s. Nothing was saved.")
ACCESS_DENIED = owner_message("%(title)s isn’t connected because you didn’t allow access.")
CONNECTION_REJECTED = owner_message("%(title)s rejected the connection.")
CODE_NEEDED = owner_message("%(title)s didn’t send a code. Connect again.")
CODE_REJECTED = owner_message("%(title)s rejected the code (status %(status)s). Connect again.")
REGISTRATION_UNAVAILABLE = owner_message(
    "%(title)s doesn’t allow registration. Ask its administrator for a client with the redirect URI %(redirect_uri)s. "
    "Set its client_id in WORKSPACE_LINKED_APPS."
)
REGISTRATION_FAILED = owner_message("%(title)s didn’t register this instance (status %(status)s).")
APP_NOT_CONFIGURED = owner_message("This app is no longer configured.")

# discovery
OTHER_RESOURCE = owner_message("%(title)s describes a different address than its own, so it can’t be connected.")
SERVER_NEEDED = owner_message("%(title)s doesn’t name a sign-in server.")
PKCE_NEEDED = owner_message("%(title)s doesn’t support PKCE, so signing in isn’t secure.")
APP_FAILED = owner_message("%(title)s responded with status %(status)s.")
SIGN_IN_NEEDED = owner_message("%(title)s didn’t ask for a sign-in (status %(status)s). Check its MCP address.")
RESOURCE_METADATA_NEEDED = owner_message("%(title)s has no resource metadata (RFC 9728), so it can’t be connected.")
OTHER_ISSUER = owner_message("The sign-in server of %(title)s identifies itself as a different server.")
SERVER_METADATA_NEEDED = owner_message("The sign-in server of %(title)s has no metadata (RFC 8414).")
URL_NEEDED = owner_message("%(title)s has no valid %(name)s in its metadata.")
URL_NOT_SECURE = owner_message("The %(name)s of %(title)s must use https.")
URL_NOT_ALLOWED = owner_message("The %(name)s of %(title)s isn’t allowed: %(problem)s")

# tokens
INVALID_TOKEN = owner_message("%(title)s didn’t send a valid token.")
BEARER_NEEDED = owner_message("%(title)s didn’t send a bearer token.")
RENEWAL_FAILED = owner_message("%(title)s didn’t renew our access (status %(status)s).")
ACCESS_REVOKED = owner_message("%(title)s revoked our access")
ACCESS_NOT_ACCEPTED = owner_message("%(title)s no longer accepts our access")

# outages
RENEWAL_SLOW = owner_message("renewing our access took too long")
REVOCATION_FAILED = owner_message("%(title)s didn’t revoke our access")
HOST_FAILED = owner_message("%(host)s failed with status %(status)s")
NO_RESPONSE = owner_message("no response within %(seconds)s s")
STATUS_RECEIVED = owner_message("it failed with status %(status)s")
UNAVAILABLE = owner_message(
    "%(title)s has been unavailable since %(since)s: %(problem)s. "
    "We’ll try again in %(seconds)s s. Other tools still work."
)

# tools of an app
RESPONSE_TOO_LARGE = owner_message("The response is larger than %(bytes)s bytes.")
APP_RESPONDED = owner_message("The app responded: %(text)s")
INVALID_STATUS = owner_message("The app responded with status %(status)s.")
INVALID_RESPONSE = owner_message("The response doesn’t follow the protocol.")
MORE_TOOLS = owner_plural_message(
    "This app has more tools. Only %(count)s was added.",
    "This app has more tools. Only %(count)s were added.",
    count="count",
)
INVALID_TOOL_NAME = owner_message("%(tool)s: its name isn’t valid")
TOOL_NAME_TAKEN = owner_message("%(tool)s: another tool has this name")
INVALID_SCHEMA = owner_message("the schema of its arguments isn’t valid")
SCHEMA_TOO_LONG = owner_message("the schema of its arguments is too long")
SCHEMA_TOO_DEEP = owner_message("the schema of its arguments is nested too deeply")
SCHEMA_ELSEWHERE = owner_message("the schema of its arguments refers to another document")
FURTHER_REASONS = owner_message("and %(count)s more")
TOOL_NOT_SELECTED = owner_message("%(client)s can’t use %(tool)s. %(reason)s")
CONNECTION_WITHOUT_TOOL = owner_message("This connection can’t use %(tool)s. %(reason)s")
NO_ACCESS = owner_message("You don’t have access to linked apps.")
READ_ONLY_CONNECTION = owner_message(
    "This key or connection is read-only, but %(tool)s may change data. Use one with full access."
)
READ_ONLY_MEMBER = owner_message(
    "You have read-only access, but %(tool)s may change data. Ask an owner of the account for more access."
)
