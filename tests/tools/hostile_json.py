"""Hostile JSON through the command. Usage: hostile_json.py LOCKSTEP SAMPLES FOLDER

Texts that are JSON and texts that are not, in the manner of JSONTestSuite; numbers, shapes, ids and invalid UTF-8. They
are read as annotations, as a pipeline, and as a member of both. Each is accepted, or refused with its code at its
place, without other messages. Prints differences, and counts.
"""

import json
import os
import shutil
import subprocess
import sys

LOCKSTEP, SAMPLES, FOLDER = sys.argv[1:]
IMAGE = 'hills/0002.png'
IMAGES = os.path.join(FOLDER, 'images')  # with that one
os.makedirs(os.path.dirname(os.path.join(IMAGES, IMAGE)))
shutil.copy(os.path.join(SAMPLES, 'images', IMAGE), os.path.join(IMAGES, IMAGE))
counts = {}
failed = 0

# --- valid JSON ---

YES = [
    '[[]   ]', '[""]', '[]', '["a"]', '[false]', '[null, 1, "1", {}]', '[null]', '[1\n]', ' [1]', '[1,null,null,null,2]',
    '[2] ', '[123e65]', '[0e+1]', '[0e1]', '[ 4]', '[-0.' + '0' * 76 + '1]', '[20e1]', '[-0]', '[-123]', '[-1]',
    '[1E22]', '[1E-2]', '[1E+2]', '[123e45]', '[123.456e78]', '[1e-2]', '[1e+2]', '[123]', '[123.456789]',
    '{"asd":"sdf", "dfg":"fgh"}', '{"asd":"sdf"}', '{}', '{"":0}', '{"min": -1.0e+28, "max": 1.0e+28}',
    '{"x":[{"id": "xxxxxxxxxx"}], "id": "xxxxxxxxxx"}', '{"a":[]}', '{"title":"\\u041f\\u043e"}', '{\n"a": "b"\n}',
    r'["\u0060\u012a\u12AB"]', r'["\uD801\udc37"]', r'["\ud83d\ude39\ud83d\udc8d"]', r'["\"\\\/\b\f\n\r\t"]',
    r'["\\u0000"]', r'["\""]', '["a/*b*/c/*d//e"]', r'["\\a"]', r'["\\n"]', r'["\u0012"]', r'["\uFFFF"]', '["asd"]',
    '[ "asd"]', r'["\uDBFF\uDFFF"]', r'["new\u00A0line"]', '["\U0010ffff"]', '["\uffff"]', '["\u2028"]', '["\u2029"]',
    '["\u0821"]', '["\u0123"]', '["\x7f"]', r'["\u0061\u30af\u30EA\u30b9"]', r'["new\u000Aline"]',
    r'["\uA66D"]', '["\u20ac\U0001d11e"]', r'["\uD834\uDd1e"]', r'["\u0022"]', r'["\u005C"]', r'["\u200B"]',
    r'["\u2064"]', r'["\uFDD0"]', r'["\uFFFE"]', r'["\uD83F\uDFFE"]', 'false', '42', '-0.1', 'null', '"asd"', 'true', '""',
    '["a"]\n', '[true]', ' [] ', '[' * 62 + ']' * 62, '[1e-400]', '[' + '9' * 300 + ']',
]
NO = [
    '[1 true]', '["": 1]', '[""],', '[,1]', '[1,,2]', '["x",,]', '["x"]]', '["",]', '["x"', '[x', '[3[4]]', '[1:2]', '[,]',
    '[-]', '[   , ""]', '["a",\n4\n,1,', '[1,]', '[1,,]', '["\x0ba"\\f]', '[*]', '[""', '[1,', '[1,\n1\n,1', '[{}',
    '[fals]', '[nul]', '[tru]', '[++1234]', '[+1]', '[+Inf]', '[-01]', '[-1.0.]', '[-2.]', '[-NaN]', '[.-1]', '[.2e-3]',
    '[0.1.2]', '[0.3e+]', '[0.3e]', '[0.e1]', '[0E+]', '[0E]', '[0e+]', '[0e]', '[1.0e+]', '[1.0e-]', '[1.0e]', '[1 000.0]',
    '[1eE2]', '[2.e+3]', '[2.e-3]', '[2.e3]', '[9.e+]', '[Inf]', '[NaN]', '[1+2]', '[0x1]', '[0x42]', '[Infinity]',
    '[0e+-1]', '[-123.123foo]', '[-Infinity]', '[-foo]', '[- 1]', '[-012]', '[-.123]', '[-1x]', '[1ea]', '[1.]', '[.123]',
    '[1.2a-3]', '[1.8011670033376514H-308]', '[012]', '["x", truth]', '{[: "x"}\n', '{"x", null}', '{"x"::"b"}', '{"a":"a" 123}',
    '{key: \'value\'}', '{"a" b}', '{:"b"}', '{"a":', '{"a"', '{1:1}', '{9999E9999:1}', '{null:null,null:null}', '{"id":0,,,,,}',
    "{'a':0}", '{"id":0,}', '{"a":"b"}/**/', '{"a":"b"}/**//', '{"a":"b"}//', '{"a":/*comment*/"b"}', '{"a":"b",,"c":"d"}', '{a: "b"}',
    '{"a":"a', '{ "foo" : "bar", "a" }', '{"a":"b"}#', ' ', r'["\uD800\u"]', r'["\uD800\u1"]', r'["\uD800\u1x"]', '[é]',
    r'["\x00"]', r'["\\\"]', '["\\\t"]', '["\\🌀"]', r'["\"]', r'["\u00A"]', r'["\uD834\uDd"]', r'["\uD800\uD800\x"]', r'["\a"]',
    r'["\uqqqq"]', '[\\u0020"asd"]', '[\\n]', '"', "['single quote']", 'abc', '["\\', '["new\nline"]', '["\t"]', r'"\UA66D"',
    '""x', '<.>', '[<null>]', '[1]x', '[1]]', '["asd]', 'aå', '[True]', '1]', '{"x": true,', '[][]', ']', '{}}', '{"":', '{"a":/*c*/"b"}',
    '{"a": true} "x"', '[', '', '[{', '{', '{]', '{,', '{[', '{"a', "{'a'", '["\\{["\\{["\\{["\\{', '*', '{"a":"b"}#{}', '[\\u000A""]',
    '[1', '[ false, nul', '[ true, fals', '[ false, tru', '{"asd":"asd"', 'å', '\u2060[]', '[\x0c]', '[\u00a0]',
    r'["\ud800"]', r'["\udc00"]', r'["\ud800x"]', r'["\udc00\ud800"]', r'["\ud800\ud800"]', r'["\u0000"]', r'{"\u0000":1}',
    '["a\x00a"]', '[1\x00]', '\x00', '[1e400]', '[-1e400]', '[1e999999999999]', '[' + '9' * 400 + ']', '[' * 65 + ']' * 65,
    '[' * 100000, '{"":' * 100000, '["a",\u2000"b"]', '[1' + ',1' * 200 + ',01]', '[1' + ',1' * 200 + ',1.]',
]

