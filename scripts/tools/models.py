"""Generates the built-in model and environment of the scene `model`.

scripts/make models [FOLDER] writes evening.glb and alley.hdr into FOLDER (default: assets)

evening.glb contains hard cases for depth of field: panes of glass at several distances, a fence, alpha-tested foliage, hair-thin wires,
a bottle, and small bright lamps in front of and behind them. Units are metres; y is up.
"""

import io
import json
import math
import pathlib
import struct

import numpy as np
from PIL import Image

from tools import program

RNG = np.random.default_rng(39)


# A mesh is a tuple (positions, normals, uvs, triangles).


def merged(parts):
    """Joins meshes to one."""
    first, triangles = 0, []
    for positions, _, _, part in parts:
        triangles.append(part + first)
        first += len(positions)
    return (*(np.concatenate([p[i] for p in parts]) for i in range(3)), np.concatenate(triangles))


def moved(mesh, offset=(0, 0, 0), scale=1.0, turn=0.0):
    """Scales a mesh, rotates it about y by `turn` radians, then moves it."""
    c, s = math.cos(turn), math.sin(turn)
    rotation = np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])
    positions, normals, uvs, triangles = mesh
    return positions * scale @ rotation.T + np.array(offset), normals @ rotation.T, uvs, triangles


def quad(a, b, c, d, uvs=((0, 1), (1, 1), (1, 0), (0, 0))):
    """A rectangle with corners counter-clockwise as seen from the front."""
    a, b, c, d = map(np.array, (a, b, c, d))
    normal = np.cross(b - a, d - a).astype(float)
    normal /= np.linalg.norm(normal)
    return (
        np.array([a, b, c, d], float),
        np.tile(normal, (4, 1)),
        np.array(uvs, float),
        np.array([[0, 1, 2], [0, 2, 3]]),
    )


def box(size, centre):
    """An axis-aligned box."""
    x, y, z = np.array(size) / 2
    faces = [
        quad((-x, -y, z), (x, -y, z), (x, y, z), (-x, y, z)),
        quad((x, -y, -z), (-x, -y, -z), (-x, y, -z), (x, y, -z)),
        quad((x, -y, z), (x, -y, -z), (x, y, -z), (x, y, z)),
        quad((-x, -y, -z), (-x, -y, z), (-x, y, z), (-x, y, -z)),
        quad((-x, y, z), (x, y, z), (x, y, -z), (-x, y, -z)),
        quad((-x, -y, -z), (x, -y, -z), (x, -y, z), (-x, -y, z)),
    ]
    return moved(merged(faces), centre)


def lathe(profile, sides):
    """A surface of revolution about y. `profile`: points (radius, height) from the bottom; the outside is on the right."""
    profile = np.array(profile, float)
    tangents = np.gradient(profile, axis=0)
    slopes = np.stack([tangents[:, 1], -tangents[:, 0]], 1)
    slopes /= np.maximum(np.linalg.norm(slopes, axis=1, keepdims=True), 1e-9)
    angles = np.linspace(0, 2 * np.pi, sides + 1)
    c, s = np.cos(angles), np.sin(angles)
    rows = len(profile)
    positions = np.stack(
        [np.outer(profile[:, 0], s), np.outer(profile[:, 1], np.ones(sides + 1)), np.outer(profile[:, 0], c)],
        -1,
    )
    normals = np.stack(
        [np.outer(slopes[:, 0], s), np.outer(slopes[:, 1], np.ones(sides + 1)), np.outer(slopes[:, 0], c)], -1
    )
    uvs = np.stack(
        np.broadcast_arrays(np.linspace(0, 1, sides + 1)[None, :], np.linspace(1, 0, rows)[:, None]), -1
    )
    i, j = np.meshgrid(np.arange(rows - 1), np.arange(sides), indexing="ij")
    a = (i * (sides + 1) + j).ravel()
    triangles = np.concatenate(
        [np.stack([a, a + 1, a + sides + 2], 1), np.stack([a, a + sides + 2, a + sides + 1], 1)]
    )
    return positions.reshape(-1, 3), normals.reshape(-1, 3), uvs.reshape(-1, 2), triangles


