#!/usr/bin/env python3
"""File dialogs by the desktop portal: a fake portal on a private bus answers well or badly.

usage: portal_test.py PROGRAM SOURCE_DIR [--part K N] [unittest arguments]. See window.py.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import window
from window import PROGRAM, until

try:
    import dbus.mainloop.glib  # noqa: F401
    from gi.repository import GLib  # noqa: F401

    missing = [] if shutil.which("dbus-daemon") else ["dbus-daemon"]
except ImportError as error:
    missing = [str(error)]
if missing:
    print("SKIPPED: missing " + ", ".join(missing) + "; scripts/test.sh installs them")
    sys.exit(77)
listed = subprocess.run([PROGRAM, "--list"], capture_output=True, text=True).stdout
if re.search("^dialog +portal +not", listed, re.MULTILINE):
    print("SKIPPED: built without libdbus")
    sys.exit(77)

FAKE = pathlib.Path(__file__).with_name("fake_portal.py")
CHOSE, CANCELLED, FAILED, MISSING = 0, 1, 3, 4
ANSWER_S = 5
# {services}: the only folder of services. Those of the machine would start its own portal.
BUS = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:tmpdir=/tmp</listen><servicedir>{services}</servicedir><policy context="default">
<allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>"""


class BusTest(window.DisplayTest):
    def setUp(self):
        super().setUp()
        self.services = self.folder / "services"
        self.services.mkdir()
        config = self.folder / "bus.conf"
        config.write_text(BUS.format(services=self.services))
        self.bus = self.process("dbus-daemon", f"--config-file={config}", "--nofork", "--print-address")
        self.environment = {"DBUS_SESSION_BUS_ADDRESS": self.bus.stdout.readline().strip()}

    def process(self, *command, environment=None):
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, **(environment or {})},
        )

        def end():
            process.kill()
            process.communicate()

        self.addCleanup(end)
        return process

    def portal(self, *behaviour):
        portal = self.process(sys.executable, FAKE, *behaviour, environment=self.environment)
        self.assertEqual(json.loads(portal.stdout.readline()), {"ready": True})
        return portal

    def told(self, portal, key):
        """The next value that the fake portal prints for the key."""
        return next(told for told in map(json.loads, portal.stdout) if key in told)


