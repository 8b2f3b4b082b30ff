"""Kill a run with SIGKILL at ten random moments, resume it each time, and print the total cost.

Usage: resumed.py KILLS SEED COMMAND...   (a `lockstep run` without --out)

Prints the processor time of the undisturbed run, the total of all parts of the killed run, and their ratio. Fails
unless both runs leave the same files.
"""

import ctypes
import filecmp
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

PR_SET_CHILD_SUBREAPER = 36


def used():
    total = resource.getrusage(resource.RUSAGE_CHILDREN)
    return total.ru_utime + total.ru_stime


def reap():
    """Waits for children of the killed run, too: their time counts."""
    while True:
        try:
            os.wait()
        except ChildProcessError:
            return


def run(command, out, seconds=None):
    """Seconds of processors; and whether it was killed."""
    before = used()
    process = subprocess.Popen([*command, '-o', out], start_new_session=True)
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    reap()
    if process.returncode not in (0, -signal.SIGKILL):
        sys.exit(f'{command[0]}: exit code {process.returncode}')
    return used() - before, process.returncode != 0


def same(a, b):
    found = filecmp.dircmp(a, b, ignore=[])
    _, differ, odd = filecmp.cmpfiles(a, b, found.common_files, shallow=False)
    return not (found.left_only or found.right_only or differ or odd) and all(
        same(os.path.join(a, name), os.path.join(b, name)) for name in found.common_dirs)


def main(kills, seed, *command):
    """Moments are uniform in the remaining time of the run."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)
    moments = random.Random(int(seed))
    folder = tempfile.mkdtemp(prefix='resumed-', dir=os.environ.get('OUT'))
    begin = time.monotonic()
    once, _ = run(command, folder + '/once')
    # The parts are about as long: the last one begins when about all is done.
    each = (time.monotonic() - begin) / (int(kills) + 1)
    parts, killed = 0, 0
    for _ in range(int(kills)):
        cpu, stopped = run([*command, '--resume'], folder + '/often', moments.uniform(0, 2 * each))
        parts += cpu
        killed += stopped
    parts += run([*command, '--resume'], folder + '/often')[0]
    if not same(folder + '/once', folder + '/often'):
        sys.exit(f'not the same: {folder}/once, {folder}/often')
    print(f'{once:8.3f} {parts:8.3f} {parts / once:7.3f} {killed:3d}')
    shutil.rmtree(folder)


if __name__ == '__main__':
    main(*sys.argv[1:])
