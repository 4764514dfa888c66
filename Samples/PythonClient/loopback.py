# SPDX-License-Identifier: MIT
"""HTTPS to any host, answered on this machine: a certificate for all of them, and a session that trusts it."""

import datetime
import pathlib
import ssl
import threading
from http.server import ThreadingHTTPServer
from urllib.parse import urlsplit

import requests
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from requests.adapters import HTTPAdapter


def certificate(folder, hosts):
    """Writes a self-signed certificate for the hosts, and its key. Returns the paths of both."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "loopback")])
    now, day = datetime.datetime.now(datetime.timezone.utc), datetime.timedelta(days=1)
    usage = dict.fromkeys(
        ["content_commitment", "key_encipherment", "data_encipherment", "key_agreement", "crl_sign",
         "encipher_only", "decipher_only"], False)
    made = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
        .serial_number(x509.random_serial_number()).not_valid_before(now - day).not_valid_after(now + day)
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(host) for host in hosts]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(x509.KeyUsage(digital_signature=True, key_cert_sign=True, **usage), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )
    paths = pathlib.Path(folder) / "loopback.pem", pathlib.Path(folder) / "loopback.key"
    paths[0].write_bytes(made.public_bytes(serialization.Encoding.PEM))
    paths[1].write_bytes(key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
    return paths


class Server(ThreadingHTTPServer):
    """An HTTPS server on a free port of the loopback interface, in a thread of its own."""

    daemon_threads = True

    def __init__(self, handler, folder, hosts):
        super().__init__(("127.0.0.1", 0), handler)
        self.certificate, key = certificate(folder, hosts)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate, key)
        # The handshake is left to the thread that answers.
        self.socket = context.wrap_socket(self.socket, server_side=True, do_handshake_on_connect=False)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def session(self):
        """The `http_client` of a client."""
        session = requests.Session()
        session.trust_env = False
        session.verify = str(self.certificate)
        session.mount("https://", ToLoopback(self.server_address[1], session.verify))
        return session


class ToLoopback(HTTPAdapter):
    """Connects to the loopback server whatever the host, and checks that it is certified for that host."""

    def __init__(self, port, certificate):
        self.port, self.certificate = port, certificate
        super().__init__()

    def send(self, request, **arguments):
        request.headers["Host"] = urlsplit(request.url).netloc
        return super().send(request, **arguments)

    def get_connection_with_tls_context(self, request, verify, proxies=None, cert=None):
        host = urlsplit(request.url).hostname
        return self.poolmanager.connection_from_host(
            "127.0.0.1", self.port, "https",
            {"server_hostname": host, "assert_hostname": host, "ca_certs": self.certificate,
             "cert_reqs": "CERT_REQUIRED"})
