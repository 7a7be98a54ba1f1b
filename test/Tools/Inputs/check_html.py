"""Checks pages of uop-report, and says what is on them.

    check_html.py PAGE       one page: its links, tables and pictures
    check_html.py --png PNG  a screenshot: that something is on it

A page has to be whole: every tag closed, every picture well-formed XML with
finite numbers, every link to a place on the page, nothing from elsewhere.
"""

import re
import struct
import sys
import xml.etree.ElementTree as ElementTree
import zlib
from html.parser import HTMLParser

VOID = {"meta", "br", "img", "link", "input", "hr"}
SVG = "{http://www.w3.org/2000/svg}"
NUMBERS = {"x", "y", "x1", "x2", "y1", "y2", "cx", "cy", "r", "width", "height"}


class Page(HTMLParser):
    """The tags that are open, and what links lead to."""

    def __init__(self):
        super().__init__()
        self.open, self.ids, self.links = [], [], []
        self.tables = 0

    def handle_startendtag(self, tag, attributes):
        self.note(tag, dict(attributes))

    def handle_starttag(self, tag, attributes):
        self.note(tag, dict(attributes))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, f"</{tag}> closes {self.open}"
        self.open.pop()

    def note(self, tag, attributes):
        assert tag not in ("script", "link", "iframe", "img"), f"<{tag}> on the page"
        assert "src" not in attributes, f"<{tag} src={attributes.get('src')}>"
        self.tables += tag == "table"
        if "id" in attributes:
            self.ids.append(attributes["id"])
        if "href" in attributes:
            assert attributes["href"].startswith("#"), attributes["href"]
            self.links.append(attributes["href"][1:])


def check_picture(text):
    """One svg; returns its title."""
    picture = ElementTree.fromstring(text)
    if picture.get("aria-hidden") == "true":
        return None
    assert picture.get("role") == "img" and picture.get("aria-label")
    title, description = picture.find(SVG + "title"), picture.find(SVG + "desc")
    assert title is not None and title.text == picture.get("aria-label")
    assert description is not None and description.text
    width, height = float(picture.get("width")), float(picture.get("height"))
    for element in picture.iter():
        for name in NUMBERS & set(element.keys()):
            # Matched, since float() takes nan.
            assert re.fullmatch(r"-?\d+(\.\d+)?", element.get(name)), (
                f"{element.tag} {name}={element.get(name)}"
            )
        if element.tag == SVG + "rect":
            x, y = float(element.get("x")), float(element.get("y"))
            right = x + float(element.get("width"))
            bottom = y + float(element.get("height"))
            assert 0 <= x <= right <= width and 0 <= y <= bottom <= height, (
                f"a rect is outside of {title.text}"
            )
    return title.text


def check_page(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    page = Page()
    page.feed(text)
    page.close()
    assert not page.open, f"not closed: {page.open}"
    # It is XML, too, as a whole.
    ElementTree.fromstring(text.removeprefix("<!DOCTYPE html>\n"))
    assert len(page.ids) == len(set(page.ids)), "an id is there twice"
    missing = set(page.links) - set(page.ids)
    assert not missing, f"links lead nowhere: {missing}"
    print(f"{len(page.links)} links, {page.tables} tables")
    pictures = re.findall(r"<svg.*?</svg>", text, re.DOTALL)
    for title in filter(None, map(check_picture, pictures)):
        print("picture:", title)


def check_screenshot(path):
    with open(path, "rb") as file:
        data = file.read()
    assert data.startswith(b"\x89PNG\r\n\x1a\n"), "no PNG"
    pixels, at = b"", 8
    while at < len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        if data[at + 4 : at + 8] == b"IDAT":
            pixels += data[at + 8 : at + 8 + length]
        at += 12 + length
    pixels = zlib.decompress(pixels)
    # Filtered: where a pixel is like its neighbour there is a zero.
    share = 1 - pixels.count(0) / len(pixels)
    assert share > 0.01, f"only {share:.2%} of the page differ from blank paper"
    print("a page with something on it")


if sys.argv[1] == "--png":
    check_screenshot(sys.argv[2])
else:
    check_page(sys.argv[1])
