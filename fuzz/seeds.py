#!/usr/bin/env python3
"""Makes the seeds and dictionaries of the fuzz targets: seeds.py FOLDER writes FOLDER/NAME/* and FOLDER/NAME.dict.

A target NAME has a function NAME() here that returns its seeds, and an optional list in WORDS. Names of settings and
their values come from app/core, so that new ones are fuzzed, too.
"""

import base64
import itertools
import json
import os
import re
import struct
import sys
import zlib

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def source(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


# (path, option) of every setting, and every quoted name of a value.
TECHNIQUES, OTHERS = (
    re.findall(r'^  (?:FIELD|UNKEYED)\(([\w.]+), \w+, \w+,\s*"([\w-]+)"', part, re.MULTILINE)
    for part in source("app/core/fields.h").split("describeAll(", 1)
)
FIELDS = [("technique." + key, option) for key, option in TECHNIQUES] + OTHERS
assert len(TECHNIQUES) > 5 and len(OTHERS) > 50
NAMES = sorted(
    set(re.findall(r'\{\w+::\w+,\s*"([\w-]+)"', source("app/core/settings.cpp")))
    | set(re.findall(r'\w+Info\{\w+::\w+,\s*"([\w-]+)"', source("cuda/scan/variants.h")))
    | set(
        re.findall(
            r'SceneRow\{(?:\.kind = )?\w+::\w+,\s*(?:\.name = )?"([\w-]+)"', source("app/scene/registry.cpp")
        )
    )
)
VALUES = [True, False, 0, 1, 16, 0.5, -1, 1e30, "320x180", "none", None, [], {}, *NAMES]


def nested(path, value):
    for key in reversed(path.split(".")):
        value = {key: value}
    return value


def settings_json():
    whole = {}
    for number, (path, _) in enumerate(FIELDS):
        group = whole
        *groups, leaf = path.split(".")
        for key in groups:
            group = group.setdefault(key, {})
            if not isinstance(group, dict):
                break
        else:
            group[leaf] = VALUES[number % len(VALUES)]
        yield json.dumps(nested(path, VALUES[number % len(VALUES)]))
        yield json.dumps(nested(path, 1))
    for key, group in whole.items():
        yield json.dumps({key: group}, indent=1)
    yield "{}"
    yield '{"lens": {"fNumber": 2.8, "focusDistanceM": 3.5}, "size": "64x48"}'


def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def png(*texts):
    """An image of one pixel, after these chunks."""
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0))
    data = chunk(b"IDAT", zlib.compress(bytes(4)))
    return b"\x89PNG\r\n\x1a\n" + header + b"".join(texts) + data + chunk(b"IEND", b"")


def png_text():
    keyword, text = b"satdof-settings", b'{"lens": {"fNumber": 2.8}}'
    packed = zlib.compress(text)
    forms = [
        chunk(b"tEXt", keyword + b"\0" + text),
        chunk(b"zTXt", keyword + b"\0\0" + packed),
        chunk(b"iTXt", keyword + b"\0\0\0en\0satdof\0" + text),
        chunk(b"iTXt", keyword + b"\0\1\0\0\0" + packed),
        chunk(b"zTXt", keyword + b"\0\0" + zlib.compress(bytes(2 << 20))),  # expands beyond the limit
        chunk(b"tEXt", b"Comment\0other"),
        chunk(b"gAMA", struct.pack(">I", 45455)),
        chunk(b"iCCP", b"profile\0\0" + zlib.compress(bytes(200))),
        chunk(b"PLTE", bytes(6)),
    ]
    yield png()
    for form in forms:
        yield png(form)
    for pair in itertools.permutations(forms[:4], 2):
        yield png(*pair)
    yield png(*(forms[0] for _ in range(30)))


# A grey JPEG of 8 x 8 pixels.
JPEG = base64.b64decode(
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1RV19i"
    "Z2hnPk1xeXBkeFxlZ2P/wAALCAAIAAgBAREA/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUF"
    "BAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVW"
    "V1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi"
    "4+Tl5ufo6erx8vP09fb3+Pn6/9oACAEBAAA/AKNf/9k="
)