def sphere(radius, centre=(0, 0, 0), rows=14, sides=22):
    polar = np.linspace(np.pi, 0, rows + 1)
    mesh = lathe(np.stack([np.sin(polar), np.cos(polar)], 1), sides)
    positions, _, uvs, triangles = mesh
    return positions * radius + np.array(centre), positions.copy(), uvs, triangles


def leaves(count, low, high, size):
    """`count` leaf cards at random positions in [low, high] and random angles."""
    cards = []
    for _ in range(count):
        direction = RNG.normal(size=3)
        direction /= np.linalg.norm(direction)
        across = np.cross(direction, RNG.normal(size=3))
        across /= np.linalg.norm(across)
        half = size * RNG.uniform(0.6, 1.2) / 2
        centre = RNG.uniform(low, high)
        a, b = across * half * 0.62, direction * half
        cards.append(quad(centre - a - b, centre + a - b, centre + a + b, centre - a + b))
    return merged(cards)


# Images.


def encoded(image, kind="PNG", **options):
    data = io.BytesIO()
    image.save(data, kind, **options)
    return data.getvalue()


def planks(size, metres, shade=None):
    """An sRGB image of wooden planks along z. shade(x, z): factor of the light, in metres from the centre."""
    axis = (np.arange(size) + 0.5) / size * metres - metres / 2
    x, z = np.meshgrid(axis, axis)
    plank = np.floor(x / 0.125)
    seed = np.sin(plank * 78.233) * 43758.5453
    tone = seed - np.floor(seed)
    grain = (
        np.sin((x * 260 + 6 * np.sin(z * 2 * np.pi + plank)) * 1.7) * 0.5
        + np.sin(x * 905 + 2 * np.sin(z * 4 * np.pi + plank * 2)) * 0.5
    )
    light = 0.30 + 0.10 * tone + 0.018 * grain
    gap = np.abs(x / 0.125 - np.floor(x / 0.125) - 0.5) > 0.48
    light = np.where(gap, light * 0.35, light)
    if shade is not None:
        light = light * shade(x, z)
    rgb = np.stack([light * 1.0, light * 0.74, light * 0.52], -1)
    return Image.fromarray(np.uint8(np.clip(rgb, 0, 1) * 255 + 0.5))


def contact(spots):
    """Ambient occlusion of the floor by objects (x, z, radius). Returns a `shade` for planks()."""

    def shade(x, z):
        seen = np.ones_like(x)
        for cx, cz, radius in spots:
            distance = np.hypot(x - cx, z - cz) / radius
            seen *= 1 - 0.72 * np.exp(-((distance / 1.15) ** 2))
        return seen

    return shade


def leaf(size=64):
    """An image of a leaf with a stem; alpha is its outline."""
    y, x = np.mgrid[0:size, 0:size] / (size - 1) * 2 - 1
    width = 0.86 * np.sqrt(np.clip(1 - (y * 1.02) ** 2, 0, None)) * (0.75 - 0.25 * y)
    inside = np.clip((width - np.abs(x)) * size / 4 + 0.5, 0, 1)
    stem = np.clip((0.05 - np.abs(x)) * size / 4 + 0.5, 0, 1) * (y > 0.7)
    vein = np.exp(-((x / 0.035) ** 2)) + 0.5 * np.exp(-(((np.abs(x) * 0.8 + y * 3) % 0.6 - 0.3) ** 2) / 0.003)
    green = np.stack([0.26 + 0.12 * vein, 0.42 + 0.14 * vein, 0.13 + 0.05 * vein], -1)
    alpha = np.maximum(inside, stem)[..., None]
    return Image.fromarray(np.uint8(np.concatenate([np.clip(green, 0, 1), alpha], -1) * 255 + 0.5), "RGBA")


