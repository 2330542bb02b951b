"""Sending to addresses of others: where to, for how long, and what is made of the answer."""

import socket
import ssl
import time
from pathlib import Path

import pytest

from games import delivery
from games.delivery import Refused, clean_url, is_private_host, is_public, send
from tests.games.receiver import receiving

CERTIFICATE = Path(__file__).with_name("hook.test.pem")


def post(receiver, **options):
    return send(receiver.url, {"X": "1"}, b"{}", **{"private": True, **options})


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "127.8.8.8", "0.0.0.0", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254",
        "100.64.0.1", "198.18.0.1", "224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255",
        "::", "::1", "::127.0.0.1", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "64:ff9b::7f00:1", "64:ff9b:1::1",
        "2001::1", "2002:7f00:1::", "2001:db8::1", "3fff::1", "fc00::1", "fd12::1", "fe80::1", "fe80::1%eth0",
        "fec0::1", "ff02::1", "ff0e::1", "5f00::1", "100::1",
    ],
)  # fmt: skip
def test_addresses_that_are_not_public(address):
    assert not is_public(address)


@pytest.mark.parametrize("address", ["8.8.8.8", "1.1.1.1", "2a00:1450:4001::1", "2606:4700::1111"])
def test_addresses_that_are_public(address):
    assert is_public(address)


@pytest.mark.parametrize(
    ("resolved", "why"),
    [
        (["127.0.0.1"], "this machine"),
        (["::1"], "this machine, IPv6"),
        (["8.8.8.8", "10.0.0.1"], "one of several is private: which one would be taken is luck"),
        ([], "none"),
    ],
)
def test_a_name_that_leads_into_a_private_network_is_not_connected_to(receiver, resolved, why):
    outcome = post(receiver, private=False, resolve=lambda host, port: resolved)
    assert outcome.status is None and "not public" in outcome.text
    assert receiver.calls == [], why


def test_without_a_look_up_of_its_own_this_machine_is_refused_too(receiver):
    assert "not public" in post(receiver, private=False).text
    assert receiver.calls == []


def test_the_connection_goes_to_the_address_that_was_checked(receiver):
    """A second look-up could answer otherwise."""
    asked = []

    def resolve(host, port):
        asked.append(host)
        return ["127.0.0.1"]

    port = receiver.url.split(":")[2]
    outcome = send(f"http://trix.invalid:{port}", {}, b"{}", True, resolve)
    assert outcome.status == 200 and asked == ["trix.invalid"]
    assert receiver.calls[0][0]["host"] == f"trix.invalid:{port.split('/')[0]}"


def test_the_next_address_is_tried_where_nothing_listens(receiver):
    outcome = post(receiver, resolve=lambda host, port: ["127.0.0.2", "127.0.0.1"])
    assert outcome.status == 200


def test_proxies_of_the_environment_are_ignored(receiver, monkeypatch):
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    assert post(receiver).status == 200


def test_a_redirect_is_not_followed(receiver):
    receiver.plan = ["redirect"]
    outcome = post(receiver)
    assert outcome.status == 302 and not outcome.delivered
    assert len(receiver.calls) == 1


def test_an_answer_that_drips_is_cut_off(receiver, monkeypatch):
    monkeypatch.setattr(delivery, "WHOLE_SECONDS", 0.5)
    receiver.plan = ["drip"]
    since = time.monotonic()
    assert not post(receiver).delivered
    assert time.monotonic() - since < 3


def test_a_receiver_that_says_nothing_is_cut_off(receiver, monkeypatch):
    monkeypatch.setattr(delivery, "WHOLE_SECONDS", 0.5)
    receiver.plan = ["hold"]
    assert "No whole answer" in post(receiver).text


def test_a_flood_is_read_to_its_limit_and_no_further(receiver):
    receiver.text = b"x" * 50_000_000
    outcome = post(receiver)
    assert outcome.status == 200 and outcome.text == "x" * 500


def test_an_answer_is_kept_without_what_controls_a_screen(receiver):
    receiver.text = "شكرا\x1b[31m\x00\u202e\n ok".encode() + b"\xff"
    assert post(receiver).text == "شكرا [31m    ok\ufffd"