# Sequences that are not UTF-8, and the byte to report. They are the sequences of Kuhn's stress test (malformed,
# overlong, surrogates, above U+10FFFF) and more of their kinds.
TWO = [bytes([c]) + b' ' for c in range(0xc0, 0xe0)]
UTF8 = [
    *[(b'\x80', 0), (b'\xbf', 0), (b'\x80\xbf', 0), (b'\x80\xbf\x80', 0), (b'\x80\xbf\x80\xbf', 0), (b'\x80\xbf' * 2 + b'\x80', 0),
      (b'\x80\xbf' * 3, 0), (b'\x80\xbf' * 3 + b'\x80', 0), (bytes(range(0x80, 0xc0)), 0)],
    *[(b''.join(TWO), 0), (b''.join(bytes([c]) + b' ' for c in range(0xe0, 0xf0)), 0),
      (b''.join(bytes([c]) + b' ' for c in range(0xf0, 0xf8)), 0), (b'\xf8 \xf9 \xfa \xfb ', 0), (b'\xfc \xfd ', 0)],
    *[(b'\xc0', 0), (b'\xe0\x80', 0), (b'\xf0\x80\x80', 0), (b'\xf8\x80\x80\x80', 0), (b'\xfc\x80\x80\x80\x80', 0), (b'\xdf', 0),
      (b'\xef\xbf', 0), (b'\xf7\xbf\xbf', 0), (b'\xfb\xbf\xbf\xbf', 0), (b'\xfd\xbf\xbf\xbf\xbf', 0)],
    (b'\xc0\xe0\x80\xf0\x80\x80\xf8\x80\x80\x80\xfc\x80\x80\x80\x80\xdf\xef\xbf\xf7\xbf\xbf', 0),
    *[(b'\xfe', 0), (b'\xff', 0), (b'\xfe\xfe\xff\xff', 0)],
    *[(b'\xc0\xaf', 0), (b'\xe0\x80\xaf', 0), (b'\xf0\x80\x80\xaf', 0), (b'\xf8\x80\x80\x80\xaf', 0), (b'\xfc\x80\x80\x80\x80\xaf', 0)],
    *[(b'\xc1\xbf', 0), (b'\xe0\x9f\xbf', 0), (b'\xf0\x8f\xbf\xbf', 0), (b'\xf8\x87\xbf\xbf\xbf', 0), (b'\xfc\x83\xbf\xbf\xbf\xbf', 0)],
    *[(b'\xc0\x80', 0), (b'\xe0\x80\x80', 0), (b'\xf0\x80\x80\x80', 0), (b'\xf8\x80\x80\x80\x80', 0), (b'\xfc\x80\x80\x80\x80\x80', 0)],
    *[(bytes([0xed, a, b]), 0) for a, b in ((0xa0, 0x80), (0xad, 0xbf), (0xae, 0x80), (0xaf, 0xbf), (0xb0, 0x80), (0xbe, 0x80), (0xbf, 0xbf))],
    *[(b'\xed' + bytes([a, b]) + b'\xed' + bytes([c, d]), 0)
      for a, b in ((0xa0, 0x80), (0xad, 0xbf), (0xae, 0x80), (0xaf, 0xbf)) for c, d in ((0xb0, 0x80), (0xbf, 0xbf))],
    *[(b'\xf7\xbf\xbf\xbf', 0), (b'\xfb\xbf\xbf\xbf\xbf', 0), (b'\xfd\xbf\xbf\xbf\xbf\xbf', 0), (b'\xf4\x90\x80\x80', 0), (b'\xf5\x80\x80\x80', 0)],
    *[(b'\xc3\xa9\xc3(', 2), (b'\xe2\x82\xac\xe2\x82(', 3), (b'a\xe2(\xa1', 1), (b'\xf0\x9f\x98\x80\xf0\x9f\x98(', 4), (b'ab\xf0\x9f(\x80', 2),
      (b'\xf0(\x8c\xbc', 0), (b'\xc3\xa9\x80', 2), (b'\xef\xbf\xbd\xef\xbf', 3), (b'\x7f\x80', 1),
      (b'\xf4\x8f\xbf\xbf\xf4\xbf\xbf\xbf', 4), (b'\xed\x9f\xbf\xed\xa0\x80', 3), (b'0123456\xc3', 7)],
]


