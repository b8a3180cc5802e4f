"""What the tile reader can tell apart, in the order of the model's outputs."""

SUITED: tuple[str, ...] = tuple(f"{n}{suit}" for suit in "mps" for n in range(1, 10))
HONOURS: tuple[str, ...] = ("E", "S", "W", "N", "C", "F", "P")
BONUS: tuple[str, ...] = tuple(f"{n}{series}" for series in "fq" for n in range(1, 5))

#: The 42 faces in the notation of hand records.
FACES: tuple[str, ...] = SUITED + HONOURS + BONUS
BACK = "back"
EDGE = "edge"
NONE = "none"

#: The classifier's outputs, in order.
CLASSES: tuple[str, ...] = (*FACES, BACK, EDGE, NONE)
INDEX: dict[str, int] = {name: i for i, name in enumerate(CLASSES)}
FIVES: frozenset[str] = frozenset({"5m", "5p", "5s"})
