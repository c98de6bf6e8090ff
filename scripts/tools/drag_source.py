"""Drops files on a window: the drag source of the XDND protocol, version 5. Needs python3-xlib."""

import select
import time

import Xlib.display
from Xlib import X, Xatom
from Xlib.protocol import event

XDND_VERSION = 5


class DragSource:
    """A program from which files are dragged to a window."""

    def __init__(self, answer_s):
        """`answer_s`: time limit for the window to answer, in seconds."""
        self.answer_s = answer_s
        self.display = Xlib.display.Display()
        self.window = self.display.screen().root.create_window(0, 0, 1, 1, 0, X.CopyFromParent)

    def close(self):
        self.display.close()

    def atom(self, name):
        return self.display.intern_atom(name)

    def send(self, target, name, *data):
        message = event.ClientMessage(
            window=target,
            client_type=self.atom(name),
            data=(32, [self.window.id, *data, *[0] * (4 - len(data))]),
        )
        target.send_event(message)
        self.display.flush()

    def wait_for(self, name, uris):
        """Waits for the message `name` from the window. Sends it `uris` when it requests them."""
        end = time.monotonic() + self.answer_s
        while time.monotonic() < end:
            if self.display.pending_events() == 0:
                select.select([self.display], [], [], 0.1)
                continue
            got = self.display.next_event()
            if got.type == X.ClientMessage and got.client_type == self.atom(name):
                return got.data[1]
            if got.type == X.SelectionRequest:
                got.requestor.change_property(got.property, got.target, 8, uris)
                got.requestor.send_event(
                    event.SelectionNotify(
                        time=got.time,
                        requestor=got.requestor,
                        selection=got.selection,
                        target=got.target,
                        property=got.property,
                    )
                )
                self.display.flush()
        raise AssertionError(f"the window does not answer with {name} within {self.answer_s} s")

    def drop(self, window, files, at):
        """Drops files at a point of the window with the ID `window`. Raises AssertionError if it does not accept them."""
        target = self.display.create_resource_object("window", window)
        aware = target.get_full_property(self.atom("XdndAware"), Xatom.ATOM)
        assert aware is not None and aware.value[0] >= XDND_VERSION, "the window takes no drops"
        uris = "".join(file.as_uri() + "\r\n" for file in files).encode()
        self.window.set_selection_owner(self.atom("XdndSelection"), X.CurrentTime)
        self.send(target, "XdndEnter", XDND_VERSION << 24, self.atom("text/uri-list"))
        self.send(target, "XdndPosition", 0, at[0] << 16 | at[1], X.CurrentTime, self.atom("XdndActionCopy"))
        accepts = self.wait_for("XdndStatus", uris)[1] & 1
        assert accepts, "the window refuses the drop"
        self.send(target, "XdndDrop", 0, X.CurrentTime)
        self.wait_for("XdndFinished", uris)
