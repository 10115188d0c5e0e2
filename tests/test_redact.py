"""Secrets are found by kind, exactly their span is replaced, and nothing else is touched.

Each row shows the secret between ⟦ and ⟧; ¦ splits a fake token so that no scanner takes this file for a leak.
"""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdmem.redact import find_secrets, redact
from support.gates import assert_no_hint_hides_anything

FAKE = "FAKEfake"

FOUND = {
    "private-key": (
        "⟦-----BEGIN ¦RSA PRIVATE KEY-----\nQUJDREVGR0hJSktMTU5PUA\n-----END RSA PRIVATE KEY-----⟧\nafter",
        "⟦-----BEGIN ¦PRIVATE KEY-----\nUXo=\n-----END PRIVATE KEY-----⟧",
        "⟦-----BEGIN ¦OPENSSH PRIVATE KEY-----\nQUJDREVGR0hJSktMTU5PUA\nQUJDREVGR0hJSktM⟧\n\nthe log ends here",
        "⟦-----BEGIN ¦EC PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,AB\n\nQUJDREVGR0hJSktMTU5PUA⟧",
        "tail of it: \n⟦QUJDREVGR0hJSktMTU5PUA\nQUJDREVG12==\n-----END ¦ENCRYPTED PRIVATE KEY-----⟧",
        'key: "⟦-----BEGIN ¦PRIVATE KEY-----\\nQUJDREVGR0hJSktMTU5PUA\\n-----END PRIVATE KEY-----⟧\\n"',
        "⟦-----BEGIN ¦PGP PRIVATE KEY BLOCK-----\nVersion: 2\n\nQUJDREVGR0hJSktM\n-----END PGP PRIVATE KEY BLOCK-----⟧",
        "cut off at once:\n⟦-----BEGIN ¦RSA PRIVATE KEY-----⟧\n",
        "> ⟦-----BEGIN ¦DSA PRIVATE KEY-----\n> QUJDREVGR0hJSktMTU5PUA\n> -----END DSA PRIVATE KEY-----⟧",
    ),
    "aws-access-key": (
        "id ⟦AKIA¦FAKE0FAKE1FAKE2X⟧.",
        "temporary ⟦ASIA¦FAKE0FAKE1FAKE2X⟧",
        "(⟦AKIA¦FAKE0FAKE1FAKE2X⟧)",
    ),
    "aws-secret-key": (
        "aws_secret_access_key = ⟦FAKEfake/¦FAKEfake0FAKEfake1FAKEfake2FA+k⟧",
        '"SecretAccessKey": "⟦FAKEfake/¦FAKEfake0FAKEfake1FAKEfake2FA+k⟧",',
        "AWS Secret Access Key [None]: ⟦FAKEfake/¦FAKEfake0FAKEfake1FAKEfake2FA+k⟧",
        "aws configure set aws_secret_access_key ⟦FAKEfake/¦FAKEfake0FAKEfake1FAKEfake2FA+k⟧ --profile ci",
    ),
    "github-token": (
        "⟦ghp_¦FAKEfakeFAKEfake0000FAKEfakeFAKEfake⟧ is the token",
        "x⟧".replace("⟧", "") + " ⟦gho_¦FAKEfakeFAKEfake0000FAKEfakeFAKEfake⟧",
        "push with ⟦ghs_¦FAKEfakeFAKEfake0000FAKEfakeFAKEfake⟧.",
        "⟦ghu_¦FAKEfakeFAKEfake0000FAKEfakeFAKEfake⟧,⟦ghr_¦FAKEfakeFAKEfake0000FAKEfakeFAKEfake⟧",
        "⟦github_pat_¦11FAKE0000fakefakefake_FAKEfakeFAKEfakeFAKEfake⟧ ok",
    ),
    "gitlab-token": (
        "⟦glpat-¦FAKEfakeFAKE-fake0000⟧",
        "runner ⟦glrt-¦FAKEfakeFAKEfake0000⟧, job ⟦glcbt-¦64_FAKEfakeFAKEfake0000⟧",
    ),
    "slack-token": (
        "⟦xoxb-¦000000000000-000000000000-FAKEfakeFAKEfake⟧",
        "⟦xoxp-¦000000000000-000000000000-FAKEfake⟧ and ⟦xapp-¦1-A0000000000-000000000000-fakefake0000⟧",
    ),
    "slack-webhook": ("https://hooks.slack.com/services/⟦T00000000/¦B00000000/FAKEfakeFAKEfakeFAKEfake⟧",),
    "openai-key": (
        "⟦sk-¦proj-FAKEfakeFAKEfakeFAKEfakeFAKE_fake-FAKE⟧",
        "⟦sk-¦FAKEfakeFAKEfakeFAKET3BlFAKEfakeFAKEfakeFAKEfake⟧",
        "title: Use ⟦sk-¦svcacct-FAKEfakeFAKEfakeFAKEfake⟧ for the box",
    ),
    "anthropic-key": ("export it: ⟦sk-¦ant-api03-FAKEfakeFAKE_fakeFAKEfake-FAKEfakeAA⟧",),
    "stripe-key": (
        "⟦sk_¦live_FAKEfakeFAKEfakeFAKEfake⟧",
        "⟦sk_¦test_FAKEfakeFAKEfakeFAKEfake⟧ in tests",
        "restricted ⟦rk_¦live_FAKEfakeFAKEfakeFAKEfake⟧",
        "⟦whsec_¦FAKEfakeFAKEfakeFAKEfake00⟧",
    ),
    "google-api-key": ("maps: ⟦AIza¦SyFAKEfakeFAKE-fakeFAKE_fakeFAKEfake0⟧",),
    "google-token": ("⟦GOCSPX-¦FAKEfakeFAKEfakeFAKEfake0000⟧", "⟦ya29.¦a0FAKEfakeFAKEfakeFAKEfake⟧."),
    "npm-token": ("⟦npm_¦FAKEfakeFAKEfakeFAKEfakeFAKEfakeFAKE⟧",),
    "pypi-token": ("⟦pypi-¦AgEIcHlwaS5vcmcFAKEfakeFAKE_fakeFAKE-fake⟧",),
    "huggingface-token": ("⟦hf_¦FAKEfakeFAKEfakeFAKEfakeFAKEfakeFA⟧",),
    "telegram-token": (
        "bot 123456789:⟦AA¦FAKEfakeFAKEfakeFAKE-fakeFAKEfakeX⟧",
        "https://api.telegram.org/bot123456789:⟦AA¦FAKEfakeFAKEfakeFAKE-fakeFAKEfakeX⟧/getMe",
    ),
    "api-token": (
        "⟦SG.¦FAKEfakeFAKEfakeFAKE.FAKEfakeFAKEfakeFAKEfake⟧",
        "⟦dop_v1_¦0000fake0000fake0000fake⟧ and ⟦hvs.¦FAKEfakeFAKEfakeFAKEfake⟧.",
    ),
    "jwt": (
        "⟦eyJ¦hbGciOiJub25lIn0.eyJmYWtlIjoxfQ.FAKEfakeFAKEfake⟧",
        "cut: ⟦eyJ¦hbGciOiJub25lIn0.eyJmYWtlIjoxfQ⟧.",
        "⟦eyJ¦hbGciOiJkaXIifQ.FAKE.FAKEfake.FAKEfake.FAKEfake⟧ (encrypted)",
    ),
    "authorization": (
        "Authorization: Bearer ⟦FAKE¦fake0000FAKEfake⟧",
        "-H 'Authorization: Basic ⟦ZmFr¦ZTpmYWtl⟧' https://x.invalid",
        '{"Authorization": "token ⟦fake¦0000fake⟧"}',
        "proxy-authorization: ⟦fake¦0000fake⟧.",
        "sent with Bearer ⟦FAKE¦fake0000FAKEfake⟧.",
    ),
    "url-password": (
        "postgres://app:⟦not¦arealpw⟧@db.invalid:5432/shop",
        "redis://:⟦not¦arealpw⟧@cache.invalid/0",
        "mongodb+srv://app:⟦p@ss¦word⟧@db.invalid/x",
        "amqp://app:⟦sla/¦sh⟧@mq.invalid",
        "git clone https://oauth2:⟦fake¦fake⟧@git.invalid/a.git",
    ),
    "assigned-secret": (
        "DB_PASSWORD=⟦correct-¦horse-42⟧ in that file",
        "export PGPASSWORD='⟦hunter¦two⟧'",
        "`MYSQL_PWD=⟦hunter¦2x⟧ mysql`",
        "DB_PASSWORD_PROD=⟦a&b¦;c(d⟧",
        "client_secret: ⟦9f8e¦7d6c5b4a⟧",
        "client_secret: ⟦correct-¦horse-42⟧,",
        '{"client_secret":"⟦fake¦0000fake⟧","x":1}',
        '"password": "⟦sword¦fish⟧",',
        '\\"password\\": \\"⟦sword¦fish⟧\\"',
        "password: ⟦hunter¦2⟧",
        'password = "⟦sword¦fish⟧"',
        'password: str = "⟦sword¦fish⟧"',
        "const apiKey = '⟦fake¦0000fake⟧';",
        "Server=db;User=sa;Password=⟦Sword¦fish⟧;Encrypt=yes",
        "f(user='x', password=⟦abc1¦23x⟧,ssl=True)",
        "- name: DB_PASSWORD\n  value: ⟦hunter¦2⟧",
        "password: |\n  ⟦hunter¦2⟧\nnext: line",
        "<password>⟦hunter¦2⟧</password>",
        "https://x.invalid/?access_token=⟦fake¦0000⟧&page=2",
        "X-Api-Key: ⟦fake¦0000fake⟧",
        "SECRET_KEY_BASE=⟦0000fake¦0000fake⟧",
        "**Password:** ⟦hunter¦2⟧",
        "Password: `⟦hunter¦2⟧`",
        'the line is cut: password="⟦hunter¦2⟧',
        "the password is `⟦hunter¦2⟧`, they said",
        'os.environ["API_TOKEN"] = "⟦fake¦0000⟧"',
        '$env:API_TOKEN = "⟦fake¦0000⟧"',
        "ENV API_TOKEN ⟦fake¦0000⟧",
        "//registry.invalid/:_authToken=⟦fake¦0000⟧",
        '"auth": "⟦ZmFrZTpmYWtl¦MDAwMA==⟧"',
        "AccountKey=⟦FAKEfake0¦FAKEfake0==⟧;EndpointSuffix=x",
        'passphrase: "⟦correct horse ¦battery staple⟧"',
        "Пароль: ⟦hunter¦2⟧",
        "password: ⟦hunter¦2⟧\r\nother: x\r\n",
    ),
    "password-flag": (
        "sqlcmd -S db -U sa -P ⟦Fake¦Pass0!⟧ -Q 'select 1'",
        "mysql -u root -p⟦hunter¦two⟧ shop",
        "sshpass -p '⟦hunter¦two⟧' ssh a@b",
        "curl -u alice:⟦wonder¦land⟧ https://x.invalid",
        'curl --user "alice:⟦wonder&¦land⟧" https://x.invalid',
        "docker login -u me -p ⟦hunter¦2⟧ registry.invalid",
        "docker login --username me --password ⟦hunter¦2⟧ registry.invalid",
        "redis-cli -h cache -a ⟦hunter¦2⟧ ping",
        "mongosh -u me -p ⟦hunter¦2⟧",
        "ldapsearch -x -D cn=admin -w ⟦hunter¦2⟧ -b dc=x",
        "openssl enc -aes256 -pass pass:⟦hunter¦2⟧ -in x",
        "7z x -p⟦hunter¦2⟧ x.7z",
        "unzip -P ⟦hunter¦2⟧ x.zip",
        "keytool -list -storepass ⟦hunter¦2⟧ -keystore x",
        "machine api.invalid login me password ⟦hunter¦2⟧",
        "htpasswd -bc users alice ⟦hunter¦2⟧",
        "smbclient //h/s -U 'me%⟦hunter¦2⟧'",
        "sqlplus scott/⟦t1¦ger⟧@db",
        "curl https://x.invalid \\\n  -u alice:⟦hunter¦2⟧",
        "mysqldump --password=⟦sword¦fish⟧ shop",
        "deploy --api-key ⟦fake¦0000fake⟧ --yes",
    ),
}

