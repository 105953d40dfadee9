"""Networks as a settings file writes them, and the smallest one around an address."""

import pytest

from server.address import group_address
from server.networks import NetworkMap, parse_exact_network, parse_network


@pytest.mark.parametrize(
    ("written", "network"),
    [
        ("10.2.3.4", "10.2.3.4/32"),
        (" 10.2.0.0/16 ", "10.2.0.0/16"),
        ("0.0.0.0/0", "0.0.0.0/0"),
        ("10.2.0.0/255.255.0.0", "10.2.0.0/16"),
        ("2001:db8::9", "2001:db8::/64"),
        ("2001:db8::/32", "2001:db8::/32"),
        ("::ffff:10.2.3.4", "10.2.3.4/32"),
        ("::ffff:10.2.0.0/112", "10.2.0.0/16"),
    ],
)
def test_an_address_and_a_network_are_read(written: str, network: str) -> None:
    assert str(parse_network(written)) == network


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("10.2.3.4/16", "the network around it is 10.2.0.0/16"),
        ("2001:db8::1/32", "the network around it is 2001:db8::/32"),
        ("2001:db8::1/128", "all addresses of 2001:db8::/64 count as one"),
        ("10.2.0.0/33", "write an address, as in"),
        ("10.2", "write an address, as in"),
        ("", "write an address, as in"),
        ("campus.example", "write an address, as in"),
    ],
)
def test_what_is_no_network_is_refused_with_what_to_write(written: str, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        parse_network(written)


def test_an_ipv6_address_of_a_proxy_stands_for_itself_alone() -> None:
    assert str(parse_exact_network("2001:db8::7")) == "2001:db8::7/128"
    assert str(parse_exact_network("::ffff:10.2.3.4")) == "10.2.3.4/32"
    with pytest.raises(ValueError, match=r"the network around it is 10\.2\.0\.0/16"):
        parse_exact_network("10.2.3.4/16")


def test_the_smallest_network_around_an_address_counts() -> None:
    written = {"10.0.0.0/8": "company", "10.2.0.0/16": "campus", "10.2.3.4": "router", "2001:db8::/32": "six"}
    networks = NetworkMap((parse_network(network), name) for network, name in written.items())
    for address, name in (
        ("10.2.3.4", "router"),
        ("10.2.3.5", "campus"),
        ("::ffff:10.2.3.5", "campus"),
        ("10.3.0.0", "company"),
        ("11.0.0.0", None),
        ("2001:db8:7::1", "six"),
        ("2001:db9::1", None),
    ):
        assert networks.find(group_address(address)) == name, address
    assert networks.find(None) is None, "a connection without an address"
    assert networks.find("ann") is None, "a name"