def bumps(size=64):
    """A normal map of hammered metal."""
    height = np.zeros((size, size))
    y, x = np.mgrid[0:size, 0:size] / size
    for _ in range(70):
        cx, cy, radius = RNG.uniform(), RNG.uniform(), RNG.uniform(0.04, 0.09)
        dx, dy = (x - cx + 0.5) % 1 - 0.5, (y - cy + 0.5) % 1 - 0.5
        height = np.minimum(height, -np.clip(1 - (dx**2 + dy**2) / radius**2, 0, None) * radius * 0.25)
    gx = (np.roll(height, -1, 1) - np.roll(height, 1, 1)) * size / 2
    gy = (np.roll(height, -1, 0) - np.roll(height, 1, 0)) * size / 2
    normal = np.stack([-gx, gy, np.ones_like(gx)], -1)
    normal /= np.linalg.norm(normal, axis=-1, keepdims=True)
    return Image.fromarray(np.uint8(normal * 127.5 + 127.5 + 0.5))


class Glb:
    """Builds a binary glTF 2.0 file."""

    def __init__(self):
        self.data = bytearray()
        self.json = {
            "asset": {"version": "2.0", "generator": "satdof"},
            "extensionsUsed": ["KHR_lights_punctual", "KHR_materials_emissive_strength"],
            "scene": 0,
            "scenes": [{"nodes": []}],
        }

    def add(self, key, entry):
        self.json.setdefault(key, []).append(entry)
        return len(self.json[key]) - 1

    def view(self, data):
        self.data += b"\0" * (-len(self.data) % 4)
        self.data += data
        return self.add(
            "bufferViews", {"buffer": 0, "byteOffset": len(self.data) - len(data), "byteLength": len(data)}
        )

    def accessor(self, values, kind, component=5126, bounds=False):
        formats = {5126: np.float32, 5123: np.uint16, 5121: np.uint8}
        values = np.asarray(values).astype(formats[component])
        entry = {
            "bufferView": self.view(values.tobytes()),
            "componentType": component,
            "count": len(values),
            "type": kind,
        }
        if bounds:
            flat = values.reshape(len(values), -1)
            entry["min"], entry["max"] = flat.min(0).tolist(), flat.max(0).tolist()
        return self.add("accessors", entry)

    def texture(self, data, mime, clamp=False):
        image = self.add("images", {"bufferView": self.view(data), "mimeType": mime})
        wrap = 33071 if clamp else 10497
        sampler = self.add("samplers", {"wrapS": wrap, "wrapT": wrap})
        return {"index": self.add("textures", {"source": image, "sampler": sampler})}

    def material(self, name, colour, metallic=0.0, roughness=0.5, base=None, normal=None, glow=0.0, **more):
        entry = {
            "name": name,
            "pbrMetallicRoughness": {
                "baseColorFactor": [*colour, 1.0][:4],
                "metallicFactor": metallic,
                "roughnessFactor": roughness,
            },
            **more,
        }
        if base:
            entry["pbrMetallicRoughness"]["baseColorTexture"] = base
        if normal:
            entry["normalTexture"] = normal
        if glow:
            entry["emissiveFactor"] = list(colour[:3])
            entry["extensions"] = {"KHR_materials_emissive_strength": {"emissiveStrength": glow}}
        return self.add("materials", entry)

    def primitive(self, mesh, material, **attributes):
        positions, normals, uvs, triangles = mesh
        return {
            "attributes": {
                "POSITION": self.accessor(positions, "VEC3", bounds=True),
                "NORMAL": self.accessor(normals, "VEC3"),
                "TEXCOORD_0": self.accessor(uvs, "VEC2"),
                **attributes,
            },
            "indices": self.accessor(triangles.reshape(-1), "SCALAR", 5123),
            "material": material,
        }

    def mesh(self, name, *parts):
        return self.add("meshes", {"name": name, "primitives": [self.primitive(*part) for part in parts]})

    def node(self, name, root=True, **entry):
        index = self.add("nodes", {"name": name, **entry})
        if root:
            self.json["scenes"][0]["nodes"].append(index)
        return index

    def write(self, path):
        self.data += b"\0" * (-len(self.data) % 4)
        self.json["buffers"] = [{"byteLength": len(self.data)}]
        text = json.dumps(self.json, separators=(",", ":")).encode()
        text += b" " * (-len(text) % 4)
        chunks = (
            struct.pack("<II", len(text), 0x4E4F534A)
            + text
            + struct.pack("<II", len(self.data), 0x004E4942)
            + self.data
        )
        path.write_bytes(struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks)


