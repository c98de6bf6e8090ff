#!/usr/bin/env python3
"""The scripts that estimate depth, and --depth-command: depth_tools_test.py PATH_TO_SATDOF.

Parts whose library (OpenCV, onnxruntime) is missing test the message instead.
"""

import importlib.util
import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

import numpy as np
from PIL import Image
from surroundings import probed
from tools.pfm import read_pfm, write_pfm

SATDOF = os.path.abspath(sys.argv.pop(1))
SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / "scripts"
TOOL_TIMEOUT_S = 200


def has(library):
    return importlib.util.find_spec(library) is not None


def field(number, value):
    """Encodes a field of a protocol buffer: a number, a text or bytes."""

    def varint(n):
        return bytes([n]) if n < 128 else bytes([n & 127 | 128]) + varint(n >> 7)

    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    data = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(data)) + data


def tensor(name, shape):
    """A ValueInfoProto of floats; a size may be a name."""
    sizes = b"".join(field(1, field(2 if isinstance(size, str) else 1, size)) for size in shape)
    return field(1, name) + field(2, field(1, field(1, 1) + field(2, sizes)))


def tiny_network(height, width):
    """An ONNX model of one node: the mean of red, green and blue."""
    axes = field(1, "axes") + field(8, 1) + field(20, 7)
    keep = field(1, "keepdims") + field(3, 0) + field(20, 2)
    node = field(1, "x") + field(2, "y") + field(4, "ReduceMean") + field(5, axes) + field(5, keep)
    graph = field(1, node) + field(2, "tiny")
    graph += field(11, tensor("x", [1, 3, height, width])) + field(12, tensor("y", [1, height, width]))
    return field(1, 7) + field(7, graph) + field(8, field(2, 13))


class ToolsTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="satdof-depth-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def run_tool(self, *command, **options):
        return subprocess.run(
            list(map(str, command)), capture_output=True, text=True, timeout=TOOL_TIMEOUT_S, **options
        )

    def script(self, name, *arguments):
        return self.run_tool(sys.executable, SCRIPTS / name, *arguments)

    def save(self, name, pixels):
        Image.fromarray(pixels).save(self.folder / name)
        return self.folder / name


class Stereo(ToolsTest):
    def pair(self, far=4, near=12):
        """Writes a stereo pair, a square in front of a wall, both of random dots. far, near: disparities."""
        random = np.random.default_rng(1)
        wall = random.integers(0, 256, (90, 160, 3), np.uint8)
        square = random.integers(0, 256, (40, 50, 3), np.uint8)
        left, right = wall.copy(), np.roll(wall, -far, axis=1)
        left[20:60, 60:110] = square
        right[20:60, 60 - near : 110 - near] = square
        return self.save("left.png", left), self.save("right.png", right)

    def test_disparities(self):
        out = self.folder / "disp.pfm"
        done = self.script("stereo_depth.py", *self.pair(), out, "--most", "32")
        if not has("cv2"):
            self.assertEqual(done.returncode, 1)
            self.assertIn("python3-opencv", done.stderr)
            return
        self.assertEqual(done.returncode, 0, done.stderr)
        disparity = read_pfm(out)
        self.assertEqual(disparity.shape, (90, 160))
        for region, expected in ((np.s_[25:55, 65:105], 12), (np.s_[65:85, 20:150], 4)):
            values = disparity[region]
            self.assertGreater(np.isfinite(values).mean(), 0.9)
            self.assertLess(np.abs(values[np.isfinite(values)] - expected).max(), 0.5)
        self.assertFalse(np.isfinite(disparity[25:55, 54:58]).any(), "the square hides this from the right")

    def test_outputs_replace_no_input_and_are_whole(self):
        photo, link = self.folder / "left.png", self.folder / "link.pfm"
        photo.write_bytes(b"photo")
        link.symlink_to(photo)
        values = np.ones((2, 3))
        for out in (photo, link):
            with self.assertRaisesRegex(ValueError, "is an input"):
                write_pfm(out, values, (photo,))
        with self.assertRaises(OSError), mock.patch("pathlib.Path.replace", side_effect=OSError):
            write_pfm(photo, values)
        self.assertEqual(photo.read_bytes(), b"photo")
        write_pfm(link, values)
        self.assertTrue(link.is_symlink())
        self.assertEqual(read_pfm(photo).shape, (2, 3))
        self.assertEqual(len(list(self.folder.iterdir())), 2)
        if has("cv2"):
            left, right = self.pair()
            before = left.read_bytes()
            done = self.script("stereo_depth.py", left, right, left, "--most", "32")
            self.assertEqual((done.returncode, left.read_bytes()), (1, before), done.stderr)
            self.assertIn("is an input", done.stderr)

    def test_bad_pairs(self):
        if not has("cv2"):
            self.skipTest("OpenCV is missing")
        left, right = self.pair()
        small = self.save("small.png", np.zeros((10, 10, 3), np.uint8))
        for arguments, said in (
            ((left, small), "10"),
            ((left, self.folder / "missing.png"), "cannot read"),
            ((left, right, "--block", 4), "odd"),
        ):
            done = self.script("stereo_depth.py", *arguments[:2], self.folder / "a.pfm", *arguments[2:])
            self.assertEqual(done.returncode, 1)
            self.assertIn(said, done.stderr)
            self.assertNotIn("Traceback", done.stderr)