# WebP: without losses, with losses, and with transparent pixels. 3 x 2 pixels, by Pillow.
WEBP = [
    base64.b64decode("UklGRigAAABXRUJQVlA4TBsAAAAvAkAAEA9wAY49VpC2AYu6+8D/ID/c4CCi/yEA"),
    base64.b64decode(
        "UklGRkgAAABXRUJQVlA4IDwAAADwAQCdASoDAAIAAsBMJagCdLoAArosJsAA/s9dwaq7Vp2KOyn0/3NRWxb0P/LjJl5Q/RPwyaXl"
        "DrQAAAA="
    ),
    base64.b64decode(
        "UklGRmYAAABXRUJQVlA4WAoAAAAQAAAAAgAAAQAAQUxQSAcAAAAA/4CAgICAAFZQOCA4AAAAsAEAnQEqAwACAALATCWoAnS6AARm"
        "gAD+7gw/y2A7CT/6YNPNdPCnB7/5ojiXX/RPwyZ3l9LAAAA="
    ),
]
# TIFF: LZW, inks, floats, and CCITT of one bit.
TIFF = [
    base64.b64decode(
        "SUkqABgAAACAMgPAmBQSBwUAP8AQWAgACgAAAQMAAQAAAAMAAAABAQMAAQAAAAIAAAACAQMAAwAAAJYAAAADAQMAAQAAAAUAAAAG"
        "AQMAAQAAAAIAAAARAQQAAQAAAAgAAAAVAQMAAQAAAAMAAAAWAQMAAQAAAAIAAAAXAQQAAQAAAA8AAAAcAQMAAQAAAAEAAAAAAAAA"
        "CAAIAAgA"
    ),
    base64.b64decode(
        "SUkqAAgAAAAKAAABBAABAAAAAwAAAAEBBAABAAAAAgAAAAIBAwAEAAAAhgAAAAMBAwABAAAAAQAAAAYBAwABAAAABQAAABEBBAAB"
        "AAAAjgAAABUBAwABAAAABAAAABYBBAABAAAAAgAAABcBBAABAAAAGAAAABwBAwABAAAAAQAAAAAAAAAIAAgACAAIADfh9gA34fYA"
        "N+H2ADfh9gD/AP8AN+H2AA=="
    ),
    base64.b64decode(
        "SUkqAAgAAAAKAAABBAABAAAAAgAAAAEBBAABAAAAAgAAAAIBAwABAAAAIAAAAAMBAwABAAAAAQAAAAYBAwABAAAAAQAAABEBBAAB"
        "AAAAhgAAABYBBAABAAAAAgAAABcBBAABAAAAEAAAABwBAwABAAAAAQAAAFMBAwABAAAAAwAAAAAAAAAAAMA/AADAPwAAwD8AAMA/"
    ),
    base64.b64decode(
        "SUkqAA4AAACEoAIAIAAJAAABAwABAAAAAwAAAAEBAwABAAAAAgAAAAIBAwABAAAAAQAAAAMBAwABAAAABAAAAAYBAwABAAAAAQAA"
        "ABEBBAABAAAACAAAABYBAwABAAAAAgAAABcBBAABAAAABQAAABwBAwABAAAAAQAAAAAAAAA="
    ),
]
# A JPEG of inks, 8 x 8 pixels, without a profile.
INKS = base64.b64decode(
    "/9j/7gAOQWRvYmUAZAAAAAAA/9sAQwAbEhQXFBEbFxYXHhwbIChCKyglJShROj0wQmBVZWRfVV1baniZgWpxkHNbXYW1hpCeo6ut"
    "q2eAvMm6pseZqKuk/8AAFAgACAAIBEMRAE0RAFkRAEsRAP/EAB8AAAEFAQEBAQEBAAAAAAAAAAABAgMEBQYHCAkKC//EALUQAAIB"
    "AwMCBAMFBQQEAAABfQECAwAEEQUSITFBBhNRYQcicRQygZGhCCNCscEVUtHwJDNicoIJChYXGBkaJSYnKCkqNDU2Nzg5OkNERUZH"
    "SElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6g4SFhoeIiYqSk5SVlpeYmZqio6Slpqeoqaqys7S1tre4ubrCw8TFxsfIycrS09TV"
    "1tfY2drh4uPk5ebn6Onq8fLz9PX29/j5+v/aAA4EQwBNAFkASwAAPwC59s/4mX2PH8Oc1m/Yv+JX9uz/ABbcVzffFdNX/9k="
)

# A grid of 3 x 3 vertices compressed by Draco: in sequence, and by edgebreaker.
DRACO = [
    base64.b64decode(
        "RFJBQ08CAgEAAAAICQEAAQIAAgMBBAUBBQIDAgYDBgcCBQgCCAYBAgAJAwAAAgIEAAECAQABAQALAx0HGx0HyTEDx7pw+B8AAAD4"
        "34z/ASgjgP8BAOB/Zvr3H4D/AVgmAADNAAAAAP8DAAAAAQEBAlGpKskBL8kBXx0HHQebkQMKHNkAo2Bm2OCwgAAAAAD/AAAAAAAA"
        "AAAAAAAAAAAAAAAAQAo="
    ),
    base64.b64decode(
        "RFJBQ08CAgEBAAAACQgBCAIAA3/aB/8BEf8CiEAC/wAAAAAAAQAJAwAAAgECAgQAAQEBAQEACxutKgdVFQMqYkz//2/G/wCUAcD/"
        "AAAAZQDADACUAQA0AHAGAMoAAAAA/wMAAAAAAAAAAAAAAAAAAAAAAEAKAQEBAQIpUTXJAS/JAV+RA5EDB6jYxfdvv4EAAAAA/wAA"
        "AA=="
    ),
]
# Two squares, compressed by meshoptimizer.
MESHOPT = {
    "vertices": base64.b64decode(
        "oAAAATzwAAD/////ATvgAAB+f34AAAEDAAAA/wEDAAAAfgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAPw=="
    ),
    "triangles": base64.b64decode("4P4P/hMPCAHzBAB2h1ZneKmGZYlomAFpAAA="),
    "indices": base64.b64decode("0AAEDA4QAgYEDA4QAgAAAAA="),
    "octahedral": base64.b64decode("oAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAbQOSBP8HAAA="),
}


