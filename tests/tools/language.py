#!/usr/bin/env python3
"""Check names, comments, messages and commit subjects against the language rules R1 to R9.

    language.py changed [BASE]     lists hits in lines added since the commit BASE, and bad subjects
    language.py hits [PREFIX...]   lists all hits, or those in files whose path begins with a PREFIX
    language.py counts             prints the number of hits of each rule in the whole tree
    language.py check              fails unless these counts equal those in tests/language.txt; lists hits beyond them
    language.py lower              stores lower counts in tests/language.txt; refuses to raise one
    language.py base               prints the commit that BASE defaults to; nothing if there is none

BASE defaults to $LANGUAGE_BASE, then to the merge base with the upstream branch, then to HEAD~1. A merge base that is
HEAD itself, as in a clean clone, counts as none. Without git, or if BASE does not exist (a shallow clone), `changed`
passes. Uncommitted changes and untracked files count as added.
A line that was moved, within a file or to another file, does not count. $ROOT names another tree, for tests.
"""
import bisect
import collections
import os
import re
import subprocess
import sys

STORED = "tests/language.txt"
LOWER = "tests/tools/language.py lower"
MAX_WORDS = 25
MAX_SUBJECT = 72
MAX_PRINTED = 12  # hits of one rule; `hits` prints all
QUOTES = ("\"", "'", "`")  # a word after one of them is mentioned, not used
FILES = re.compile(r"(?!samples/|tests/(?:golden|bad|fuzz/corpus)/)"
                   r"(?:.*\.(?:[ch]|inc|sh|bash|bats|py|md)|(?:.*/)?Makefile|man/.*\.in|man/topics/.*\.txt)")

# A hit is a part of a file's text; with start None it is the file's name.
Hit = collections.namedtuple("Hit", "start end message")
Rule = collections.namedtuple("Rule", "id title files find")

# --- lists of words; R8 skips raw strings, so the lists themselves are not hits ---

# R1: stems that are a bare verb, adjective or preposition, and words that no stem ends with.
# Commands of lockstep (cli/commands/back.c) and two-word stems (path_within, map_back) may use some of them.
BAD_STEMS = set(r"""
    alike back beside choose collect cover degrade examine expand fits fold glance hide idle late lay lend locate
    move pass pick plain prepare reap recognise rehearse shatter swap weigh when within""".split())
BAD_ENDS = set(r"""
    along apart built chosen done former given held kept laid lost made meant seen shown taken through told when
    without written""".split())
# R1, R2: nouns in -ed, -ing and -en, and two participles that name a case: warp_clipped, unsupported.
NOUNS = set(r"""
    bed bounding building clipped clustering crossing drawing embed encoding feed finding heading listing mapping
    matching naming need packing padding pen ring ringing rounding screen seed setting sharpen spacing speed spelling
    string subsampling ten tiling token unsupported warning""".split())
# R2: other words that are not nouns.
NOT_NOUNS = BAD_ENDS | set(r"begins beside between happens laid late near stays wrong".split())
# R3: verbs and auxiliaries that no name ends with, for their object is missing.
NO_OBJECT = set(r"""
    are covers does fills fits hangs has have holds is keeps knows lacks leaves loses needs owns serves stays suits
    takes wants""".split())
ADVERBS = set(r"again ahead apart away elsewhere here late now once so there".split())
PREPOSITIONS = set(r"at behind by for from in of on to with".split())
STATES = set(r"back before equal largest middle possible ready typical unreadable unknown variable".split())
PARTICIPLES = set(r"given held kept known left lost made seen shown taken told written".split())
VERBS = set(r"""
    begin build check choose collect copy count cut decode draw encode end expand fail fill find get identify join
    keep lay leave list load look make map mark match merge move name note open pack parse paste peek pick place
    print probe put read refuse remove render report run scan search send set show skip sort start step stop store
    take test trim try turn unpack use verify view wait walk write""".split())