class Estimate(ToolsTest):
    def setUp(self):
        super().setUp()
        ramp = np.linspace(0, 255, 96).astype(np.uint8)
        self.photo = self.save("photo.png", np.repeat(np.tile(ramp, (64, 1))[:, :, None], 3, axis=2))

    def estimate(self, network, *options):
        model = self.folder / "tiny.onnx"
        model.write_bytes(network)
        out = self.folder / "depth.pfm"
        return self.script("estimate_depth.py", "--model", model, self.photo, out, *options), out

    def test_sizes_and_meaning(self):
        if not has("onnxruntime"):
            done, _ = self.estimate(b"")
            self.assertEqual(done.returncode, 1)
            self.assertIn("pip install onnxruntime", done.stderr)
            return
        for sizes, options in (((32, 64), []), (("h", "w"), ["--kind", "depth_anything"])):
            done, out = self.estimate(tiny_network(*sizes), *options)
            self.assertEqual(done.returncode, 0, done.stderr)
            depth = read_pfm(out)
            self.assertEqual(depth.shape, (64, 96))
            self.assertEqual((depth.min(), depth.max()), (0, 1))
            self.assertTrue((np.diff(depth[32]) > -1e-3).all(), "brighter is nearer here")
            self.assertLess(np.abs(depth[32] - np.linspace(0, 1, 96)).max(), 0.05)
        done, out = self.estimate(tiny_network(32, 64), "--kind", "zoe")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertAlmostEqual(float(read_pfm(out).min()), 1e-3, 5)  # metres, none of them negative

    def test_bad_models(self):
        if not has("onnxruntime"):
            self.skipTest("onnxruntime is missing")
        for network in (b"", b"garbage", tiny_network(32, 64)[:60]):
            done, out = self.estimate(network)
            self.assertEqual(done.returncode, 1)
            self.assertNotIn("Traceback", done.stderr)
            self.assertFalse(out.exists())


