"""The comparison with other checkers holds against the rules that there are."""

from __future__ import annotations

from list_peers import TABLE, peer_rules, table

from torchlint.registry import rules


def test_each_rule_of_a_peer_is_covered_or_left_out_with_a_reason() -> None:
    peers = peer_rules()
    assert len({(rule.peer, rule.name) for rule in peers}) == len(peers)
    assert [rule for rule in peers if not rule.by and len(rule.note) < 10] == []


def test_codes_are_rules_unless_marked_as_planned() -> None:
    for rule in peer_rules():
        for code in rule.by:
            planned = code.endswith("?")
            assert (code.rstrip("?") in rules()) != planned, f"{rule.peer} {rule.name}: {code}"


def test_the_page_is_what_the_data_says() -> None:
    assert TABLE.read_text("utf-8") == table(peer_rules()), "run tools/list_peers.py"