def fail(name, what, said=''):
    global failed
    failed += 1
    print(f'{name}: {what}: {said[:300]!r}')


def write(name, data):
    path = os.path.join(FOLDER, name)
    with open(path, 'wb') as file:
        file.write(data if isinstance(data, bytes) else data.encode('utf-8', 'surrogatepass'))
    return path


def ask(name, compat='repair', **files):
    """Exit code and messages of a dry run with these texts; never a crash."""
    command = [LOCKSTEP, 'run', '-v', '--dry-run', '-i', IMAGES, '-o', os.path.join(FOLDER, 'out')]
    command += ['--compat', compat]
    for option, data in {'p': PIPELINE, **files}.items():
        command += ['-' + option, write(option + '.json', data)]
        if option == 'a' and isinstance(data, str) and data.strip()[:1] == '[':  # results: of these images
            command += ['--image-list', write('list.json', coco())]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True)
    said = done.stderr.decode('utf-8', 'replace')
    if done.returncode not in (0, 3, 4) or any(word in said for word in ('Sanitizer', 'runtime error', 'assertion')):
        fail(name, f'ended with {done.returncode}', said)
    if any(c < 0x20 and c != 0x0a for c in done.stderr):
        fail(name, 'a control character in the messages', said)
    counts[name.split()[0]] = counts.get(name.split()[0], 0) + 1
    return done.returncode, said