class Command(ToolsTest):
    def test_no_output_replaces_a_file_of_the_command(self):
        self.save("a.png", np.zeros((4, 6, 3), np.uint8))
        for name in ("tool.sh", "net.onnx", "weights.bin"):
            (self.folder / name).write_text("mine")
            command = "./tool.sh {image} {depth} net.onnx --weights=weights.bin"
            options = ["--headless", "--image", "a.png", "--depth-command", command, "--stats", name]
            done = self.run_tool(SATDOF, *options, cwd=self.folder)
            self.assertEqual(done.returncode, 2)
            self.assertIn("--stats writes the same file", done.stderr)
            self.assertEqual((self.folder / name).read_text(), "mine")

    def test_a_batch_estimates_what_it_lacks(self):
        photos = self.folder / "photos"
        photos.mkdir()
        for name in ("a", "b", "c"):
            self.save(f"photos/{name}.png", np.full((40, 60, 3), ord(name), np.uint8))
        tool = self.folder / "tool.sh"
        pixel = struct.pack("<f", 2.0).decode("latin1")
        self.assertEqual(pixel, "\0\0\0@")
        tool.write_text(
            f'echo "$1" >> {self.folder}/runs\n'
            'case "$1" in */b.png) echo no idea >&2; exit 4;; esac\n'
            "printf 'Pf\\n1 1\\n-1\\n\\000\\000\\000@' > \"$2\"\n"
        )
        command = [SATDOF, "--headless", "--image", photos, "--capture", self.folder / "out.tif"]
        command += [
            "--depth-command",
            f"sh {tool} {{image}} {{depth.pfm}}",
            *"--device cpu --lens box".split(),
        ]
        environment = dict(os.environ, XDG_CACHE_HOME=str(self.folder / "cache"))
        for _ in range(2):
            done = self.run_tool(*command, env=environment)
            self.assertEqual(done.returncode, 1)
            self.assertIn('cannot estimate the depth of "b.png": sh failed (status 4): no idea', done.stderr)
            self.assertIn("2 of 3 files done", done.stdout)
        runs = [pathlib.Path(line).name for line in (self.folder / "runs").read_text().split()]
        self.assertEqual(runs, ["a.png", "b.png", "c.png", "b.png"], "a and c are in the cache")
        with Image.open(self.folder / "out-a.tif") as image:
            self.assertEqual((image.size, image.mode), ((60, 40), "RGB"))
            self.assertLess(np.abs(np.asarray(image).astype(int) - ord("a")).max(), 3)
        # A capture has the settings of its photograph, whose depth is estimated again.
        command[3], command[5] = photos / "a.png", photos / "out.png"
        self.assertEqual(self.run_tool(*command, env=environment).returncode, 0)
        shutil.rmtree(self.folder / "cache")
        command[2:6] = ["--settings", photos / "out.png", "--capture", photos / "again.png"]
        done = self.run_tool(*command, env=environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        done = self.run_tool(*command[:6], env=environment)
        self.assertEqual(done.returncode, 1)
        self.assertIn('a.png": it holds no depth', done.stderr)

    def test_frames_with_depth(self):
        for number, grey in ((7, 60), (8, 120), (9, 180)):
            self.save(f"film{number}.png", np.full((40, 60, 3), grey, np.uint8))
            self.save(f"depth{number:03}.png", np.full((40, 60), grey, np.uint8))
        command = [SATDOF, "--headless", "--image", self.folder / "film%d.png"]
        command += ["--depth", self.folder / "depth%03d.png", "--sequence", self.folder / "out.png"]
        done = self.run_tool(*command, "--device", "cpu", "--lens", "box")
        self.assertEqual(done.returncode, 0, done.stderr)
        for number, grey in ((1, 60), (2, 120), (3, 180)):
            with Image.open(self.folder / f"out-{number:04}.png") as image:
                self.assertEqual(image.size, (60, 40))
                self.assertLess(np.abs(np.asarray(image.convert("RGB")).astype(int) - grey).max(), 3)
                self.assertIn(f"film{number + 6}.png", image.text["satdof-settings"])
        self.assertFalse((self.folder / "out-0004.png").exists())

    def test_the_depth_of_frames_is_smoothed_in_time(self):
        """Frames of a folder and of a video flicker less; a frame drawn alone equals the frame of the whole film."""
        random = np.random.default_rng(3)
        (self.folder / "film").mkdir()
        (self.folder / "depth").mkdir()
        shape, names = (40, 60), [f"{number:03}.png" for number in range(5, 11)]
        for name in names:
            self.save(f"film/{name}", np.full((*shape, 3), 120, np.uint8))
            self.save(f"depth/{name}", (110 + random.integers(-6, 7, shape)).astype(np.uint8))

        def draw(name, *options, film="film", depth="depth"):
            command = [SATDOF, "--headless", "--image", self.folder / film, "--depth", self.folder / depth]
            command += ["--sequence", self.folder / name, *"--export depth --device cpu --lens box".split()]
            command += ["--depth-edge-radius", "0", *options]
            environment = dict(os.environ, XDG_CACHE_HOME=str(self.folder / "cache"))
            return self.run_tool(*command, env=environment)

        def flicker(name):
            depths = []
            for number in range(5, 7):
                with Image.open(self.folder / f"{name}-{number:04}-depth.png") as image:
                    depths.append(
                        np.asarray(image).astype(float) / json.loads(image.text["satdof-depth"])["scale"]
                    )
            return np.abs(depths[1] - depths[0]).mean()

        for name, options in (("plain.png", ()), ("steady.png", ("--depth-smooth", "3"))):
            done = draw(name, *options)
            self.assertEqual(done.returncode, 0, done.stderr)
        self.assertLess(flicker("steady"), 0.4 * flicker("plain"))
        whole = (self.folder / "steady-0006.png").read_bytes()
        shutil.rmtree(self.folder / "cache")
        done = draw("steady.png", "--depth-smooth", "3", "--frames", "6", "--first", "6", "--last", "6")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((self.folder / "steady-0006.png").read_bytes(), whole)

        (self.folder / "film" / "014.png").write_bytes((self.folder / "film" / "005.png").read_bytes())
        done = draw("out.png")
        self.assertEqual(done.returncode, 2)
        self.assertIn("no numbered frames without a gap", done.stderr)
        (self.folder / "bad.mp4").write_bytes(b"no video")
        if shutil.which("ffmpeg") is None:
            return
        done = draw("out.png", film="bad.mp4")
        self.assertEqual(done.returncode, 1)
        self.assertIn("bad.mp4: ffmpeg failed", done.stderr.replace('"', ""))
        for name, kind in (("film", "rgb24"), ("depth", "gray")):
            command = ["ffmpeg", "-v", "error", "-framerate", "12", "-start_number", "5"]
            command += ["-i", self.folder / name / "%03d.png", "-pix_fmt", kind, "-c:v", "ffv1"]
            subprocess.run([*command, self.folder / f"{name}.mkv"], check=True)
        done = draw("video.png", film="film.mkv", depth="depth.mkv")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertAlmostEqual(flicker("video"), flicker("plain"), 6)
        # A range has the frames of the whole, also if some that were kept are gone.
        whole = (self.folder / "video-0003.png").read_bytes()
        films = self.folder / "cache" / "satdof" / "films"
        for gone in films.glob("*/000002.png"):
            gone.unlink()
        done = draw("video.png", "--first", "3", "--last", "3", film="film.mkv", depth="depth.mkv")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((self.folder / "video-0003.png").read_bytes(), whole)
        self.assertEqual(len(list(films.glob("*/000002.png"))), 2)
        command = [
            SATDOF,
            "--headless",
            "--image",
            self.folder / "film.mkv",
            "--depth",
            self.folder / "depth.mkv",
        ]
        done = self.run_tool(*command, "--video", self.folder / "out.mkv", "--device", "cpu", "--lens", "box")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(probed(self.folder / "out.mkv", "r_frame_rate,nb_read_frames"), "12/1,6")


if __name__ == "__main__":
    unittest.main()
