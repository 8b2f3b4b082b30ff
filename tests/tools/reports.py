"""Check the requirements that readers of a report have: sarif, junit, github, gitlab, markdown, html.

Usage: reports.py FORM FILE [MORE]
MORE is a JSON schema for sarif, and for html a folder that its pictures are written to.
"""

import base64
import html.parser
import json
import os
import re
import sys
import urllib.parse
import xml.etree.ElementTree as tree

RULE = r'[A-Z][0-9]{3}'


def sarif(text, schema=None):
    """Checks the members that GitHub's code scanning reads, and the ones that viewers need to show a place."""
    log = json.loads(text)
    if schema:
        import jsonschema
        with open(schema, encoding='utf-8') as file:
            schema = json.load(file)
        jsonschema.validators.validator_for(schema)(schema).validate(log)
    assert log['version'] == '2.1.0' and log['$schema'].endswith('sarif-2.1.0.json')
    run, = log['runs']
    driver = run['tool']['driver']
    assert driver['name'] == 'lockstep' and re.fullmatch(r'\d+\.\d+\.\d+.*', driver['semanticVersion'])
    rules = {rule['id']: rule for rule in driver['rules']}
    assert len(rules) == len(driver['rules'])
    for name, rule in rules.items():
        assert re.fullmatch(RULE, name) and rule['name']
        assert rule['shortDescription']['text'] and rule['fullDescription']['text'] and rule['help']['text']
        assert rule['defaultConfiguration']['level'] in ('error', 'warning', 'note')
    assert run['columnKind'] in ('utf16CodeUnits', 'unicodeCodePoints')
    assert 0 < len(run['results']) <= 25000
    prints = set()
    for result in run['results']:
        assert result['ruleId'] in rules and result['level'] in ('error', 'warning', 'note') and result['message']['text']
        assert 1 <= len(result['locations']) <= 100
        for location in result['locations']:
            uri = location['physicalLocation']['artifactLocation']['uri']
            assert re.fullmatch(r"[A-Za-z0-9\-._~/:%]+", uri) and urllib.parse.unquote_to_bytes(uri)
            region = location['physicalLocation']['region']
            assert region['startLine'] >= 1 and region['startColumn'] >= 1
            assert region.get('endColumn', region['startColumn']) >= region['startColumn']
        prints.add((result['ruleId'], *result['partialFingerprints'].values()))
    assert len(prints) == len(run['results'])


def junit(text, _=None):
    """Checks that attributes and elements are allowed by Jenkins's schema (junit-10.xsd), that counts add up, and that
    Jenkins and GitLab can tell test cases apart.
    """
    root = tree.fromstring(text)
    assert root.tag == 'testsuites' and set(root.attrib) == {'name', 'tests', 'failures', 'errors', 'time'}
    total, names = {'tests': 0, 'failures': 0, 'errors': 0}, []
    for suite in root:
        assert suite.tag == 'testsuite' and set(suite.attrib) == {'name', 'tests', 'failures', 'errors', 'skipped', 'time'}
        cases = list(suite)
        assert int(suite.get('tests')) == len(cases) > 0
        assert int(suite.get('failures')) == len(suite.findall('testcase/failure'))
        for key in total:
            total[key] += int(suite.get(key))
        for case in cases:
            assert case.tag == 'testcase' and set(case.attrib) == {'classname', 'name', 'time'}
            assert re.fullmatch(RULE + r' [a-z0-9-]+', case.get('name'))
            assert case.get('classname') == 'lockstep.check.' + suite.get('name')
            assert len(case) <= 1 and all(child.tag in ('failure', 'system-out') for child in case)
            names.append((case.get('classname'), case.get('name')))
            for failure in case.findall('failure'):
                assert set(failure.attrib) == {'type', 'message'} and not len(failure)
                assert failure.get('type') in ('error', 'warning') and failure.get('message') and failure.text
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r'[0-9]*(\.[0-9]*)?', element.get('time', '')) for element in root.iter())
    assert total == {key: int(root.get(key)) for key in total} and total['failures'] > 0