PIPELINE = '{"version": 1, "transforms": []}'


def refused(name, code, words, **files):
    """Refused with these words, as "a.json:1:2: " or a code in brackets."""
    got, said = ask(name, **files)
    for word in words:
        if word not in said:
            fail(name, f'no {word}', said)
    if got != code:
        fail(name, f'exit {got}, not {code}', said)


def accepted(name, **files):
    got, said = ask(name, **files)
    if got or said:
        fail(name, f'exit {got}', said)


def noted(name, code, **files):
    """Reads and reports a note, or refuses it if requested."""
    got, said = ask(name, **files)
    if got or code not in said:
        fail(name, f'exit {got}', said)
    got, said = ask(name, 'strict', **files)
    if got != 4 or code not in said:
        fail(name, f'exit {got} in strict', said)


def coco(image='', annotation=None, more=''):
    """A file of one image, with more members of it, or with an annotation of these members."""
    text = '{"images": [{"file_name": "' + IMAGE + '"' + (image or ', "id": 1') + '}]'
    if annotation is not None:
        text += ',\n"annotations": [{"image_id": 1' + annotation + '}]'
    return text + more + '}'


def test_grammar():
    """Valid JSON as a whole file is at most the wrong kind of file."""
    for text in YES:
        for option, code in (('a', 4), ('p', 3)):
            got, said = ask('grammar ' + text[:40], **{option: text})
            results = option == 'a' and text.split() == ['[]']  # of a model that found nothing
            if got != (0 if results else code) or '[json-' in said:
                fail('grammar', f'not accepted as {option}: exit {got}: {text[:60]}', said)
        accepted('grammar member ' + text[:40], a=coco(more=', "info": ' + text))
        accepted('grammar remark ' + text[:40], p='{"version": 1, "x-a": ' + text + ', "transforms": []}')
    for text in NO:
        # If many elements have faults, their messages may leave no room for the fault of the text.
        refused('grammar no ' + text[:40], 4, ['[json-'] if text[:4] != '[1,1' else ['[coco-type]'], a=text)
        refused('grammar no ' + text[:40], 3, ['[json-'], p=text)


def test_utf8():
    before = '{"images": [], "info": "é'.encode()
    for bad, blame in UTF8:
        refused(f'utf8 {bad.hex()}', 4, [f'a.json:2:{len(before) + 1 + blame}: ', '[json-utf8]'],
                a=b'\n' + before + bad + b' and on"}')
        refused(f'utf8 {bad.hex()}', 3, [f'p.json:1:{9 + blame}: ', '[json-utf8]'], p=b'{"x-a":"' + bad + b'"}')


