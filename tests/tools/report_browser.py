"""Opens a run's report in Chromium: `report_browser.py BROWSER PAGE JSON FOLDER`.

Takes screenshots of the page to the folder, at two widths, light and dark. A copy of the page with a second script
tells what the browser made of it, in its title.
"""
import json
import pathlib
import re
import subprocess
import sys

SCRIPT = """
<script>
var rows = function () {
  return Array.from(document.querySelectorAll('#by_class tbody tr')).filter(function (r) { return r.offsetParent; });
};
var pairs = function () {
  return Array.from(document.querySelectorAll('.pair')).filter(function (p) { return p.offsetParent; }).length;
};
var place = document.getElementById('place'), choice = document.getElementById('choice');
var seen = { width: document.documentElement.scrollWidth, window: innerWidth, pairs: pairs(), rows: rows().length,
             counts: rows().map(function (r) {
               return Array.from(r.children).map(function (c) { return c.textContent; }); }),
             ground: getComputedStyle(document.body).backgroundColor, places: [place.textContent] };
document.getElementById('next').click();
seen.places.push(place.textContent);
document.getElementById('back').click();
document.getElementById('back').click();
seen.places.push(place.textContent);
choice.selectedIndex = 2;
choice.dispatchEvent(new Event('change'));
seen.filtered = [rows().length, rows()[0].dataset.class, choice.value, pairs()];
document.title = JSON.stringify(seen);
</script>
"""


def browse(browser, page, width, scheme, *more):
    call = [browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
            f"--blink-settings=preferredColorScheme={scheme}", f"--window-size={width},2400", *more,
            pathlib.Path(page).resolve().as_uri()]
    return subprocess.run(call, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120, check=True).stdout.decode()


def pixels(path):
    """The width and height of a PNG, and its length."""
    data = pathlib.Path(path).read_bytes()
    width, height = int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")
    return width, height, len(data)


def main():
    browser, page, report, folder = sys.argv[1:]
    run = json.load(open(report))["run"]
    source = pathlib.Path(page).read_text(encoding="utf-8")
    told = pathlib.Path("told.html")
    open_policy = re.sub(r"script-src '[^']*'", "script-src 'unsafe-inline'", source)
    told.write_text(open_policy.replace("</body>", SCRIPT + "</body>"), encoding="utf-8")
    grounds = set()
    for width in (400, 640, 1280):
        for scheme, word in ((1, "light"), (0, "dark")):
            shot = pathlib.Path(folder, f"report-{width}-{word}.png")
            browse(browser, page, width, scheme, f"--screenshot={shot}")
            assert pixels(shot)[0] == width and pixels(shot)[2] > 20000, pixels(shot)
            title = re.search(r"<title>(.*?)</title>", browse(browser, told, width, scheme, "--dump-dom"), re.S).group(1)
            seen = json.loads(title.replace("&amp;", "&").replace("&lt;", "<").replace("&gt;", ">"))
            assert seen["width"] <= seen["window"], seen
            assert seen["pairs"] == 1 and seen["places"] == ["1 of 12", "2 of 12", "12 of 12"], seen
            assert seen["counts"] and {r[0]: [int(n) for n in r[1:]] for r in seen["counts"]} == \
                {c["name"]: [c["before"], c["after"], c["dropped"]] for c in run["categories"]}, seen["counts"]
            assert seen["filtered"][:2] == [1, seen["filtered"][2]] and seen["filtered"][3] <= 1, seen
            grounds.add(seen["ground"])
    assert len(grounds) == 2, grounds
    # The policy admits the page's own script: it has shown the buttons.
    assert re.search(r'<p id="pager">', browse(browser, page, 1280, 1, "--dump-dom"))


main()
