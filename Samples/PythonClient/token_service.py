# SPDX-License-Identifier: MIT
"""Plays Microsoft's token service, and a web API that asks it whose an access token is.

The service knows what it has issued, and nothing else. A refresh token is good once, in its cloud, for its
client or for the clients of its family; each answer brings the next one.
"""

import base64
import itertools
import json
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from urllib.parse import parse_qs, quote, unquote, urlsplit

from loopback import Server

# Clouds as instance discovery tells them: the host that serves, the host that caches name, all names.
CLOUDS = [
    ("login.microsoftonline.com", "login.windows.net",
     ["login.microsoftonline.com", "login.windows.net", "login.microsoft.com", "sts.windows.net"]),
    ("login.partner.microsoftonline.cn", "login.partner.microsoftonline.cn",
     ["login.partner.microsoftonline.cn", "login.chinacloudapi.cn"]),
    ("login.microsoftonline.us", "login.microsoftonline.us",
     ["login.microsoftonline.us", "login.usgovcloudapi.net"]),
    ("login.microsoftonline.de", "login.microsoftonline.de", ["login.microsoftonline.de"]),
]
API = "api.example"


def cloud_of(host):
    """The serving host of the cloud that a host belongs to, or nothing."""
    return next((cloud[0] for cloud in CLOUDS if host in cloud[2]), None)


def base64url(value):
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


@dataclass(frozen=True)
class User:
    home: str  # uid.utid
    username: str
    cloud: str

    def object_id(self, tenant):
        uid, _, utid = self.home.partition(".")
        return uid if tenant == utid else f"{uid} in {tenant}"

    def tenant(self, named):
        """The tenant that a request for `common` or for a tenant is about."""
        return self.home.partition(".")[2] if named in ("common", "organizations") else named


class Refusal(Exception):
    def __init__(self, error, suberror, description):
        super().__init__(description)
        self.error, self.suberror, self.description = error, suberror, description


@dataclass
class Issued:
    """The tokens and codes that the service has issued."""

    refresh: dict = field(default_factory=dict)  # secret: (user, client)
    access: dict = field(default_factory=dict)  # secret: (user, client, resource, until when)
    codes: dict = field(default_factory=dict)  # code: (user, client, nonce)
    family: set = field(default_factory=set)  # client ids