@pytest.mark.parametrize("what", ["drop", 500, 404, 301])
def test_what_is_not_2xx_is_not_delivered(receiver, what):
    receiver.plan = [what]
    assert not post(receiver).delivered


def test_nothing_listens_or_no_such_name():
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    assert "failed" in send(f"http://127.0.0.1:{port}/", {}, b"", private=True).text

    def unknown(host, port):
        raise socket.gaierror(-2, "Name or service not known")

    assert send("https://trix.invalid/", {}, b"", resolve=unknown).text == "The name of the host is unknown."


@pytest.mark.parametrize(("name", "status"), [("hook.test", 200), ("other.test", None), ("127.0.0.1", None)])
def test_https_takes_the_certificate_of_the_name_alone(monkeypatch, name, status):
    """Though we look up the address ourselves. Here the certificate of `hook.test` is one to trust."""
    monkeypatch.setattr(delivery, "_tls", lambda: ssl.create_default_context(cafile=CERTIFICATE))
    with receiving(CERTIFICATE) as receiver:
        port = receiver.url.split(":")[2]
        outcome = send(f"https://{name}:{port}", {}, b"{}", True, lambda *_: ["127.0.0.1"])
        assert outcome.status == status and len(receiver.calls) == (status == 200)
    assert status or "CERTIFICATE_VERIFY_FAILED" in outcome.text


def test_https_knows_the_usual_authorities_alone(receiver):
    assert delivery._tls().verify_mode == ssl.CERT_REQUIRED and delivery._tls().check_hostname
    with receiving(CERTIFICATE) as unknown:
        port = unknown.url.split(":")[2]
        outcome = send(f"https://hook.test:{port}", {}, b"{}", True, lambda *_: ["127.0.0.1"])
        assert "CERTIFICATE_VERIFY_FAILED" in outcome.text and unknown.calls == []


@pytest.mark.parametrize(
    ("url", "clean"),
    [
        ("https://example.org", "https://example.org/"),
        ("https://EXAMPLE.org:8443/a?b=c#d", "https://example.org:8443/a?b=c"),
        ("https://مثال.إختبار/خطاف?س=ص", "https://xn--mgbh0fb.xn--kgbechtv/%D8%AE%D8%B7%D8%A7%D9%81?%D8%B3=%D8%B5"),
        ("https://[2606:4700::1111]/x%20y", "https://[2606:4700::1111]/x%20y"),
    ],
)  # fmt: skip
def test_addresses_are_kept_in_ascii(url, clean):
    assert clean_url(url) == clean


@pytest.mark.parametrize(
    "url",
    [
        "", "example.org", "//example.org", "https://", "https:///x", "http://example.org/", "ftp://example.org/",
        "file:///etc/passwd", "gopher://example.org/", "https://amal:secret@example.org/", "https://@example.org/",
        "https://example.org:0/", "https://example.org:25/", "https://example.org:99999/", "https://example.org:x/",
        "https://exa mple.org/", "https://example.org/\r\nX: y", "https://example.org\\@127.0.0.1/",
        "https://[::1/", "https://[zzz]/", "https://" + "a" * 64 + ".org/", "https://a..b/", "https://example.org/\u202e",
        "https://example.org/" + "x" * 500, "https://*/", "https://<b>/", "https://ex%61mple.org/",
        "https://[v1.fe80:1]/", "https://[v1.org]/",
    ],
)  # fmt: skip
def test_addresses_that_are_none(url):
    with pytest.raises(Refused) as refused:
        clean_url(url)
    assert len(str(refused.value)) < 200


@pytest.mark.parametrize(
    "url",
    [
        "https://localhost/", "https://LOCALHOST./", "https://api.localhost/", "https://127.0.0.1/",
        "https://127.1/", "https://2130706433/", "https://0x7f000001/", "https://0177.0.0.1/", "https://0/",
        "https://10.1.2.3/", "https://[::1]/", "https://[::ffff:10.0.0.1]/", "https://[fe80::1]/",
    ],
)  # fmt: skip
def test_private_addresses_in_plain_sight(url):
    assert is_private_host(clean_url(url))


@pytest.mark.parametrize("url", ["https://example.org/", "https://8.8.8.8/", "https://[2606:4700::1111]/"])
def test_other_hosts_are_not_private_in_plain_sight(url):
    assert not is_private_host(clean_url(url))
