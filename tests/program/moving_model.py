"""Models for tests of the program."""

import base64
import json
import struct


def accessor(view, count, kind, low, high):
    of = {"bufferView": view, "componentType": 5126, "count": count, "type": kind}
    return {**of, "min": low, "max": high}


def buffer(data):
    uri = "data:application/octet-stream;base64," + base64.b64encode(data).decode()
    return {"byteLength": len(data), "uri": uri}


def still_triangle(path):
    """Writes a model with one triangle, 1 m wide and high."""
    data = struct.pack("<9f", -0.5, 0, 0, 0.5, 0, 0, 0, 1, 0)
    model = {
        "asset": {"version": "2.0"},
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "material": 0}]}],
        "materials": [{"doubleSided": True}],
        "accessors": [accessor(0, 3, "VEC3", [-0.5, 0, 0], [0.5, 1, 0])],
        "bufferViews": [{"buffer": 0, "byteLength": len(data)}],
        "buffers": [buffer(data)],
    }
    path.write_text(json.dumps(model))


def moving_triangle(path, camera=False):
    """Writes a model whose triangle moves by 4 m in 1 s; with `camera`, a camera moves instead. Returns its path."""
    floats = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 4, 0, 0]  # corners, times, places
    channel = {"sampler": 0, "target": {"node": 0, "path": "translation"}}
    model = {
        "asset": {"version": "2.0"},
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "animations": [{"samplers": [{"input": 1, "output": 2}], "channels": [channel]}],
        "buffers": [buffer(struct.pack("<17f", *floats))],
        "bufferViews": [
            {"buffer": 0, "byteOffset": start, "byteLength": end - start}
            for start, end in ((0, 36), (36, 44), (44, 68))
        ],
        "accessors": [
            accessor(0, 3, "VEC3", [0, 0, 0], [1, 1, 0]),
            accessor(1, 2, "SCALAR", [0], [1]),
            accessor(2, 2, "VEC3", [0, 0, 0], [4, 0, 0]),
        ],
    }
    if camera:
        model["scenes"][0]["nodes"].append(1)
        model["nodes"].append({"camera": 0})
        model["cameras"] = [{"type": "perspective", "perspective": {"yfov": 0.6, "znear": 0.1}}]
        channel["target"]["node"] = 1
    with open(path, "w") as file:
        json.dump(model, file)
    return str(path)
