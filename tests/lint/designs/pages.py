"""Published designs of pages, links, tenants, blocks and vertices."""

from datetime import date
from decimal import Decimal
from uuid import UUID

from published import bad, good

import btmodel as bt


@good("Bigtable: A Distributed Storage System for Structured Data: the Webtable")
def webtable() -> object:
    class Page(bt.Model, table="webtable", events="20000/s"):
        host: str = bt.key(bt.ReversedDomain(253), cardinality=10**8, size=20)
        path: str = bt.key(bt.Text(max_length=2_000), cardinality=10**10, size=60)

        contents = bt.family("contents", gc=bt.max_versions(3))
        html: str = bt.column("h", contents, size=20_000)

        of_host = bt.query("host")

    return Page


@bad(
    "Bigtable: A Distributed Storage System for Structured Data: pages by URL",
    asked=("KEY011",),
    says=("ReversedDomain",),
)
def pages_by_url() -> object:
    class Page(bt.Model, table="webtable", events="20000/s"):
        url: str = bt.key(bt.Text(max_length=2_000), cardinality=10**10, size=80)

        contents = bt.family("contents", gc=bt.max_versions(3))
        html: str = bt.column("h", contents, size=20_000)

        of_site = bt.query(starting="url")

    return Page


@bad(
    "https://cloud.google.com/bigtable/docs/schema-design: domains in their usual order",
    "KEY011",
)
def scores_of_domains() -> object:
    class Score(bt.Model, table="score", events="200/s"):
        domain: str = bt.key(bt.Text(max_length=253), cardinality=10**8, size=20)
        day: date = bt.key(bt.DateText())

        f = bt.family("f", gc=bt.max_versions(1))
        score: float = bt.column("s", f)

        below = bt.query(starting="domain")

    return Score


@good("System Design Interview, a URL shortener: a random code of seven letters")
def short_urls() -> object:
    class Link(bt.Model, table="link", events="1500/s"):
        code: str = bt.key(bt.Text(width=7), cardinality=10**11)

        f = bt.family("f", gc=bt.max_versions(1))
        target: str = bt.column("t", f)

        one = bt.query("code")

    return Link


@bad("System Design Interview, a URL shortener: a counter as code", "KEY002", says=("ReversedDigits(9)",))
def short_urls_by_counter() -> object:
    class Link(bt.Model, table="link", events="1500/s"):
        number: int = bt.key(bt.PaddedInt(9), sequential=True)

        f = bt.family("f", gc=bt.max_versions(1))
        target: str = bt.column("t", f)

        one = bt.query("number")

    return Link


@bad(
    "https://cloud.google.com/bigtable/docs/schema-design: tenants behind devices",
    "KEY018",
    says=("{tenant}#{device}",),
)
def devices_then_tenants() -> object:
    class Device(bt.Model, table="device", events="100/s"):
        device: str = bt.key(bt.HexDigest(12), cardinality=10**6)
        tenant: str = bt.key(bt.Text(max_length=20), cardinality=500, tenant=True)

        f = bt.family("f", gc=bt.max_versions(1))
        version: str = bt.column("v", f)

        one = bt.query("tenant", "device")

    return Device


@good("https://cloud.google.com/bigtable/docs/schema-design: tenants in front")
def devices_of_tenants() -> object:
    class Device(bt.Model, table="device", events="100/s"):
        tenant: str = bt.key(bt.Text(max_length=20), cardinality=500, tenant=True)
        device: str = bt.key(bt.HexDigest(12), cardinality=10**6)

        f = bt.family("f", gc=bt.max_versions(1))
        version: str = bt.column("v", f)

        of_tenant = bt.query("tenant")

    return Device


@bad("https://cloud.google.com/bigtable/docs/schema-design: a table for each tenant", "TAB002")
def a_table_for_each_tenant() -> object:
    class Order(bt.Model, table="orders_{tenant}", events="100/s"):
        order: str = bt.key(bt.HexDigest(16), cardinality=10**8)

        f = bt.family("f", gc=bt.max_versions(1))
        total: Decimal = bt.column("t", f)

        one = bt.query("order")

    return Order


