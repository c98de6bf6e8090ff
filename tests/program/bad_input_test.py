#!/usr/bin/env python3
"""Bad input to the headless program: the right status, one line on stderr, and no file.

bad_input_test.py PATH_TO_SATDOF [unittest arguments]
"""

import json
import os
import resource
import shutil
import struct
import subprocess
import unittest
import zlib

import numpy
from headless_program import CAN, SATDOF, ProgramTest, mesa_vendor, pixels, run, shot_text, start
from PIL import Image
from tools.pfm import write_pfm


class BadInput(ProgramTest):
    def test_unknown_options_and_names(self):
        capture = self.path("a.png")
        self.refuse(2, ["--fokus", "--focus"], "--fokus", "3", "--capture", capture)
        self.refuse(2, ["stray"], "stray", "--capture", capture)
        self.refuse(2, ["--focus", "missing"], "--capture", capture, "--focus")
        for option, kind in (
            ("--device", "device"),
            ("--scan", "scan"),
            ("--table-format", "table-format"),
            ("--lens", "lens"),
            ("--scene", "scene"),
            ("--view", "view"),
            ("--filter-variant", "filter-variant"),
            ("--filter-form", "filter-form"),
        ):
            self.refuse(2, [option, "nonsense", *CAN[kind]], option, "nonsense", "--capture", capture)
        self.refuse(2, [__file__, "--image"], __file__, "--capture", capture)

    def test_masks(self):
        capture, path = self.path("a.png"), self.path("mask.json")
        self.refuse(2, ["--filter", "nonsense", "sharpen", ".json"], "--filter", "nonsense")
        self.refuse(2, [path, "No such file"], "--filter", path, "--capture", capture)
        for text, says in (
            ("{", "line 1"),
            ('{"width": 2, "height": 1, "weights": [1, 2]}', '"width" must be an odd whole number'),
            ('{"width": 3, "height": 1, "weights": [1, 2]}', '"weights" must have 3 numbers, not 2'),
            ('{"width": 1, "height": 1, "weights": [1e300]}', "number 1"),
        ):
            with open(path, "w") as file:
                file.write(text)
            self.refuse(2, [path, says], "--filter", path, "--capture", capture)
        self.refuse(
            1, ["not separable"], "--filter", "edges", "--filter-form", "separable", "--capture", capture
        )

    def test_views_that_a_lens_does_not_have(self):
        for view in ("near", "fill", "layers", "weights"):
            self.refuse(
                1,
                ["--view " + view, "layered", "not box"],
                *"--lens box --view".split(),
                view,
                "--capture",
                self.path("a.png"),
            )
        for arguments in (["--lens", "gems"], ["--lens", "box", "--no-bokeh"]):
            self.refuse(1, ["--view sprites", "bokeh sprites", "layered"], "--view", "sprites", *arguments)

    def test_comparisons(self):
        self.refuse(2, ["--compare", "nonsense", *CAN["lens"]], "--compare", "nonsense")
        self.refuse(2, ["--compare", "--headless"], "--compare", "box", headless=False)

    def test_two_outputs_of_one_name(self):
        path = self.path("a.png")
        self.refuse(2, [path, "--capture", "--stats"], "--capture", path, "--stats", path)

    def test_inputs_are_not_replaced(self):
        names = ("out.png", "out-depth.png", "s-0002.png", "s-0001-depth.png", "lens.json", "link.png")
        out, depth, frame, frame_depth, lens, link = (self.path(name) for name in names)
        for name in names[:4]:
            Image.new("L", (32, 32), 200).save(self.path(name))
        with open(lens, "w") as file:
            json.dump({"lens": {"fNumber": 2, "apertureImage": "out.png"}}, file)
        os.link(out, link)
        os.symlink("s-0007.png", self.path("alias.png"))
        model, texture, data = (self.path(name) for name in ("m.gltf", "a b.png", "numbers.csv"))
        with open(model, "w") as file:
            json.dump({"asset": {"version": "2.0"}, "images": [{"uri": "a%20b.png"}]}, file)
        shutil.copy(out, texture)
        with open(data, "w") as file:
            file.write("1 2 3\n")
        box = shutil.copy(out, self.path("out-box.png"))
        shutil.copy(out, self.path("0002.png"))
        part = shutil.copy(out, self.path("v-unfinished-0001.mkv"))
        try:
            os.setxattr(part, "user.satdof.unfinished", b"")
            os.mkdir(self.path("other"))
            os.symlink("other/v.mkv", self.path("link.mkv"))
            linked = shutil.copy(out, self.path("other/link-unfinished-0001.mkv"))
            os.setxattr(linked, "user.satdof.unfinished", b"")
            os.symlink(part, self.path("rescue.mkv"))
            films = [("v.mkv", part), ("v.mkv", self.path("rescue.mkv")), ("link.mkv", linked)]
        except OSError:
            films = [("v.mkv", self.path("v.mkv"))]
        batch = ["--headless", "--capture", self.path("s.png")]
        photo = ["--image", frame, "--depth"]
        sequence = ["--headless", "--frames", "2", "--sequence", self.path("s.png")]
        for words, arguments in (
            (["--depth", "--export"], [*photo, depth, "--export", "depth", "--capture", out]),
            (
                ["--depth", "--sequence"],
                ["--image", out, "--depth", frame_depth, "--export", "depth", *sequence],
            ),
            (["--image", "--sequence"], [*photo, depth, *sequence]),
            (["--image", "--sequence"], ["--image", self.path("s-%04d.png"), *sequence, "--frames", "1"]),
            (["--aperture-image", "--capture"], ["--aperture-image", out, "--capture", out]),
            (["--aperture-image", "--capture"], ["--lens-preset", lens, "--capture", out]),
            (["--aperture-image", "--capture"], ["--aperture-image", out, "--capture", link]),
            (["--lens-preset", "--stats"], ["--lens-preset", lens, "--stats", lens]),
            (["--image", "--capture"], ["--image", self.path("s-%04d.png"), "--capture", frame]),
            (["--image", "--capture"], ["--image", self.path("0002.png"), frame, *batch]),
            (["--image", "--compare"], ["--image", box, "--headless", "--compare", "box", "--capture", out]),
            (["--model", "--capture"], ["--model", model, "--capture", texture]),
            (["--settings", "--stats"], ["--settings", lens, "--stats", lens]),
            (["--stats", "--sequence"], [*sequence, "--stats", self.path("s-0007.png")]),
            (["--capture", "--sequence"], [*sequence, "--capture", self.path("alias.png")]),
            *(
                (
                    ["--image", "--video"],
                    ["--image", film, "--depth", depth, "--frames", "2", "--video", self.path(name)],
                )
                for name, film in films
            ),
            (["--data", "--trace"], ["--trace", data, "--elements", "3", "--data", data]),
        ):
            self.refuse(2, [*words, "choose another name"], *arguments)
        for output in ("--save-lens", "--trace", "--lab"):
            words = ["FILE", output, "choose another name"]
            self.refuse(2, words, lens, output, lens, headless=False)

    def test_inputs_are_not_replaced_by_other_names_of_theirs(self):
        photo, depth, film = (self.path(name) for name in ("photo.png", "disp.pfm", "in"))
        Image.new("L", (32, 32), 200).save(photo)
        write_pfm(depth, numpy.ones((1, 1)))
        os.mkdir(film)
        for frame in (1, 2):
            shutil.copy(photo, os.path.join(film, f"f{frame}.png"))
        calibration, results = self.path("calib.txt"), self.path("r.json")
        for path in (calibration, results):
            with open(path, "w") as file:
                file.write("{}")
        with open(results, "w") as file:
            json.dump({"context": {}, "experiments": [], "rows": []}, file)
        os.symlink("photo.png", self.path("soft-0001.png"))
        os.link(photo, self.path("hard-0002.png"))
        os.symlink("photo.png", self.path("layer-0001-depth.png"))
        os.symlink("in/f2.png", self.path("film-0002.png"))
        os.symlink(photo, self.path("batch-photo-0001.png"))
        shutil.copy(photo, self.path("other.png"))

        def sequence(name, *options, image=photo):
            return [
                "--image",
                image,
                "--depth",
                depth,
                "--frames",
                "2",
                *options,
                "--sequence",
                self.path(name),
            ]

        pairs = ["--image", photo, self.path("other.png"), "--depth", depth]
        for words, arguments in (
            (["--image", "--sequence"], sequence("soft.png", "--first", "1", "--last", "1")),
            (["--image", "--sequence"], sequence("hard.png", "--resume")),
            (["--image", "--sequence"], sequence("layer.png", "--export", "depth")),
            (["--image", "--sequence"], sequence("film.png", image=os.path.join(film, "f%d.png"))),
            (["--image", "--sequence"], [*pairs, "--frames", "2", "--sequence", self.path("batch.png")]),
            (["calib.txt", "--stats"], ["--image", photo, "--depth", depth, "--stats", calibration]),
            (["--lab-from", "--lab"], ["--lab", results, "--lab-from", results]),
        ):
            self.refuse(2, [*words, "choose another name"], *arguments)

    def test_names_forge_no_lines(self):
        photos = [self.path("a.png"), self.path("b\n2 of 2 files done\n.png")]
        for photo in photos:
            Image.new("L", (32, 18), 200).save(photo)
        write_pfm(self.path("d.pfm"), numpy.ones((1, 1)))
        batch = ["--image", *photos, "--depth", self.path("d.pfm"), "--capture", self.path("c.png")]
        done = self.run_ok("--headless", *batch)
        self.assertEqual(done.stdout.splitlines().count("2 of 2 files done"), 1, done.stdout)

    def test_names_of_files_stand_on_one_line(self):
        name = "a\nb\x1b[31m\rc"
        shown = "a\\nb\\u001b[31m\\rc"
        os.mkdir(self.path(name))
        capture = ["--capture", self.path("c.png")]
        missing, folder = (os.path.join(self.folder, path) for path in ("no" + name, name))
        for arguments in (
            ["--settings", missing + ".json"],
            ["--image", missing + ".png"],
            ["--depth", missing + ".png", "--image", missing + ".png"],
            ["--model", missing + ".glb"],
            ["--environment", missing + ".hdr", "--scene", "teapots"],
            ["--filter", missing + ".json"],
            ["--shot", missing + ".json", "--frames", "2"],
            ["--lens-preset", missing + ".json"],
            ["--image", folder],
            ["--image", missing + ".mp4"],
            ["--image", missing + "%d.png"],
        ):
            done = start("--headless", *arguments, *capture)
            self.assertNotEqual(done.returncode, 0, arguments)
            self.assertIn(shown, done.stderr)
            self.assertEqual(done.stderr.count("\n"), done.stderr.count("satdof: "), done.stderr)
        for option in ("--export", "--animate", "--bit-depth", "--scene", "--focus", "--lens", "--size"):
            self.refuse(2, ["a\\nb"], option, name, *capture)
        self.refuse(2, ["a\\nb"], "--lab", self.path("l.json"), "--lab-only", name)
        for option, end in (
            ("--capture", "/c.png"),
            ("--capture", ".xyz"),
            ("--sequence", "/c.png"),
            ("--video", "/c.mkv"),
            ("--video", ".xyz"),
            ("--stats", "/s.json"),
        ):
            self.refuse(2, [shown], "--frames", "2", option, missing + end)

    def test_files_that_models_name_are_not_replaced(self):
        def written(name, text):
            with open(self.path(name), "w") as file:
                file.write(text)
            return self.path(name)

        texture, model = self.path("My tex.png"), self.path("m.obj")
        Image.new("RGB", (8, 8)).save(texture)
        written("first.mtl", "newmtl b\n")
        for library, name in (
            ("m.mtl", "map_Kd My tex.png"),
            ("first.mtl m.mtl", "map_Kd\tMy tex.png"),
            ("\tm.mtl", "map_Kd My tex.png  "),
            ("m.mtl", "map_Kd MY TEX.PNG"),
            ("M.MTL", "map_Kd -s 1 1 1 -clamp on My tex.png"),
        ):
            faces = "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nusemtl a\nf 1/1 2/1 3/1\n"
            written("m.obj", f"mtllib {library}\n{faces}")
            materials = written("m.mtl", f"newmtl a\n{name}\n")
            for output in (["--capture", texture], ["--stats", materials]):
                self.refuse(2, ["--model", output[0], "choose another name"], "--model", model, *output)
        written("m.mtl", "newmtl a\nmap_Kd tex-0001.png\n")
        frame = shutil.copy(texture, self.path("tex-0001.png"))
        frames = ["--frames", "1", "--sequence", self.path("tex.png")]
        self.refuse(2, ["--model", frame, "--sequence"], "--model", model, *frames)
        named = shutil.copy(texture, self.path("f\u00fcr.png"))
        other = written(
            "m.gltf", json.dumps({"asset": {"version": "2.0"}, "images": [{"uri": "f\u00fcr.png"}]})
        )
        self.refuse(2, ["--model", "--capture", "choose"], "--model", other, "--capture", named)

    def test_laboratory(self):
        path = self.path("a.json")
        for says, *arguments in (
            (["scans", "choose from", "segmented-scan"], "--lab", path, "--lab-only", "scans"),
            (["a.pdf", ".svg"], "--lab", self.path("a.pdf")),
            (["cannot write", "/nonexistent"], "--lab", "/nonexistent/a.json"),
            (["cannot write", "/nonexistent"], "--share", "/nonexistent/a.json"),
            (["--lab", "--share"], "--lab", path, "--share", self.path("b.json")),
            (["--lab --capture"], "--lab", path, "--capture", self.path("a.png")),
            (["--lab-only", "--lab FILE"], "--lab-only", "scan"),
            (["cannot read", "missing.json"], "--lab", path, "--lab-from", self.path("missing.json")),
            (["wall", "kernel"], "--lab", path, "--lab-timed", "wall"),
        ):
            self.refuse(2, says, *arguments, headless=False)
        damaged = self.path("damaged.json")
        with open(damaged, "w") as file:
            file.write('{"context": {}, "rows": [')
        self.refuse(2, ["damaged.json"], "--lab", path, "--lab-from", damaged, headless=False)

    def test_runs_that_draw_no_frame(self):
        image, video, lens, table = (self.path(name) for name in ("a.png", "a.mp4", "a.json", "a.csv"))
        for words, *arguments in (
            ("--trace --sequence", "--trace", table, "--sequence", image, "--frames", "3"),
            ("--trace --video", "--trace", table, "--video", video, "--frames", "3"),
            ("--save-lens --capture", "--save-lens", lens, "--capture", image),
            ("--share --stats", "--share", lens, "--stats", self.path("s.json")),
            ("--save-lens --trace", "--save-lens", lens, "--trace", table),
        ):
            self.refuse(2, [words, "leave one option out"], *arguments)

    def test_sizes(self):
        for size in ("0x0", "100000x100000", "12x", "x12", "12", "-1x-1", "1e3x10", "nanxnan"):
            self.refuse(2, [size, "WIDTHxHEIGHT", "16384"], "--size", size, "--capture", self.path("a.png"))

    def test_too_large_for_this_machine(self):
        self.refuse(
            1,
            ["16384 x 16384 is too large", "free"],
            *"--size 16384x16384 --samples 16 --split --capture".split(),
            self.path("a.png"),
        )

    def test_tiles(self):
        scene = ("--size", "900x700", "--samples", "1", "--lens", "box", "--no-bokeh", "--overscan", "never")
        whole, tiles = self.path("whole.png"), self.path("tiles.png")
        self.draw(*scene, "--capture", whole)
        done = self.draw(*scene, "--capture", tiles, "--memory", "68")
        self.assertIn("1 frame of 900x700", done.stdout)
        difference = numpy.abs(pixels(whole) - pixels(tiles))
        self.assertLessEqual(difference.max(), 2)
        self.assertLess((difference > 0).mean(), 0.02)
        small = (*scene, "--memory", "20")
        self.refuse(1, ["900 x 700", "tiles do not fit"], *small, "--capture", self.path("a.png"))
        self.refuse(1, ["900 x 700 is too large"], *small, "--sequence", self.path("a.png"))
        self.refuse(
            1, ["900 x 700 is too large"], *small, "--compare", "gems", "--capture", self.path("a.png")
        )
        self.refuse(2, ["--memory", "--headless"], "--memory", "68", headless=False)

    def test_numbers(self):
        for option, value, choice in (
            ("--focus", "nan", "from 0.1 to 10000"),
            ("--focus", "inf", "from 0.1"),
            ("--f-number", "0", "from 0.1 to 128"),
            ("--focal-length", "-5", "from 1 to"),
            ("--teapots", "2.5", "whole number"),
            ("--teapots", "0", "from 1 to 5000"),
            ("--block-size", "100", "power of two"),
            ("--bodies", "0", "from 1 to 16777216"),
            ("--bodies", "1e4", "whole number"),
            ("--solver", "fast", "cpu-tree"),
            ("--initial", "bang", "plummer, galaxies, collapse, disc"),
            ("--traversal", "sideways", "depth-first, breadth-first"),
            ("--softening", "0", "from 1e-04 to 1"),
            ("--time-step", "-1", "a number"),
            ("--opening-angle", "3", "from 0 to 2"),
            ("--frames", "0", "from 1"),
            ("--frames", "many", "whole number"),
            ("--fps", "nan", "a number"),
            ("--lamps=maybe", None, "true or false"),
            ("--bit-depth", "12", "8, 16 or 32"),
        ):
            arguments = [option] if value is None else [option, value]
            self.refuse(
                2,
                [option.split("=")[0], value or "maybe", choice],
                *arguments,
                "--capture",
                self.path("a.png"),
            )

    def test_focus_sweeps(self):
        for text in (
            *"focus= focus=1 focus=0:5 focus=1:nan focus=1: focus=1:2:3 focus=:2 lamps=1:2".split(),
            "image",
        ):
            self.refuse(2, ["--animate " + text, "focus=A:B"], "--animate", text, "--frames", "9")
        self.refuse(2, ["focus=A:B", "--frames"], "--animate", "focus=1:2", "--capture", self.path("a.png"))

    def test_shots(self):
        capture = ["--capture", self.path("a.png")]

        def file(name, content):
            with open(self.path(name), "w") as out:
                out.write(content)
            return self.path(name)

        good = file("good.json", shot_text(lens_fNumber=[(0, 2), (1, 4)]))
        self.refuse(2, ["missing.json", "No such file"], "--shot", self.path("missing.json"), *capture)
        self.refuse(2, [self.folder, "not an ordinary file"], "--shot", self.folder, *capture)
        for content, says in (
            ("{", "line 1"),
            ("{}", '"format" is missing'),
            (shot_text(lens_fNumbr=[(0, 2)]), 'did you mean "lens.fNumber"'),
            (shot_text(scene_kind=[(0, "bodies")]), '"scene.kind" takes no keys'),
            (
                shot_text(lens_fNumber=[(0, 2), (0, 4)]),
                "track 1 (lens.fNumber), key 2: the time 0 is not after",
            ),
            (shot_text(lens_fNumber=[(0, 1000)]), '"value" must be a number from 0.1 to 128, not 1000'),
        ):
            self.refuse(2, ["bad.json", says], "--shot", file("bad.json", content), *capture)
        pull = ["--animate", "focus=1:2", "--frames", "2"]
        self.refuse(2, ["--shot --animate", "leave one option out"], "--shot", good, *pull, *capture)
        frames = ["--sequence", self.path("a.png")]
        far = file("far.json", shot_text(lens_fNumber=[(0, 2), (20000, 4)]))
        self.refuse(2, ["more than 1000000 frames", "--fps"], "--shot", far, *frames)
        self.refuse(2, ["good.json", "writes the same file"], "--shot", good, "--stats", good, *capture)
        large = ["--size", "900x700", "--samples", "1", "--lens", "box", "--no-bokeh", "--overscan", "never"]
        more = file("more.json", shot_text(scene_samples=[(0, 1), (1, 16)]))
        self.refuse(1, ["--shot, 1 s: 900 x 700"], "--shot", more, "--memory", "85", *large, *frames)

    def test_settings_files(self):
        capture = self.path("a.png")

        def file(name, content):
            with open(self.path(name), "wb") as out:
                out.write(content)
            return self.path(name)

        def refuse(says, path):
            self.refuse(2, [path, *says], "--settings", path, "--capture", capture)

        refuse(["No such file"], self.path("missing.json"))
        refuse(["not an ordinary file"], self.folder)
        refuse(["JSON"], file("empty.json", b""))
        refuse(["line 2", "JSON"], file("cut.json", b'{"lens":\n{"fNumber": 2'))
        refuse(["JSON"], file("binary.json", bytes(range(256))))
        refuse(["JSON object"], file("list.json", b"[1, 2]"))
        refuse(["lens.fNumbr", "lens.fNumber"], file("key.json", b'{"lens": {"fNumbr": 2}}'))
        refuse(["lens.fNumber", '"2"', "a number"], file("type.json", b'{"lens": {"fNumber": "2"}}'))
        refuse(["lens.fNumber", "1000", "0.1 to 128"], file("range.json", b'{"lens": {"fNumber": 1000}}'))
        refuse(
            ["technique.table.scan", "bad", "cub"],
            file("name.json", b'{"technique": {"table": {"scan": "bad"}}}'),
        )
        Image.new("RGB", (4, 4)).save(self.path("plain.png"))
        refuse(["without satdof settings"], self.path("plain.png"))
        self.draw("--capture", self.path("good.png"))
        with open(self.path("good.png"), "rb") as good:
            refuse(["without satdof settings"], file("cut.png", good.read()[:300]))

        self.draw("--capture", self.path("good.exr"))
        with open(self.path("good.exr"), "rb") as good:
            refuse(["without satdof settings"], file("cut.exr", good.read()[:300]))
        self.draw("--capture", self.path("good.pfm"))
        refuse(["a PFM holds no settings"], self.path("good.pfm"))

    def test_formats_that_cannot_hold_what_is_asked_for(self):
        image = self.path("a.png")
        self.refuse(2, ["--bit-depth 32", "PNG", "8 or 16"], "--capture", image, "--bit-depth", "32")
        exr = self.path("a.exr")
        self.refuse(2, ["--bit-depth 8", "EXR", "16 or 32"], "--sequence", exr, "--bit-depth", "8")
        for name in ("a.jpg", "a.hdr", "a.pfm"):
            words = ["--bit-depth 16", name, "a single bit depth"]
            self.refuse(2, words, "--capture", self.path(name), "--bit-depth", "16")
        video = ["--frames", "2", "--video", self.path("a.mp4")]
        self.refuse(2, ["--bit-depth needs --capture"], *video, "--bit-depth", "16")
        self.refuse(
            2, ["--export", '"sky"', "colour, depth and coc"], "--capture", image, "--export", "depth,sky"
        )
        self.refuse(2, ["--export", "--capture"], "--export", "depth")
        self.refuse(2, [".hdr", ".exr"], "--capture", self.path("a.hdr"), "--export", "depth")

    def test_hostile_settings_files(self):
        """Pipes, devices, huge and deep files: refused in seconds, with little memory."""

        def chunk(kind, data, claims=None):
            size = len(data) if claims is None else claims
            return struct.pack(">I", size) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

        def text(data):
            return chunk(b"zTXt", b"satdof-settings\0\0" + zlib.compress(data, 9))

        header = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0))
        end = chunk(b"IDAT", zlib.compress(b"\0\0\0\0")) + chunk(b"IEND", b"")
        deep = b'{"a":' * 25000 + b"1" + b"}" * 25000
        files = {
            "deep.json": deep,
            "large.json": b" " * (1 << 20) + b"{}",
            "deep.png": header + text(deep) + end,
            "many.png": header + text(b" " * (8 << 20)) * 990 + end,
            "claims.png": header + chunk(b"tEXt", b"satdof-settings\0{}", claims=0x7FFFFFFF) + end,
        }
        for name, data in files.items():
            with open(self.path(name), "wb") as file:
                file.write(data)
        os.mkfifo(self.path("pipe"))
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        for name in [*map(self.path, files), self.path("pipe"), "/dev/zero", "/dev/full", self.folder]:
            self.refuse(2, ["cannot read", os.path.basename(name)], "--settings", name)
        kilobytes = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        self.assertLess(kilobytes, max(before, 1 << 20))

    def test_output_that_does_not_arrive(self):
        for option in ("--help", "--list", "--formats", "--version"):
            with open("/dev/full", "w") as full:
                done = subprocess.run(
                    [SATDOF, option], stdout=full, stderr=subprocess.PIPE, text=True, timeout=120
                )
            self.assertEqual(done.returncode, 1, option)
            self.assertIn("cannot write standard output", done.stderr)

    def test_files_over_their_limit(self):
        image = self.path("a.png")
        limited = ["bash", "-c", 'ulimit -f 4 && exec "$0" "$@"', SATDOF]
        done = run([*limited, "--headless", "--size", "200x200", "--capture", image])
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("File too large", done.stderr)
        self.assertFalse(os.path.exists(image))

    def test_paths_that_cannot_be_written(self):
        with open(self.path("file"), "w") as file:
            file.write("kept")
        for option in ("--capture", "--sequence", "--stats"):
            for path, reason in (
                ("/no/such/folder/a.png", "No such file or directory"),
                (self.path("file/a.png"), "Not a directory"),
                ("/proc/a.png", "cannot write"),
                (self.path("n" * 300 + ".png"), "File name too long"),
            ):
                self.refuse(2, [path, reason], option, path)
        os.mkdir(self.path("folder.png"))
        self.refuse(2, [self.path("folder.png"), "ordinary file"], "--capture", self.path("folder.png"))
        self.refuse(2, ["/dev/null", "ordinary file"], "--stats", "/dev/null")
        self.refuse(2, ["a.bmp", ".png, .jpg, .exr, .hdr, .pfm or .tif"], "--capture", self.path("a.bmp"))
        self.refuse(2, ["--with-ui"], "--with-ui", "--capture", self.path("a.png"))
        with open(self.path("file")) as file:
            self.assertEqual(file.read(), "kept")

    def test_devices_that_cannot_run_here(self):
        for device in {"cuda", "gl-compute", "gl-fragment"} - set(CAN["device"]):
            self.refuse(1, [device, "--list"], "--device", device, "--capture", self.path("a.png"))

    def test_solvers_that_cannot_run_here(self):
        bodies = ["--scene", "bodies", "--capture", self.path("a.png")]
        for solver in {"cuda-naive", "cuda-tiled", "cuda-tree"} - set(CAN["solver"]):
            self.refuse(1, [solver, "--list"], *bodies, "--solver", solver)
        self.refuse(
            1, ["cpu-loop", "at most", "--bodies"], *bodies, "--solver", "cpu-loop", "--bodies", "1000000"
        )
        self.refuse(
            1, ["steps", "--time-step"], *bodies, "--bodies", "9", "--time", "1e6", "--time-step", "1e-4"
        )

    def test_no_opengl_4_5(self):
        self.refuse(
            1,
            ["OpenGL 4.5", "OpenGL 3.3", "llvmpipe"],
            "--capture",
            self.path("a.png"),
            MESA_GL_VERSION_OVERRIDE="3.3",
            LIBGL_ALWAYS_SOFTWARE="1",
            __EGL_VENDOR_LIBRARY_FILENAMES=mesa_vendor(),
        )

    def test_too_little_address_space(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (600 << 20, 600 << 20))

        done = run([SATDOF, "--headless", "--size", "16x16"], preexec_fn=limit)
        self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (1, "", 1), done.stderr)
        self.assertIn("ulimit -v", done.stderr)

    def test_little_stack(self):
        for hard in (64 << 10, resource.RLIM_INFINITY):

            def limit(hard=hard):
                resource.setrlimit(resource.RLIMIT_STACK, (64 << 10, hard))

            command = [SATDOF, "--headless", "--size", "16x16", "--capture", self.path("a.png")]
            done = run(command, preexec_fn=limit)
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_too_few_threads(self):
        """Runs as another user: the limit counts all processes of a user and spares root."""
        user = 65534 if os.geteuid() == 0 else None

        def limit():
            resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))

        try:
            done = run([SATDOF, "--headless", "--size", "16x16"], preexec_fn=limit, user=user)
        except PermissionError:
            self.skipTest("another account cannot start the program")
        self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (1, "", 1), done.stderr)
        self.assertIn("ulimit -u", done.stderr)

    def test_no_display(self):
        nowhere = self.path("nowhere")  # no report of a crash of another run
        self.refuse(
            1,
            ["DISPLAY", "--headless"],
            *("--capture", self.path("a.png")),
            headless=False,
            XDG_STATE_HOME=nowhere,
        )

    def test_data_that_is_not_there(self):
        self.refuse(1, ["SATDOF_DATA", self.folder], "--capture", self.path("a.png"), SATDOF_DATA=self.folder)
        loop = self.path("loop")
        os.symlink("loop", loop)
        self.refuse(1, [f"cannot read SATDOF_DATA={loop}"], "--capture", self.path("a.png"), SATDOF_DATA=loop)


if __name__ == "__main__":
    unittest.main()
