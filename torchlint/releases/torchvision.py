"""torchvision's releases, each of which goes with one release of torch: 0.14 with 1.13."""

from __future__ import annotations

from typing import TYPE_CHECKING

from packaging.version import Version

from torchlint.frozen import replace

if TYPE_CHECKING:
    from torchlint.releases.ranges import Releases

_WITH_TORCH_2 = 15


def of_torch(release: str) -> str:
    """The release of torch that one of torchvision came with: 0.14 with 1.13, 0.16 with 2.1."""
    return str(_of_torch(Version(release)))


def ranges_of_torch(releases: Releases) -> Releases:
    """The releases of torch that go with a range of torchvision's."""
    oldest, newest = _of_torch(releases.oldest), _of_torch(releases.newest)
    return replace(releases, oldest=oldest, newest=newest)


def _of_torch(release: Version) -> Version:
    """The same for a version; a bound that is none of torchvision's is an open one."""
    if release.major or not release.minor:
        return release
    rest = ".dev0" if release.is_devrelease else ""
    if release.minor < _WITH_TORCH_2:
        return Version(f"1.{release.minor - 1}{rest}")
    return Version(f"2.{release.minor - _WITH_TORCH_2}{rest}")