OFFICIAL = set(r"begins_with ends_with starts_with".split())  # as in most string libraries
# R4: only where a name is declared, so that its uses may change. `rest` alone, and `at`, are not looked at: a
# pattern cannot tell the pointer from the index.
NOT_TYPES = set(r"return case else sizeof goto defined ifdef ifndef undef if elif".split())
LIMITS = re.compile(r"""(?:\b([A-Za-z_]\w*)[ ]\**|^[ \t]*|[{,][ ]?)
    \b((?:\w+_)?(?:MOST|LEAST|REST)(?:_\w+)?|(?:most|least)(?:_\w+)?|\w+_(?:most|least|rest))\b
    ([ ]*=(?!=))?""", re.M | re.X)
# R4: `least` and `most` of a row. Sources of plugins set these members by name, so a rename would break them; the
# struct inside lockstep has the same members, since rows.c asserts that both structs agree.
PLUGIN_LIMITS = {path: re.compile(r"    int least, most;") for path in (
    "src/param/param.h", "src/steps/plugin/lockstep_plugin.h")}
FIRST_WORD = re.compile(r"[\s\"'(]*(What|Of|As|One|Those|That|Is|Are|Has|May|Does|Did|Can|So|By|And|Behind)\b(?![-(])")
PREDICATE = re.compile(r"\n(?:\w+ )*bool (?:\w+_)?(?:is|are|has|can|must|needs)_\w+\(")
PHRASE = re.compile(r"""\b(?:of\s+which|that\s+of|those\s+that|others\s+than|none\s+of|so\s+it\s+is|nobody
    |ha(?:s|ve)\s+not\s+the)\b""", re.I | re.X)
# R8: these phrases, and the ones of R6, such as "none of".
MESSAGE_PHRASE = re.compile(PHRASE.pattern + r"""|\b(?:of\s+no\s+use|(?:gone|goes)\s+on\s+with
    |(?:is|are)\s+called\s+so)\b""", re.I | re.X)
# R7: "behind" is about depth next to a word of DEPTH, "lies" about a position in a file next to one of STORAGE.
POSITION = re.compile(r"\b(?:[Bb]ehind|[Ss]tands|[Ll]ies)\b")
DEPTH = re.compile(r"\b(?:camera|frosted|horizon|in front|occlu\w+|viewer)\b")
STORAGE = re.compile(r"\b(?:archives?|disk|files?|folders?|links?|paths?)\b")
SUBJECT = re.compile(r"[a-z0-9_./, -]+: (?!(?:What|Of|As|One|Those|That|Is|So|By|And)\b)[A-Z][a-z]")

# --- the parts of a file ---

C_PARTS = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:[^"\\\n]|\\.)*"(?:\s*"(?:[^"\\\n]|\\.)*")*|\'(?:[^\'\\\n]|\\.)+\'', re.S)
PYTHON_PARTS = re.compile(r'''(?<!\w)[rRbBfF]{0,2}(?:"""(?:[^\\]|\\.)*?"""|\'\'\'(?:[^\\]|\\.)*?\'\'\'
    |"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|\#[^\n]*(?:\n[ \t]*\#[^\n]*)*''', re.S | re.X)
# A comment after a command counts only without quotes, which could be around its "#".
HASH_COMMENTS = re.compile(r"^[ \t]*#(?!!)[^\n]*(?:\n[ \t]*#[^\n]*)*|(?<=\S)[ \t]+#[ \t][^\n\"'`]*$", re.M)
SHELL_TITLES = re.compile(r"""^[ \t]*@test[ ](?:"[^"\n]*"|'[^'\n]*')|\becho[ ](?:"[^"\n]*"|'[^'\n]*')""", re.M | re.X)
# In Markdown: code, tables, comments, headings; in topics of the manual, also `@name`. In roff: comments, examples, and macros that break a paragraph.
MARKDOWN_BREAKS = re.compile(r"""^[ ]*(```|~~~).*?^[ ]*\1|<!--.*?-->|^[ ]*[|][^\n]*|^\#+[ ][^\n]*
    |^@[\w-]+$|(?<=\n\n)(?:[ ]{4}[^\n]*\n+)+""", re.M | re.S | re.X)
