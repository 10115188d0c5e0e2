"""Secrets that sentences tell are found, and sentences about secrets stay as they are.

Each row shows the secret between ⟦ and ⟧; ¦ splits it so that no scanner takes this file for a leak.
"""

from __future__ import annotations

import re
from typing import Final

import pytest

from mdmem.redact import redact
from support.gates import assert_no_hint_hides_anything

TOLD: Final = (
    "my password is ⟦hun¦ter22xyz⟧",
    "My password is ⟦hun¦ter2⟧.",
    "the db password: ⟦hun¦ter22xyz⟧",
    "the db password for staging is ⟦Sum¦mer2024!⟧",
    "the password for the staging db: ⟦hun¦ter22xyz⟧",
    "use token ⟦abc¦123def456ghi⟧ as the API key",
    "use ⟦abc¦123def456ghi⟧ as the API key",
    "use ⟦hun¦ter22xyz⟧ as the database password",
    "⟦hun¦ter22xyz⟧ is my password",
    "⟦hun¦ter22xyz⟧ is the new db password, don't commit it",
    "log in with admin / ⟦hun¦ter22xyz⟧",
    "log in as admin with ⟦hun¦ter22xyz⟧",
    "the credentials are admin / ⟦hun¦ter22xyz⟧",
    "credentials: admin / ⟦hun¦ter22xyz9⟧",
    "with password ⟦hun¦ter22xyz⟧",
    "user admin, password ⟦hun¦ter2⟧",
    "set the password to ⟦P@s¦sw0rd⟧",
    "the password was changed to ⟦Tr0¦ub4dor&3⟧",
    "the password has been reset to ⟦Tr0¦ub4dor&3⟧ yesterday",
    "the password should be ⟦cor¦rect-horse-42⟧",
    "password is now ⟦cor¦rect-horse-42⟧",
    "the passcode is ⟦839¦201⟧",
    "the API key is ⟦9f8¦e7d6c5b4a⟧",
    "the secret key for stripe is ⟦9f8¦e7d6c5b4a3210⟧",
    "Here is the db password. It's ⟦hun¦ter22xyz⟧",
    "The db password? It's ⟦hun¦ter22xyz⟧",
    "the token's ⟦abc¦123def456ghi⟧",
    "das Passwort ist ⟦hun¦ter22xyz⟧",
    "das Datenbankpasswort lautet ⟦hun¦ter22xyz⟧",
    "la contraseña es ⟦hun¦ter22xyz⟧",
    "le mot de passe est ⟦hun¦ter22xyz⟧",
    "密码是⟦hun¦ter22xyz⟧",
    "パスワードは ⟦hun¦ter22xyz⟧ です",
    "パスワードは⟦hun¦ter22xyz⟧です",
    'the password is "⟦hun¦ter22xyz⟧"',
    "my pwd is ⟦hun¦ter22xyz⟧",
    "our wifi password is ⟦Blu¦e7Monkey!⟧",
    "the root password on the build box is '⟦xK9¦#mQ2$⟧'",
    "password for admin is ⟦abc¦123⟧",
    "use the API key ⟦abc¦123def456ghi⟧ for the tests",
    "the test password is ⟦Tes¦t1234!⟧",
    "my password = ⟦hun¦ter22xyz⟧",
    "always use the password ⟦hun¦ter22xyz⟧ for the db",
    "the password is ⟦swo¦rdfish99⟧, never change it",
)

KEPT: Final = (
    "the password is stored in vault",
    "password is required",
    "password is hashed with bcrypt",
    "the password is base64-encoded",
    "the password is sha256-hashed",
    "the password is 8 characters",
    "passwords are 12-character",
    "the password is 8-64 characters",
    "the token is valid for 3600s",
    "the token is a JWT signed with RS256",
    "the token is RS256-signed",
    "use sha256 as the token hash",
    "use HMAC-SHA256 as the signing key algorithm",
    "use HMAC-SHA256 for the token",
    "the password is in config.py:42",
    "the token is in src/auth/token2.py",
    "password was rotated 2024-05-01",
    "the password is in 1Password",
    "the password is 1Password-managed",
    "use auth0 as the token provider",
    "the api key is read from API_KEY_V2",
    "the password is DB_PASSWORD2",
    "rename the token auth_token_v2 everywhere",
    "the password field2 is unused",
    "the password column passwd_v2",
    "the token is expired; rotate it",
    "never put the password in the URL",
    "the secret is app-tls-2",
    "set the password to the value of DB_PASSWORD",
    "the password must be at least 8 characters",
    "use OAuth2 for login",
    "the login is handled by Auth0",
    "login uses SSO via saml2-bridge",
    "the login page is /auth/login2",
    "commit 3f786850e387 fixed the token",
    "3f786850e387 is the commit that added the token",
    "the token endpoint is https://auth.example.com/v2/token",
    "v2/oauth2token is the token endpoint",
    "use pg16 as the password store",
    "the password is user+password",
    "the password is wrong!!",
    "password reset emails go to ops2024@example.com",
    "the next token is hello123world",
    "the token bucket refills at 100req/s",
    "the API key is ${API_KEY}",
    "the API key is <your key>",
    "the API token is rotated quarterly",
    "the password is getPassword2()",
    "keys are hashed with argon2id; the secret is kept in Vault2",
    "the password is encrypted with AES-256-GCM",
    "password is encrypted using pbkdf2-sha256",
    "the secret is mounted at /run/secrets/db2",
    "use uuid4 as the session token",
    "password is case-sensitive",
    "PROJ-1234 is the ticket for the token",
    "log in with GitHub",
    "log in as admin2 with SSO",
    "log in with OAuth2",
    "the key is user_id_2",
    "max tokens is 4096",
    "the credentials are in s3://bucket1/creds2",
    "the access token is ES256-signed",
    "the refresh token is 90-day-rotated",
    "the private key is id_ed25519",
    "our passwords are at least 16chars",
    "use t3.medium for login",
    "login to db-prod-2",
    "login at http://localhost:3000",
    "login from 10.0.0.12 fails",
    "The login for the demo is on page2",
    "token for the CI is GITHUB_TOKEN",
    "the password to use is in .env2",
    "that password is not it, check 2FA",
)


@pytest.mark.parametrize("row", TOLD)
def test_a_value_that_a_sentence_tells_is_replaced(row: str) -> None:
    result = redact(re.sub("[⟦⟧¦]", "", row))
    assert result.text == re.sub("⟦[^⟧]*⟧", "[redacted:assigned-secret]", row)
    assert redact(result.text) == (result.text, ())


@pytest.mark.parametrize("row", TOLD)
def test_no_hint_hides_a_told_value(row: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert_no_hint_hides_anything(re.sub("[⟦⟧¦]", "", row), monkeypatch)


@pytest.mark.parametrize("row", KEPT)
def test_a_sentence_about_secrets_stays(row: str) -> None:
    assert redact(row) == (row, ())