# A HEIC and an AVIF image of 64 x 64 pixels with depth, made by heifOf() in tests/io/heif_files.h.
HEIC = base64.b64decode(
    "AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAm1tZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAA"
    "AA5waXRtAAAAAAABAAAANGlsb2MAAAAAREAAAgABAAAAAAKRAAEAAAAAAAABpQACAAAAAAQ2AAEAAAAAAAABxAAAADhpaW5mAAAA"
    "AAACAAAAFWluZmUCAAAAAAEAAGh2YzEAAAAAFWluZmUCAAAAAAIAAGh2YzEAAAABrGlwcnAAAAGGaXBjbwAAAHdodmNDAQQIAAAA"
    "AAAAAAAA//AA/P/4+AAADwMgAAEAF0ABDAH//wQIAAADAJ44AAADAAD/ugJAIQABACpCAQEECAAAAwCeOAAAAwAA/5AEECCy3Ukl"
    "Nc3AQ0GBAAADAAEAAAMAAQgiAAEACEQBwXAwYJEgAAAAFGlzcGUAAAAAAAAAQAAAAEAAAAATY29scm5jbHgAAQANAAaAAAAAEHBp"
    "eGkAAAAAAwgICAAAAHFodmNDAQQIAAAAAAAAAAAA//AA/Pz4+AAADwMgAAEAF0ABDAH//wQIAAADAJ/4AAADAAD/ugJAIQABACZC"
    "AQEECAAAAwCf+AAAAwAA/8CCBBZbqSSmubAgAAADACAAAAMAISIAAQAGRAHBcYkSAAAAFGlzcGUAAAAAAAAAQAAAAEAAAAAOcGl4"
    "aQAAAAABCAAAAD1hdXhDAAAAAHVybjptcGVnOmhldmM6MjAxNTphdXhpZDoyAAAAABIAAAAOTgGxCjUdmAAAEE4AACAAAAAeaXBt"
    "YQAAAAAAAAACAAEEgQKDhAACBIUGh4gAAAAaaXJlZgAAAAAAAAAOYXV4bAACAAEAAQAAA3FtZGF0AAABoSgBrwW4FIPqQz//7/97"
    "9r6XheF4XheH4fh+H4fh+H4f/hQRMwllA17acrTn1KhWgFfl38sPIThZb5b5b5b5cPcPcPcPcPcPcPb6AAAbDwuYktINh3k9R5DH"
    "F3cZ2V5VAYB4AANB9XOMXgHsec2388obc6XEMm9e2AAXEYun00oU+M3/J8buKA9q+jLtoQzEWFYABDVc7+oBaCZ4m4WG4sx/Wm9f"
    "xv7QAEMV9v+UHgLenwR2cY84/ywICbnwcUABCFpcDZDwEuvQ07n8Y/SVAUD7foYAF/D/pH0v01gDdL67FZxuGTsEbDnI6g34GCAA"
    "sZC9WUsitMzETIaWNZ2F5csLdswAFZJ7rYt3F8NNx9vbPM5IiWaCptlaAAGk+Dm27ojuy5IaGa7mqTqQ+GMWxABFFLb38+H/JfSj"
    "hlZ7sLMDd59tmOACjAAiam98c/S/zoT30izvEN5ERNZbVwAGi+Xm+jsTyhDx7Ccn6MYa5iM1lxjgAV4kmsWm23LnMotlcBwPyjD/"
    "IKxqAFSLBrzaEOJOzDRBhKRQZMkYZ54iAT1ICAAAAcAoAa4LcBlLs3//9ZxrB2kIFtjWNY1jWmCYJgmCYJgmCb6eq3FHkkgFka4B"
    "n6Nf0XvQq54WWWWWWWWWX+X+X+X+X+X+X+XqgAAckwdbUZZvMBKNV4YCHpYfUKLmFRCT2V1AAExdVZ34Obg9Zh8vNy8G16DTBzAd"
    "dzKYAAicF3Tykw5/ZJydKp0lKeEw4/KZ6QwNBKPAAJW8Bz/ImVUtGI11rXVOq9HuGCIbqHZgACTvO9CWLKYTqDCL9eEz1QyHh6jX"
    "CSCSyAAGTSO36TBEHioZlGs/EeyQaGt4DHh52AADJpHb9JgiDxUMyjWfiPZINDW8Bjw87IcF8AASh5avCBnNGoxjDpTGRHAMvhHA"
    "MwwFfhAAZ1EZoWN4lqOK4n/YrpTdXlJTdXm3ZHA4AAMik6v5uFSVWB0zqfOn95j0lckIvTUAAAMDAqIsIrnox3Cgf0yUoAIe95Yx"
    "HMT1wb1+ABYl8iu3zBeiv+/vz/8WU/AzWU/A5P7OkADYnas5ostb/JsmUomzSW0wHSW0wVtnALAAEeffKQOdbetCZxpWxPYZ4VFF"
    "qMWnc4IAHbKE2eCIOW01767OWWY3aTWfPWDKzCTf"
)
AVIF = base64.b64decode(
    "AAAAHGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZgAAAa1tZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAA"
    "AA5waXRtAAAAAAABAAAANGlsb2MAAAAAREAAAgACAAAAAAHRAAEAAAAAAAAAHAABAAAAAAHtAAEAAAAAAAAAHwAAADhpaW5mAAAA"
    "AAACAAAAFWluZmUCAAAAAAEAAGF2MDEAAAAAFWluZmUCAAAAAAIAAGF2MDEAAAAA7GlwcnAAAADGaXBjbwAAABNjb2xybmNseAAB"
    "AA0ABoAAAAAMYXYxQ4EAHAAAAAAUaXNwZQAAAAAAAABAAAAAQAAAAA5waXhpAAAAAAEIAAAATWF1eEMAAAAAdXJuOm1wZWc6bXBl"
    "Z0I6Y2ljcDpzeXN0ZW1zOmF1eGlsaWFyeTpkZXB0aAAAAAARAAAADU4BsQnI9MAAAIpgAAEAAAAMYXYxQ4EADAAAAAAUaXNwZQAA"
    "AAAAAABAAAAAQAAAABBwaXhpAAAAAAMICAgAAAAeaXBtYQAAAAAAAAACAAEEgYYHiAACBIIDhIUAAAAaaXJlZgAAAAAAAAAOYXV4"
    "bAACAAEAAQAAAENtZGF0EgAKBhgVf/2FQDIQEEAAAQC0WMkvIYY4Oq+sgBIACgkYFX/9ggIaDQgyEBBAAABAtEw6Zdoc6+AFQvw="
)


def segment(marker, body):
    return b"\xff" + bytes([marker]) + struct.pack(">H", len(body) + 2) + body


def jpeg(*segments):
    return JPEG[:2] + b"".join(segments) + JPEG[2:]


def without_huffman_tables():
    first, scan = JPEG.index(b"\xff\xc4"), JPEG.index(b"\xff\xda")
    return JPEG[:first] + JPEG[scan:]


def pfm(kind, width, height, channels, scale="-1.0"):
    values = struct.pack(f"<{width * height * channels}f", *range(width * height * channels))
    return f"{kind}\n{width} {height}\n{scale}\n".encode() + values


