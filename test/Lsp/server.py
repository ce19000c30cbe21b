"""A language server and the messages to and from it."""
import json
import subprocess


class Server:
    def __init__(self, *options):
        self.process = subprocess.Popen(["cif-lsp", *options], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE)
        self.seen = lambda message: None

    def send(self, **message):
        body = json.dumps(dict(jsonrpc="2.0", **message)).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def receive(self, test):
        """The next message that passes the test; `seen` is told of all."""
        while True:
            length = 0
            while line := self.process.stdout.readline().strip():
                length = int(line.split(b":")[1])
            message = json.loads(self.process.stdout.read(length))
            self.seen(message)
            if test(message):
                return message

    def answer(self, id):
        return self.receive(lambda message: message.get("id") == id)

    def start(self, **options):
        self.send(id=1, method="initialize", params={"initializationOptions": options})
        self.answer(1)

    def open(self, uri, text):
        self.send(method="textDocument/didOpen", params={"textDocument": {
            "uri": uri, "languageId": "", "version": 1, "text": text}})

    def end(self):
        """The exit status."""
        self.send(id="end", method="shutdown")
        self.answer("end")
        self.send(method="exit")
        return self.process.wait(timeout=60)