ROFF_BREAKS = re.compile(r"""^\.(?:nf|EX)$.*?^\.(?:fi|EE)$|^\.(?!(?:[BI]|[BIR]{2})[ ])[^\n]*""", re.M | re.S | re.X)
# Where a sentence or an independent clause ends; \0 is anything but prose.
BREAK = re.compile(r"""[.!?;][)"'`*_\]]*(?=\s)
    |:[ \t]*\n|\n[ \t]*\n|\0+           # before a list; between paragraphs
    |\n(?=[ \t]*(?:[-*+]|\d+[.)])[ \t]) # before an item of a list
    |\n(?=[^\n]*\S[ ]{2,}\S)            # before a row of columns
    |\n(?=[ \t]*[\w-]+:[ ])             # before "name: text"
    """, re.X)


def blanks(match):
    return re.sub(r"[^\n]", " ", match[0])


def breaks(match):
    return re.sub(r"[^\n]", "\0", match[0])


class File:
    """A file's text and its comments, strings, prose and tables: pairs of an offset and a text without marks."""

    def __init__(self, path):
        self.path, self.name = path, os.path.basename(path)
        self.comments, self.strings, self.prose, self.cells, self.spans = [], [], [], [], []
        with open(path, encoding="utf-8", errors="replace", newline="") as f:
            self.text = f.read()
        ending = self.name.rpartition(".")[2]
        if ending in ("c", "h", "inc"):
            self.split_c()
        elif ending == "py":
            self.split_python()
        elif ending in ("md", "txt"):
            self.cells = [(m.start(), m[0]) for m in re.finditer(r"^ *[|].*", self.text, re.M)]
            text = MARKDOWN_BREAKS.sub(breaks, self.text)
            self.prose.append((0, re.sub(r"\]\([^)\s]*\)", lambda m: "]" * len(m[0]), text)))
        elif ending == "in":
            text = re.sub(r"^\.[BIR]{1,2} |\\f.|\\[&/,]", blanks, ROFF_BREAKS.sub(breaks, self.text), flags=re.M)
            self.prose.append((0, text))
        else:
            self.comments = [(m.start(), re.sub(r"^[ \t]*#+", blanks, m[0], flags=re.M))
                             for m in HASH_COMMENTS.finditer(self.text)]
            self.strings = [(m.start(), m[0]) for m in SHELL_TITLES.finditer(self.text)]

    def split_c(self):
        for m in C_PARTS.finditer(self.text):
            if m[0][0] == "/":
                self.comments.append((m.start(), re.sub(r"\A/[*/]+|\*+/\Z|^[ \t]*\*+(?=\s)", blanks, m[0], flags=re.M)))
            elif m[0][0] == '"':
                self.strings.append((m.start(), re.sub(r'"\s*"', blanks, m[0])))
            self.spans.append(m.span())

    def split_python(self):
        for m in PYTHON_PARTS.finditer(self.text):
            before = self.text[self.text.rfind("\n", 0, m.start()) + 1:m.start()]
            if m[0][0] == "#":
                if m[0][:2] != "#!":
                    self.comments.append((m.start(), re.sub(r"^[ \t]*#+", blanks, m[0], flags=re.M)))
            elif m[0][:3] in ('"""', "'''") and not before.strip():
                self.comments.append((m.start() + 3, m[0][3:-3]))
            elif m[0][0] not in "rR":
                self.strings.append((m.start(), m[0]))

    def line(self, offset):
        return self.text.count("\n", 0, offset) + 1

    def is_code(self, offset):
        i = bisect.bisect(self.spans, (offset, len(self.text))) - 1
        return i < 0 or self.spans[i][1] <= offset


# --- the rules ---


def is_participle(word):
    return re.search("[a-z](?:ed|ing)$", word) and word not in NOUNS


def find_file_names(file):
    """Looks at the last word of a stem only: in mapped_file, a noun follows the participle."""
    stem = file.name.partition(".")[0]
    last = stem.rpartition("_")[2]
    if (stem in BAD_STEMS and not file.path.startswith("cli/") or last in BAD_ENDS
            or stem.islower() and is_participle(last)):
        yield Hit(None, None, "a noun or verb + object, not " + stem)