def materials(g):
    """Adds the materials with their textures. Returns their indices by name."""
    spots = [
        (-0.20, 0.02, 0.10),
        (0.13, 0.05, 0.06),
        (0.02, 0.30, 0.06),
        (-0.42, -0.42, 0.10),
        (0.42, -0.55, 0.30),
        (-0.5, 0.42, 0.22),
    ]
    inner = g.texture(encoded(planks(384, 2.0, contact(spots)), "JPEG", quality=64), "image/jpeg", clamp=True)
    outer = g.texture(encoded(planks(192, 1.0), "JPEG", quality=68), "image/jpeg")
    foliage = g.texture(encoded(leaf()), "image/png", clamp=True)
    hammered = g.texture(encoded(bumps(), "PNG"), "image/png")

    material = {}
    material["floor"] = g.material("floor", (1, 1, 1), roughness=0.42, base=inner)
    material["far_floor"] = g.material("far floor", (1, 1, 1), roughness=0.42, base=outer)
    material["wood"] = g.material("painted wood", (0.42, 0.40, 0.36), roughness=0.7)
    material["iron"] = g.material("iron", (0.22, 0.22, 0.24), metallic=1.0, roughness=0.45)
    material["gold"] = g.material("gold", (1.0, 0.71, 0.29), metallic=1.0, roughness=0.22, normal=hammered)
    material["glaze"] = g.material("glaze", (0.55, 0.045, 0.03), roughness=0.12)
    material["leaves"] = g.material(
        "leaves", (1, 1, 1), roughness=0.65, base=foliage, alphaMode="MASK", alphaCutoff=0.5, doubleSided=True
    )
    material["clear"] = g.material(
        "clear glass", (0.75, 0.9, 0.95, 0.14), roughness=0.03, alphaMode="BLEND", doubleSided=True
    )
    material["amber"] = g.material(
        "amber glass", (0.80, 0.32, 0.05, 0.55), roughness=0.06, alphaMode="BLEND", doubleSided=True
    )
    material["blue"] = g.material(
        "blue glass", (0.05, 0.17, 0.55, 0.50), roughness=0.06, alphaMode="BLEND", doubleSided=True
    )
    material["bottle"] = g.material(
        "bottle glass", (0.03, 0.21, 0.07, 0.55), roughness=0.05, alphaMode="BLEND", doubleSided=True
    )
    return material


def add_floor(g, material):
    g.node(
        "floor",
        mesh=g.mesh(
            "floor",
            (
                quad((-1, 0, 1), (1, 0, 1), (1, 0, -1), (-1, 0, -1), ((0, 1), (1, 1), (1, 0), (0, 0))),
                material["floor"],
            ),
        ),
    )
    strips = []
    for x0, x1, z0, z1 in ((-9, 9, -13, -1), (-9, 9, 1, 5), (-9, -1, -1, 1), (1, 9, -1, 1)):
        uvs = ((x0 + 0.5, z1 + 0.5), (x1 + 0.5, z1 + 0.5), (x1 + 0.5, z0 + 0.5), (x0 + 0.5, z0 + 0.5))
        strips.append(quad((x0, 0, z1), (x1, 0, z1), (x1, 0, z0), (x0, 0, z0), uvs))
    g.node("far floor", mesh=g.mesh("far floor", (merged(strips), material["far_floor"])))


