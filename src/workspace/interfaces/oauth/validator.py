"""The callbacks of the protocol library. They bind everything issued to the account named in the consent."""

from __future__ import annotations

import hashlib
import json
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Q
from oauth2_provider.oauth2_validators import OAuth2Validator
from oauth2_provider.settings import oauth2_settings
from oauthlib.oauth2.rfc6749 import errors

from workspace.accounts.models import Account, OAuthAccessToken, OAuthClient, OAuthGrant, OAuthRefreshToken
from workspace.interfaces.oauth import protected_resource, refresh_token_reuse
from workspace.lib import clock
from workspace.storage.database.transactions import write_transaction

CODE_LIFETIME = timedelta(seconds=60)
_ACCOUNT_KEY = "granted_account_id"
_GRANT_KEY = "grant_of_the_code"
_FAMILY_KEY = "family_of_the_code"


def set_account(request: Any, account_id: str) -> None:
    """Store the consent's account in the request."""
    request.__dict__[_ACCOUNT_KEY] = account_id


def get_account_id(request: Any) -> str:
    """Return the account of the request.

    It bypasses the request's own lookup, which falls back to the caller's parameters.
    """
    account_id: str = request.__dict__[_ACCOUNT_KEY]
    return account_id


def _token_checksum(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


class OAuthRequestValidator(OAuth2Validator):
    """Implements the validator of the protocol library."""

    def _load_application(self, client_id: str | None, request: Any) -> OAuthClient | None:
        if not client_id or not client_id.isascii() or not client_id.isprintable():
            return None  # PostgreSQL rejects NUL, even in a lookup
        client: OAuthClient | None = super()._load_application(client_id, request)
        return client

    def _create_authorization_code(
        self, request: Any, code: dict[str, str], expires: datetime | None = None
    ) -> OAuthGrant:
        account: Account = request.__dict__["account"]
        with write_transaction():
            grant: OAuthGrant = OAuthGrant.objects.create(
                application=request.client,
                user=request.user,
                account=account,
                code=code["code"],
                expires=expires or clock.now() + CODE_LIFETIME,
                redirect_uri=request.redirect_uri,
                scope=" ".join(request.scopes),
                code_challenge=request.code_challenge,
                code_challenge_method=request.code_challenge_method,
                claims=json.dumps({}),
                resource=[protected_resource.resource_identifier()],
            )
        return grant

    def validate_code(
        self, client_id: str, code: str, client: OAuthClient, request: Any, *args: Any, **kw: Any
    ) -> bool:
        """Check a client's code. If the code was already spent, revoke the tokens issued for it."""
        grant = OAuthGrant.objects.select_related("user").filter(code=code, application=client).first()
        if grant is not None and grant.family is not None:
            # whoever else obtained the code may have tokens from it (OAuth 2.1, 4.1.3)
            OAuthRefreshToken.revoke_family(grant.family)
            return False
        if (
            grant is None
            or grant.is_expired()
            or not grant.is_usable()
            or grant.resource != [protected_resource.resource_identifier()]
        ):
            return False
        request.user, request.scopes = grant.user, grant.scope.split()
        set_account(request, grant.account_id)
        # read once: a parallel request may spend the code before the next callback
        request.__dict__[_GRANT_KEY] = grant
        return True

    def get_code_challenge(self, code: str, request: Any) -> str:
        challenge: str = request.__dict__[_GRANT_KEY].code_challenge
        return challenge

    def get_code_challenge_method(self, code: str, request: Any) -> str:
        method: str = request.__dict__[_GRANT_KEY].code_challenge_method
        return method

    def confirm_redirect_uri(
        self, client_id: str, code: str, redirect_uri: str, client: OAuthClient, request: Any, *args: Any, **kw: Any
    ) -> bool:
        allowed: bool = request.__dict__[_GRANT_KEY].redirect_uri_allowed(redirect_uri)
        return allowed

    def validate_scopes(
        self, client_id: str, scopes: list[str], client: OAuthClient, request: Any, *args: Any, **kw: Any
    ) -> bool:
        """Ignore scopes that are not supported here, such as `offline_access` and `openid` (RFC 6749, 3.3).

        The consent page and the token's own `scope` show what is granted.
        """
        offered = self.get_default_scopes(client_id, request)
        request.scopes = [scope for scope in scopes if scope in offered] or offered
        return True

    def validate_refresh_token(
        self, refresh_token: str, client: OAuthClient, request: Any, *args: Any, **kw: Any
    ) -> bool:
        # Read it once, with its scope. Another request may spend the token before the next lookup, which would take
        # this request for a replay. `_save_next_tokens` decides under the row's lock what is stored.
        tokens = OAuthRefreshToken.objects.select_related("access_token", "user", "application")
        found = tokens.filter(token_checksum=_token_checksum(refresh_token), application=client).first()
        if found is not None and found.revoked is not None and _is_public(client):
            if not refresh_token_reuse.accept_reuse_or_revoke(found, request):
                return False
            request.user, request.refresh_token, request.refresh_token_instance = found.user, refresh_token, found
        elif found is not None and (_is_renewable(found) or found.find_sibling() is not None):
            request.user, request.refresh_token, request.refresh_token_instance = found.user, refresh_token, found
        elif not super().validate_refresh_token(refresh_token, client, request, *args, **kw):
            return False
        found = request.refresh_token_instance
        assert found is not None
        set_account(request, found.account_id)
        return bool(found.is_usable()) and found.resource == [protected_resource.resource_identifier()]

    def get_original_scopes(self, refresh_token: str, request: Any, *args: Any, **kw: Any) -> str:
        found: OAuthRefreshToken = request.refresh_token_instance
        held = found if found.revoked is None else found.find_sibling()
        return str(held.access_token.scope) if held is not None and held.access_token is not None else ""

    def is_within_original_scope(
        self, request_scopes: list[str], refresh_token: str, request: Any, *args: Any, **kw: Any
    ) -> bool:
        """Return whether the requested scopes are within the original ones. Unsupported scopes are ignored.

        The library calls it only if some of the scopes are not.
        """
        held = self.get_original_scopes(refresh_token, request).split()
        offered = self.get_default_scopes(request.client_id, request)
        supported_scopes = [scope for scope in request_scopes if scope in offered]
        request.scopes = supported_scopes or held
        return set(supported_scopes) <= set(held)

    def _check_and_set_request_resource(self, request: Any) -> None:
        for name, value in request.decoded_body or []:
            if name == "resource" and not protected_resource.is_this_instance(value):
                raise errors.CustomOAuth2Error(
                    error="invalid_target",
                    description=f"resource must be {protected_resource.resource_identifier()}",
                    request=request,
                )
        request.resource = [protected_resource.resource_identifier()]

    def save_bearer_token(self, token: dict[str, Any], request: Any, *args: Any, **kw: Any) -> None:
        """Spend the received code or token and store the new tokens, in one transaction."""
        first = request.grant_type == "authorization_code"
        with write_transaction():
            saved = self._save_first_tokens(token, request) if first else self._save_next_tokens(token, request)
        if saved:
            return
        if first:
            # another request has spent the code since it was read
            OAuthRefreshToken.revoke_family(OAuthGrant.objects.get(pk=request.__dict__[_GRANT_KEY].pk).family)
        raise errors.InvalidGrantError(request=request)

    def _save_first_tokens(self, token: dict[str, Any], request: Any) -> bool:
        family = request.__dict__[_GRANT_KEY].redeem()
        if family is None:
            return False
        request.__dict__[_FAMILY_KEY] = family
        self._save_bearer_token(token, request)
        return True

    def _save_next_tokens(self, token: dict[str, Any], request: Any) -> bool:
        spent = OAuthRefreshToken.objects.select_for_update().get(pk=request.refresh_token_instance.pk)
        if spent.revoked is None:
            self._save_bearer_token(token, request)
            OAuthRefreshToken.objects.filter(pk=spent.pk).update(
                spent_by=refresh_token_reuse.compute_sender_digest(request)
            )
            return True
        if spent.find_sibling() is None:
            return False
        # within its grace period: one more pair of tokens, because only hashes of the first pair are stored
        self._check_and_set_request_resource(request)
        access = self._create_access_token(clock.now() + timedelta(seconds=token["expires_in"]), request, token)
        self._create_refresh_token(request, token["refresh_token"], access, spent)
        return True

    def revoke_token(self, token: str, token_type_hint: str, request: Any, *args: Any, **kw: Any) -> None:
        """Revoke everything issued under this token's consent (RFC 7009, 2.1), so that nothing can be renewed."""
        checksum = _token_checksum(token)
        mine = OAuthRefreshToken.objects.filter(application=request.client)
        found = mine.filter(Q(token_checksum=checksum) | Q(access_token__token_checksum=checksum)).first()
        if found is not None:
            OAuthRefreshToken.revoke_family(found.token_family)

    def invalidate_authorization_code(self, client_id: str, code: str, request: Any, *args: Any, **kw: Any) -> None:
        """Do nothing: the code was spent when its tokens were saved."""

    def _create_access_token(
        self, expires: datetime, request: Any, token: dict[str, Any], source_refresh_token: Any = None
    ) -> OAuthAccessToken:
        access = OAuthAccessToken(
            user=request.user,
            account_id=get_account_id(request),
            application=request.client,
            scope=token["scope"],
            expires=expires,
            source_refresh_token=source_refresh_token,
            resource=request.resource,
        )
        self._set_token_value(access, token["access_token"])
        access.save()
        return access

    def _create_refresh_token(
        self,
        request: Any,
        refresh_token_code: str,
        access_token: OAuthAccessToken,
        previous_refresh_token: Any,
    ) -> OAuthRefreshToken:
        refresh = OAuthRefreshToken(
            user=request.user,
            account_id=get_account_id(request),
            application=request.client,
            access_token=access_token,
            token_family=previous_refresh_token.token_family
            if previous_refresh_token
            else request.__dict__[_FAMILY_KEY],
            resource=request.resource,
        )
        self._set_token_value(refresh, refresh_token_code)
        refresh.save()
        return refresh


def _is_public(client: OAuthClient) -> bool:
    return bool(client.client_type == OAuthClient.CLIENT_PUBLIC)


def _is_renewable(token: OAuthRefreshToken) -> bool:
    """Return whether the token is neither spent nor expired. Its lifetime starts when its access token expires."""
    lives = timedelta(seconds=oauth2_settings.REFRESH_TOKEN_EXPIRE_SECONDS)
    access = token.access_token
    return token.revoked is None and access is not None and access.expires + lives > clock.now()