KEPT = (
    # nothing there
    "",
    "there is no API key in the build at all",
    "rotate the token, then the password, then the secret",
    "The Authorization header is required: see the docs",
    "Bearer authentication is used everywhere in this service",
    # placeholders
    "password: <your-password-here>",
    "password: ***",
    "password=********",
    "API_KEY=...",
    "API_KEY=your-api-key-1",
    "token: [redacted]",
    "Authorization: Bearer <token>",
    "postgres://user:password@localhost/db",
    "curl -u user:password https://x.invalid",
    "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    "sk-ant-... or AKIA...",
    "POSTGRES_PASSWORD=postgres docker compose up",
    "DB_PASSWORD=changeme",
    "sqlcmd -P <password>",
    # variables
    'password = os.environ["DB_PASSWORD"]',
    "token = process.env.GITHUB_TOKEN",
    "api_key: ${API_KEY}",
    "API_KEY=$API_KEY",
    "API_KEY=${API_KEY:-none}",
    "token: ${{ secrets.DEPLOY_TOKEN }}",
    'password: "{{ vault_password }}"',
    "export TOKEN=$(gcloud auth print-access-token)",
    "TOKEN=`cat ~/.token1`",
    "curl -u $USER:$PASS https://x.invalid",
    "postgres://user:${PW}@localhost/db",
    "Authorization: Bearer $TOKEN",
    "api_key=settings.API_KEY",
    "password=password",
    "password=new_password1",
    "if token != expected_token2:",
    # types, calls, values that are none
    "password: str",
    "password: Optional[str] = None",
    "password=None",
    "def login(user: str, password: str) -> bool:",
    "const token: string = await getToken();",
    'secret = load_secret("x")',
    'token := r.Header.Get("X-Token")',
    'getpass("Password: ")',
    'print("token:", token)',
    '{"password": "string", "token": "string"}',
    "password: {type: string, minLength: 8}",
    "AUTH_TOKEN=",
    # where a secret is kept
    "password: !vault |",
    "secret: projects/123/secrets/foo/versions/2",
    "arn:aws:secretsmanager:us-east-1:123456789012:secret:foo-AbCdEf",
    "private_key: ~/.ssh/id_ed25519",
    "private_key: certs/server-2.pem",
    "token=op://vault/item/field1",
    "--password-stdin",
    # names that only look like a secret's
    "max_tokens=4096",
    "token_count: 12345678",
    "secretName: app-tls-2",
    "secret: app-tls-2",
    'primary_key = "user_id_2"',
    'cache_key: "user-profile-v2"',
    'password_hash = "0123456789abcdef0123456789abcdef"',
    "the tokenizer: bert-base-uncased-v2",
    'eos_token="</s>", pad_token="[PAD]"',
    'type="password" autocomplete="new-password"',
    "PWD=/home/me/project1",
    # prose behind a name
    "password: required",
    "password: see 1Password",
    "password: base64-encoded",
    "password: 8-64 characters",
    '"password": "must be at least 8 characters"',
    '"token": "Invalid token"',
    "API token: rotate it every quarter",
    "token: JWT signed with RS256",
    "mysql -p prompts for the password",
    "sshpass -p takes the password",
    "use --password when asked",
    "mysql -h db -p3306",
    "docker run -p 5432:5432 postgres",
    # hashes, ids, code, addresses
    "commit 0123456789abcdef0123456789abcdef01234567 fixed it",
    "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
    "secret: sha256:0123456789abcdef0123456789abcdef",
    'integrity="sha512-FAKEfake0FAKEfake0=="',
    "123e4567-e89b-12d3-a456-426614174000",
    "token: 0x0123456789abcdef0123456789ABCDEF01234567",
    "call setDefaultModelAndProviderForSession() once",
    "a risk-based-scheduling-policy-for-workers",
    "sk-learn-compatible-estimators-guide",
    "hf_transfer and hf_hub_download",
    "npm_config_registry=https://registry.npmjs.org",
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ is a small image",
    "https://host.invalid/a/b?x=1",
    "https://host.invalid:8080/@scope/pkg",
    "http://localhost:3000 and mail me@host.invalid",
    "ssh://git@git.invalid:22/org/repo",
    "-----BEGIN ¦PRIVATE KEY----- must be the first line",
    "-----BEGIN ¦PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
    "it begins with -----BEGIN ¦PRIVATE KEY-----",
    "the line\n-----BEGIN ¦PRIVATE KEY-----\nmust stand first",
    "-----BEGIN PUBLIC KEY-----\nQUJDREVGR0hJSktMTU5PUA\n-----END PUBLIC KEY-----",
    "public_key: ssh-ed25519 QUJDREVGR0hJSktMTU5PUA",
)


