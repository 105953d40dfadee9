"""Makes every game an OpenSpiel game. Importing this module registers `magehall_ikasamage`, `magehall_magecraft`, ...

game = pyspiel.load_game("magehall_ikasamage(players=4,deals=1000,printed=true)")

The parameters of such a game are `players`, the options of the game, `cards` (the path of a card file), `deals` and
`seed`. The root is a chance node that picks one of `deals` deals, which derive from `seed` and are equally likely. A
deal determines all random numbers of its match, so there is no other chance node. Returns are shares of the win, which
add up to 1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from bots.sdk.adapters import requires_extra
from games.api import Game, options_from, to_map
from games.api import State as Truth
from games.chance import Chance, deal_key, numbered_seed
from games.choices import option_choices
from games.encoding import NumericEncoding
from games.observation_history import ObservationHistory
from games.registry import all_games

with requires_extra("openspiel"):
    import numpy as np
    import pyspiel

PREFIX = "magehall_"
DEALS = 1_000
_BOOLS: Mapping[Any, bool] = {"yes": True, "no": False}
OURS = {"players": 0, "deals": DEALS, "seed": 0, "cards": ""}  # the parameters that every game has besides its options


class OpenSpielGame(pyspiel.Game):  # type: ignore[misc]  # pyspiel has no types
    """A game as OpenSpiel plays it, with a number of players, options and deals. Each registered game is a subclass."""

    game: Game

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        game = self.game
        given = {**OURS, **(params or {})}
        rules = game.with_cards(Path(given["cards"]).read_text(encoding="utf-8")) if given["cards"] else game
        self.rules, self.seats = rules, given["players"] or rules.min_seats
        usual = {name: to_parameter(rules, name, value) for name, value in to_map(options_from(rules, {})).items()}
        # OpenSpiel passes all parameters, also those that the user did not set: only values other than defaults count.
        own = {name: value for name, value in given.items() if name not in OURS and value != usual.get(name)}
        self.options = options_from(rules, {name: _BOOLS.get(value, value) for name, value in own.items()})
        self.numbers = NumericEncoding(self.rules, self.seats, self.options)
        deals, self._seed = given["deals"], given["seed"]
        if deals < 1:
            raise ValueError(f"There has to be a deal, not {deals}.")
        self.outcomes = [(deal, 1 / deals) for deal in range(deals)]
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self.numbers.actions),
            max_chance_outcomes=deals,
            num_players=self.seats,
            min_utility=0.0,
            max_utility=1.0,
            utility_sum=1.0,
            max_game_length=self.rules.max_game_length(self.seats, self.options),
        )
        super().__init__(game_type(game), info, dict(params or {}))

    def __reduce__(self) -> tuple[Any, ...]:
        return pyspiel.load_game, (str(self),)

    def new_initial_state(self) -> OpenSpielState:
        return OpenSpielState(self)

    def max_chance_nodes_in_history(self) -> int:
        return 1

    def make_py_observer(self, iig_obs_type: Any = None, params: Mapping[str, Any] | None = None) -> OpenSpielObserver:
        """Returns an object that encodes positions as observations of a player.

        Args:
            iig_obs_type: The kind of observation; None for an observation without perfect recall.
            params: Must be empty.

        Returns:
            The observer.

        Raises:
            ValueError: `params` is not empty.
        """
        if params:
            raise ValueError(f"An observer takes no parameters, not {', '.join(params)}.")
        return OpenSpielObserver(self, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False))

    def deal_match(self, number: int) -> OpenSpielMatch:
        """Deals a match.

        Args:
            number: The number of the deal, from 0.

        Returns:
            The match of that deal, before its first decision.

        Raises:
            ValueError: The game has no such deal.
        """
        if not 0 <= number < len(self.outcomes):
            raise ValueError(f"There is no deal {number}; they are 0 to {len(self.outcomes) - 1}.")
        chance = Chance(deal_key(numbered_seed(self._seed, number)))
        truth, told = self.rules.start(self.seats, self.options, chance)
        memory = ObservationHistory(self.rules)
        memory.note(told)
        return OpenSpielMatch(truth, memory)


class OpenSpielMatch:
    """The part of a HallState besides OpenSpiel's history: the full state of the match, and a record of what each seat
    has done and seen."""

    def __init__(self, truth: Truth, memory: ObservationHistory) -> None:
        self.truth, self.memory = truth, memory
        self.asked = min(truth.to_move(), default=0)  # the seat that has to decide now; 0 when the match is over

    def __deepcopy__(self, _memo: object) -> OpenSpielMatch:
        return OpenSpielMatch(self.truth.clone(), self.memory.clone())


class OpenSpielState(pyspiel.State):  # type: ignore[misc]  # pyspiel has no types
    """A position in a match. If several seats have to decide at the same time, they act one after another, and do not
    see each other's choices before the last one has acted."""

    def __init__(self, game: OpenSpielGame) -> None:
        super().__init__(game)
        self.match: OpenSpielMatch | None = None  # None at the root, before chance has picked a deal

    def current_player(self) -> int:
        if self.match is None:
            return pyspiel.PlayerId.CHANCE  # type: ignore[no-any-return]
        return self.match.asked - 1 if self.match.asked else pyspiel.PlayerId.TERMINAL

    def is_terminal(self) -> bool:
        return self.match is not None and not self.match.asked

    def legal_actions(self, player: int | None = None) -> list[int]:
        """Returns the legal actions at this node.

        At the root only chance acts, so players have no legal actions there. OpenSpiel's own method returns the deals
        for every player at the root, and its mask for a player then writes beyond the end of the mask.

        Args:
            player: The player; None for the player or chance at this node.

        Returns:
            Action ids, or numbers of deals, in ascending order.
        """
        if player is None:
            return super().legal_actions()  # type: ignore[no-any-return]
        if self.match is None and player != pyspiel.PlayerId.CHANCE:
            return []
        return super().legal_actions(player)  # type: ignore[no-any-return]

    def legal_actions_mask(self, player: int | None = None) -> list[int]:
        """Returns the mask of the legal actions at this node.

        Args:
            player: The player; None for the player or chance at this node.

        Returns:
            A list with 1 for each legal action and 0 elsewhere. It has an entry for each action of the game, for chance
                one for each deal.
        """
        if player is None:
            return super().legal_actions_mask()  # type: ignore[no-any-return]
        if self.match is None and player != pyspiel.PlayerId.CHANCE:
            return [0] * self.num_distinct_actions()
        return super().legal_actions_mask(player)  # type: ignore[no-any-return]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return self.get_game().outcomes  # type: ignore[no-any-return]

    def _legal_actions(self, player: int) -> list[int]:
        assert self.match is not None
        return sorted(self.get_game().numbers.legal(self.match.truth.legal_actions(player + 1)))

    def _apply_action(self, action: int) -> None:
        game, match = self.get_game(), self.match
        if match is None:
            self.match = game.deal_match(action)
            return
        seat, move = match.asked, game.numbers.action(action)
        match.memory.note(match.truth.apply(seat, move), seat, move)
        match.asked = min(match.truth.to_move(), default=0)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"deal {action}"
        game = self.get_game()
        return game.rules.words.format_action(game.numbers.action(action))  # type: ignore[no-any-return]

    def returns(self) -> list[float]:
        outcome = self.match and self.match.truth.outcome()
        return list(outcome.shares) if outcome else [0.0] * self.get_game().seats

    def resample_from_infostate(self, player_id: int, probability_sampler: Callable[[], float]) -> OpenSpielState:
        """Returns a random position that a player cannot tell apart from this one.

        Positions have the probabilities that the random deal gives them. The OpenSpiel history of the returned position
        is that of this position.

        Args:
            player_id: The player, from 0.
            probability_sampler: A function that returns a new random number from 0 to 1 at each call.

        Returns:
            The position.
        """
        assert self.match is not None
        seat, truth, game = player_id + 1, self.match.truth, self.get_game()
        key = np.array([probability_sampler() for _ in range(4)], np.float64).tobytes()
        world = game.rules.determinize(truth.knowledge(seat), game.seats, game.options, Chance(key))
        other = self.clone()
        other.match = OpenSpielMatch(world, self.match.memory.imagined(seat, world))
        return other  # type: ignore[no-any-return]

    def __str__(self) -> str:
        """Returns the full state of the match in hex, hidden cards included, for debugging."""
        return self.match.truth.save().hex() if self.match else "no deal yet"


