"""Standing tiles counted over time: a number is believed only after several settled looks that agree."""

AGREE = 4  # looks that must show the same odd number
APART = 1.0  # seconds between them


class Counts:
    """The standing tiles of each player."""

    def __init__(self, players: int) -> None:
        self._last: list[int | None] = [None] * players
        self._seen: list[tuple[int, int, float]] = [(0, 0, 0.0)] * players
        self._told: dict[int, int] = {}

    def last(self, seat: int) -> int | None:
        """The number at the last settled look."""
        return self._last[seat]

    def odd(self, seat: int, seen: int, fits: bool, t: float) -> bool:
        """Take a count; True where an odd number has just become certain. ``fits``: it is what is expected."""
        self._last[seat] = seen
        if fits:
            self._seen[seat] = (0, 0, t)
            self._told.pop(seat, None)
            return False
        number, times, since = self._seen[seat]
        if seen != number or not times:
            self._seen[seat] = (seen, 1, t)
            return False
        if t - since < APART:
            return False
        self._seen[seat] = (seen, times + 1, t)
        if times + 1 >= AGREE and self._told.get(seat) != seen:
            self._told[seat] = seen
            return True
        return False
