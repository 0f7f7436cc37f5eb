"""The protocol library's questions, answered so that everything issued speaks for the account of the consent."""

from __future__ import annotations

import json
import uuid
from datetime import datetime, timedelta
from typing import Any

from oauth2_provider.oauth2_validators import OAuth2Validator
from oauthlib.oauth2.rfc6749 import errors

from workspace.accounts.models import Account, OAuthAccessToken, OAuthClient, OAuthGrant, OAuthRefreshToken
from workspace.interfaces.oauth import resource
from workspace.storage.database import writing
from workspace.toolkit import clock

CODE_LIVES = timedelta(seconds=60)
_GRANTED = "granted_account_id"
_GRANT = "grant_of_the_code"


def grant_to(request: Any, account_id: str) -> None:
    request.__dict__[_GRANTED] = account_id


def granted(request: Any) -> str:
    """The account of the request. Read past the request's own lookup, which falls back on the caller's parameters."""
    account_id: str = request.__dict__[_GRANTED]
    return account_id


class Validator(OAuth2Validator):
    def _load_application(self, client_id: str | None, request: Any) -> OAuthClient | None:
        if not client_id or not client_id.isascii() or not client_id.isprintable():
            return None  # PostgreSQL takes no NUL, not even to look for it
        client: OAuthClient | None = super()._load_application(client_id, request)
        return client

    def _create_authorization_code(
        self, request: Any, code: dict[str, str], expires: datetime | None = None
    ) -> OAuthGrant:
        account: Account = request.__dict__["account"]
        with writing():
            return OAuthGrant.objects.create(
                application=request.client,
                user=request.user,
                account=account,
                code=code["code"],
                expires=expires or clock.now() + CODE_LIVES,
                redirect_uri=request.redirect_uri,
                scope=" ".join(request.scopes),
                code_challenge=request.code_challenge,
                code_challenge_method=request.code_challenge_method,
                claims=json.dumps({}),
                resource=[resource.identifier()],
            )

    def validate_code(
        self, client_id: str, code: str, client: OAuthClient, request: Any, *args: Any, **kw: Any
    ) -> bool:
        grant = OAuthGrant.objects.select_related("user").filter(code=code, application=client).first()
        if grant is None or grant.is_expired() or not grant.stands() or grant.resource != [resource.identifier()]:
            return False
        request.user, request.scopes = grant.user, grant.scope.split()
        grant_to(request, grant.account_id)
        # read once: a parallel request may spend the code before the next question about it
        request.__dict__[_GRANT] = grant
        return True

    def get_code_challenge(self, code: str, request: Any) -> str:
        challenge: str = request.__dict__[_GRANT].code_challenge
        return challenge

    def get_code_challenge_method(self, code: str, request: Any) -> str:
        method: str = request.__dict__[_GRANT].code_challenge_method
        return method

    def confirm_redirect_uri(
        self, client_id: str, code: str, redirect_uri: str, client: OAuthClient, request: Any, *args: Any, **kw: Any
    ) -> bool:
        allowed: bool = request.__dict__[_GRANT].redirect_uri_allowed(redirect_uri)
        return allowed

    def validate_refresh_token(
        self, refresh_token: str, client: OAuthClient, request: Any, *args: Any, **kw: Any
    ) -> bool:
        if not super().validate_refresh_token(refresh_token, client, request, *args, **kw):
            return False
        found: OAuthRefreshToken = request.refresh_token_instance
        grant_to(request, found.account_id)
        return found.stands() and found.resource == [resource.identifier()]

    def _check_and_set_request_resource(self, request: Any) -> None:
        for name, value in request.decoded_body or []:
            if name == "resource" and not resource.names_this_service(value):
                raise errors.CustomOAuth2Error(
                    error="invalid_target",
                    description=f"The resource here is {resource.identifier()}",
                    request=request,
                )
        request.resource = [resource.identifier()]

    def save_bearer_token(self, token: dict[str, Any], request: Any, *args: Any, **kw: Any) -> None:
        """One transaction spends what was handed in and stores what is handed out: of two requests with the same code
        or refresh token, one is refused."""
        with writing():
            if request.grant_type == "refresh_token":
                spent = OAuthRefreshToken.objects.select_for_update().get(pk=request.refresh_token_instance.pk)
                if spent.revoked is not None:
                    raise errors.InvalidGrantError(request=request)
            self._save_bearer_token(token, request, *args, **kw)
            if request.grant_type == "authorization_code":
                super().invalidate_authorization_code(request.client_id, request.code, request)

    def invalidate_authorization_code(self, client_id: str, code: str, request: Any, *args: Any, **kw: Any) -> None:
        """Nothing is left to do: the code went when its tokens came."""

    def _create_access_token(
        self, expires: datetime, request: Any, token: dict[str, Any], source_refresh_token: Any = None
    ) -> OAuthAccessToken:
        access = OAuthAccessToken(
            user=request.user,
            account_id=granted(request),
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
            account_id=granted(request),
            application=request.client,
            access_token=access_token,
            token_family=previous_refresh_token.token_family if previous_refresh_token else uuid.uuid4(),
            resource=request.resource,
        )
        self._set_token_value(refresh, refresh_token_code)
        refresh.save()
        return refresh