def gif(screen=(3, 2), image=None, flags=0x80, codes=None, middle=b""):
    """A GIF of four colours. `codes`: the size of a code, and blocks of codes."""
    palette = bytes(range(12))
    head = b"GIF89a" + struct.pack("<HHBBB", *screen, 0x81, 0, 0) + palette + middle
    place = struct.pack("<HHHHB", *(image or (0, 0, *screen)), flags)
    if codes is None:
        # The table is cleared after each two pixels, so that all codes have three bits.
        pixels = [i % 2 for i in range((image or screen)[-2] * (image or screen)[-1])]
        listed = [code for i in range(0, len(pixels), 2) for code in (4, *pixels[i : i + 2])] + [5]
        bits = sum(code << 3 * i for i, code in enumerate(listed))
        data = bits.to_bytes((3 * len(listed) + 7) // 8, "little")
        codes = bytes([2, len(data)]) + data + b"\0"
    return head + b"," + place + (palette[:6] if flags & 0x80 else b"") + codes + b";"


def gifs():
    yield gif()
    yield gif(screen=(4, 9), flags=0xC0)  # interlaced
    yield gif(image=(1, 1, 1, 1), middle=b"!\xf9\4\x09\0\0\1\0!\xfe\3abc\0")  # in the middle, transparent
    yield gif()[:-1] + gif()[25:]  # two images
    yield gif(flags=0, codes=b"\x0b\2\1\2\0")


def psd(depth=8, channels=3, mode=3, size=(2, 3), packed=False):
    """An image of zeros without layers."""
    height, width = size
    row = width * depth // 8
    pixels = bytes(row * height * channels)
    if packed:  # rows of one run each
        pixels = struct.pack(">H", 2) * (height * channels) + bytes([257 - row, 0]) * (height * channels)
    header = struct.pack(">4sH6xHIIHH", b"8BPS", 1, channels, height, width, depth, mode)
    return header + struct.pack(">III", 0, 0, 0) + struct.pack(">H", int(packed)) + pixels


def psds():
    yield psd()
    yield psd(depth=16, channels=4)
    yield psd(channels=4, packed=True)
    yield psd(channels=1, mode=1)
    yield psd(depth=1, channels=1, mode=0, size=(8, 8))
    yield psd(depth=32, channels=1, mode=1)
    yield psd(channels=5, mode=4)


def exr_packed(tiled=False):
    """An OpenEXR image of 20 x 20 halfs compressed by ZIP, in scanlines or in tiles of 16 x 16."""
    size, names = 20, [b"B", b"G", b"R"]
    more = exr_attribute(b"tiles", b"tiledesc", struct.pack("<IIB", 16, 16, 0)) if tiled else b""
    start = struct.pack("<II", 20000630, 2 | (0x200 if tiled else 0))
    start += exr_header(names, True, more=more, window=(0, 0, size - 1, size - 1))
    zips = b"compression\0compression\0\1\0\0\0"
    start = start.replace(zips + b"\0", zips + b"\3")
    pieces = []
    if tiled:
        for y, x in itertools.product((0, 1), (0, 1)):
            width, height = (16, 4)[x], (16, 4)[y]
            pieces.append((struct.pack("<4i", x, y, 0, 0), width * height))
    else:
        pieces = [(struct.pack("<i", 0), 16 * size), (struct.pack("<i", 16), 4 * size)]
    table, chunks = b"", b""
    for head, pixels in pieces:
        table += struct.pack("<Q", len(start) + 8 * len(pieces) + len(chunks))
        data = zlib.compress(b"\x80" * (pixels * 2 * len(names)))
        chunks += head + struct.pack("<I", len(data)) + data
    return start + table + chunks


def picture():
    yield from png_text()
    yield from gifs()
    yield from psds()
    yield exr_packed()
    yield exr_packed(tiled=True)
    yield png(chunk(b"eXIf", b"II*\0\x08\0\0\0\1\0\x12\1\3\0\1\0\0\0\6\0\0\0\0\0\0\0"))
    yield pfm("PF", 2, 3, 3)
    yield pfm("Pf", 3, 2, 1, "1.0")
    yield JPEG
    yield without_huffman_tables()
    for orientation in range(1, 9):
        exif = struct.pack(">2sHIHHHIHHI", b"MM", 42, 8, 1, 0x0112, 3, 1, orientation, 0, 0)
        yield jpeg(segment(0xE1, b"Exif\0\0" + exif))
    yield jpeg(
        segment(0xE2, b"ICC_PROFILE\0\1\2" + bytes(60)), segment(0xE2, b"ICC_PROFILE\0\2\2" + bytes(80))
    )
    yield HEIC
    yield AVIF
    yield from WEBP
    yield from TIFF
    yield INKS
    yield b"P4 10 2\n" + bytes(4)
    yield b"P1\n3 1\n010"
    yield b"P7\nWIDTH 1\nHEIGHT 1\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n" + bytes(4)
    yield HEIC.replace(b"hvc1", b"grid")
    yield b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 2\n" + bytes([1, 2, 3, 128] * 2)
    yield b"P5 2 2 255\n" + bytes(4)
    yield b"P6\r\n# 16 bits\r\n1 2\r\n4095\r\n" + bytes(range(12))
    yield b"P2 3 1 65535 0 500 65535"
    yield b"P3\n1 1 15\n0 7 15 "
    yield b"Pf\r\n1 1\r\n-1.0\r\n" + bytes(4)
    yield JPEG[:-2]
    yield JPEG + b"trailer" + b"\xff\xc4\0\x13\0" + b"\x20" * 16
    yield from exr_layers()
    yield b"BM" + struct.pack("<IHHIIiiHHIIiiII", 58, 0, 0, 54, 40, 1, 1, 1, 24, 0, 4, 0, 0, 0, 0) + bytes(4)
    yield struct.pack("<BBBHHBHHHHBB", 0, 0, 2, 0, 0, 0, 0, 0, 1, 1, 24, 0) + bytes(3)


def exr_header(names, half, more=b"", window=(0, 0, 1, 0), display=None, aspect=1, sampling=1):
    """The header of an OpenEXR image without compression. `sampling`: of RY and BY."""
    kind, entries = 1 if half else 2, b""
    for name in sorted(names):
        step = sampling if name in (b"RY", b"BY") else 1
        entries += name + b"\0" + struct.pack("<IB3xII", kind, 0, step, step)
    return (
        exr_attribute(b"channels", b"chlist", entries + b"\0")
        + exr_attribute(b"compression", b"compression", b"\0")
        + exr_attribute(b"dataWindow", b"box2i", struct.pack("<4i", *window))
        + exr_attribute(b"displayWindow", b"box2i", struct.pack("<4i", *(display or window)))
        + exr_attribute(b"lineOrder", b"lineOrder", b"\0")
        + exr_attribute(b"pixelAspectRatio", b"float", struct.pack("<f", aspect))
        + exr_attribute(b"screenWindowCenter", b"v2f", struct.pack("<2f", 0, 0))
        + exr_attribute(b"screenWindowWidth", b"float", struct.pack("<f", 1))
        + more
        + b"\0"
    )


def exr_attribute(name, kind, value):
    return name + b"\0" + kind + b"\0" + struct.pack("<I", len(value)) + value


def exr(names, half=False, **header):
    """An OpenEXR image of two pixels."""
    names = [bytes([c]) for c in names] if isinstance(names, bytes) else names
    start = struct.pack("<II", 20000630, 2) + exr_header(names, half, **header)
    line = struct.pack("<e" if half else "<f", 0.5) * (2 * len(names))
    row = header.get("window", (0, 0))[1]
    return start + struct.pack("<Q", len(start) + 8) + struct.pack("<iI", row, len(line)) + line


def exr_chroma():
    """Luminance of 2 x 2 pixels and one value of chroma."""
    names = [b"Y", b"RY", b"BY"]
    start = struct.pack("<II", 20000630, 2) + exr_header(names, False, window=(0, 0, 1, 1), sampling=2)
    lines = [struct.pack("<iI4f", 0, 16, 0.1, 0.2, 0.5, 0.5), struct.pack("<iI2f", 1, 8, 0.5, 0.5)]
    first = len(start) + 16
    return start + struct.pack("<2Q", first, first + len(lines[0])) + b"".join(lines)


def exr_parts(*parts):
    """An OpenEXR file of parts (name, names of channels) of two pixels each."""
    start = struct.pack("<II", 20000630, 2 | 0x1000)
    for name, names in parts:
        more = exr_attribute(b"name", b"string", name) + exr_attribute(b"type", b"string", b"scanlineimage")
        start += exr_header(names, False, more + exr_attribute(b"chunkCount", b"int", struct.pack("<i", 1)))
    start += b"\0"
    table, chunks = b"", b""
    for number, (_, names) in enumerate(parts):
        table += struct.pack("<Q", len(start) + 8 * len(parts) + len(chunks))
        line = struct.pack("<f", 0.5) * (2 * len(names))
        chunks += struct.pack("<iiI", number, 0, len(line)) + line
    return start + table + chunks


def exr_layers():
    colours = [b"R", b"G", b"B"]
    yield exr([*colours, b"ViewLayer.Depth.Z"])
    yield exr([b"ViewLayer.Combined." + c for c in colours] + [b"ViewLayer.Depth.Z", b"ViewLayer.Mist.Z"])
    yield exr([*colours, b"z"], display=(-1, -2, 4, 3))
    yield exr([*colours, b"Z"], window=(1, 2, 2, 2), display=(0, 0, 3, 3), aspect=2)
    yield exr([*colours, b"Depth.R", b"N.X", b"N.Y", b"N.Z"], aspect=0.5)
    primaries = struct.pack("<8f", 0.708, 0.292, 0.17, 0.797, 0.131, 0.046, 0.32168, 0.33767)
    yield exr(colours, more=exr_attribute(b"chromaticities", b"chromaticities", primaries))
    yield exr_chroma()
    yield exr_parts((b"rgba", colours), (b"depth", [b"Z"]))
    yield exr_parts((b"left.beauty", [b"left.beauty." + c for c in colours]), (b"right", colours))


def environment():
    radiance = b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n"
    yield radiance + b"-Y 1 +X 2\n" + bytes([1, 2, 3, 128] * 2)
    yield radiance + b"-Y 1 +X 8\n" + bytes([2, 2, 0, 8]) + bytes([136, 128] * 4)
    yield b"#?RGBE\nEXPOSURE=2\n" + radiance + b"-Y 2 +X 1\n" + bytes([255, 0, 1, 255] * 2)
    yield radiance + b"-Y 16384 +X 16384\n"
    yield exr(b"RGB", True)
    yield exr(b"RGBA", False)
    yield exr(b"Y", False)
    yield exr(b"Z", True)
    yield exr(b"BGR", True).replace(b"G\0\1", b"\4\0\x37")  # a channel of no known type and no readable name


def photograph():
    yield from picture()
    rdf = (
        "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>"
        "<rdf:Description xmlns:GDepth='http://ns.google.com/photos/1.0/depthmap/' "
        "xmlns:GImage='http://ns.google.com/photos/1.0/image/' {}/></rdf:RDF></x:xmpmeta>"
    )
    guid = b"0123456789ABCDEF" * 2
    depth = base64.b64encode(png()).decode()
    for form in ("RangeLinear", "RangeInverse"):
        main = rdf.format(
            f"GDepth:Near='1' GDepth:Far='5' GDepth:Format='{form}' Note='{guid.decode()}'"
        ).encode()
        whole = rdf.format(f"GDepth:Data='{depth}' GImage:Data='{base64.b64encode(JPEG).decode()}'").encode()
        head = b"http://ns.adobe.com/xmp/extension/\0" + guid + struct.pack(">I", len(whole))
        parts = [
            segment(0xE1, head + struct.pack(">I", at) + whole[at : at + 300])
            for at in range(0, len(whole), 300)
        ]
        yield jpeg(segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0" + main), *parts)
    items = (
        "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>"
        "<rdf:Description xmlns:I='http://ns.google.com/photos/1.0/container/item/' "
        "xmlns:D='http://ns.google.com/photos/dd/1.0/depthmap/' D:Near='1' D:Far='9'>"
        "<a I:Mime='image/jpeg' I:Semantic='Primary' I:Length='0'/>"
        f"<a I:Mime='image/png' I:Semantic='Depth' I:Length='{len(png())}'/></rdf:Description></rdf:RDF></x:xmpmeta>"
    )
    yield jpeg(segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0" + items.encode())) + png()
    for order in "<>":
        for kind in ("disparity", "depth", "hdrgainmap"):
            yield iphone(order, kind)
    yield exr(b"V")


def iphone(order, kind):
    """A JPEG whose multi-picture format lists a second one."""
    packet = (
        "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>"
        "<rdf:Description xmlns:apdi='http://ns.apple.com/pixeldatainfo/1.0/' "
        f"apdi:AuxiliaryImageType='{kind}' apdi:FloatMinValue='0.5' apdi:FloatMaxValue='2'/>"
        "</rdf:RDF></x:xmpmeta>"
    ).encode()
    second = jpeg(segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0" + packet))

    def main(length):
        head = (b"II" if order == "<" else b"MM") + struct.pack(order + "HIH", 42, 8, 1)
        listed = head + struct.pack(order + "HHIII", 0xB002, 7, 32, 26, 0)
        listed += struct.pack(order + "IIIHH", 0x030000, length, 0, 0, 0)
        listed += struct.pack(order + "IIIHH", 0, len(second), length - 10, 0, 0)  # from the list on
        return jpeg(segment(0xE2, b"MPF\0" + listed))

    return main(len(main(1000))) + second


def key(time, value, **more):
    return {"time": time, "value": value, **more}


def shot():
    def text(tracks, **more):
        return json.dumps({"format": "satdof-shot", "version": 1, "tracks": tracks, **more})

    for number, (path, _) in enumerate(FIELDS):
        for values in ((1, 2), (VALUES[number % len(VALUES)],) * 2, (True, False)):
            yield text([{"field": path, "keys": [key(i, value) for i, value in enumerate(values)]}])
    for easing in ("hold", "linear", "smooth", "bezier"):
        keys = [key(i, 2 + i % 2, easing=easing) for i in range(4)]
        yield text([{"field": "lens.fNumber", "keys": keys}, {"field": "camera.yawDegrees", "keys": keys}])
    yield text([{"field": "lens.fNumber", "keys": [key(0, 2, easing="bezier", handles=[0.3, 0, 1, 1])]}])
    places = [{"time": i, "eye": [i, 1, 2 - i], "lookAt": [0, i % 2, 0]} for i in range(4)]
    yield text([], camera=places)
    camera = {"R": [1, 0, 0, 0], "T": [0, 1, 2], "slice": 0.5, "scale": 1, "fov": 50, "aperture_size": 0.1}
    for loop in (True, False):
        path = [{**camera, "timestamp": 2 * i + 2, "dof": 0} for i in range(3)]
        yield json.dumps({"loop": loop, "time": 1, "path": path, "duration_seconds": 6})
        yield json.dumps({"loop": loop, "path": [camera, {**camera, "T": [1, 1, 1]}]})
    frame = {"camera_to_world": [1, 0, 0, 0, 0, 0, -1, 3, 0, 1, 0, 1, 0, 0, 0, 1], "fov": 50, "aspect": 1}
    yield json.dumps({"camera_type": "perspective", "camera_path": [frame, frame], "fps": 24, "seconds": 4})
    yield json.dumps({"camera_path": [frame], "render_width": 640, "render_height": 480, "crop": {}})


def settings_file():
    yield from settings_json()
    yield from png_text()


def mask():
    yield '{"width": 1, "height": 1, "weights": [1]}'
    yield '{"width": 3, "height": 1, "x": [1, 2, 1], "y": [1], "scale": 0.25, "offset": 0.5}'
    yield json.dumps({"width": 3, "height": 3, "weights": [0, -1, 0, -1, 5, -1, 0, -1, 0]})
    yield json.dumps({"width": 63, "height": 1, "weights": [1e-3] * 63})
    yield json.dumps({"width": 1, "height": 5, "x": [2], "y": [65504, -1, 0, 1e-30, 3], "scale": -1})
    yield '{"width": 1, "height": 1, "weights": [[[[[1]]]]]}'


def shader_include():
    main = '#version 450 core\n#include "shaders/1.glsl"\n#include "shaders/2.glsl"\nuniform float a, b[2];\n'
    yield (
        main
        + '\0uniform mediump vec3 c;\n#include "shaders/2.glsl"\n\0#include "shaders/0.glsl"\nfloat f();\n'
    )
    yield '  #  include   "shaders/1.glsl"  \r\n\0uniform Block { vec4 a; } b;\nuniform int n;'
    yield '#include "shaders/../secret"\n'
    yield '#include "shaders//etc/passwd"\n'
    for path in ("shaders/common/present.frag", "shaders/common/fullscreen.vert"):
        yield source(path)


def lab_results():
    curve = {"name": "gl-compute", "device": "opengl", "published": False, "note": ""}
    experiment = {"id": "scan", "title": "Scan", "axis": "elements", "source": "", "curves": [curve]}
    rows = [
        {"name": f"scan/gl-compute/{x}", "samples": 3, "real_time": x, "median_us": x, "low_us": x}
        for x in (1, 1024)
    ]
    for column in set(re.findall(r'\{"(\w+)",\s*Timed', source("app/lab/files.cpp"))):
        rows[0][column] = 2.5
        rows[1][column] = 1e9
    yield json.dumps({"context": {"gpu": "none"}, "experiments": [experiment], "rows": rows})
    yield '{"context": {}, "experiments": [], "rows": []}'
    for x in ("nan", "inf", "-1", "0", "1e308"):
        yield json.dumps(
            {
                "context": {},
                "experiments": [experiment],
                "rows": [{**rows[0], "name": "scan/gl-compute/" + x}],
            }
        )


def command_line():
    plain = ["--headless", "--list", "--help", "--version", "--fresh", "--gl-debug", "--with-ui"]
    for number, (_, option) in enumerate(FIELDS):
        if option:
            yield f"--{option}\n{VALUES[number % len(VALUES)]}"
            yield f"--{option}=1\n--no-{option}"
    for option in plain:
        yield option
    yield "--headless\n--capture\nimage.png\n--stats\n-\n--bit-depth\n16"
    yield "--frames\n2\n--animate\nfocus=1:5\n--sequence\nimage.pfm"
    yield "--lab\nlab.svg\n--lab-only\nscan,curves\n--lab-timed\nkernel"
    yield "--settings\nmissing.json\n--mask\nmissing.json"


JSON = ["{", "}", "[", "]", ":", ",", '"', "true", "false", "null", "1e309", "-0.0", "\\u0000", "\\ud800"]
KEYS = sorted({f'"{key}"' for path, _ in FIELDS for key in path.split(".")} | {f'"{name}"' for name in NAMES})
CHUNKS = ["IHDR", "IDAT", "IEND", "tEXt", "zTXt", "iTXt", "iCCP", "PLTE", "gAMA", "sRGB", "satdof-settings\0"]
SHOT = "format satdof-shot version tracks field keys time value easing handles bezier".split()
SHOT += ["camera", "eye", "lookAt", "path", "R", "T", "slice", "scale", "fov", "aperture_size", "timestamp"]
SHOT += ["duration_seconds", "camera_path", "camera_to_world", "fps"]
WORDS = {
    "shot": JSON + [f'"{word}"' for word in SHOT] + [f'"{path}"' for path, _ in FIELDS],
    "settings_json": JSON + KEYS,
    "settings_file": JSON + KEYS + CHUNKS,
    "png_text": CHUNKS,
    "mask": JSON + [f'"{key}"' for key in ("width", "height", "weights", "x", "y", "scale", "offset")],
    "prescription": ["title:", "source:", "scale:", "columns:", "stop", "inf", "-", "#", "\n"]
    + ["radius", "thickness", "index", "abbe", "diameter", "semi-diameter", "conic"],
    "shader_include": [
        "#include",
        '"shaders/1.glsl"',
        '"shaders/2.glsl"',
        "#version",
        "uniform ",
        "highp ",
        "\0",
    ],
    "lab_results": JSON
    + ['"context"', '"experiments"', '"curves"', '"rows"', '"name"', '"scan/gl-compute/8"'],
    "command_line": sorted(
        {f"--{option}" for _, option in FIELDS if option} | set(NAMES) | {"=", "\n", "--no-"}
    ),
    "environment": ["#?RADIANCE\n", "#?RGBE\n", "FORMAT=32-bit_rle_rgbe\n", "-Y ", " +X ", "\x02\x02"]
    + ["channels", "chlist", "compression", "dataWindow", "displayWindow", "box2i", "tiledesc", "tiles"],
    "picture": [
        *"IHDR IDAT IEND iCCP sRGB gAMA #?RADIANCE".split(),
        "-Y ",
        " +X ",
        "PF\n",
        "Pf\n",
        "P2 ",
        "P5 ",
    ]
    + ["channels", "chlist", "compression", "dataWindow", "box2i", "tiledesc", "chunkCount", "displayWindow"]
    + ["chromaticities", "pixelAspectRatio", "scanlineimage", "tiledimage", "deepscanline", "RY", "BY", ".Z"],
    "photograph": ["Exif\0\0", "ICC_PROFILE\0", "http://ns.adobe.com/xap/1.0/\0"]
    + ["http://ns.adobe.com/xmp/extension/\0", "GDepth:Near", "GDepth:Far", "GDepth:Format", "GDepth:Data"]
    + ["RangeLinear", "RangeInverse", "xmpNote:HasExtendedXMP", "Container:Directory", "Item:Length"]
    + ["MPF\0", "apdi:AuxiliaryImageType", "apdi:FloatMinValue", "disparity", "Depth.Z", "Combined.R"],
    "gltf": JSON
    + [
        f'"{key}"'
        for key in ("accessors", "bufferViews", "buffers", "meshes", "primitives", "nodes", "scenes")
    ]
    + [
        f'"{key}"'
        for key in ("animations", "skins", "cameras", "materials", "textures", "images", "extensions")
    ]
    + [
        f'"{key}"'
        for key in ("componentType", "byteOffset", "byteStride", "count", "sparse", "uri", "children")
    ]
    + [f'"{key}"' for key in ("targets", "weights", "KHR_texture_transform", "offset", "scale", "texCoord")],
    "draco": ["DRACO\2\2\1\1", "\x80\0"],
    "meshopt": ["\xa0", "\xe0", "\xe1", "\xd0", "\xd1"],
    "webp": ["RIFF", "WEBP", "VP8 ", "VP8L", "VP8X", "ALPH", "ANIM", "ICCP", "EXIF"],
    "obj": [
        "v ",
        "vt ",
        "vn ",
        "f ",
        "l ",
        "p ",
        "o ",
        "g ",
        "s ",
        "usemtl ",
        "mtllib ",
        *"// -1 1e38 nan".split(),
    ],
}


def quoted(word):
    return (
        '"'
        + "".join(c if (c.isascii() and c.isalnum()) or c in "-_./ " else f"\\x{ord(c):02x}" for c in word)
        + '"'
    )


def glb(document, binary=b""):
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    binary += b"\0" * (-len(binary) % 4)
    chunks = (
        struct.pack("<II", len(text), 0x4E4F534A) + text + struct.pack("<II", len(binary), 0x4E4942) + binary
    )
    return b"glTF" + struct.pack("<II", 2, 12 + len(chunks)) + chunks


def gltf():
    positions = struct.pack("<9f", 0, 0, 0, 1, 0, 0, 0, 1, 0)
    binary = positions + struct.pack("<3H", 0, 1, 2) + b"\0\0" + struct.pack("<2f", 0, 1)
    views = [(0, 36), (36, 6), (44, 8)]
    document = {
        "asset": {"version": "2.0"},
        "buffers": [{"byteLength": len(binary)}],
        "bufferViews": [{"buffer": 0, "byteOffset": at, "byteLength": size} for at, size in views],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"},
            {"bufferView": 1, "componentType": 5123, "count": 3, "type": "SCALAR"},
            {"bufferView": 2, "componentType": 5126, "count": 2, "type": "SCALAR"},
        ],
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0, "children": [1]}, {"translation": [1, 2, 3], "rotation": [0, 0, 0, 1]}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1, "material": 0}]}],
        "materials": [{"alphaMode": "BLEND", "pbrMetallicRoughness": {"baseColorFactor": [1, 0, 0, 0.5]}}],
    }
    yield glb(document, binary)
    yield json.dumps(document)
    document["animations"] = [
        {
            "samplers": [{"input": 2, "output": 0, "interpolation": "STEP"}],
            "channels": [{"sampler": 0, "target": {"node": 1, "path": "translation"}}],
        }
    ]
    document["animations"][0]["samplers"].append({"input": 2, "output": 2})
    document["animations"][0]["channels"].append({"sampler": 1, "target": {"node": 0, "path": "weights"}})
    document["meshes"][0]["weights"] = [0.5]
    document["meshes"][0]["primitives"][0]["targets"] = [{"POSITION": 0, "NORMAL": 0}]
    document["images"] = [{"uri": "data:image/png;base64," + base64.b64encode(png()).decode()}]
    document["textures"] = [{"source": 0}]
    document["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"] = {
        "index": 0,
        "extensions": {"KHR_texture_transform": {"offset": [0, 1], "rotation": 0.5, "scale": [2, 2]}},
    }
    document["skins"] = [{"joints": [0, 1]}]
    document["cameras"] = [{"type": "perspective", "perspective": {"yfov": 0.6}}]
    document["nodes"][1].update({"camera": 0, "skin": 0})
    document["accessors"][0]["sparse"] = {
        "count": 1,
        "indices": {"bufferView": 1, "componentType": 5123},
        "values": {"bufferView": 0},
    }
    yield glb(document, binary)
    yield from gltf_materials()
    yield from gltf_meshopt()