class PortalTest(BusTest):
    def ask(self, *words, environment=None):
        """Runs the process that shows the dialog. Returns its exit status and its output."""
        done = subprocess.run(
            [PROGRAM, "--portal-dialog", *words],
            capture_output=True,
            timeout=window.TIMEOUT_S,
            env={**os.environ, **(environment or self.environment)},
        )
        return done.returncode, done.stdout.decode()

    def open_dialog(self, **keywords):
        return self.ask(
            "OpenFile", "satdof: open", "/photos/", "x11:1a", "Images", "*.[jJ][pP][gG]", **keywords
        )

    def test_files_are_opened(self):
        portal = self.portal("answers", "file:///photos/a%20b.jpg", "file://localhost/photos/%C3%A4%25.png")
        self.assertEqual(self.open_dialog(), (CHOSE, "/photos/a b.jpg\n/photos/ä%.png\n"))
        asked = self.told(portal, "method")
        self.assertEqual(
            (asked["method"], asked["window"], asked["title"]), ("OpenFile", "x11:1a", "satdof: open")
        )
        self.assertEqual(
            asked["options"],
            {
                "current_folder": "/photos",
                "multiple": 1,
                "filters": [["Images", [[0, "*.[jJ][pP][gG]"]]], ["All files", [[0, "*"]]]],
            },
        )

    def test_the_bus_starts_the_portal_for_the_first_dialog(self):
        service = self.services / "org.freedesktop.portal.Desktop.service"
        command = f'"{sys.executable}" "{FAKE}" answers file:///photos/a.jpg'
        service.write_text(f"[D-BUS Service]\nName={service.stem}\nExec={command}\n")
        for _ in range(2):
            self.assertEqual(self.open_dialog(), (CHOSE, "/photos/a.jpg\n"))

    def test_a_file_is_saved(self):
        portal = self.portal("answers", "file:///out/c.png")
        words = ["satdof: save image as", "/out/b.png", "", "Images", "*.png"]
        self.assertEqual(self.ask("SaveFile", *words), (CHOSE, "/out/c.png\n"))
        options = self.told(portal, "options")["options"]
        self.assertEqual((options["current_folder"], options["current_name"]), ("/out", "b.png"))
        self.assertNotIn("multiple", options)
        # A name that D-Bus cannot carry.
        status = self.ask("SaveFile", words[0], os.fsdecode(b"/out/\xff.png"), *words[2:])
        self.assertEqual(status, (CHOSE, "/out/c.png\n"))
        self.assertNotIn("current_name", self.told(portal, "options")["options"])

    def test_a_dialog_is_cancelled(self):
        for behaviour in ["cancels", "is closed"]:
            with self.subTest(behaviour):
                portal = self.portal(behaviour)
                self.assertEqual(self.open_dialog(), (CANCELLED, ""))
                portal.kill()
                portal.wait()

    def test_odd_answers_fail_with_a_reason(self):
        for behaviour, why in [
            (
                ["answers", "smb://server/photo.jpg"],
                'chose "smb://server/photo.jpg", which is no file of this machine',
            ),
            (["answers", "file://server/photo.jpg"], "which is no file of this machine"),
            (["answers", "file://"], "which is no file of this machine"),
            (["answers", "/photo.jpg"], "which is no file of this machine"),
            (["answers", "file:///a.jpg", "file:///a%0Ab.jpg"], "whose name has control characters"),
            (["answers", "file:///a%00.jpg"], "whose name has control characters"),
            (["answers", "file:///a%4"], "which is not well-formed"),
            (["answers", "file:///a%zz"], "which is not well-formed"),
            (["answers"], "chose no file"),
            (["numbers"], "chose no file"),
            (["garbage"], "answered something else than files"),
            (["shows nothing"], "showed no dialog"),
            (["raises"], "failed: no room"),
            (["dies"], "ended"),
            (["hangs"], f"did not answer within {ANSWER_S} s"),
        ]:
            with self.subTest(behaviour):
                portal = self.portal(*behaviour)
                status, said = self.open_dialog()
                self.assertEqual(status, FAILED)
                self.assertIn(why, said)
                portal.kill()
                portal.wait()

    def test_there_is_no_portal(self):
        self.assertEqual(self.open_dialog(), (MISSING, ""))
        for address in ["", "unix:path=/nowhere/bus"]:
            environment = {"DBUS_SESSION_BUS_ADDRESS": address, "XDG_RUNTIME_DIR": str(self.folder)}
            self.assertEqual(self.open_dialog(environment=environment), (MISSING, ""))

    def test_the_bus_ends_or_hangs(self):
        portal = self.portal("waits")
        words = ["--portal-dialog", "OpenFile", "", "/", "", "Images", "*.png"]
        asked = self.process(PROGRAM, *words, environment=self.environment)
        portal.stdout.readline()
        self.bus.terminate()
        self.assertRegex(asked.communicate(timeout=window.TIMEOUT_S)[0], "ended|disconnected")
        self.assertEqual(asked.returncode, FAILED)
        silent = self.folder / "silent"
        listener = self.process(
            sys.executable,
            "-c",
            "import socket, sys; s = socket.socket(socket.AF_UNIX); s.bind(sys.argv[1]); s.listen(); print(); sys.stdin.read()",
            silent,
        )
        listener.stdout.readline()
        status, said = self.open_dialog(environment={"DBUS_SESSION_BUS_ADDRESS": f"unix:path={silent}"})
        self.assertEqual((status, said), (FAILED, f"did not answer within {ANSWER_S} s"))


class PortalWindowTest(BusTest):
    def setUp(self):
        super().setUp()
        self.photo = self.red_photograph(self.folder)
        self.environment |= {"PATH": str(self.programs), "XDG_CACHE_HOME": str(self.folder / "cache")}

    def start_image(self):
        return self.start("--scene", "image", environment=self.environment)

    def test_a_photograph_is_opened(self):
        portal = self.portal("answers", self.photo.as_uri())
        run = self.start_image()
        run.key("ctrl+o")
        until("the photo", lambda: self.is_red(run))
        asked = self.told(portal, "method")
        self.assertEqual(asked["window"], f"x11:{run.window:x}")
        self.assertEqual(asked["options"]["current_folder"], str(self.folder))
        self.assertIn([0, "*.[jJ][pP][eE][gG]"], asked["options"]["filters"][0][1])
        self.assertIn([0, "*.[gG][lL][bB]"], asked["options"]["filters"][0][1])
        run.quit()

    def test_another_dialog_in_place_of_a_portal_that_hangs(self):
        self.portal("hangs")
        self.script("zenity", f'echo "{self.photo}"')
        run = self.start_image()
        run.key("ctrl+o")
        until("the photo", lambda: self.is_red(run))
        run.quit()

    def test_the_list_of_the_window_once_more(self):
        portal = self.portal("waits")
        run = self.start_image()
        before = run.settled()
        run.key("ctrl+o")
        self.assertEqual(self.told(portal, "method")["method"], "OpenFile")
        run.key("F2")
        before = run.changed_from(before)  # the window goes on
        run.key("ctrl+o")
        self.told(portal, "closed")
        run.changed_from(before, 0.1)
        run.xdotool("type", "red.")
        run.key("Return")
        until("the photo", lambda: self.is_red(run))
        run.quit()

    def test_a_dialog_that_is_open_ends_with_the_window(self):
        portal = self.portal("waits")
        run = self.start_image()
        run.key("ctrl+s")
        self.assertEqual(self.told(portal, "method")["method"], "SaveFile")
        run.quit()
        self.told(portal, "closed")


if __name__ == "__main__":
    window.main()
