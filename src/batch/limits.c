/* limits: what the machine, or the container that this is in, has for a run. */
#include "limits.h"

#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { LONGEST_PATH = 4096 };

/* The two numbers in a file of the control group at `path` below the root of all; "max" is none. */
static bool read_numbers(const char *path, const char *name, uint64_t numbers[2], int n)
{
    char file[LONGEST_PATH + 64], line[128], *at = line, *end;
    FILE *f;
    bool good;

    snprintf(file, sizeof file, "/sys/fs/cgroup%s/%s", path, name);
    f = fopen(file, "re");
    good = f && fgets(line, sizeof line, f);
    if (f)
        fclose(f);
    for (int i = 0; good && i < n; i++, at = end) {
        numbers[i] = strtoull(at, &end, 10);
        good = end > at;
    }
    return good;
}

/* The control group of this process (version 2), "" for the root. */
static void find_group(char path[LONGEST_PATH])
{
    static char group[LONGEST_PATH];
    static bool known;
    FILE *f = known ? NULL : fopen("/proc/self/cgroup", "re");
    char line[LONGEST_PATH];

    while (f && fgets(line, sizeof line, f))
        if (strncmp(line, "0::", 3) == 0) {
            line[strcspn(line, "\n")] = '\0';
            snprintf(group, sizeof group, "%s", strcmp(line + 3, "/") == 0 ? "" : line + 3);
        }
    if (f)
        fclose(f);
    known = true;
    memcpy(path, group, sizeof group);
}

/* The limit of each group above counts, too. */
static bool next_above(char *path)
{
    char *slash = strrchr(path, '/');

    if (!slash)
        return false;
    *slash = '\0';
    return true;
}

int limits_processors(void)
{
    char path[LONGEST_PATH];
    uint64_t quota[2];
    cpu_set_t set;
    /* The set has room for 1024; the kernel refuses it where there may be more. */
    int n = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set)
                                                        : (int)sysconf(_SC_NPROCESSORS_ONLN);

    n = n < 1 ? 1 : n;
    find_group(path);
    do
        if (read_numbers(path, "cpu.max", quota, 2) && quota[1]) {
            uint64_t whole = (quota[0] + quota[1] - 1) / quota[1];

            if (whole < (uint64_t)n)
                n = whole ? (int)whole : 1;
        }
    while (next_above(path));
    return n;
}

uint64_t limits_memory(void)
{
    uint64_t least = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
    char path[LONGEST_PATH];
    uint64_t most[2];

    find_group(path);
    do
        if (read_numbers(path, "memory.max", most, 1) && most[0] < least)
            least = most[0];
    while (next_above(path));
    return least;
}

#if defined __SANITIZE_ADDRESS__
enum { IS_SANITIZED = 1 };
#elif defined __has_feature
enum { IS_SANITIZED = __has_feature(address_sanitizer) };
#else
enum { IS_SANITIZED = 0 };
#endif

/* The address sanitizer has more for itself than any limit. One that is set already may be lower,
 * and root, or anyone whose limit is a soft one, would lift it. */
void limits_keep_to(uint64_t memory)
{
    struct rlimit limit;

    if (IS_SANITIZED || getrlimit(RLIMIT_DATA, &limit) != 0)
        return;
    limit.rlim_cur = memory < limit.rlim_cur ? memory : limit.rlim_cur;
    limit.rlim_max = memory < limit.rlim_max ? memory : limit.rlim_max;
    setrlimit(RLIMIT_DATA, &limit);
}