def add_objects(g, material):
    """A gold ball, a vase and a bottle."""
    g.node(
        "gold ball", mesh=g.mesh("gold ball", (sphere(0.09, (-0.20, 0.09, 0.02), 20, 32), material["gold"]))
    )
    vase = [
        (0.0, 0.0),
        (0.035, 0.0),
        (0.046, 0.012),
        (0.058, 0.04),
        (0.056, 0.07),
        (0.036, 0.10),
        (0.022, 0.125),
        (0.024, 0.14),
        (0.030, 0.148),
    ]
    g.node("vase", mesh=g.mesh("vase", (moved(lathe(vase, 32), (0.02, 0, 0.30)), material["glaze"])))
    bottle = [
        (0.0, 0.004),
        (0.040, 0.0),
        (0.045, 0.006),
        (0.045, 0.10),
        (0.045, 0.185),
        (0.043, 0.205),
        (0.034, 0.225),
        (0.020, 0.245),
        (0.0155, 0.265),
        (0.015, 0.30),
        (0.018, 0.303),
        (0.018, 0.318),
        (0.014, 0.32),
    ]
    g.node("bottle", mesh=g.mesh("bottle", (moved(lathe(bottle, 32), (0.13, 0, 0.05)), material["bottle"])))


def add_panes(g, material):
    """Panes in iron frames, from near to far."""
    for name, glass, x, z, turn, width, height in (
        ("near pane", material["clear"], -0.50, 0.42, 0.5, 0.36, 0.42),
        ("blue pane", material["blue"], 0.42, -0.55, -0.3, 0.46, 0.50),
        ("amber pane", material["amber"], -0.42, -0.42, 0.25, 0.20, 0.34),
        ("far pane", material["blue"], -1.0, -2.6, 0.2, 0.9, 0.9),
        ("second far pane", material["amber"], 0.9, -3.4, -0.2, 0.9, 1.0),
    ):
        bar = 0.012 + 0.008 * width
        front = quad(
            (-width / 2, 0.01, 0), (width / 2, 0.01, 0), (width / 2, height, 0), (-width / 2, height, 0)
        )
        frame = merged(
            [
                box((bar, height + bar, bar), (-width / 2, height / 2, 0)),
                box((bar, height + bar, bar), (width / 2, height / 2, 0)),
                box((width, bar, bar), (0, height, 0)),
                box((width, bar, bar), (0, bar / 2, 0)),
            ]
        )
        g.node(
            name,
            mesh=g.mesh(
                name,
                (moved(front, (x, 0, z), turn=turn), glass),
                (moved(frame, (x, 0, z), turn=turn), material["iron"]),
            ),
        )


def add_fence(g, material):
    """A fence, and wires above it and in front."""
    pickets = [box((0.045, 0.52, 0.018), (x, 0.27, -1.5)) for x in np.arange(-2.4, 2.5, 0.13)]
    pickets += [box((5.0, 0.04, 0.02), (0, 0.14, -1.52)), box((5.0, 0.04, 0.02), (0, 0.42, -1.52))]
    g.node("fence", mesh=g.mesh("fence", (merged(pickets), material["wood"])))
    wires = [box((5.0, 0.0016, 0.0016), (0, 0.58 + 0.05 * i, -1.5)) for i in range(4)]
    wires += [box((0.0012, 0.4, 0.0012), (0.30 + 0.035 * i, 0.20, 0.55)) for i in range(5)]
    g.node("wires", mesh=g.mesh("wires", (merged(wires), material["iron"])))


def add_foliage(g, material):
    g.node(
        "near leaves",
        mesh=g.mesh(
            "near leaves", (leaves(26, (0.30, 0.22, 0.78), (0.62, 0.46, 0.98), 0.07), material["leaves"])
        ),
    )
    g.node(
        "far leaves",
        mesh=g.mesh(
            "far leaves", (leaves(120, (-1.9, 0.1, -2.3), (-0.55, 0.95, -1.9), 0.16), material["leaves"])
        ),
    )
    g.node(
        "right leaves",
        mesh=g.mesh(
            "right leaves", (leaves(90, (0.75, 0.05, -1.3), (1.5, 0.75, -0.9), 0.13), material["leaves"])
        ),
    )


