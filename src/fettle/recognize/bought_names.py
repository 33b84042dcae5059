"""Bought parts by the names that designers give them: standards, designations and words, in several languages."""

from __future__ import annotations

import re
import unicodedata

FASTENER_STANDARDS = {
    "din": """7 84 85 93 94 125 127 128 137 404 433 438 439 440 444 462 464 466 471 472 478 479 508 546 551 553 555 557
    558 561 562 564 571 580 582 603 604 608 625 653 660 661 662 705 787 835 906 908 910 912 913 914 915 916 917 918 920
    921 923 929 931 933 934 935 936 937 938 939 960 961 963 964 965 966 967 970 971 972 976 979 980 981 982 985 986 988
    1440 1441 1443 1444 1470 1471 1472 1473 1474 1475 1476 1479 1480 1481 1587 1804 1816 2093 3770 5401 5402 5405 5406
    6319 6325 6330 6331 6334 6336 6340 6796 6797 6798 6799 6885 6887 6888 6900 6901 6902 6903 6904 6905 6907 6908 6912
    6913 6915 6916 6921 6922 6923 6924 6925 6926 6927 7337 7338 7339 7340 7343 7344 7346 7349 7500 7504 7513 7516 7603
    7971 7972 7973 7976 7977 7978 7979 7981 7982 7983 7984 7985 7987 7988 7990 7991 7993 7995 7996 7997 7999 9021 9841
    11024 16903 16983 17473 43698""",
    "iso": """1207 1234 1479 1481 1482 1483 1580 2009 2010 2338 2339 2340 2341 2342 2491 3601 3912 4014 4015 4016 4017
    4018 4026 4027 4028 4029 4032 4033 4034 4035 4036 4161 4162 4762 4766 6433 7040 7041 7042 7043 7045 7046 7047 7048
    7049 7050 7051 7089 7090 7091 7092 7093 7094 7379 7380 7411 7412 7413 7414 7415 7416 7417 7434 7435 7436 8673 8674
    8675 8676 8733 8734 8735 8736 8737 8738 8739 8740 8741 8742 8743 8744 8745 8746 8747 8748 8749 8750 8751 8752 8765
    10511 10512 10513 10642 10644 10669 10670 10671 10673 12125 12126 13337 14579 14580 14581 14582 14583 14584 14585
    14586 14587 15480 15481 15482 15483 15973 15974 15975 15976 15977 15978 15979 15980 15981 15982 15983 15984""",
}
"""Numbers of standards of screws, nuts, washers, pins, rings, rivets, keys, springs and their kin."""
_NUMBERS = {word: frozenset(numbers.split()) for word, numbers in FASTENER_STANDARDS.items()}
_STANDARD = re.compile(r"\b(din|iso)\s*(\d{1,5})\b")

_SIZE = r"m\s?\d+(?: \d+)?"
_DESIGNATION = re.compile(rf"^{_SIZE} ?x ?\d+(?: \d+)?(?: ?mm| long)?(?: copy)?(?: \d+)?$")
"""A thread and a length, and nothing else: `M3x8`, `M4 x 12 mm`."""
_INITIALS = re.compile(r"\b(shcs|bhcs|fhcs|phcs|hhcs|shss|lhcs|pphs|pfhs|bhss|nyloc|nylock|helicoil|circlip|seeger)\b")
_BEARING = re.compile(
    r"\b(lm\d{1,2}l?uu|mr\d{2,3}(zz|2rs)?|(6[0289]\d|6[0-4]\d{2}|68\d|69\d)( ?(zz|z|2rs|2rsh?|rs|2z|ddu?)))\b"
)
"""Designations of linear and ball bearings; bare numbers need the word beside them."""

