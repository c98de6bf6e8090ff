"""An X client that owns a selection, with correct and faulty ways to answer requests."""

import select
import threading
import time

import Xlib.display
from Xlib import X, Xatom
from Xlib.protocol import event

PIECE = 20


class Owner:
    """An X client that owns a selection. Calls answer(owner, request) for each request."""

    def __init__(self, answer, selection="CLIPBOARD"):
        self.answer = answer
        self.display = Xlib.display.Display()
        self.window = self.display.screen().root.create_window(0, 0, 1, 1, 0, X.CopyFromParent)
        self.window.set_selection_owner(self.atom(selection), X.CurrentTime)
        self.display.sync()
        self.ended = False
        self.requests = 0
        self.thread = threading.Thread(target=self.serve)
        self.thread.start()

    def atom(self, name):
        return self.display.intern_atom(name)

    def next_event(self):
        """Waits for the next event; None after close()."""
        while not self.ended:
            if self.display.pending_events():
                return self.display.next_event()
            select.select([self.display], [], [], 0.05)
        return None

    def serve(self):
        while got := self.next_event():
            if got.type == X.SelectionRequest:
                self.requests += 1
                self.answer(self, got)

    def notify(self, request, kind, bits, data):
        """Sets the property of a request and notifies the requestor. `data`: None to refuse."""
        if data is not None:
            request.requestor.change_property(request.property, kind, bits, data)
        told = event.SelectionNotify(
            time=request.time,
            requestor=request.requestor,
            selection=request.selection,
            target=request.target,
            property=X.NONE if data is None else request.property,
        )
        request.requestor.send_event(told)
        self.display.flush()

    def close(self):
        self.ended = True
        self.thread.join()
        self.display.close()


def silent(owner, request):
    pass


def text(data):
    return lambda owner, request: owner.notify(request, request.target, 8, data)


def latin1_only(data):
    return lambda owner, request: owner.notify(
        request, Xatom.STRING, 8, data if request.target == Xatom.STRING else None
    )


def no_text(owner, request):
    owner.notify(request, request.target, 8, None)


def pieces(data, end=True, pause_s=0.0):
    """Sends `data` incrementally (INCR), a piece whenever the property is read. Without `end`, repeats the last piece forever."""

    def answer(owner, request):
        request.requestor.change_attributes(event_mask=X.PropertyChangeMask)
        owner.notify(request, owner.atom("INCR"), 32, [len(data)])
        rest = [data[at : at + PIECE] for at in range(0, len(data), PIECE)]
        while got := owner.next_event():
            if got.type != X.PropertyNotify or got.state != X.PropertyDelete or got.atom != request.property:
                continue
            piece = rest.pop(0) if rest else b""
            if not end and not rest:
                rest = [data[-PIECE:]]
            time.sleep(pause_s)
            request.requestor.change_property(request.property, request.target, 8, piece)
            owner.display.flush()
            if not piece:
                return

    return answer


def stalls_between_pieces(owner, request):
    owner.notify(request, owner.atom("INCR"), 32, [100])