@good("Solana, long-term storage of transactions: blocks by slot, of which there are two or three a second")
def blocks_by_slot() -> object:
    class Block(bt.Model, table="blocks", events="3/s"):
        slot: int = bt.key(bt.HexInt(16), sequential=True)

        x = bt.family("x", gc=bt.keep_all())
        block: bytes = bt.column("proto", x, max_size=8_000_000, size=1_000_000)

        some = bt.query(between="slot")

    return Block


@good("Solana, long-term storage of transactions: the transactions of an address, newest first")
def transactions_of_addresses() -> object:
    class Signatures(bt.Model, table="tx_by_addr", events="9000/s"):
        address: str = bt.key(bt.Text(max_length=44), cardinality=10**9)
        slot: int = bt.key(bt.Descending(bt.HexInt(16)), sequential=True)

        x = bt.family("x", gc=bt.keep_all())
        signatures: bytes = bt.column("proto", x, size=100)

        of_address = bt.query("address", between="slot")

    return Signatures


@bad(
    "https://github.com/gobitfly/eth2-beaconchain-explorer: all validators in the row of an epoch",
    "COL003",
    says=("{balances_key}#{epoch}",),
)
def balances_by_epoch() -> object:
    class Balances(bt.Model, table="balances", events="10/h"):
        epoch: int = bt.key(bt.Descending(bt.PaddedInt(9)), sequential=True)

        vb = bt.family("vb", gc=bt.keep_all())
        balances: dict[int, int] = bt.mapping(vb, bt.PaddedInt(8), entries=600_000)

        one = bt.query("epoch")

    return Balances


@good("https://github.com/gobitfly/eth2-beaconchain-explorer: validator, epoch backwards")
def balances_of_validators() -> object:
    class Balance(bt.Model, table="balances", events="2000/s"):
        validator: int = bt.key(bt.PaddedInt(8), cardinality=600_000, sequential=False)
        epoch: int = bt.key(bt.Descending(bt.PaddedInt(9)), sequential=True)

        vb = bt.family("vb", gc=bt.keep_all())
        balance: int = bt.column("b", vb)

        of_validator = bt.query("validator", between="epoch")

    return Balance


@bad("Deduplication of Kafka messages by topic, partition and offset", "KEY002|KEY003")
def messages_by_offset() -> object:
    class Seen(bt.Model, table="seen", events="90000/s", nodes=8):
        topic: str = bt.key(bt.Text(max_length=40), cardinality=1)
        partition: int = bt.key(bt.PaddedInt(3), cardinality=6)
        offset: int = bt.key(bt.PaddedInt(14), sequential=True)

        f = bt.family("f", gc=bt.max_age(days=7))
        seen: bool = bt.column("s", f)

        one = bt.query("topic", "partition", "offset")

    return Seen


@good("Deduplication of Kafka messages by the id of the message")
def messages_by_id() -> object:
    class Seen(bt.Model, table="seen", events="90000/s", nodes=8):
        message: UUID = bt.key(bt.UuidText())

        f = bt.family("f", gc=bt.max_age(days=7))
        seen: bool = bt.column("s", f)

        one = bt.query("message")

    return Seen


@good("JanusGraph, data model: adjacency lists under the id of a vertex, which begins with its partition")
def vertices() -> object:
    class Edge(bt.Model, table="edgestore", events="9000/s"):
        vertex: int = bt.key(bt.BigEndian(8), cardinality=10**9, sequential=False)
        relation: int = bt.key(bt.BigEndian(8), cardinality=10**10)

        e = bt.family("e", gc=bt.max_versions(1))
        properties: bytes = bt.column("p", e, size=60)

        of_vertex = bt.query("vertex")

    return Edge
