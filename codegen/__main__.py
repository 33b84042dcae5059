"""Writes every generated file."""

from __future__ import annotations

from codegen.generate import ROOT, generate_all


def main() -> None:
    for name, text in generate_all().items():
        path = ROOT / name
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            print(f"wrote {name}")


if __name__ == "__main__":
    main()