def add_lamps(g):
    """Lamps behind everything, and some in front."""
    ball = sphere(1.0, rows=7, sides=12)
    for i, (name, colour, glow) in enumerate(
        (
            ("warm lamp", (1.0, 0.58, 0.22), 26.0),
            ("white lamp", (0.82, 0.90, 1.0), 22.0),
            ("red lamp", (1.0, 0.12, 0.06), 18.0),
        )
    ):
        mesh = g.mesh(name, (ball, g.material(name, colour, glow=glow)))
        for _ in range(9 if i == 0 else 4):
            where = [
                float(v) for v in (RNG.uniform(-2.4, 2.2), RNG.uniform(0.12, 1.1), RNG.uniform(-5.5, -2.0))
            ]
            g.node(name, mesh=mesh, translation=where, scale=[float(RNG.uniform(0.010, 0.020))] * 3)
        if i == 0:
            for where in ((-0.33, 0.03, 0.60), (0.24, 0.02, -0.2), (-0.05, 0.02, -0.62)):
                g.node(name, mesh=mesh, translation=list(where), scale=[0.009] * 3)
            light = {"type": "point", "color": [1.0, 0.58, 0.22], "intensity": 0.10, "range": 2.0}
            g.json["extensions"] = {"KHR_lights_punctual": {"lights": [light]}}
            for where in ((-0.33, 0.05, 0.60), (0.24, 0.04, -0.2), (-0.05, 0.04, -0.62)):
                g.node("light", translation=list(where), extensions={"KHR_lights_punctual": {"light": 0}})


def add_mobile(g, material):
    """A mobile that hangs on a thread. Returns its node."""
    arm = merged(
        [
            box((0.30, 0.004, 0.004), (0, 0, 0)),
            sphere(0.016, (-0.15, -0.03, 0), 8, 14),
            sphere(0.016, (0.15, -0.03, 0), 8, 14),
            box((0.0015, 0.03, 0.0015), (-0.15, -0.015, 0)),
            box((0.0015, 0.03, 0.0015), (0.15, -0.015, 0)),
            box((0.0015, 0.6, 0.0015), (0, 0.3, 0)),
        ]
    )
    return g.node("mobile", mesh=g.mesh("mobile", (arm, material["gold"])), translation=[-0.02, 0.36, -0.05])


def add_reed(g, material, segments):
    """A skinned reed with leaves. Returns the node of its first joint; the others follow."""
    length = 0.11  # of a segment
    profile = [(0.006 * (1 - 0.8 * t), t * segments * length) for t in np.linspace(0, 1, 17)]
    reed = lathe(profile, 8)
    blades = leaves(7, (-0.03, 0.22, -0.03), (0.03, 0.44, 0.03), 0.09)
    joints_of = lambda positions: np.clip(positions[:, 1] / length, 0, segments - 1e-6)  # noqa: E731

    def skinned(mesh, material):
        at = joints_of(mesh[0])
        low = np.floor(at).astype(int)
        part = at - low
        joints, weights = np.zeros((len(at), 4)), np.zeros((len(at), 4))
        joints[:, 0], joints[:, 1] = low, np.minimum(low + 1, segments - 1)
        weights[:, 0], weights[:, 1] = 1 - part, part
        same = joints[:, 0] == joints[:, 1]
        weights[same, 0], weights[same, 1] = 1, 0
        return g.primitive(
            mesh, material, JOINTS_0=g.accessor(joints, "VEC4", 5121), WEIGHTS_0=g.accessor(weights, "VEC4")
        )

    stem = g.material("stem", (0.16, 0.24, 0.07), roughness=0.8)
    reed_mesh = g.add(
        "meshes", {"name": "reed", "primitives": [skinned(reed, stem), skinned(blades, material["leaves"])]}
    )
    first = len(g.json["nodes"])
    for i in range(segments):
        g.node(
            f"joint {i}",
            root=i == 0,
            translation=[-0.34, 0.0, 0.12] if i == 0 else [0, length, 0],
            **({"children": [first + i + 1]} if i + 1 < segments else {}),
        )
    binding = np.tile(np.eye(4), (segments, 1, 1))
    binding[:, 3, 1] = -length * np.arange(segments)  # column-major
    skin = g.add(
        "skins",
        {
            "joints": [first + i for i in range(segments)],
            "inverseBindMatrices": g.accessor(binding.reshape(-1, 16), "MAT4"),
        },
    )
    g.node("reed", mesh=reed_mesh, skin=skin)
    return first


