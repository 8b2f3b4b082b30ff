#!/usr/bin/env bash
# Prints the system calls that contained processes make while tests run: the source of the list of allowed calls in
# src/batch/process/filter/make_filter.c.
#
#   tests/tools/contained_calls.sh PATTERN     runs the parts of the tests that match (tests/run.sh), such as 'tests/cli/'
#
# Each line has the number of commands that made the call, and the name. "refused" between them says that the filter
# answered with ENOSYS or EPERM at least once. Calls that are allowed with some arguments only are listed by these arguments.
# A stand-in for the command starts the real command under strace. Tests that use strace on the
# command themselves run untraced.
set -eu
cd "$(dirname "$0")/../.."
build=${BUILD:-build}
traced="build-traced"
rm -rf "$traced"
mkdir -p "$traced/calls"
cp "$build/lockstep" "$traced/lockstep.real"

# Keeps the calls of processes after the filter was set, and those of their threads.
cat > "$traced/keep.awk" << 'AWK'
function words_of(name, rest,    n, part) {
  n = name == "clone" ? 0 : name ~ /^(prctl|madvise)$/ ? 1 : 2
  if (name == "madvise") n = 3
  if (name !~ /^(ioctl|fcntl|prctl|madvise|kill|tgkill|prlimit64|setpriority|getpriority|clone|futex)$/) return ""
  if (name == "clone") return rest ~ /CLONE_THREAD/ ? " thread" : " process"
  if (name == "kill" || name == "tgkill") return " " (rest ~ /, 0\)/ ? "0" : "SIGNAL")
  if (name == "prlimit64") n = 3
  split(rest, part, /, */)
  sub(/\).*| <unfinished.*/, "", part[n])
  if (name == "prlimit64") return " " (part[1] == "0" ? "self" : "other") (part[3] == "NULL" ? " get" : " set")
  return " " part[n]
}
{
  pid = $1
  line = substr($0, length(pid) + 1)
  sub(/^ */, "", line)
  if (line ~ /^\+\+\+/) {
    delete contained[pid]
    delete early[pid]
    next
  }
  if (line ~ /^<\.\.\. clone3? resumed/ && contained[pid] && match(line, / = [0-9]+$/)) thread = substr(line, RSTART + 3)
  else if (line ~ /^clone3?\(/ && contained[pid] && match(line, / = [0-9]+$/)) thread = substr(line, RSTART + 3)
  else thread = 0
  if (thread) {
    contained[thread] = 1
    n = split(early[thread], name, "\n")
    for (i = 1; i <= n; i++) if (name[i] != "") calls[name[i]] = 1
  }
  if (line ~ /^seccomp\(SECCOMP_SET_MODE_FILTER/ || line ~ /^<\.\.\. seccomp resumed/) {
    if (line ~ / = 0$/) contained[pid] = 1
    next
  }
  if (line !~ /^[a-z_0-9]+\(/) next
  name_end = index(line, "(")
  call = substr(line, 1, name_end - 1)
  call = call words_of(call, substr(line, name_end + 1))
  if (contained[pid]) {
    calls[call] = 1
    if (line ~ / = -1 E(PERM|NOSYS) /) refused[call] = 1
  } else early[pid] = early[pid] call "\n"
}
END { for (call in calls) print (call in refused ? "refused" : "made"), call > out }
AWK

cat > "$traced/lockstep" << END
#!/usr/bin/env bash
real=$PWD/$traced/lockstep.real
grep -q '^TracerPid:[[:space:]]*0\$' /proc/self/status || exec -a lockstep "\$real" "\$@"
preload=\${LD_PRELOAD-}
unset LD_PRELOAD
exec strace -DDD -f -q -s 0 -e signal=none -o "|exec awk -v out=$PWD/$traced/calls/\$\$-\$RANDOM -f $PWD/$traced/keep.awk" \\
  \${preload:+-E LD_PRELOAD="\$preload"} -- "\$real" "\$@"
END
chmod +x "$traced/lockstep"

STAND_IN=$PWD/$traced/lockstep BUILD=$build tests/run.sh "$@" >&2 || true
sleep 1 # the last tracers end
cat "$traced"/calls/* 2> /dev/null | awk '
  { state = $1; sub(/^[a-z]+ /, ""); n[$0]++; if (state == "refused") refused[$0] = 1 }
  END { for (call in n) printf "%6d %-7s %s\n", n[call], call in refused ? "refused" : "", call }' | sort -k2