class OpenSpielObserver:
    """Encodes positions as observations of a player, as a tensor or as text. With perfect recall, the text has
    everything that the player has done and seen in the match."""

    def __init__(self, game: OpenSpielGame, kind: Any) -> None:
        self._vector, self._recalls = game.numbers.vector, kind.perfect_recall
        self._is_public = kind.private_info == pyspiel.PrivateInfoType.NONE
        self.tensor = np.zeros(game.numbers.layout.size, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: OpenSpielState, player: int) -> None:
        """Writes a player's observation of a position to `tensor`.

        Args:
            state: The position. Before the deal, the tensor is filled with 0.
            player: The player, from 0. It is ignored for public observations.
        """
        if state.match is None:
            self.tensor.fill(0)
        else:
            self.tensor[:] = self._vector(state.match.truth.view(self._hearer(player)))

    def string_from(self, state: OpenSpielState, player: int) -> str:
        """Returns a player's observation of a position as text.

        Args:
            state: The position. Before the deal the text is empty.
            player: The player, from 0. It is ignored for public observations.

        Returns:
            With perfect recall everything that the player has done and seen, otherwise the player's view as JSON.
        """
        if state.match is None:
            return ""
        if self._recalls:
            return state.match.memory.text(self._hearer(player))
        return msgspec.json.encode(state.match.truth.view(self._hearer(player))).decode()

    def _hearer(self, player: int) -> int | None:
        return None if self._is_public else player + 1


def game_type(game: Game) -> Any:
    """Returns OpenSpiel's description of a game.

    Args:
        game: The game.

    Returns:
        A pyspiel.GameType.
    """
    options = options_from(game, {})
    own = {name: to_parameter(game, name, getattr(options, name)) for name in options.__struct_fields__}
    return pyspiel.GameType(
        short_name=openspiel_name(game),
        long_name=game.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.CONSTANT_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        min_num_players=game.min_seats,
        max_num_players=game.max_seats,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={**OURS, **own},
    )


def to_parameter(game: Game, name: str, value: Any) -> Any:
    """Returns an option's value as an OpenSpiel parameter. All values of a parameter have one type, so for an option
    that also has words as values, true and false become `yes` and `no`."""
    words = any(isinstance(other, str) for other in option_choices(game.options_type)[name])
    return {True: "yes", False: "no"}.get(value, value) if words else value


def openspiel_name(game: Game) -> str:
    """Returns the name under which OpenSpiel loads a game.

    Args:
        game: The game.

    Returns:
        The name, such as `magehall_cheaty_mages`.
    """
    return PREFIX + game.id.replace("-", "_")


for _game in all_games().values():  # registered as classes: OpenSpiel would free other objects after Python has ended
    pyspiel.register_game(game_type(_game), type(openspiel_name(_game), (OpenSpielGame,), {"game": _game}))
