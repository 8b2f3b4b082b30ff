"""Reads the page that `lockstep stats OUT --html` writes."""
import html.parser
import re

VOID = {"meta", "img", "br"}


class Page(html.parser.HTMLParser):
    """Tables by id, as lists of rows of texts; pairs; tags; attributes. Fails if elements are not closed."""

    def __init__(self, path):
        super().__init__()
        self.open, self.tables, self.rows, self.tags, self.attributes = [], {}, None, [], []
        self.cell = None
        self.words = []
        self.source = open(path, encoding="utf-8").read()
        self.feed(self.source)
        assert not self.open, self.open

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.tags.append(tag)
        self.attributes.extend((tag, name, value) for name, value in attributes)
        if tag not in VOID:
            self.open.append(tag)
        if tag == "table":
            self.rows = self.tables.setdefault(given.get("id", "none"), [])
        elif tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.cell = []

    def handle_startendtag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes.extend((tag, name, value) for name, value in attributes)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag
        if tag in ("td", "th"):
            self.rows[-1].append("".join(self.cell))
            self.cell = None

    def handle_data(self, data):
        if self.cell is not None:
            self.cell.append(data)
        elif not self.open or self.open[-1] not in ("script", "style"):
            self.words.append(data)

    def body(self, table):
        """The rows of a table without its head."""
        return self.tables[table][1:]

    def text(self):
        return re.sub(r"\s+", " ", "".join(self.words))