def gltf_materials():
    """Materials of specular colour and glossiness, instances, and textures as WebP."""
    webp = "data:image/webp;base64," + base64.b64encode(WEBP[0]).decode()
    yield json.dumps(
        {
            "asset": {"version": "2.0"},
            "images": [{"uri": webp}],
            "textures": [{"extensions": {"EXT_texture_webp": {"source": 0}}}],
            "materials": [
                {
                    "extensions": {
                        "KHR_materials_pbrSpecularGlossiness": {
                            "diffuseFactor": [1, 0.5, 0.25, 1],
                            "specularFactor": [0.5, 0.25, 0.1],
                            "glossinessFactor": 0.75,
                            "diffuseTexture": {"index": 0},
                            "specularGlossinessTexture": {"index": 0},
                        }
                    }
                }
            ],
            "buffers": [
                {
                    "uri": "data:;base64," + base64.b64encode(struct.pack("<9f", *range(9))).decode(),
                    "byteLength": 36,
                }
            ],
            "bufferViews": [{"buffer": 0, "byteLength": 36}],
            "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}],
            "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "material": 0}]}],
            "nodes": [
                {
                    "mesh": 0,
                    "extensions": {"EXT_mesh_gpu_instancing": {"attributes": {"TRANSLATION": 0, "SCALE": 0}}},
                }
            ],
        }
    )