BOUGHT_WORDS: dict[str, str] = {
    word: kind
    for kind, words in {
        "screw": """screw screws bolt bolts capscrew grubscrew setscrew schraube schrauben zylinderschraube senkschraube
        linsenschraube gewindestift vis boulon tornillo perno vite""",
        "nut": "nut nuts hexnut locknut locknuts tnut mutter muttern sechskantmutter ecrou tuerca dado",
        "washer": "washer washers unterlegscheibe scheibe rondelle arandela rondella",
        "threaded insert": "insert inserts heatset heatinsert gewindeeinsatz gewindebuchse",
        "bearing": "bearing bearings kugellager lager roulement rodamiento cuscinetto",
        "pin": "dowel dowelpin zylinderstift passstift spannstift goupille",
        "rivet": "rivet rivets niet",
        "retaining ring": "circlip circlips snapring sicherungsring",
        "standoff": "standoff standoffs",
        "spring": "spring springs feder druckfeder ressort muelle molla",
        "magnet": "magnet magnets",
        "seal": "oring orings",
        "motor": "motor stepper servo nema17 nema14 nema23",
        "fan": "fan blower",
        "electronic part": """pcb pcba connector led sensor thermistor termistore thermocouple endstop potentiometer
        resistor capacitor battery microswitch""",
        "hot end": "hotend",
        "belt": "belt",
        "cable": "cable wire",
    }.items()
    for word in words.split()
}
"""Words that name a bought part when they are what the name is about: its last word."""
_PHRASES = {
    "heat set": "threaded insert",
    "heat stake": "threaded insert",
    "threaded insert": "threaded insert",
    "thread insert": "threaded insert",
    "press nut": "nut",
    "retaining ring": "retaining ring",
    "snap ring": "retaining ring",
    "e clip": "retaining ring",
    "o ring": "seal",
    "dowel pin": "pin",
    "roll pin": "pin",
    "spring pin": "pin",
    "cotter pin": "pin",
    "split pin": "pin",
    "ball bearing": "bearing",
    "linear bearing": "bearing",
    "cap screw": "screw",
    "set screw": "screw",
    "machine screw": "screw",
    "grub screw": "screw",
}

MADE_WORDS = frozenset(
    re.findall(
        r"\w+",
        """abstand adapter adaptor arm aufnahme base block boss bracket carriage carrier case clamp clip cover cutout
        deckel distanz duct flange frame gehaeuse guard guide halter handle holder hood housing jig knob lever lid mount
        mounting panel plate platte pocket rail retainer seat seating shim shroud spacer stand support template
        tensioner tool trap tray trim wrench""",
    )
)
"""A name with one of these is about a made part, whatever that holds."""

_NOISE = re.compile(
    r"^(v?\d+|copy|left|right|lh|rh|l|r|body\d*|solid\d*|part\d*|mm|step|stp|x|long|short|black|zinc|steel|stainless|"
    r"brass|a2|a4|st|z|h|f|d|s|am|zz|2rs|rs|dd|assembly|asm|default|\d+mm|m\d+|m\d+x\d+|d?\d+x\d+(x\d+)?|n\d+)$"
)
"""Words that follow a name without changing what it is about."""


_AFTERTHOUGHT = re.compile(r" (?:for|of|with|without|w|fuer|mit|pour|para|per) ")
"""What a name is about comes before these: `self tapping screw for plastic`."""


def bought_by_name(name: str) -> tuple[str, str] | None:
    """What a body with that name is bought as, and which words say so; None where the name says nothing."""
    text = _normalized(name)
    head = _AFTERTHOUGHT.split(text)[0] or text
    words = [word for word in head.split() if not _NOISE.match(word)]
    if words and words[-1] in MADE_WORDS:
        return None
    standard = _STANDARD.search(text)
    if standard and standard[2] in _NUMBERS[standard[1]]:
        return "standard part", f"its name {name!r} gives {standard[1].upper()} {standard[2]}"
    for pattern, kind in ((_INITIALS, "fastener"), (_BEARING, "bearing")):
        found = pattern.search(text)
        if found and (not words or not any(word in MADE_WORDS for word in words)):
            return kind, f"its name {name!r} gives {found[0].upper()}"
    if _DESIGNATION.match(text):
        return "screw", f"its name {name!r} is a thread and a length"
    if any(word in MADE_WORDS for word in words):
        return None
    for phrase, kind in _PHRASES.items():
        if re.search(rf"\b{phrase}s?$", " ".join(words)):
            return kind, f"its name {name!r} says {phrase}"
    if words and words[-1] in BOUGHT_WORDS:
        return BOUGHT_WORDS[words[-1]], f"its name {name!r} says {words[-1]}"
    return None


def names_made_part(name: str) -> bool:
    """Whether a name is about something that is made, such as a bracket or a spacer."""
    return any(word in MADE_WORDS for word in _normalized(name).split())


def _normalized(name: str) -> str:
    """Small letters without accents, words apart: `M3x8_SHCS-2` gives `m3x8 shcs 2`."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    apart = re.sub(r"(?<=[a-z])(?=[A-Z][a-z])", " ", plain)
    return " ".join(re.sub(r"[^a-z0-9]+", " ", apart.lower().replace("×", "x")).split())