class TokenService:
    def __init__(self, folder, clock):
        self.clock, self.issued, self.log = clock, Issued(), []
        self.numbers = itertools.count(1)
        hosts = [host for cloud in CLOUDS for host in cloud[2]]
        self.server = Server(handler(self), folder, [*hosts, API])
        self.session = self.server.session()  # a client's
        self.own_session = self.server.session()  # the API's

    def start_over(self, issued):
        self.issued, self.log = issued, []

    @property
    def redeemed(self):
        """The refresh tokens and codes that were sent to the token endpoint, in that order."""
        return [what for path, what in self.log if path.endswith("/token")]

    # What is asked of the service

    def metadata(self, _):
        return {"api-version": "1.1", "metadata": [
            {"preferred_network": network, "preferred_cache": cache, "aliases": aliases}
            for network, cache, aliases in CLOUDS]}

    def configuration(self, host, tenant):
        base = f"https://{host}/{tenant}"
        return {
            "issuer": f"{base}/v2.0", "token_endpoint": f"{base}/oauth2/v2.0/token",
            "authorization_endpoint": f"{base}/oauth2/v2.0/authorize",
            "userinfo_endpoint": f"{base}/openid/userinfo"}

    def token(self, host, tenant, form):
        client, family, nonce = form["client_id"], self.issued.family, None
        if form["grant_type"] == "refresh_token":
            secret = form["refresh_token"]
            if secret not in self.issued.refresh:
                raise Refusal("invalid_grant", "bad_token", "AADSTS70000: the refresh token is not one of ours")
            user, owner = self.issued.refresh[secret]
            if client.lower() != owner.lower() and not {client.lower(), owner.lower()} <= family:
                raise Refusal("invalid_grant", "client_mismatch", "AADSTS70000: it is another client's")
            if user.cloud != cloud_of(host):
                raise Refusal("invalid_grant", "bad_token", "AADSTS900382: it is another cloud's")
            del self.issued.refresh[secret]
        elif form["grant_type"] == "authorization_code":
            user, owner, nonce = self.issued.codes.pop(form["code"])
            if client != owner:
                raise Refusal("invalid_grant", "", "AADSTS70000: it is another client's")
        else:
            raise Refusal("unsupported_grant_type", "", form["grant_type"])
        return self.issue(user, client, user.tenant(tenant), form["scope"].split(), nonce)

    def issue(self, user, client, tenant, scopes, nonce):
        asked = [scope for scope in scopes if scope.endswith("/.default")]
        if len(asked) != 1 or "offline_access" not in scopes:
            raise Refusal("invalid_scope", "", " ".join(scopes))
        resource, number = asked[0].removesuffix("/.default"), next(self.numbers)
        access, refresh = f"synthetic-issued-at-{number}", f"synthetic-issued-rt-{number}"
        self.issued.access[access] = (user, client, resource, self.clock.now + 3600)
        self.issued.refresh[refresh] = (user, client)
        uid, _, utid = user.home.partition(".")
        claims = {
            "aud": client, "iss": f"https://{user.cloud}/{tenant}/v2.0", "iat": self.clock.now,
            "exp": self.clock.now + 3600, "oid": user.object_id(tenant), "tid": tenant,
            "sub": f"{uid} for {client}", "preferred_username": user.username, "ver": "2.0",
            "nonce": nonce}
        answer = {
            # As the real one does, it says what `.default` stands for.
            "token_type": "Bearer", "scope": f"openid profile {resource}/Read {asked[0]}",
            "expires_in": 3600, "ext_expires_in": 3600, "access_token": access, "refresh_token": refresh,
            "id_token": ".".join([base64url({"typ": "JWT", "alg": "none"}), base64url(claims), ""]),
            "client_info": base64url({"uid": uid, "utid": utid})}
        return {**answer, "foci": "1"} if client.lower() in self.issued.family else answer

    def user_info(self, host, access):
        user, client, resource, until = self.issued.access.get(access, (None, None, None, 0))
        if user is None or until <= self.clock.now or user.cloud != cloud_of(host):
            raise Refusal("invalid_token", "", "it is not ours, or it has expired")
        return {"sub": user.home, "upn": user.username, "aud": resource, "azp": client}

    # What is asked of the API

    def call(self, resource, access, cloud="login.microsoftonline.com"):
        """Calls the API that protects a resource. Returns the status and what it says."""
        answer = self.own_session.get(
            f"https://{API}/{cloud}/{quote(resource, safe='')}/me", headers={"Authorization": f"Bearer {access}"})
        return answer.status_code, answer.json()

    def me(self, cloud, resource, authorization):
        answer = self.own_session.get(
            f"https://{cloud}/common/openid/userinfo", headers={"Authorization": authorization})
        user = answer.json()
        if answer.status_code != 200 or user["aud"] != resource:
            raise Refusal("invalid_token", "", "the token is not for this API")
        return user


def handler(service):
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1  # an answer in one piece

        def log_message(self, *_):
            pass

        def answer(self, form=None):
            host, url = self.headers["Host"], urlsplit(self.path)
            parts = [unquote(part) for part in url.path.strip("/").split("/")]
            form = form or {}
            service.log.append((f"{host}{url.path}", form.get("refresh_token", form.get("code"))))
            authorization = self.headers.get("Authorization", "")
            try:
                if host == API and len(parts) == 3:
                    return 200, service.me(parts[0], parts[1], authorization)
                match [cloud_of(host), *parts[1:]]:
                    case [None, *_]:
                        return 404, {"error": "not_found"}
                    case [_, "discovery", "instance"]:
                        return 200, service.metadata(host)
                    case [_, "v2.0", ".well-known", "openid-configuration"]:
                        return 200, service.configuration(host, parts[0])
                    case [_, "oauth2", "v2.0", "token"]:
                        return 200, service.token(host, parts[0], form)
                    case [_, "openid", "userinfo"]:
                        return 200, service.user_info(host, authorization.removeprefix("Bearer "))
                return 404, {"error": "not_found"}
            except Refusal as refusal:
                return 401 if refusal.error == "invalid_token" else 400, {
                    "error": refusal.error, "suberror": refusal.suberror,
                    "error_description": refusal.description}

        def reply(self, form=None):
            status, value = self.answer(form)
            body = json.dumps(value).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_GET(self):
            self.reply()

        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            self.reply({name: values[0] for name, values in parse_qs(body).items()})

    return Handler