def gltf_meshopt():
    """A buffer view compressed by meshoptimizer, and one compressed by Draco."""
    views = [
        (DRACO[1], None),
        (MESHOPT["vertices"], ("ATTRIBUTES", 6, 12)),
        (MESHOPT["triangles"], ("TRIANGLES", 12, 2)),
    ]
    binary, items = b"", []
    for data, packed in views:
        item = {"buffer": 0, "byteOffset": len(binary), "byteLength": len(data)}
        if packed:
            mode, count, stride = packed
            extension = {**item, "mode": mode, "count": count, "byteStride": stride}
            item = {"buffer": 1, "byteLength": count * stride}
            item["extensions"] = {"EXT_meshopt_compression": extension}
        binary += data
        items.append(item)
    fallback = {"EXT_meshopt_compression": {"fallback": True}}
    compressed = {"KHR_draco_mesh_compression": {"bufferView": 0, "attributes": {"POSITION": 0}}}
    yield glb(
        {
            "asset": {"version": "2.0"},
            "buffers": [{"byteLength": len(binary)}, {"byteLength": 99, "extensions": fallback}],
            "bufferViews": items,
            "accessors": [
                {"bufferView": 1, "componentType": 5126, "count": 6, "type": "VEC3"},
                {"bufferView": 2, "componentType": 5123, "count": 12, "type": "SCALAR"},
                {"componentType": 5126, "count": 9, "type": "VEC3"},
                {"componentType": 5123, "count": 24, "type": "SCALAR"},
            ],
            "meshes": [
                {
                    "primitives": [
                        {"attributes": {"POSITION": 0}, "indices": 1},
                        {"attributes": {"POSITION": 2}, "indices": 3, "extensions": compressed},
                    ]
                }
            ],
            "nodes": [{"mesh": 0}],
        },
        binary,
    )


