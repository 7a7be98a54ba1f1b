"""A client of a language server, as an editor is one.

Messages are JSON-RPC with a Content-Length, on the standard input and output of
the server. Nothing waits for longer than TIMEOUT seconds.
"""

import json
import queue
import subprocess
import threading

TIMEOUT = 60  # Seconds, far above what an answer takes under a sanitizer.


class Client:
    """The methods take and give lines and columns that count from 0, as the
    protocol does."""

    def __init__(self, command):
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self.messages = queue.Queue()
        self.diagnostics = {}
        self.last_id = 0
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        """Puts what the server says into the queue, and None at its end."""
        stream = self.process.stdout
        while True:
            length = None
            while True:
                line = stream.readline()
                if not line:
                    return self.messages.put(None)
                name, _, value = line.decode().strip().partition(":")
                if not name:
                    break
                if name.lower() == "content-length":
                    length = int(value)
            self.messages.put(json.loads(stream.read(length)))

    def _send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def _receive(self):
        try:
            message = self.messages.get(timeout=TIMEOUT)
        except queue.Empty:
            self.process.kill()
            raise AssertionError(f"no answer within {TIMEOUT} seconds") from None
        if message is None:
            raise AssertionError(f"the server has ended, with {self.process.wait()}")
        if message.get("method") == "textDocument/publishDiagnostics":
            params = message["params"]
            version = params.get("version")
            self.diagnostics[params["uri"], version] = params["diagnostics"]
        return message

    def notify(self, method, **params):
        self._send({"method": method, "params": params})

    def request(self, method, **params):
        """The result of a request; an error of the server is an exception."""
        self.last_id += 1
        self._send({"id": self.last_id, "method": method, "params": params})
        while True:
            message = self._receive()
            if message.get("id") == self.last_id:
                assert "error" not in message, message["error"]
                return message["result"]

    def wait_for_diagnostics(self, uri, version):
        while (uri, version) not in self.diagnostics:
            self._receive()
        return self.diagnostics[uri, version]

    def open(self, uri, text, version=1):
        document = {"uri": uri, "languageId": "mlir", "version": version, "text": text}
        self.notify("textDocument/didOpen", textDocument=document)
        return self.wait_for_diagnostics(uri, version)

    def change(self, uri, text, version):
        self.notify(
            "textDocument/didChange",
            textDocument={"uri": uri, "version": version},
            contentChanges=[{"text": text}],
        )
        return self.wait_for_diagnostics(uri, version)

    def ask(self, what, uri, position, **params):
        line, character = position
        return self.request(
            f"textDocument/{what}",
            textDocument={"uri": uri},
            position={"line": line, "character": character},
            **params,
        )

    def close(self):
        """Ends the session; gives the exit status of the server."""
        self.request("shutdown")
        self.notify("exit")
        try:
            return self.process.wait(timeout=TIMEOUT)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise AssertionError("the server does not end after 'exit'") from None