def test_numbers():
    accepted('numbers -0', a=coco(annotation=', "id": 2, "area": -0'))
    for text in ('1e-400', '0.1', '0.' + '3' * 300, '1' * 300, '9007199254740993', '9223372036854775808', '1e308', '5e-324',
                 '-1.7976931348623157e308'):
        accepted('numbers ' + text[:20], a=coco(annotation=f', "id": 2, "area": {text}'))
    for text in ('1e400', '-1e400', 'NaN', 'Infinity', '-Infinity', '1' * 400, '1e99999999999999999999', '01', '0x10', '+1'):
        refused('numbers ' + text[:20], 4, ['a.json:2:50: error: annotations[0]: ', '[json-number]'],
                a=coco(annotation=f', "id": 2, "area": {text}'))
    for text, good in (('0', '[coco-zero-id]'), ('-1', '[coco-zero-id]'), ('9007199254740991', True), ('9007199254740993', False),
                       ('-9007199254740993', False), ('9223372036854775808', False), ('1.0', '[coco-float-id]'), ('1e0', False),
                       ('"1"', '[coco-string-id]'), ('null', False), ('true', False), ('[1]', False), ('{}', False), ('1' * 300, False)):
        if good is True:
            accepted('ids ' + text, a=coco(image=f', "id": {text}'))
        elif good:
            noted('ids ' + text, good, a=coco(image=f', "id": {text}'))
        else:
            refused('ids ' + text, 4, ['a.json:1:', ' images[0].id: ', '[coco-type]'], a=coco(image=f', "id": {text}'))
        for key in ('id', 'category_id', 'image_id'):
            members = f', "{key}": {text}' + ('' if key == 'id' else ', "id": 2')
            file = coco(annotation=members)
            if key == 'image_id':
                file = file.replace('"image_id": 1', '"x": 1', 1)
            if not good and not (key == 'category_id' and text == 'null'):
                refused(f'ids {key} {text}', 4, ['a.json:2:', f' annotations[0].{key}: ', '[coco-type]'], a=file)


def test_shapes():
    for depth in (65, 1000, 1000000):
        for opening in ('[', '{"a":'):
            refused(f'shape depth {depth}', 4, ['[json-depth]'], a='{"images": [], "info": ' + opening * depth)
            refused(f'shape depth {depth}', 3, ['[json-depth]'], p='{"x-a": ' + opening * depth)
    keys = ','.join(f'"x-{i}":{i}' for i in range(100000))
    accepted('shape keys', a=coco(more=',' + keys))
    accepted('shape keys', p='{"version": 1, "transforms": [],' + keys + '}')
    accepted('shape keys of an element', a=coco(annotation=', "id": 2,' + keys))
    refused('shape last key again', 3, ['[json-twice]'], p='{"version": 1, "transforms": [],' + keys + ',"x-0":1}')
    accepted('shape string', a=coco(more=', "info": "' + 'a' * 10000000 + '"'))
    accepted('shape string', p='{"version": 1, "transforms": [], "x-a": "' + 'a' * 10000000 + '"}')
    for key in ('id', 'image_id', 'category_id', 'bbox', 'segmentation', 'area', 'iscrowd', 'keypoints', 'num_keypoints'):
        twice = coco(annotation=f', "{key}": 1, "{key}": 1' + ('' if key == 'id' else ', "id": 2'))
        refused(f'shape twice {key}', 4, [f' annotations[0].{key}: this name is given twice [json-twice]'], a=twice)
    escaped = coco(annotation=', "id": 1, "i\\u0064": 1')
    refused('shape twice, escaped', 4, ['a.json:2:43: error: annotations[0].id: this name is given twice [json-twice]'], a=escaped)
    for option, code in (('a', 4), ('p', 3)):
        good = '{"images": []}' if option == 'a' else PIPELINE
        for text in ('', ' ', '\n\t', good.encode('utf-16-le'), good.encode('utf-16-be'), good.encode('utf-16'),
                     good + 'x', good + good, good + '\x00', good + ',', good[:-1]):
            refused(f'shape {text[:12]}', code, ['[json-'], **{option: text})
    noted('shape mark', '[coco-bom]', a='\ufeff' + coco())
    refused('shape mark', 3, ['[json-'], p='\ufeff' + PIPELINE)
    refused('shape nul in a name', 4, ['images[0]', '[json-nul]'], a=coco().replace(IMAGE, 'a\\u0000b'))
    refused('shape nul in a category', 4, ['[json-nul]'], a=coco(more=', "categories": [{"id": 1, "name": "a\\u0000"}]'))