def whole(row: str) -> str:
    return re.sub("[⟦⟧¦]", "", row)


def expected(kind: str, row: str) -> str:
    return re.sub("⟦[^⟧]*⟧", f"[redacted:{kind}]", row).replace("¦", "")


ROWS = [(kind, row) for kind, rows in FOUND.items() for row in rows]


@pytest.mark.parametrize(("kind", "row"), ROWS)
def test_exactly_the_secret_is_replaced(kind: str, row: str) -> None:
    result = redact(whole(row))
    assert result.text == expected(kind, row)
    assert result.kinds == (kind,)


@pytest.mark.parametrize("row", KEPT)
def test_what_only_names_a_secret_stays(row: str) -> None:
    assert redact(whole(row)) == (whole(row), ())


@pytest.mark.parametrize(("kind", "row"), ROWS)
def test_a_redacted_text_holds_no_secret(kind: str, row: str) -> None:
    assert find_secrets(redact(whole(row)).text) == ()


@pytest.mark.parametrize(("kind", "row"), ROWS)
def test_no_hint_hides_a_secret(kind: str, row: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert_no_hint_hides_anything(whole(row), monkeypatch)


def test_spans_never_hold_the_value() -> None:
    span = find_secrets("DB_PASSWORD=" + "hunter" + "2x")[0]
    assert repr(span) == "SecretSpan(start=12, end=20, kind='assigned-secret')"


def test_kinds_stand_once_in_order_of_appearance() -> None:
    rows = [FOUND["jwt"][0], FOUND["aws-access-key"][0], FOUND["jwt"][0]]
    assert redact("\n".join(map(whole, rows))).kinds == ("jwt", "aws-access-key")


def test_a_token_within_an_assignment_is_one_secret() -> None:
    token = "ghp_" + FAKE * 4 + "0000"
    assert redact(f"GITHUB_TOKEN={token}").text == "GITHUB_TOKEN=[redacted:github-token]"


pieces = st.lists(
    st.one_of(st.text(max_size=20), st.sampled_from([whole(row) for _, row in ROWS]), st.sampled_from("\"'`:= \n-.")),
    max_size=6,
).map("".join)


@given(pieces)
def test_redacting_twice_changes_nothing(text: str) -> None:
    once = redact(text).text
    assert redact(once) == (once, ())


@given(pieces)
def test_text_outside_the_spans_is_untouched(text: str) -> None:
    spans = find_secrets(text)
    parts, end = [], 0
    for span in spans:
        assert end <= span.start < span.end <= len(text)
        parts += text[end : span.start], f"[redacted:{span.kind}]"
        end = span.end
    assert redact(text).text == redact("".join(parts) + text[end:]).text


@given(st.sampled_from(ROWS), st.text(max_size=40), st.text(max_size=40))
def test_no_planted_token_survives(row: tuple[str, str], before: str, after: str) -> None:
    values = [value.replace("¦", "") for value in re.findall("⟦([^⟧]*)⟧", row[1])]
    text = f"{before}\n{whole(row[1])}\n{after}"
    assert not [value for value in values if value in redact(text).text]


HOSTILE = (
    "a", "A1", "password=", 'password="', "token='", "://", "://a:", "://a:@", "-----",
    "-----BEGIN PRIVATE KEY-----\n", "-----END PRIVATE KEY-----\n", "QUJDREVGR0hJSktM\n", "ghp_", "sk-", "eyJ",
    "eyJaaaaaaaaa.", "eyJaaaaaaaaa.aaaa", "mysql -p", "curl -u a:", "docker login ", "htpasswd -b a ",
    "password is `", "password value ", "password=your-your ", "password=a.b.", "authorization: bearer ",
    "secret_access_key ", "TOKEN=x", "\\", '\\"', "password: |\n", "İ",
    "password is ", "my password ", "the password for a ", "a1b2c3d4 as the ", "password a / ", "is my password ",
)  # fmt: skip


@pytest.mark.parametrize("unit", HOSTILE)
def test_time_grows_with_the_text_alone(unit: str) -> None:
    """Four times the text may take four times as long; a quadratic pattern would take sixteen times."""
    small, large = (min(seconds(unit * (size // len(unit))) for _ in range(3)) for size in (20_000, 80_000))
    assert large < 9 * max(small, 0.002)


def seconds(text: str) -> float:
    start = time.process_time()
    redact(text)
    return time.process_time() - start