def find_type_names(file):
    for m in re.finditer(r"^(?:typedef )?(?:struct|enum) (\w+)\s*\{", file.text, re.M):
        last = m[1].rpartition("_")[2]
        if last in NOT_NOUNS or is_participle(last) or re.search("[a-z]en$", last) and last not in NOUNS:
            yield Hit(*m.span(1), "a noun, not " + m[1])


def find_functions(file):
    """Finds names without an object; cannot tell a predicate from an action, nor a verb from a noun.

    So `bool box_contains(` and `bool defers_occlusion(` pass, and so does a bare verb such as `bool decode(`.
    """
    for m in re.finditer(r"^(?:\w+ )*bool \*?(\w+)\(", file.text, re.M):
        words = m[1].split("_")
        last, others = words[-1], set(words[:-1])
        is_state = others & {"is", "are", "has", "was", "have", "were"}
        if (last in NO_OBJECT or not others and (last in STATES or re.search("[^s]s$", last))
                or words[0] in ("could", "does", "did", "was", "should")
                or not is_state and last in ADVERBS
                or not is_state and not others & VERBS and m[1] not in OFFICIAL
                and (last in PREPOSITIONS or last in PARTICIPLES or last.endswith("ed") and last not in NOUNS)):
            yield Hit(*m.span(1), "is_/has_/can_/must_/needs_ + object, or verb + object, not " + m[1])


def find_limits(file):
    for m in LIMITS.finditer(file.text):
        is_declared = m[1] and m[1] not in NOT_TYPES or m[3] and m[2].isupper()
        is_public = file.path in PLUGIN_LIMITS and PLUGIN_LIMITS[file.path].match(
            file.text, file.text.rfind("\n", 0, m.start(2)) + 1)
        if is_declared and not is_public and file.is_code(m.start(2)):
            yield Hit(*m.span(2), "max, min or release, not " + m[2])


def find_first_words(file):
    for start, text in file.comments:
        m = FIRST_WORD.match(text)
        if m:
            yield Hit(start + m.start(1), start + m.end(1), "a verb or noun first, not " + m[1])
        elif file.name.endswith(".h") and PREDICATE.match(file.text, start + len(text)):
            if not re.match(r"\s*True if\b", text):
                yield Hit(start, start + len(text.split("\n")[0]), "a predicate's comment starts with \"True if\"")


def find_phrases(parts, phrase=PHRASE, quotes=QUOTES):
    for start, text in parts:
        for m in phrase.finditer(text):
            if text[m.start() - 1:m.start()] not in quotes:
                yield Hit(start + m.start(), start + m.end(), "not \"%s\"" % " ".join(m[0].split()))


def find_sentences(file):
    for start, text in file.comments + file.prose:
        ends = [0, *(m.end() for m in BREAK.finditer(text)), len(text)] if len(text) > 2 * MAX_WORDS else []
        for begin, end in zip(ends, ends[1:]):
            if text.count(" ", begin, end) + text.count("\n", begin, end) >= MAX_WORDS:
                sentence = re.sub(r"`[^`]*`", "code", re.sub(r"\A\s*[\w.-]+:\s", "", text[begin:end]))
                n = sum(1 for word in sentence.split() if re.search("[A-Za-z]", word))
                if n > MAX_WORDS:
                    begin += re.match(r"\s*", text[begin:end]).end()
                    yield Hit(start + begin, start + len(text[:end].rstrip()), "%d words in a sentence" % n)
    yield from find_phrases(file.comments + file.prose + file.cells)


def find_positions(file):
    for start, text in file.comments + file.prose + file.cells:
        for m in POSITION.finditer(text):
            near, word = text[max(0, m.start() - 60):m.end() + 60], m[0].lower()
            is_geometry = word == "behind" and DEPTH.search(near) or word == "lies" and not STORAGE.search(near)
            if not is_geometry and text[m.start() - 1:m.start()] not in QUOTES:
                yield Hit(start + m.start(), start + m.end(), "before, after or at, not " + m[0])


