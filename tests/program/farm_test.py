#!/usr/bin/env python3
"""Renders a sequence on a local Dask cluster of two workers, one of which is killed: farm_test.py SATDOF SCRIPT.

Compares the frames with those of one long run. Ends with status 77 where Dask is not installed.
"""

import errno
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from unittest import mock

try:
    import numpy
    from distributed import LocalCluster
    from PIL import Image
except ImportError as missing:
    print(f"skipped: {missing}; install python3-distributed")
    sys.exit(77)

SATDOF, SCRIPT = "", ""  # workers import this file without arguments
FRAMES = 12
OPTIONS = ["--size", "64x36", "--fps", "24", "--animate", "focus=0.5:3", "--lens", "box"]


class Farm(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="satdof-farm-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def farm(self, *arguments, options=OPTIONS, frames=FRAMES, name="a.png"):
        command = [sys.executable, SCRIPT, "--program", SATDOF, "--frames", str(frames), *arguments]
        return subprocess.Popen(
            [*command, "--sequence", str(self.folder / name), "--", *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def frames(self, stem="a"):
        return {path.name[len(stem) :]: path.read_bytes() for path in self.folder.glob(f"{stem}-*.png")}

    def test_a_killed_worker_and_a_resumed_sequence(self):
        long_run = [SATDOF, "--headless", *OPTIONS, "--frames", str(FRAMES)]
        subprocess.run([*long_run, "--sequence", self.folder / "long.png"], check=True, capture_output=True)
        expected = self.frames("long")
        self.assertEqual(len(expected), FRAMES)
        with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
            to_cluster = ["--scheduler", cluster.scheduler_address, "--chunk", "2"]
            farm = self.farm(*to_cluster)
            end = time.monotonic() + 60
            while not self.frames() and time.monotonic() < end and farm.poll() is None:
                time.sleep(0.02)
            os.kill(next(iter(cluster.workers.values())).pid, signal.SIGKILL)
            out, err = farm.communicate(timeout=600)
            self.assertEqual(farm.returncode, 0, out + err)
            self.assertIn(f"{FRAMES} frames are valid", out)
            self.assertEqual(self.frames(), expected)

            # Damaged, missing and foreign frames are rendered again, the others kept.
            (self.folder / "a-0003.png").write_bytes(expected["-0003.png"][:-100])
            (self.folder / "a-0007.png").unlink()
            shutil.copy(self.folder / "a-0001.png", self.folder / "a-0009.png")
            kept = self.folder / "a-0005.png"
            before = kept.stat().st_mtime_ns
            farm = self.farm(*to_cluster)
            out, err = farm.communicate(timeout=600)
            self.assertEqual(farm.returncode, 0, out + err)
            self.assertIn(f"{FRAMES - 3} of {FRAMES} frames are there", out)
            self.assertEqual(self.frames(), expected)
            self.assertEqual(kept.stat().st_mtime_ns, before)

    def test_two_workers_render_a_shot_as_one_run_does(self):
        yaw = [{"time": time, "value": value} for time, value in ((0, 0), (0.5, 90))]
        stops = [{"time": time, "value": value} for time, value in ((0, 1), (0.5, 4))]
        tracks = [{"field": "camera.yawDegrees", "keys": yaw}, {"field": "lens.fNumber", "keys": stops}]
        shot = self.folder / "shot.json"
        shot.write_text(json.dumps({"format": "satdof-shot", "version": 1, "tracks": tracks}))
        options = [*"--size 64x36 --fps 24 --lens layered --autofocus --autofocus-on point".split()]
        options += [*"--shutter-angle 180 --shutter-samples 2 --shot".split(), str(shot)]
        subprocess.run(
            [SATDOF, "--headless", *options, "--sequence", self.folder / "long.png"],
            check=True,
            capture_output=True,
        )
        farm = self.farm("--workers", "2", "--chunk", str(FRAMES // 2), options=options)
        out, err = farm.communicate(timeout=600)
        self.assertEqual(farm.returncode, 0, out + err)
        self.assertEqual(len(self.frames()), FRAMES)
        self.assertEqual(self.frames(), self.frames("long"))

    def test_inputs_are_found_wherever_they_are_named(self):
        def written(name, text="1"):
            path = self.folder / name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
            return str(path)

        def photographs(*names):
            for name in names:
                Image.new("L", (32, 18), 90).save(self.folder / name)
            return [str(self.folder / name) for name in names]

        def read(*options, mode=("--headless",)):
            done = subprocess.run([SATDOF, *mode, "--inputs", *options], check=True, capture_output=True)
            return set(json.loads(done.stdout)["inputs"])

        frames = photographs(*(f"photo-{frame:04d}.png" for frame in (1, 2, 3)))
        tool = written("tool.py")
        film = ["--image", str(self.folder / "photo-%04d.png"), "--frames", "2"]
        self.assertEqual(
            read(*film, "--depth-command", f"python3 {tool} {{image}} {{depth}}"), {*frames, tool}
        )
        self.assertEqual(read("--lens-preset", "mirror-500"), set(), "they belong to the program")
        for part in ("shaders", "assets"):
            os.symlink(os.path.abspath(os.path.join(os.path.dirname(SCRIPT), "..", part)), self.folder / part)
        with mock.patch.dict(os.environ, SATDOF_DATA=str(self.folder)):
            self.assertEqual(read(*film), {*frames}, "they are beside the program's files")
            self.assertEqual(read("--lens-preset", "mirror-500"), set())

        pair = photographs("a-colour.png", "a-depth.png")
        calibration = written("calib.txt")
        self.assertEqual(read("--image", pair[0]), {*pair, calibration})
        (self.folder / "photos").mkdir()
        opened = {*photographs("photos/b.png", "photos/b_depth.png", "photos/c.png")}
        for options in (["--image", str(self.folder / "photos")], sorted(opened)[::2]):
            self.assertEqual(read(*options, mode=()), opened)

        model = written("m.obj", "mtllib materials/m.mtl\nusemtl w\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
        parts = [written("materials/m.mtl", "newmtl w\nmap_Kd wood.png\n"), *photographs("wood.png")]
        self.assertLessEqual({model, *parts}, read("--model", model))

        os.unlink(calibration)
        # Captures of every format name the photograph of their settings.
        for name in ("c.png", "c.jpg", "c.exr", "c.hdr", "c.tif"):
            capture = str(self.folder / name)
            options = ["--headless", "--size", "32x18", "--image", pair[0], "--capture", capture]
            subprocess.run([SATDOF, *options], check=True, capture_output=True)
            self.assertEqual({capture, *pair}, read("--settings", capture), name)

    def test_workers_with_another_program_or_input_refuse(self):
        data, other = self.folder / "data", self.folder / "other"
        for folder in (data, other):
            shutil.copytree(os.path.join(os.path.dirname(SCRIPT), "../assets"), folder / "assets")
            shutil.copytree(os.path.join(os.path.dirname(SCRIPT), "../shaders"), folder / "shaders")
        (other / "shaders/new.glsl").write_text("")
        for folder, status in ((other, 1), (data, 0)):
            with (
                mock.patch.dict(os.environ, SATDOF_DATA=str(folder)),
                LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as cluster,
                mock.patch.dict(os.environ, SATDOF_DATA=str(data)),
            ):
                farm = self.farm(
                    "--scheduler", cluster.scheduler_address, options=["--size", "32x18"], frames=1
                )
                out, err = farm.communicate(timeout=600)
            self.assertEqual(farm.returncode, status, out + err)
            self.assertEqual("has another program" in err, status == 1, err)

        sys.path.insert(0, os.path.dirname(SCRIPT))
        import render_farm

        photo = self.folder / "in.png"
        Image.new("L", (32, 18), 90).save(photo)
        command = [SATDOF, "--headless", "--image", "in.png", "--sequence", str(self.folder / "c.png")]
        wanted = render_farm.sources(command, str(self.folder))
        Image.new("L", (32, 18), 91).save(photo)
        with self.assertRaisesRegex(RuntimeError, "has another in.png"):
            render_farm.render([*command, "--frames", "1"], str(self.folder), wanted, 1, 1)
        self.assertEqual(list(self.folder.glob("c-*")), [])

    def test_workers_read_the_files_and_the_program_of_the_caller(self):
        away, fakes = self.folder / "away", self.folder / "fakes"
        for folder, shade in ((self.folder, 40), (away, 200)):
            folder.mkdir(exist_ok=True)
            Image.new("RGB", (32, 18), (shade, 90, 90)).save(folder / "in.png")
            Image.new("L", (32, 18), shade).save(folder / "in-depth.png")
        fakes.mkdir()
        for name, options in (("satdof", ""), ("fakes/satdof", "--exposure 2")):
            (self.folder / name).write_text(f'#!/bin/sh\nexec {SATDOF} "$@" {options}\n')
            (self.folder / name).chmod(0o755)
        here = os.getcwd()
        self.addCleanup(os.chdir, here)
        options = ["--image", "in.png", "--size", "32x18"]
        with mock.patch.dict(os.environ, PATH=f"{fakes}:{os.environ['PATH']}"):
            os.chdir(away)
            with LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as cluster:
                os.chdir(self.folder)
                os.environ["PATH"] = f"{self.folder}:{os.environ['PATH']}"
                to_cluster = ("--scheduler", cluster.scheduler_address, "--program", "satdof")
                farm = self.farm(*to_cluster, options=options, frames=1)
                out, err = farm.communicate(timeout=600)
        self.assertEqual(farm.returncode, 0, out + err)
        expected = [SATDOF, "--headless", *options, "--frames", "1", "--sequence", "long.png"]
        subprocess.run(expected, check=True, capture_output=True)
        self.assertEqual(self.frames(), self.frames("long"))

    def rendered(self, *arguments, **keywords):
        """Renders two frames. Returns how many frames were there before, as text."""
        farm = self.farm(*arguments, frames=2, **keywords)
        out, err = farm.communicate(timeout=600)
        self.assertEqual(farm.returncode, 0, out + err)
        self.assertIn("2 frames are valid", out)
        return out.partition(" of 2 frames are there")[0].splitlines()[-1]

    def test_frames_of_other_options_programs_or_inputs_are_not_kept(self):
        with LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as cluster:
            to_cluster = ("--scheduler", cluster.scheduler_address)
            plain = ["--size", "32x18", "--no-animate", "--fps", "24"]
            sweep, other_sweep = ([*plain, "--animate", f"focus=0.5:{end}"] for end in (3, 4))
            for name in ("a.png", "a.pfm"):
                found = [
                    self.rendered(*to_cluster, options=options, name=name)
                    for options in (plain, plain, [*plain, "--focus", "2"], sweep, other_sweep, other_sweep)
                ]
                self.assertEqual(found, ["0", "2", "0", "0", "0", "2"], name)

            # A file that the options name, and one that such a file names.
            image, depth, settings = (self.folder / name for name in ("in.png", "depth.png", "s.json"))
            Image.fromarray(numpy.tile(numpy.arange(32, dtype=numpy.uint8), (18, 1))).save(depth)
            files = {"file": str(image), "depth": str(depth)}
            settings.write_text(json.dumps({"scene": {"kind": "image", "image": files}}))
            for options in (["--image", str(image), "--depth", str(depth)], ["--settings", str(settings)]):
                found = []
                for shade in (40, 40, 200):
                    Image.new("RGB", (32, 18), (shade, 90, 90)).save(image)
                    found.append(self.rendered(*to_cluster, options=options, name="b.pfm"))
                self.assertEqual(found, ["0", "2", "0"], options)

            shot, found = self.folder / "shot.json", []
            for end in (2, 2, 8):
                keys = [{"time": 0, "value": 1}, {"time": 0.1, "value": end}]
                tracks = [{"field": "lens.fNumber", "keys": keys}]
                shot.write_text(json.dumps({"format": "satdof-shot", "version": 1, "tracks": tracks}))
                found.append(self.rendered(*to_cluster, options=[*plain, "--shot", str(shot)], name="c.pfm"))
            self.assertEqual(found, ["0", "2", "0"])

            manifest = self.folder / "b.manifest.json"
            manifest.write_text(json.dumps({**json.loads(manifest.read_text()), "version": "satdof 0"}))
            self.assertEqual(self.rendered(*to_cluster, options=options, name="b.pfm"), "0")

    def test_the_video_has_the_rate_of_the_sequence(self):
        if not shutil.which("ffprobe"):
            self.skipTest("needs ffmpeg")
        from surroundings import probed  # workers import this file from another folder

        video, hard = self.folder / "a.mkv", self.folder / "hard.mkv"
        video.write_text("old")
        video.chmod(0o640)
        for links in (1, 2):
            self.rendered("--video", str(video), options=["--size", "32x18", "--fps=12"])
            self.assertEqual(probed(video, "r_frame_rate,nb_read_frames"), "12/1,2")
            self.assertEqual((video.stat().st_mode & 0o777, video.stat().st_nlink), (0o640, links))
            hard.unlink(missing_ok=True)
            hard.hardlink_to(video)

    def test_a_film_has_its_rate(self):
        if not shutil.which("ffprobe"):
            self.skipTest("needs ffmpeg")
        from surroundings import probed  # workers import this file from another folder

        film, depth, video = (str(self.folder / name) for name in ("in.mp4", "depth.png", "out.mp4"))
        written = ["--headless", "--size", "32x18", "--frames", "2", "--fps", "12", "--video", film]
        subprocess.run([SATDOF, *written], check=True, capture_output=True)
        Image.new("L", (32, 18), 90).save(depth)
        self.rendered("--video", video, options=["--image", film, "--depth", depth])
        self.assertEqual(probed(video, "r_frame_rate,nb_read_frames"), "12/1,2")

    def test_a_video_is_encoded_as_the_program_encodes_it(self):
        if not shutil.which("ffprobe"):
            self.skipTest("needs ffmpeg")
        from surroundings import probed  # workers import this file from another folder

        clear = ["--background", "transparent"]
        options = ["--size", "32x18", "--fps", "4", "--teapots", "1"]
        for name, more in (("a.mkv", clear), ("b.gif", []), ("c.mp4", [])):
            single, video = self.folder / f"single-{name}", self.folder / name
            command = [SATDOF, "--headless", "--frames", "2", *options, *more, "--video", single]
            subprocess.run(command, check=True, capture_output=True)
            self.rendered("--video", str(video), options=[*options, *more], name=f"{video.stem}.png")
            formats = [probed(path, "codec_name,pix_fmt,nb_read_frames") for path in (single, video)]
            self.assertEqual(*formats)
            raw = [
                subprocess.run(
                    ["ffmpeg", "-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", "rgba", "-"],
                    check=True,
                    capture_output=True,
                ).stdout
                for path in (single, video)
            ]
            frames = [numpy.frombuffer(bytes_of, numpy.uint8).astype(int) for bytes_of in raw]
            self.assertLessEqual(numpy.abs(frames[0] - frames[1]).max(), 1, name)
        farm = self.farm(
            "--video", str(self.folder / "d.mp4"), options=[*options, *clear], frames=2, name="d.png"
        )
        out, err = farm.communicate(timeout=600)
        self.assertEqual((farm.returncode, out), (1, ""), err)
        self.assertIn("d.mp4: the transparent background is black in a .mp4", err)
        self.assertEqual(self.frames("d"), {})

    def test_a_full_disk_keeps_a_linked_film(self):
        sys.path.insert(0, os.path.dirname(SCRIPT))
        import render_farm

        part, film, hard = (self.folder / name for name in ("part", "film.mkv", "hard.mkv"))
        film.write_text("old")
        hard.hardlink_to(film)
        part.write_text("a new film")
        full = OSError(errno.ENOSPC, "No space left on device")
        with mock.patch("os.posix_fallocate", side_effect=full), self.assertRaises(OSError):
            render_farm.put(part, film)
        self.assertEqual((film.read_text(), part.read_text()), ("old", "a new film"))
        render_farm.put(part, film)
        self.assertEqual((film.read_text(), hard.read_text()), ("a new film", "a new film"))
        part.write_text("short")
        render_farm.put(part, film)
        self.assertEqual(hard.read_text(), "short")

    def test_a_manifest_may_be_a_link(self):
        manifest, other = self.folder / "a.manifest.json", self.folder / "elsewhere.json"
        self.assertEqual(self.rendered(options=["--size", "32x18"]), "0")
        manifest.rename(other)
        manifest.symlink_to(other.name)
        (self.folder / "a-0001.png").unlink()
        self.assertEqual(self.rendered(options=["--size", "32x18"]), "1")
        self.assertTrue(manifest.is_symlink())
        self.assertEqual(self.rendered(options=["--size", "32x18"]), "2")

    def test_options_that_choose_outputs_are_refused(self):
        old = self.folder / "old.mp4"
        old.write_bytes(b"film")
        files = {"capture": "c.png", "sequence": "s.png", "video": old.name, "trace": old.name}
        files |= {option: "new.json" for option in ("lab", "save-lens", "share", "stats")}
        given = {option: str(self.folder / name) for option, name in files.items()}
        for option, value in {**given, "first": "1", "last": "1", "frames": "1", "resume": "1"}.items():
            for words in ([f"--{option}", value], [f"--{option}={value}"]):
                farm = self.farm(options=["--size", "32x18", *words], frames=2)
                out, err = farm.communicate(timeout=600)
                self.assertEqual((farm.returncode, out), (1, ""), words)
                self.assertIn(f"--{option} after --", err)
                self.assertEqual([path.read_bytes() for path in self.folder.iterdir()], [b"film"], words)

    def test_layers_belong_to_their_frame(self):
        options = ["--size", "32x18", "--no-animate", "--export", "depth,coc"]
        self.assertEqual(self.rendered(options=options), "0")
        for layer in (self.folder / "a-0002-depth.png", self.folder / "a-0001-coc.png"):
            before = layer.read_bytes()
            layer.unlink() if "depth" in layer.name else layer.write_bytes(b"other")
            self.assertEqual(self.rendered(options=options), "1")
            self.assertEqual(layer.read_bytes(), before)
        self.assertEqual(self.rendered(options=options), "2")

    def fake_ffmpeg(self, words, script):
        """Puts a fake ffmpeg into PATH, which runs a shell script first if its arguments contain `words`."""
        encoder = shutil.which("ffmpeg")
        if not encoder:
            self.skipTest("needs ffmpeg")
        fakes = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        fake = fakes / "ffmpeg"
        fake.write_text(f'#!/bin/sh\ncase "$*" in *"{words}"*) {script};; esac\nexec {encoder} "$@"\n')
        fake.chmod(0o755)
        return mock.patch.dict(os.environ, PATH=f"{fakes}:{os.environ['PATH']}")

    def test_a_video_that_lacks_frames_is_not_kept(self):
        video = self.folder / "a.mkv"
        video.write_text("old")
        empties = 'for last; do :; done; cat > /dev/null; : > "${last#file:}"; exit 0'
        with self.fake_ffmpeg("image2pipe", empties):
            farm = self.farm("--video", str(video), options=["--size", "32x18"], frames=2)
        out, err = farm.communicate(timeout=600)
        self.assertEqual(farm.returncode, 1, out + err)
        self.assertIn("0 of 2 frames", err)
        self.assertEqual(video.read_text(), "old")

    def test_the_messages_of_ffmpeg_hold_nothing_up(self):
        for ending in ("", "; echo no reason >&2; exit 1"):
            with self.fake_ffmpeg("image2pipe", f"head -c 300000 /dev/zero | tr '\\0' e >&2{ending}"):
                farm = self.farm(
                    "--video", str(self.folder / "a.mkv"), options=["--size", "640x360"], frames=2
                )
            out, err = farm.communicate(timeout=600)
            self.assertEqual(farm.returncode, 1 if ending else 0, out + err)
            self.assertEqual("no reason" in err, bool(ending), err[-100:])
        self.assertGreater((self.folder / "a-0001.png").stat().st_size, 1 << 16, "more than a pipe holds")

    def end_while_it_hangs(self, number, ending, *arguments, **keywords):
        """Ends a farm once its hanging ffmpeg has written its process number; waits until that process ends."""
        number.unlink(missing_ok=True)
        farm = self.farm(*arguments, **keywords)
        while not (number.exists() and number.read_text().endswith("\n")):
            self.assertIsNone(farm.poll())
            time.sleep(0.02)
        farm.send_signal(ending)
        farm.communicate(timeout=600)
        self.assertEqual(farm.returncode, -ending if ending == signal.SIGKILL else 128 + ending)
        hung = pathlib.Path("/proc") / number.read_text().strip() / "cmdline"
        while hung.exists() and b"sleep" in hung.read_bytes():
            time.sleep(0.02)

    def test_ffmpeg_ends_with_the_farm(self):
        number = self.folder / "number"
        for words in ("image2pipe", "-f null"):
            with self.fake_ffmpeg(words, f"trap '' TERM; echo $$ > '{number}'; exec sleep 600"):
                for ending in (signal.SIGTERM, signal.SIGKILL):
                    video = ("--video", str(self.folder / "a.mkv"))
                    self.end_while_it_hangs(number, ending, *video, options=["--size", "640x360"], frames=2)

    def test_a_video_does_not_replace_an_input(self):
        if not shutil.which("ffmpeg"):
            self.skipTest("needs ffmpeg")
        photo, video, linked = (self.folder / name for name in ("in.mp4", "link.mp4", "hard.mp4"))
        photo.write_bytes(b"film")
        video.symlink_to(photo)
        linked.hardlink_to(photo)
        for output in (photo, video, linked):
            farm = self.farm("--video", str(output), options=["--image", str(photo)])
            out, err = farm.communicate(timeout=600)
            self.assertEqual((farm.returncode, out), (1, ""))
            self.assertIn("--video writes the same file", err)
            self.assertEqual(photo.read_bytes(), b"film")

    def test_a_farm_that_ends_early_ends_its_program_and_leaves_nothing(self):
        number, program = self.folder / "number", self.folder / "hangs.sh"
        program.write_text(f'#!/bin/sh\necho $$ > "{number}"\nexec sleep 600\n')
        program.chmod(0o755)

        def left():
            return list(self.folder.glob(".satdof-*"))

        for ending in (signal.SIGTERM, signal.SIGHUP, signal.SIGKILL):
            self.end_while_it_hangs(number, ending, "--program", str(program))
            self.assertEqual(len(left()), 1 if ending == signal.SIGKILL else 0, ending)
        self.farm(options=["--f-number", "0"]).communicate(timeout=600)
        self.assertEqual(left(), [], "the next call removes what a killed one left")

    def test_a_cluster_without_workers_is_told(self):
        with LocalCluster(n_workers=0, dashboard_address=None) as cluster:
            farm = self.farm("--scheduler", cluster.scheduler_address, "--patience", "6", frames=2)
            out, err = farm.communicate(timeout=600)
        self.assertEqual(farm.returncode, 1, out + err)
        self.assertIn("no worker is connected to tcp://", out)
        self.assertIn("no worker was connected", err)

    def test_a_file_of_the_user_with_the_name_of_the_manifest_stays(self):
        manifest = self.folder / "\x1b[31m.manifest.json"
        for text in (
            "mine",
            "{",
            "[1, 2]",
            json.dumps({"frames": {}}),
            json.dumps({"frames": 3, "inputs": {}}),
        ):
            manifest.write_text(text)
            farm = self.farm(options=["--size", "32x18"], frames=2, name="\x1b[31m.png")
            out, err = farm.communicate(timeout=600)
            self.assertEqual((farm.returncode, out), (1, ""), text)
            self.assertIn("\\x1b[31m.manifest.json is no manifest", err)
            self.assertEqual(
                {path.name: path.read_text() for path in self.folder.iterdir()}, {manifest.name: text}
            )

    def test_two_farms_of_a_sequence_do_not_mix(self):
        program = self.folder / "hangs.sh"
        program.write_text("#!/bin/sh\nexec sleep 600\n")
        program.chmod(0o755)
        first = self.farm("--program", str(program))
        while not list(self.folder.glob(".satdof-farm-*")):
            self.assertIsNone(first.poll())
            time.sleep(0.02)
        for name, status in (("a.png", 1), ("b.png", 0)):
            farm = self.farm(options=["--size", "32x18"], frames=1, name=name)
            out, err = farm.communicate(timeout=600)
            self.assertEqual(farm.returncode, status, out + err)
            self.assertEqual("another call writes" in err, status == 1, err)
        first.terminate()
        first.communicate(timeout=600)
        self.assertEqual(list(self.folder.glob(".satdof-*")), [])

    def test_a_program_that_refuses_ends_the_farm(self):
        farm = self.farm(options=["--f-number", "0"])
        out, err = farm.communicate(timeout=600)
        self.assertEqual((farm.returncode, out), (1, ""))
        self.assertIn("--f-number", err)
        self.assertEqual(list(self.folder.iterdir()), [])


if __name__ == "__main__":
    SATDOF, SCRIPT = (os.path.abspath(sys.argv.pop(1)) for _ in range(2))
    unittest.main()
