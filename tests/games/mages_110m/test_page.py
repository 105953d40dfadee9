"""110 Metres Mages: the rules page and the tests name the same rules."""

import re
from pathlib import Path

from games.mages_110m import GAMES
from tests.games.numbered import named_in, rules_of, untested

PAGE = GAMES[0].rules
HERE = Path(__file__).parent


def test_each_numbered_rule_is_named_by_a_test() -> None:
    assert untested(PAGE, HERE) == []


def test_no_test_names_a_rule_that_the_page_lacks() -> None:
    assert sorted(named_in(HERE) - set(rules_of(PAGE))) == []


def test_no_rule_number_stands_twice() -> None:
    rules = rules_of(PAGE)
    assert len(rules) == len(set(rules)) > 50


def test_the_code_names_only_rules_of_the_page() -> None:
    rules = set(rules_of(PAGE))
    for path in PAGE.parent.glob("*.py"):
        for sentence in re.findall(r"Rules? (\d[^\n]*)", path.read_text(encoding="utf-8")):
            for number in re.findall(r"\d+\.\d+", sentence):
                assert number in rules, f"{path.name} names rule {number}"


def test_every_chance_label_is_documented() -> None:
    page = PAGE.read_text(encoding="utf-8")
    source = "".join(path.read_text(encoding="utf-8") for path in sorted(PAGE.parent.glob("*.py")))
    labels = set(re.findall(r'race\.chance\.\w+\(\s*"(\w+)"', source)) | {"first", "pile"}
    assert labels == {"first", "pile", "die", "back", "limb", "mislay"}
    for label in labels:
        assert f"| `{label}` |" in page