SOURCES, C, ALL = r"(?:src|cli)/.*", r".*\.(?:c|h|inc)", r".*"
RULES = [Rule(name, title, re.compile(files), find) for name, title, files, find in (
    ("R1", "file names", SOURCES, find_file_names),
    ("R2", "names of structs and enums", C, find_type_names),
    ("R3", "names of functions that return bool", C, find_functions),
    ("R4", "names of limits", C, find_limits),
    ("R5", "first words of comments", ALL, find_first_words),
    ("R6", "sentences", ALL, find_sentences),
    ("R7", "behind, stands, lies", ALL, find_positions),
    ("R8", "messages", ALL, lambda file: find_phrases(file.strings, MESSAGE_PHRASE, ())),
)]
BY_ID = {rule.id: rule for rule in RULES}


def find_hits(path, rules=RULES):
    """Yields (rule, file, hit) for one file."""
    if FILES.fullmatch(path) and os.path.isfile(path):
        file = None
        for rule in rules:
            if rule.files.fullmatch(path):
                file = file or File(path)
                yield from ((rule, file, hit) for hit in rule.find(file))


# --- the files, the changes and the counts ---


def git(*words):
    """Returns git's output, or None if git fails or is missing."""
    try:
        result = subprocess.run(("git", "-c", "core.quotePath=false", *words), capture_output=True, check=False)
    except OSError:
        return None
    return None if result.returncode else result.stdout.decode("utf-8", "replace")


def list_files():
    names = git("ls-files", "-z", "--cached", "--others", "--exclude-standard")
    if names is not None:
        return sorted(set(names.split("\0")))
    found = []
    for folder, folders, names in os.walk("."):
        folders[:] = [name for name in folders if name != ".git" and not (folder == "." and name.startswith("build"))]
        found += [os.path.normpath(os.path.join(folder, name)) for name in names]
    return sorted(found)


def find_base(base):
    """Returns the commit to compare with, or None."""
    base = base or os.environ.get("LANGUAGE_BASE")
    if base:
        base = git("rev-parse", "--verify", "--quiet", base + "^{commit}")
    else:
        base = git("merge-base", "HEAD", "@{upstream}")
        if not base or base == git("rev-parse", "HEAD"):
            base = git("rev-parse", "--verify", "--quiet", "HEAD~1")
    return base and base.strip()


def read_diff(base):
    """Returns the added lines as path: {number: text}, the paths that are new, and the texts of removed lines."""
    added, new, removed, path, n_old, n_new = collections.defaultdict(dict), set(), set(), "", 0, 0
    diff = git("diff", "-U0", "-M", "--no-color", "--no-ext-diff", "--no-textconv", "--relative", "--src-prefix=a/",
               "--dst-prefix=b/", base, "--") or ""
    for row in diff.split("\n"):
        if n_old and row.startswith("-"):
            n_old -= 1
            removed.add(row[1:].strip())
        elif n_new and row.startswith("+"):
            n_new -= 1
            added[path][number] = row[1:].strip()
            number += 1
        elif row.startswith("@@"):
            m = re.match(r"@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@", row)
            n_old, number, n_new = int(m[1] or 1), int(m[2]), int(m[3] or 1)
        elif row.startswith("+++ b/") or row.startswith("rename to "):
            path = row[6:].rstrip("\t") if row[0] == "+" else row[10:]
            if is_new or row[0] == "r":
                new.add(path)
        elif row.startswith(("diff ", "new file")):
            is_new = row[0] == "n"
    for path in (git("ls-files", "-z", "--others", "--exclude-standard") or "").split("\0"):
        if FILES.fullmatch(path):
            new.add(path)
            with open(path, encoding="utf-8", errors="replace", newline="") as f:
                added[path] = dict(enumerate((row.strip() for row in f.read().split("\n")), 1))
    return added, new, removed


def describe(path, file, hit):
    if hit.start is None:
        return "%s: %s" % (path, hit.message)
    line = file.line(hit.start)
    return "%s:%d: %s: %s" % (path, line, hit.message, file.text.split("\n")[line - 1].strip()[:100])


def find_changed(base):
    """Returns the hits in lines added since `base` as rule id: [text to print]."""
    added, new, removed = read_diff(base)
    shown = collections.defaultdict(list)
    for path in sorted(new.union(added)):
        lines = {number for number, text in added[path].items() if text not in removed}
        for rule, file, hit in find_hits(path):
            if (path in new if hit.start is None
                    else not lines.isdisjoint(range(file.line(hit.start), file.line(hit.end) + 1))):
                shown[rule.id].append(describe(path, file, hit))
    return shown