def add_animation(g, mobile, first, segments):
    """Turns the mobile and sways the joints of the reed."""
    period = 8.0
    times = np.linspace(0, period, 33)

    def turns(axis, angles):
        half = np.asarray(angles) / 2
        return np.stack(
            [axis[0] * np.sin(half), axis[1] * np.sin(half), axis[2] * np.sin(half), np.cos(half)], 1
        )

    clock = g.accessor(times, "SCALAR", bounds=True)
    clip = {"name": "breeze", "samplers": [], "channels": []}

    def animate(node, values):
        clip["samplers"].append({"input": clock, "output": g.accessor(values, "VEC4")})
        clip["channels"].append(
            {"sampler": len(clip["samplers"]) - 1, "target": {"node": node, "path": "rotation"}}
        )

    animate(mobile, turns((0, 1, 0), times / period * 2 * np.pi))
    for i in range(segments):
        animate(first + i, turns((0, 0, 1), 0.10 * np.sin(times / period * 4 * np.pi - 0.6 * i) + 0.02))
    g.add("animations", clip)


def add_camera(g):
    """The default camera of satdof, for other programs and for --model-camera 1."""
    yaw, pitch, distance = math.radians(8), math.radians(7), 1.75
    half_yaw, half_pitch = yaw / 2, -pitch / 2
    rotation = [
        math.cos(half_yaw) * math.sin(half_pitch),
        math.sin(half_yaw) * math.cos(half_pitch),
        -math.sin(half_yaw) * math.sin(half_pitch),
        math.cos(half_yaw) * math.cos(half_pitch),
    ]
    eye = [
        distance * math.cos(pitch) * math.sin(yaw),
        0.17 + distance * math.sin(pitch),
        distance * math.cos(pitch) * math.cos(yaw),
    ]
    camera = g.add(
        "cameras",
        {
            "name": "terrace",
            "type": "perspective",
            "extras": {"focusDistance": 1.58},
            "perspective": {"yfov": math.radians(27), "znear": 0.1, "aspectRatio": 16 / 9},
        },
    )
    g.node("camera", camera=camera, translation=eye, rotation=rotation)


def evening(path):
    """Writes the model."""
    g = Glb()
    material = materials(g)
    add_floor(g, material)
    add_objects(g, material)
    add_panes(g, material)
    add_fence(g, material)
    add_foliage(g, material)
    add_lamps(g)
    mobile = add_mobile(g, material)
    segments = 4
    first = add_reed(g, material, segments)
    add_animation(g, mobile, first, segments)
    add_camera(g)
    g.write(path)


