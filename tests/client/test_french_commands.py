"""Every command that prints something for people prints it in their language; what programs read stays English."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import trio
from typer.testing import CliRunner, Result

from client.cli.app import app
from games.columns import text_columns
from languages import ENGLISH, set_default_language, speaking
from tests.client.test_cups import kept
from tests.helpers.catalogues import english_words, folders, words
from tests.helpers.commands import commands

cli = CliRunner()
# Names of games, bots, players, formats, options, codes and files; and words that are French as well.
NAMES = {
    "random",
    "hurdler",
    "greedy",
    "magehall",
    "friday",
    "robin",
    "tournament",
    "audit",
    "export",
    "bot",
    "data",
    "zip",
    "html",
    "json",
    "py",
    "seats",
    "cmd",
    "option",
    "printed",
    "cup",
    "name",
    "life",
    "page",
    "score",
    "line",
    "cards",
    "hard",
    "nowhere",
}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A user's folder, with the data of a server that has held a cup."""
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("XDG_STATE_HOME", str(home / "state"))
        patched.chdir(home)
        trio.run(kept, home / "data")
        yield home


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    yield
    set_default_language(ENGLISH)


def said(*arguments: str, lang: str = "fr") -> Result:
    with speaking(lang):
        return cli.invoke(app, arguments)


def english_lines(text: str, home: Path) -> list[str]:
    english = english_words(*folders()) - NAMES
    quoted = r"`[^`]*`|«[^»]*»|--[a-z-]+|\S*/\S*|\w+=\S+|(?m:^)\| [a-z_]+ +\|"  # among them ids in tables
    plain = re.sub(quoted, " ", text.replace(str(home), ""))
    return [f"{words(line) & english} {line}" for line in plain.split("\n") if words(line) & english]


COMMANDS = """
games
bots
cards mages-110m gust
lab mages-110m --bots random --deals 2 --jobs 1
lab luck mages-110m --bots random,hurdler
lab luck luck mages-110m
lab nothing mages-110m
lab mages-110m --cards x
lab mages-110m --seats 9
lab mages-110m --bots nobody
matches
matches --since yesterday
stats --data data
stats eve --data data
stats --data nowhere
data check --data data
data check --data nowhere
data backup x.db --data data
data backup x.db --data data
data prune --older-than 300 --data data
data check --data :memory:
admin --data data who
admin --data :memory: who
admin --data data ban eve --for soon
tournament standings friday --data data
tournament standings monday --data data
tournament export friday friday.zip --data data
tournament export friday friday.zip --data data
tournament audit friday.zip
tournament audit friday.zip --commitment 00
tournament run ikasamage --bot random --seats 9
tournament run ikasamage --bot hurdler
tournament run ikasamage --bot nobody
tournament run ikasamage --bot random,tables=0
tournament run ikasamage --bot random --format gauntlet --deals duplicate
tournament run ikasamage --bot random --format swiss
tournament run ikasamage --bot random --secret 00
tournament run ikasamage --bot random --clock soon
tournament run ikasamage --bot random --option wings=3
tournament run ikasamage --bot random --report nowhere/page.html
tournament run ikasamage --bot remote:bob --local
tournament run ikasamage --bot random --workers here
tournament resume
tournament compare random greedy
tournament compare random hurdler --game ikasamage
verify t1 --data data
verify t9 --data data
verify x.db
replay t1 --data data --turn 3
replay t1 --data data --turn 9999
replay t1 --data data --all --as ann
bot run random --table t1 --open ikasamage
bot run random --seats 3
bot run random --face wooden
serve --clock soon
serve --cards ikasamage
play nogame
play --host 127.0.0.1:1
serve --host 192.0.2.77
""".strip().split("\n")


def test_commands_say_nothing_in_english_to_who_reads_french(home: Path) -> None:
    found: list[str] = []
    for line in COMMANDS:
        result = said(*line.split())
        assert isinstance(result.exception, SystemExit | None), line
        assert result.output, line
        found += (f"{line}: {english}" for english in english_lines(result.output, home))
    assert "\n".join(found) == ""


def test_a_report_written_for_a_french_reader_has_no_english_word_and_the_same_figures(home: Path) -> None:
    pages = []
    for lang in ("fr", "en"):
        result = said("tournament", "report", "friday", "page.html", "--json", "page.json", "--data", "data", lang=lang)
        assert result.exit_code == 0, result.output
        pages.append(((home / "page.html").read_text(encoding="utf-8"), (home / "page.json").read_bytes()))
    (french, figures), (_english, same) = pages
    assert figures == same
    text = re.sub(r"<script.*?</script>|<style.*?</style>|<pre.*?</pre>", "", french, flags=re.DOTALL)
    assert english_lines(re.sub(r"<[^>]*>", "\n", text), home) == []


@pytest.mark.parametrize("words", sorted({words for words, _command in commands()}))
def test_the_help_of_a_command_says_nothing_in_english_to_who_reads_french(home: Path, words: str) -> None:
    result = said(*words.split(), "--help")
    assert result.exit_code == 0
    assert "Usage\xa0: " in result.output
    names = "|".join({name for called, _command in commands() for name in called.split()})
    assert english_lines(re.sub(rf"magehall( ({names})\b)*|(?m:^)  ({names})  ", " ", result.output), home) == []
    assert "Usage: " in said(*words.split(), "--help", lang="en").output


@pytest.mark.parametrize("line", ["play --lang fr --help", "play --help --lang=fr", "--lang fr data --help"])
def test_help_is_in_the_language_that_the_line_names_wherever_it_stands(line: str) -> None:
    assert "Montrer cette aide." in cli.invoke(app, line.split()).output


def test_a_wrong_line_is_told_how_to_write_it_in_the_readers_words() -> None:
    assert "Usage\xa0: magehall cards [OPTIONS]" in said("cards").output
    for line, text in (
        ("cards", "Erreur\xa0: Il manque 'JEU'."),
        ("play --seats x", "Erreur\xa0: '--seats'\xa0: 'x' n'est pas un nombre entier."),
        ("play --foo", "Erreur\xa0: L'option --foo n'existe pas."),
        ("playy", "Erreur\xa0: La commande 'playy' n'existe pas. Veux-tu dire 'play', 'replay'\xa0?"),
        ("bot runn", "Erreur\xa0: La commande 'runn' n'existe pas. Veux-tu dire 'run'\xa0?"),
    ):
        assert text in said(*line.split()).output


@pytest.mark.parametrize("columns", [45, 80])
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_no_row_of_a_help_is_wider_than_the_terminal(columns: int, lang: str) -> None:
    wide = []
    for called, command in commands():
        with speaking(lang):
            context = command.make_context(called, [], resilient_parsing=True, terminal_width=columns)
            text = command.get_help(context)
        wide += [(called, row) for row in text.split("\n") if text_columns(row) > columns and len(row.split()) > 1]
    assert wide == []