def find_all(prefixes=("",)):
    """Returns the hits in files below the prefixes as rule id: [text to print]."""
    shown = {rule.id: [] for rule in RULES}
    for path in list_files():
        if path.startswith(tuple(prefixes)):
            for rule, file, hit in find_hits(path):
                shown[rule.id].append(describe(path, file, hit))
    return shown


def find_subjects(base):
    for row in (git("log", "--no-merges", "--format=%h %s", base + "..HEAD") or "").splitlines():
        commit, _, subject = row.partition(" ")
        if len(subject) > MAX_SUBJECT or not SUBJECT.match(subject):
            yield "%s: %s" % (commit, subject)


def show(title, rows, room=MAX_PRINTED):
    print("%s (%d)" % (title, len(rows)))
    for row in rows[:room]:
        print("  " + row)


def count():
    return {name: len(rows) for name, rows in find_all().items()}


def read_stored():
    """Returns the stored counts; {} if there is no file."""
    if not os.path.exists(STORED):
        return {}
    with open(STORED, encoding="utf-8") as f:
        rows = [row.split() for row in f]
    if any(len(row) != 2 or row[0] not in BY_ID or not row[1].isdigit() for row in rows):
        sys.exit("%s: each line must be a rule and a number, such as \"R5 921\"" % STORED)
    return {name: int(number) for name, number in rows}


# --- the commands ---


def run_changed(base):
    commit = find_base(base)
    if not commit:
        print("nothing to compare with: no git, or no commit %s" % (base or os.environ.get("LANGUAGE_BASE", "HEAD~1")))
        return 0
    shown = find_changed(commit)
    subjects = list(find_subjects(commit))
    for name, rows in sorted(shown.items()):
        show("%s: %s" % (name, BY_ID[name].title), rows)
    if subjects:
        show("R9: commit subjects must be \"area: Verb ...\", at most %d columns" % MAX_SUBJECT, subjects)
    return 1 if shown or subjects else 0


def run_hits(prefixes):
    shown = {name: rows for name, rows in find_all(prefixes or ("",)).items() if rows}
    for name, rows in shown.items():
        show("%s: %s" % (name, BY_ID[name].title), rows, len(rows))
    return 1 if shown else 0


def run_check():
    shown, stored = find_all(), read_stored()
    counts = {name: len(rows) for name, rows in shown.items()}
    higher = [name for name in counts if counts[name] > stored.get(name, -1)]
    for name in higher:
        show("%s: %s: %d hits, but %s stores %s" % (
            name, BY_ID[name].title, counts[name], STORED, stored.get(name, "none")), shown[name])
    lower = [name for name in counts if counts[name] < stored.get(name, 0)]
    for name in lower:
        print("%s: %s: %d hits, but %s stores %d; store the lower count with %s" % (
            name, BY_ID[name].title, counts[name], STORED, stored[name], LOWER))
    return 1 if higher or lower else 0


def run_lower():
    counts, stored = count(), read_stored()
    higher = [name for name in counts if counts[name] > stored.get(name, counts[name])]
    for name in higher:
        print("%s: %d hits, but %s stores %d; a count may only fall" % (name, counts[name], STORED, stored[name]))
    if higher:
        return 1
    with open(STORED, "w", encoding="utf-8") as f:
        f.writelines("%s %d\n" % row for row in counts.items())
    return 0


def run_base():
    print(find_base(None) or "")
    return 0


def run_counts():
    for name, number in count().items():
        print("%s %5d %s" % (name, number, BY_ID[name].title))
    return 0


def main(words):
    os.chdir(os.environ.get("ROOT") or os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
    if words[:1] == ["changed"] and len(words) <= 2:
        return run_changed(words[1] if words[1:] else None)
    if words[:1] == ["hits"]:
        return run_hits(words[1:])
    commands = {"counts": run_counts, "check": run_check, "lower": run_lower, "base": run_base}
    if len(words) != 1 or words[0] not in commands:
        print(__doc__, file=sys.stderr)
        return 2
    return commands[words[0]]()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
