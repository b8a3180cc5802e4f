"""Learning a tile set. Truth: made-up embeddings, one direction a face, so that likeness is known exactly."""

from pathlib import Path

import numpy as np
import pytest

from vision import enrol
from vision.classes import CLASSES, FACES, INDEX

DIRECTIONS = np.linalg.qr(np.random.default_rng(3).normal(size=(64, 64)))[0][: len(FACES)]


def reading(faces: list[str], sure: float = 0.9) -> np.ndarray:
    """(n, classes) probabilities: `sure` on each tile's face, the rest spread evenly."""
    kinds = np.full((len(faces), len(CLASSES)), (1 - sure) / (len(CLASSES) - 1))
    for row, face in zip(kinds, faces, strict=True):
        row[INDEX[face]] = sure
    return kinds


def embedded(faces: list[str], noise: float = 0.02, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return DIRECTIONS[[INDEX[f] for f in faces]] * 7 + rng.normal(0, noise, (len(faces), 64))


def test_dictated_faces_correct_wrong_readings() -> None:
    """Two flowers that the classifier takes for each other are told apart once somebody has named them."""
    faces = ["1f", "2f", "1s", "F"]
    tile_set = enrol.learn("ours", [(reading(["2f", "1f", "1s", "F"]), embedded(faces))], dictated=faces)
    misread = reading(["2f", "1f", "1s"], sure=0.6)
    weighed = tile_set.weigh(misread, embedded(["1f", "2f", "1s"], seed=1))
    assert [CLASSES[k] for k in weighed.argmax(1)] == ["1f", "2f", "1s"]
    assert weighed.sum(1) == pytest.approx(misread.sum(1))


def test_the_last_face_of_a_full_set_follows_by_elimination() -> None:
    faces = list(FACES)
    kinds = reading(faces)
    kinds[INDEX["3q"]] = reading(["1q"], sure=0.4)[0]  # misread as a face that is there already
    assert enrol.assigned(kinds, each_once=True)[INDEX["3q"]] == INDEX["3q"]
    assert enrol.assigned(kinds, each_once=False)[INDEX["3q"]] == -1


def test_faces_without_prototype_keep_their_probability() -> None:
    tile_set = enrol.learn("ours", [(reading(["1m", "2m"]), embedded(["1m", "2m"]))])
    kinds = reading(["9p"])
    assert tile_set.weigh(kinds, embedded(["9p"]))[0, INDEX["9p"]] == pytest.approx(kinds[0, INDEX["9p"]])


def test_sets_are_kept_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    faces = ["E", "S", "W"]
    enrol.learn("club table 3", [(reading(faces), embedded(faces))]).save(enrol.path_of("club table 3"), "a1")
    again = enrol.load("club table 3", "a1")
    assert enrol.learned_faces(again) == ["E", "S", "W"]
    assert np.linalg.norm(again.embeddings, axis=1) == pytest.approx(1)


def test_a_set_learned_with_other_models_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Embeddings of two trainings have nothing to do with each other."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    learned = enrol.learn("ours", [(reading(["E", "S"]), embedded(["E", "S"]))])
    learned.save(enrol.path_of("ours"), "a1")
    with pytest.raises(ValueError, match="learned with other models"):
        enrol.load("ours", "b2")


@pytest.mark.parametrize("name", ["", "../other", "a/b", ".hidden", "x" * 65, "a\nb"])
def test_names_that_are_no_file_names_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match="tile set name"):
        enrol.path_of(name)


def test_missing_and_damaged_sets_give_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    with pytest.raises(ValueError, match="none yet"):
        enrol.load("ours", "a1")
    path = enrol.path_of("ours")
    path.parent.mkdir(parents=True)
    path.write_bytes(b"PK not really")
    with pytest.raises(ValueError, match="damaged"):
        enrol.load("ours", "a1")


def test_wrong_dictation_is_refused() -> None:
    readings = [(reading(["E", "S"]), embedded(["E", "S"]))]
    with pytest.raises(ValueError, match="1 tiles were named, 2 are seen"):
        enrol.learn("ours", readings, dictated=["E"])
    with pytest.raises(ValueError, match="no such tile: back"):
        enrol.learn("ours", readings, dictated=["E", "back"])
    with pytest.raises(ValueError, match="no tile could be learned"):
        enrol.learn("ours", [])
