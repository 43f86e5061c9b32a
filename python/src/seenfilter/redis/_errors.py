"""What can go wrong with a filter over a cluster, beside what seenfilter.errors has."""

from __future__ import annotations

from ..errors import Error


class NoSuchFilter(Error, LookupError):
    """There is no filter of that name, or it was never finished."""

    code = "no_such_filter"


class FilterExists(Error):
    """There is a filter of that name already, or something else where its parts would be."""

    code = "filter_exists"


class LostPart(Error):
    """A part of the filter is not there any more. Nobody can say what was in it, so nothing is answered."""

    code = "lost_part"


class Unreachable(Error, ConnectionError):
    """A node did not answer, or nobody served a slot, for as long as `patience` says. The cause is redis-py's last error."""

    code = "unreachable"


class Refused(Error):
    """A server does not let the client in, or does not do that for it: a wrong password, no permission, a replica, no room on its disk. The cause is
    redis-py's error."""

    code = "refused"


class NotReplicated(Error):
    """The keys were added, but fewer replicas than `wait` have said so. Adding them again is safe."""

    code = "not_replicated"
