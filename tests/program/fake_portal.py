#!/usr/bin/env python3
"""A fake desktop portal: owns the portal's name on the session bus and answers by BEHAVIOUR.

usage: fake_portal.py BEHAVIOUR [URI...]. Prints a line once it is ready, then a line of JSON for each call and each closed request.
"""

import json
import os
import sys

import dbus
import dbus.mainloop.glib
import dbus.service
from gi.repository import GLib

NAME, PATH = "org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop"
CHOOSER, REQUEST = "org.freedesktop.portal.FileChooser", "org.freedesktop.portal.Request"
BEHAVIOUR, URIS = sys.argv[1], sys.argv[2:]


def plain(value):
    if isinstance(value, dbus.ByteArray):
        return bytes(value).rstrip(b"\0").decode()
    if isinstance(value, dict):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    return int(value) if isinstance(value, (dbus.Boolean, dbus.UInt32)) else str(value)


def tell(**what):
    print(json.dumps(what), flush=True)


class Request(dbus.service.Object):
    @dbus.service.signal(REQUEST, signature="ua{sv}")
    def Response(self, response, results):
        pass


class Portal(dbus.service.Object):
    count = 0

    def request(self, sender, method, window, title, options):
        Portal.count += 1
        tell(method=method, window=str(window), title=str(title), options=plain(options))
        path = f"{PATH}/request/{sender[1:].replace('.', '_')}/t{Portal.count}"
        request = Request(self.connection, path)
        bus.watch_name_owner(sender, lambda owner: None if owner else tell(closed=path))
        BEHAVIOURS[BEHAVIOUR](request)
        return dbus.ObjectPath(path)

    @dbus.service.method(CHOOSER, "ssa{sv}", "o", sender_keyword="sender", byte_arrays=True)
    def OpenFile(self, window, title, options, sender):
        return self.request(sender, "OpenFile", window, title, options)

    @dbus.service.method(CHOOSER, "ssa{sv}", "o", sender_keyword="sender", byte_arrays=True)
    def SaveFile(self, window, title, options, sender):
        return self.request(sender, "SaveFile", window, title, options)


def later(act, ms=200):
    GLib.timeout_add(ms, lambda: act() and False)


def respond(code, results, ms=200):
    def answer(request):
        later(lambda: request.Response(dbus.UInt32(code), dbus.Dictionary(results, signature="sv")), ms)

    return answer


def garbage(request):
    message = dbus.lowlevel.SignalMessage(request._object_path, REQUEST, "Response")
    message.append("no number", signature="s")
    later(lambda: bus.send_message(message))


def raises(_):
    raise dbus.DBusException("no room", name="org.freedesktop.portal.Error.Failed")


BEHAVIOURS = {
    "answers": respond(
        0, {"choices": dbus.Array([], signature="(ss)"), "uris": dbus.Array(URIS, signature="s")}
    ),
    "numbers": respond(0, {"uris": dbus.Array([1, 2], signature="u")}),
    "cancels": respond(1, {}),
    "shows nothing": respond(2, {}, 0),
    "is closed": respond(2, {}, 3000),
    "garbage": garbage,
    "raises": raises,
    "dies": lambda _: later(lambda: os._exit(1)),
    "waits": lambda _: None,
    "hangs": lambda _: None,
}

dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
bus = dbus.SessionBus()
name = dbus.service.BusName(NAME, bus)
portal = Portal(bus, PATH)
tell(ready=True)
if BEHAVIOUR == "hangs":
    sys.stdin.read()
GLib.MainLoop().run()