def draco():
    yield from DRACO


def meshopt():
    heads = {"vertices": (0, 11, 6), "triangles": (1, 3, 12), "indices": (2, 3, 12), "octahedral": (4, 7, 6)}
    for name, (mode, stride, count) in heads.items():
        yield bytes([mode, stride, count, 0]) + MESHOPT[name]


def webp():
    yield from WEBP


def obj():
    yield "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvn 0 0 1\no a\ng b\ns 1\nf 1/1/1 2/1/1 3/1/1 4/1/1\nf -1 -2 -3\n"
    yield "mtllib m.mtl\nusemtl x\nv 0 0 0 1 0 0\nv 1e9 0 0\nv 0 -1.5 0\nl 1 2\np 1\nf 1//1 2//1 3//1\n"


def prescription():
    for name in ("double-gauss-50", "triplet-100"):
        yield source(f"assets/lenses/{name}.txt")
    yield "columns: semi-diameter radius thickness index abbe conic\nscale: 2\n5 stop 3 - - -\n9 25 2 1.5 60 -2\n9 -inf 0 0 0 0\n"
    yield "0 5 0 10\n50 4 1.5 20\n-50 0 1 20 # pbrt\n"
    yield "0 12 1.9 20\n-11 5 1 20\nstop 0 1 40\n"


def main(folder):
    with open(os.path.join(ROOT, "fuzz/CMakeLists.txt"), encoding="utf-8") as file:
        targets = re.findall(r"^satdof_fuzz_target\(\s*(\w+)", file.read(), re.M)
    for target in targets:
        os.makedirs(os.path.join(folder, target), exist_ok=True)
        for number, seed in enumerate(globals()[target]()):
            with open(os.path.join(folder, target, f"seed-{number:03}"), "wb") as file:
                file.write(seed.encode() if isinstance(seed, str) else seed)
        with open(os.path.join(folder, target + ".dict"), "w", encoding="utf-8") as file:
            file.writelines(quoted(word) + "\n" for word in WORDS[target])


if __name__ == "__main__":
    main(sys.argv[1])
