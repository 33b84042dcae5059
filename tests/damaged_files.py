"""Part files damaged in the ways in which files get damaged."""

from __future__ import annotations

import random
from pathlib import Path

SEEDS = ("units/cube_hole.step", "units/tet.step", "units/sliced_cylinder.step", "gltf/Box.glb", "gltf/mode5.gltf")


def mutate(data: bytes, chance: random.Random) -> bytes:
    """Cut off, without some lines, with flipped bits, or with other digits."""
    way = chance.randrange(4)
    if way == 0:
        return data[: chance.randrange(1, len(data))]
    if way == 1:
        lines = data.split(b"\n")
        for _ in range(chance.randint(1, 3)):
            del lines[chance.randrange(len(lines))]
            if len(lines) == 1:
                break
        return b"\n".join(lines)
    damaged = bytearray(data)
    for _ in range(chance.randint(1, 20)):
        place = chance.randrange(len(damaged))
        if way == 2:
            damaged[place] ^= 1 << chance.randrange(8)
        else:
            digits = [k for k in range(place, min(place + 200, len(damaged))) if chr(damaged[k]).isdigit()]
            if digits:
                damaged[chance.choice(digits)] = ord(chance.choice("0123456789"))
    return bytes(damaged)


def mutants(corpus: Path, count: int, seed: int) -> list[tuple[str, bytes]]:
    """File names and contents, the same for the same seed."""
    chance = random.Random(seed)
    seeds = [corpus / name for name in SEEDS]
    chosen = [seeds[number % len(seeds)] for number in range(count)]
    return [(f"mutant{number}{path.suffix}", mutate(path.read_bytes(), chance)) for number, path in enumerate(chosen)]