def alley(path, width=352):
    """Writes an alley at night as Radiance HDR: lanterns on both sides, lit windows, wet ground."""
    height = width // 2
    y, x = np.mgrid[0:height, 0:width]
    azimuth = ((x + 0.5) / width - 0.5) * 2 * np.pi
    up = np.cos((y + 0.5) / height * np.pi)
    level = np.maximum(np.hypot(1e-3, np.sqrt(1 - up**2)), 1e-3)
    slope = up / level
    # Two walls along z at x = -3 m and 3 m, 6 m high; eyes at 1.6 m.
    sideways = np.abs(np.sin(azimuth))
    reach = np.minimum(3.0 / np.maximum(sideways, 0.02), 60.0)
    at = slope * reach + 1.6
    sky = np.stack(
        [
            0.010 + 0.02 * np.exp(-4 * np.abs(slope)),
            0.013 + 0.016 * np.exp(-4 * np.abs(slope)),
            0.030 + 0.016 * np.exp(-4 * np.abs(slope)),
        ],
        -1,
    )
    along = np.cos(azimuth) * reach
    wall = np.stack([0.050 + 0 * at, 0.037 + 0 * at, 0.028 + 0 * at], -1) * np.exp(-reach / 22)[..., None]
    cell = np.floor(along / 2.0) * 7 + np.floor(at / 1.9) * 13 + np.sign(np.sin(azimuth)) * 3
    chance = np.abs(np.sin(cell * 12.9898) * 43758.5453) % 1
    window = (
        (np.abs(along / 2.0 % 1 - 0.5) < 0.22)
        & (np.abs(at / 1.9 % 1 - 0.5) < 0.30)
        & (chance < 0.30)
        & (reach < 25)
    )
    wall = np.where(window[..., None], np.array([2.6, 1.5, 0.6]) * (0.4 + chance * 2)[..., None], wall)
    image = np.where((at > 6.0)[..., None], sky, wall)
    ground = at < 0
    image = np.where(ground[..., None], np.array([0.020, 0.018, 0.017]), image)

    def lantern(azimuth_at, up_at, radius, colour):
        angle = (azimuth - azimuth_at + np.pi) % (2 * np.pi) - np.pi
        distance = np.hypot(angle * level, np.arcsin(up) - np.arcsin(up_at)) / radius
        return np.clip(1.5 - distance, 0, 1)[..., None] * np.array(colour)

    for side in (-1, 1):
        for i in range(9):
            for heading in (0, np.pi):
                z = 1.5 + 3.2 * i
                far = math.hypot(2.7, z)
                angle = heading + side * math.atan2(2.7, z)
                image = image + lantern(
                    angle, math.sin(math.atan2(1.3, far)), max(0.10 / far, 0.009), [95.0, 58.0, 24.0]
                )
                image = image + ground[..., None] * lantern(
                    angle, math.sin(math.atan2(-3.6, far)), max(0.5 / far, 0.03), [0.9, 0.55, 0.22]
                )
    write_hdr(path, image)


def write_hdr(path, image):
    """Writes a Radiance HDR with run-length encoding."""
    height, width, _ = image.shape
    largest = np.maximum(image.max(-1), 1e-32)
    exponent = np.ceil(np.log2(largest * 256 / 255))
    rgbe = np.zeros((height, width, 4), np.uint8)
    rgbe[..., :3] = np.clip(image / np.exp2(exponent)[..., None] * 256, 0, 255)
    rgbe[..., 3] = np.clip(exponent + 128, 0, 255)
    rgbe[largest < 1e-9] = 0
    data = bytearray(f"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y {height} +X {width}\n".encode())
    for row in rgbe:
        data += struct.pack(">BBH", 2, 2, width)
        for channel in row.T:
            data += runs(channel.tobytes())
    path.write_bytes(data)


def runs(values):
    """Run-length encodes a channel: 4 or more equal bytes become (128 + length, byte); other bytes follow their number, at most 128."""
    data, plain, i = bytearray(), bytearray(), 0

    def flush():
        if plain:
            data.append(len(plain))
            data.extend(plain)
            plain.clear()

    while i < len(values):
        end = i + 1
        while end < len(values) and end - i < 127 and values[end] == values[i]:
            end += 1
        if end - i >= 4:
            flush()
            data.extend((128 + end - i, values[i]))
            i = end
        else:
            plain.append(values[i])
            if len(plain) == 128:
                flush()
            i += 1
    flush()
    return data


def main():
    parser = program.parser(__doc__)
    parser.add_argument("folder", nargs="?", type=pathlib.Path, default=program.ROOT / "assets")
    folder = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    evening(folder / "evening.glb")
    alley(folder / "alley.hdr")
