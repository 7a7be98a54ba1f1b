#!/usr/bin/env python3
"""A session of an editor with the language server.

    lsp_session.py FILE SERVER...

FILE is test/Tools/uop-lsp-server.mlir, SERVER the command of the server.
"""

import sys
from pathlib import Path

from lsp_client import Client


class Document:
    """A text, and the places in it, named by what is written there."""

    def __init__(self, text):
        self.text = text

    def position(self, line, word=None):
        """Where the first line that has `line` has `word`, in it."""
        number, found = next(
            (n, t) for n, t in enumerate(self.text.splitlines()) if line in t
        )
        return number, found.index(line) + line.index(word or line)

    def range(self, line, word):
        row, column = self.position(line, word)
        return {
            "start": {"line": row, "character": column},
            "end": {"line": row, "character": column + len(word)},
        }

    def with_(self, old, new):
        assert old in self.text, old
        return Document(self.text.replace(old, new, 1))


def equal(got, expected):
    assert got == expected, f"\n     got {got}\nexpected {expected}"


def contains(text, *parts):
    for part in parts:
        assert part in text, f"no '{part}' in:\n{text}"


def check_diagnostics(client, uri, good):
    """Those of the verifier and of the parser, where they belong, and gone when
    the fault is."""
    bad = good.with_("%A[%m, %k]", "%A[%m]")
    (diagnostic,) = client.change(uri, bad.text, version=2)
    equal(diagnostic["severity"], 1)
    equal(
        diagnostic["message"],
        "'uop.load' op expected 2 indices for 'memref<64x48xf32>', but got 1",
    )
    equal(diagnostic["range"], bad.range("%a = uop.load", "uop.load"))
    # Not the op in generic form, which upstream's tools append.
    equal(diagnostic.get("relatedInformation"), None)
    equal(client.change(uri, good.text, version=3), [])

    bad = good.with_("%k = uop.range reduce 48", "%k = uop.range rows 48")
    (diagnostic,) = client.change(uri, bad.text, version=4)
    contains(diagnostic["message"], "unknown axis 'rows': expected one of loop,")
    equal(diagnostic["range"]["start"], bad.range("rows 48", "rows")["start"])

    # A rule of the whole kernel, with a note at the other place.
    bad = good.with_("over(%k)", "over(%m)")
    (diagnostic,) = client.change(uri, bad.text, version=5)
    equal(diagnostic["range"], bad.range("%c = uop.reduce", "uop.reduce"))
    (note,) = diagnostic["relatedInformation"]
    equal(note["message"], "the range is defined here")
    equal(note["location"]["range"], bad.range("%m = uop.range", "uop.range"))

    # Loop form, where the second thread would come to no barrier.
    bad = good.with_("  uop.barrier\n", "  uop.load %x[%t] : memref<32xf32>\n")
    (diagnostic,) = client.change(uri, bad.text, version=6)
    contains(diagnostic["message"], "'uop.load' op is not allowed in loop form")
    equal(client.change(uri, good.text, version=7), [])


def check_hover(client, uri, good):
    def hover(line, word):
        answer = client.ask("hover", uri, good.position(line, word))
        equal(answer["range"], good.range(line, word))
        return answer["contents"]["value"]

    contains(
        hover("%k = uop.range reduce", "uop.range"),
        '"uop.range"',
        "axis = #uop.axis<reduce>",
        "static_extent = 48",
    )
    contains(
        hover("over(%k)", "%k"), 'Operation: "uop.range"', "Type: `index`"
    )
    contains(
        hover("%c = uop.reduce", "uop.reduce"),
        "kind = #vector.kind<add>",
        "(f32, index) -> f32",
    )
    contains(
        hover("uop.store %c, %C[", "%C"), "Argument #2", "`memref<64x32xf32>`"
    )
    contains(hover("uop.launch @gemm", "@gemm"), '"uop.kernel" : public @gemm')
    contains(
        hover("%s = uop.alloc", "uop.alloc"),
        "memref<32xf32, #gpu.address_space<workgroup>>",
    )


def check_places(client, uri, good):
    def places(what, line, word, **params):
        answer = client.ask(what, uri, good.position(line, word), **params)
        equal({place["uri"] for place in answer}, {uri})
        return [place["range"] for place in answer]

    def references(line, word):
        context = {"includeDeclaration": True}
        return places("references", line, word, context=context)

    equal(places("definition", "over(%k)", "%k"), [good.range("%k = ", "%k")])
    equal(
        places("definition", "uop.store %c, %C[", "%C"),
        [good.range("%C: memref", "%C")],
    )
    # A kernel is defined at its op.
    kernel = good.range("uop.kernel @gemm", "uop.kernel")
    equal(places("definition", "uop.launch @gemm", "@gemm"), [kernel])

    uses = [
        good.range("%k = ", "%k"),
        good.range("%A[%m, %k]", "%k"),
        good.range("%B[%k, %n]", "%k"),
        good.range("over(%k)", "%k"),
    ]
    equal(references("%B[%k, %n]", "%k"), uses)
    uses = [
        good.range("uop.kernel @gemm", "@gemm"),
        good.range("uop.launch @gemm", "@gemm"),
    ]
    equal(references("uop.kernel @gemm", "@gemm"), uses)
    equal(references("uop.launch @gemm", "@gemm"), uses)


def check_completion(client, uri, good):
    versions = iter(range(100, 200))

    def complete(old, new, line):
        """What is offered at the end of `new`, written instead of `old`."""
        changed = good.with_(old, new)
        client.change(uri, changed.text, next(versions))
        row, column = changed.position(line)
        answer = client.ask("completion", uri, (row, column + len(line)))
        return {item["label"]: item.get("detail") for item in answer["items"]}

    ops = complete("%k = uop.range reduce 48", "%k = uop.", "%k = uop.")
    for op in ("range", "load", "store", "reduce", "stage", "barrier", "launch"):
        assert op in ops, f"no uop.{op} among {sorted(ops)}"
    assert "addf" not in ops, ops

    axes = complete("reduce 48", "", "%k = uop.range ")
    for axis in ("loop", "reduce", "global", "local", "upcast", "unroll"):
        assert axis in axes, f"no axis {axis} among {sorted(axes)}"

    # The values that are defined there, and what they are.
    values = complete("uop.load %A[%m, %k]", "uop.load %", "%a = uop.load %")
    equal(values.get("%m"), "uop.range: index")
    equal(values.get("%A"), "arg #0: memref<64x48xf32>")
    assert "%p" not in values and "%t" not in values, values


def main():
    path, *server = sys.argv[1:]
    uri = Path(path).resolve().as_uri()
    good = Document(Path(path).read_text())
    client = Client(server)
    try:
        capabilities = client.request(
            "initialize", processId=None, rootUri=None, capabilities={}
        )["capabilities"]
        for name in ("hoverProvider", "definitionProvider", "referencesProvider"):
            equal(capabilities[name], True)
        contains(capabilities["completionProvider"]["triggerCharacters"], ".", "%")
        client.notify("initialized")

        equal(client.open(uri, good.text), [])
        check_hover(client, uri, good)
        check_places(client, uri, good)
        check_diagnostics(client, uri, good)
        check_completion(client, uri, good)
        client.notify("textDocument/didClose", textDocument={"uri": uri})
        equal(client.close(), 0)
    finally:
        client.process.kill()


if __name__ == "__main__":
    main()
