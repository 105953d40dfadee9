"""Makes sure that magehall imports its own packages, because packages in other folders may have the same common names,
such as `server`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import module_from_spec
from pathlib import Path
from types import ModuleType

PACKAGES = ("languages", "games", "protocol", "matches", "tournaments", "server", "bots", "people", "client")
HOME = Path(__file__).parents[1]


def import_packages() -> None:
    """Imports magehall's packages, such as `server` and `bots`, from the folder that contains magehall, whatever the
    order of `sys.path` is.

    Raises:
        ImportError: A module with the name of one of the packages is already imported from elsewhere, or a package is
            missing. The text is a sentence that says so.
    """
    for name in PACKAGES:
        taken = sys.modules.get(name)
        if taken is not None and not _is_ours(place := _place(taken), name):
            raise ImportError(
                f"magehall has a package {name!r}, but that name is taken here by {place}: rename that, "
                "or import magehall before it.",
                name=name,
                path=place,
            )
    for name in PACKAGES:
        if name not in sys.modules:
            _load(name)
    if not any(isinstance(finder, _ForeignPackageFinder) for finder in sys.meta_path):
        sys.meta_path.append(_ForeignPackageFinder())


def _is_ours(place: str, name: str) -> bool:
    return Path(place).resolve() == (HOME / name).resolve()


def _place(module: ModuleType) -> str:
    """Returns the folder of a package, or the path of a module that is a single file."""
    file = getattr(module, "__file__", None)
    if file:
        return str(Path(file).parent if Path(file).stem == "__init__" else file)
    return str(next(iter(getattr(module, "__path__", ())), "a module without a file"))


def _load(name: str) -> None:
    spec = PathFinder.find_spec(name, [str(HOME)])
    if spec is None or spec.loader is None or spec.origin is None:
        raise ImportError(f"magehall is not whole: {HOME} holds no package {name!r}; install it anew.", name=name)
    module = sys.modules[name] = module_from_spec(spec)
    spec.loader.exec_module(module)


class _ForeignPackageFinder:
    """The last import finder. If a module such as `bots.mine` is missing in magehall but exists in another folder named
    `bots`, it raises an error that names this folder."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, _target: ModuleType | None = None
    ) -> ModuleSpec | None:
        package = name.partition(".")[0]
        if package not in PACKAGES or path is None:
            return None
        for folder in sys.path:
            place = Path(folder or ".").resolve() / package
            wanted = place.parent.joinpath(*name.split("."))
            if not _is_ours(str(place), package) and (wanted.is_dir() or wanted.with_suffix(".py").is_file()):
                raise ModuleNotFoundError(
                    f"There is no {name} in magehall, whose package {package!r} hides the folder {place}: rename it.",
                    path=str(place),
                )
        return None
