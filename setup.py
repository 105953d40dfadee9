"""The version of a build: from git, where there is one."""

from setuptools import setup
from setuptools_scm.version import ScmVersion

RELEASE = "1.0.0"  # the next release, or the last one if it has no tag
FALLBACK = f"{RELEASE}.dev0"  # a copy without its history


def version_of(found: ScmVersion) -> str:
    """Returns the release for its own commit, `.postN` after a tag, `.devN` before the first; N counts commits."""
    if str(found.tag) == FALLBACK:  # there is no tag yet
        return f"{RELEASE}.dev{found.distance}"
    return str(found.tag) if found.exact else f"{found.tag}.post{found.distance}"


setup(
    use_scm_version={
        "version_scheme": version_of,
        "local_scheme": "node-and-date",
        "fallback_version": FALLBACK,
    }
)
