"""Part files with random damage: truncated, with missing lines, flipped bits or changed digits."""

from __future__ import annotations

import random
from pathlib import Path

SEEDS = ("units/cube_hole.step", "units/tet.step", "units/sliced_cylinder.step", "gltf/Box.glb", "gltf/mode5.gltf")


def mutate(data: bytes, rng: random.Random) -> bytes:
    """A damaged copy: truncated, without some lines, with flipped bits, or with changed digits."""
    kind = rng.randrange(4)
    if kind == 0:
        return data[: rng.randrange(1, len(data))]
    if kind == 1:
        lines = data.split(b"\n")
        for _ in range(rng.randint(1, 3)):
            del lines[rng.randrange(len(lines))]
            if len(lines) == 1:
                break
        return b"\n".join(lines)
    damaged = bytearray(data)
    for _ in range(rng.randint(1, 20)):
        position = rng.randrange(len(damaged))
        if kind == 2:
            damaged[position] ^= 1 << rng.randrange(8)
        else:
            digits = [k for k in range(position, min(position + 200, len(damaged))) if chr(damaged[k]).isdigit()]
            if digits:
                damaged[rng.choice(digits)] = ord(rng.choice("0123456789"))
    return bytes(damaged)


def mutants(corpus: Path, count: int, seed: int) -> list[tuple[str, bytes]]:
    """File names and contents, the same for the same seed."""
    rng = random.Random(seed)
    seeds = [corpus / name for name in SEEDS]
    chosen = [seeds[number % len(seeds)] for number in range(count)]
    return [(f"mutant{number}{path.suffix}", mutate(path.read_bytes(), rng)) for number, path in enumerate(chosen)]
