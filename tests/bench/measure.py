"""Run a command and print its seconds, those of processors, and its peak memory in MB (mapped files count).

Usage: measure.py TITLE CODES COMMAND...   (CODES: exit codes that are right, as 0,1)
"""

import resource
import subprocess
import sys
import time


def main(title, codes, *command):
    begin = time.perf_counter()
    code = subprocess.run(command, stdout=subprocess.DEVNULL, check=False).returncode
    seconds = time.perf_counter() - begin
    if str(code) not in codes.split(','):
        sys.exit(f'{command[0]}: exit code {code}')
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f'{title:<44} {seconds:8.2f} {used.ru_utime + used.ru_stime:8.2f} {used.ru_maxrss / 1024:8.0f}', flush=True)


if __name__ == '__main__':
    main(*sys.argv[1:])