def github(text, _=None):
    """Parses lines of a log as actions/runner does: ActionCommand.cs."""
    lines = text.splitlines()
    kinds = {'error': 0, 'warning': 0, 'notice': 0}
    for line in lines:
        command, properties, message = re.fullmatch(r'::([a-z]+) (.*?)::(.*)', line).groups()
        kinds[command] += 1
        names = dict(part.split('=', 1) for part in properties.split(','))
        assert set(names) <= {'file', 'line', 'col', 'title'} and names['title'] and message
        assert 'file' not in names or (int(names['line']) >= 1 and int(names['col']) >= 1)
        for part in (properties, message):
            assert re.fullmatch(r'([^%]|%[0-9A-F]{2})*', part) and not re.search('[\r\n]', urllib.parse.unquote(part)), part
    assert lines and all(n <= 10 for n in kinds.values()), kinds


def gitlab(text, _=None):
    """The fields that GitLab's page on Code Quality lists as required."""
    issues = json.loads(text)
    assert issues and len({issue['fingerprint'] for issue in issues}) == len(issues)
    for issue in issues:
        assert issue['description'] and issue['check_name'] and issue['severity'] in ('info', 'minor', 'major', 'critical', 'blocker')
        assert not issue['location']['path'].startswith('./') and issue['location']['lines']['begin'] >= 1


def markdown(text, _=None):
    """Checks that text outside of code spans (CommonMark 6.1) consists only of this program's words."""
    outside = []
    for line in text.splitlines():
        at = 0
        while True:
            opening = re.compile('`+').search(line, at)
            if not opening or (opening.start() and line[opening.start() - 1] == '\\'):
                outside.append(line[at:])
                break
            fence = opening.group()
            closing = re.compile('(?<!`)' + fence + '(?!`)').search(line, opening.end())
            assert closing, line
            outside.append(line[at:opening.start()])
            at = closing.end()
    rest = '\n'.join(outside)
    assert re.search(RULE, rest)
    for word in ('script', 'error::', 'onerror', '@all', 'http', '<', '##['):
        assert word not in rest, word


class Page(html.parser.HTMLParser):
    """Elements that the page may have, closed in their order, none with an address but pictures in the page itself."""

    KNOWN = set('html head meta title style body h1 h2 p span table tr td th a br code div figure figcaption img'.split())

    def __init__(self):
        super().__init__()
        self.opened, self.pictures = [], []

    def handle_starttag(self, tag, attrs):
        assert tag in self.KNOWN, tag
        for name, value in attrs:
            assert name in ('lang', 'charset', 'http-equiv', 'content', 'name', 'id', 'class', 'href', 'alt', 'src'), name
            assert name != 'href' or re.fullmatch('#' + RULE, value), value
            if name == 'src':
                self.pictures.append(base64.b64decode(value.removeprefix('data:image/jpeg;base64,'), validate=True))
        if tag not in ('meta', 'br', 'img'):
            self.opened.append(tag)

    def handle_endtag(self, tag):
        assert self.opened.pop() == tag, tag


def html_page(text, folder=None):
    """Parses the page as a browser does; the pictures are written to the folder."""
    page = Page()
    page.feed(text)
    page.close()
    assert not page.opened and "default-src 'none'" in text
    if folder:
        os.mkdir(folder)
        for i, picture in enumerate(page.pictures):
            with open(f'{folder}/{i:02}.jpg', 'wb') as file:
                file.write(picture)


FORMS = {'sarif': sarif, 'junit': junit, 'github': github, 'gitlab': gitlab, 'markdown': markdown, 'html': html_page}


def main(form, path, more=None):
    with open(path, encoding='utf-8', newline='') as file:
        FORMS[form](file.read(), more)


if __name__ == '__main__':
    main(*sys.argv[1:])