def test_terminals():
    """Characters that control a terminal or a build server are in no message."""
    evil = '\\u001b]0;x\\u0007\u009b31m::set-output name=a::b'
    for text in (coco(more=f', "categories": [{{"id": 1, "name": "{evil}"}}, {{"id": 1, "name": 2}}]'),
                 coco().replace(IMAGE, evil), coco().replace(IMAGE, '::set-output name=a::b'),
                 coco(annotation=f', "id": 2, "category_id": "\u009b::{evil}"'), '{"images": [], "\u009b": nul}', coco(more=f', "{evil}": 1, "{evil}": nul')):
        got, said = ask('terminals', a=text)
        if got != 4 or '\u009b' in said or any(line.startswith('::') for line in said.splitlines()):
            fail('terminals', f'exit {got}', said)
    for text in (f'{{"version": 1, "{evil}": 1}}', f'{{"version": 1, "transforms": [{{"type": "{evil}"}}]}}',
                 f'{{"version": 1, "transforms": [{{"type": "hflip", "id": "{evil}"}}, {{"type": "hflip", "id": "{evil}"}}]}}',
                 f'{{"version": 1, "transforms": [{{"type": "RandomHorizontalFlip", "when": {{"categories": ["{evil}"]}}}}]}}'):
        got, said = ask('terminals', p=text, a=coco(more=', "categories": []'))
        if got != 3 or '\u009b' in said or any(line.startswith('::') for line in said.splitlines()):
            fail('terminals', f'exit {got}', said)


def test_references():
    """References between elements, and missing sections; all faults are reported."""
    refused('references none', 4, ['[images-none]'], a='{"images": []}')
    accepted('references no categories', a=coco(annotation=', "id": 2, "category_id": 7'))
    refused('references no images', 4, ['a.json:1:1: error: images: ', '[coco-missing-key]'], a='{"annotations": []}')
    refused('references image', 4, ['a.json:2:30: error: annotations[0].image_id: ', '[coco-image-unknown]'],
            a=coco(annotation=', "id": 2').replace('"image_id": 1', '"image_id": 5'))
    noted('references category', '[coco-category-unknown]',
          a=coco(annotation=', "id": 2, "category_id": 7', more=', "categories": []'))
    accepted('references no category', a=coco(annotation=', "id": 2, "category_id": 0', more=', "categories": []'))
    two = ['{"id": 1, "image_id": 1, "bbox": [1, 2, 3]}', '{"id": 1, "image_id": 9}', '{"image_id": 1}', '{"id": 4, "image_id": true}']
    refused('references all', 4, ['annotations[1].id: ', 'annotations[1].image_id: ', 'annotations[2].id: ', 'annotations[3].image_id: '],
            a=coco(more=',\n"annotations": [' + ',\n'.join(two) + ']'))
    wrong = ['{"id": 1, "image_id": 1, "bbox": [1, 2, 3]}', '{"id": 2, "image_id": 1, "area": "1", "iscrowd": 3}', '{"id": 3, "image_id": 1, "segmentation": 1}']
    refused('references all of an image', 4, ['a.json:2:50: error: annotations[0].bbox: ', ' annotations[1].area: ', ' annotations[1].iscrowd: ',
                                              ' annotations[2].segmentation: '],
            a=coco(more=',\n"annotations": [' + ',\n'.join(wrong) + ']'))


test_grammar()
test_utf8()
test_numbers()
test_shapes()
test_references()
test_terminals()
print(f'{len(YES)} that are JSON, {len(NO)} that are none, {len(UTF8)} that are no UTF-8; asked: '
      + ', '.join(f'{name} {n}' for name, n in counts.items()))
sys.exit(failed > 0)
