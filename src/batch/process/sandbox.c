/* sandbox: limits what processes that decode untrusted files may do. */
#include "batch/process/sandbox.h"

#include "base/stderr_line.h"
#include "steps/plugin/plugin.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <linux/landlock.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

const struct choice sandbox_choices[] = {
    { "auto", SANDBOX_AUTO, "as far as the kernel supports; -v prints how far" },
    { "on", SANDBOX_ON, "completely, or the run is refused" },
    { "off", SANDBOX_OFF, "not at all" },
    { 0 },
};

/* Versions of Landlock. From ABI_MOVES on, rules allow moves between folders, which all outputs
 * need. */
enum { ABI_MOVES = 2, ABI_TRUNCATE = 3, ABI_NETWORK = 4, ABI_DEVICES = 5, ABI_SCOPES = 6 };
/* Up to this number of links, each gets its own rule. */
enum { MAX_LINKS = 512 };

/* Constants that are missing in older kernel headers. */
#define ACCESS_TRUNCATE (1ULL << 14)
#define ACCESS_DEVICES (1ULL << 15) /* ioctl on devices */
#define NETWORK_TCP 3ULL            /* bind and connect */
#define SCOPE_PROCESSES 3ULL        /* abstract sockets and signals to processes outside */

/* landlock_ruleset_attr of ABI_SCOPES. Older kernels accept it if the members that they do not know
 * are 0. */
struct ruleset {
    uint64_t files, network, scopes;
};

#define ACCESS_READ (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR)
#define ACCESS_WRITE                                                                               \
    (LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_FILE |                              \
     LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_REFER)
#define ACCESS_NEVER                                                                               \
    (LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_MAKE_CHAR |   \
     LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK | \
     LANDLOCK_ACCESS_FS_MAKE_SYM)

/* Folders of programs and libraries, and files that libraries read when they start. */
static const char *const system_paths[] = {
    "/usr",
    "/lib",
    "/lib32",
    "/lib64",
    "/opt",
    "/nix/store",
    "/gnu/store",
    "/etc/ld.so.cache",
    "/etc/fonts",
    "/etc/localtime",
    "/sys/devices/system",
    "/dev/null",
    "/dev/random",
    "/dev/urandom",
    "/var/cache/fontconfig",
};

/* --- Landlock --- */

static long landlock_abi(void)
{
    long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);

    return abi < 0 ? 0 : abi;
}

static uint64_t write_access(const struct sandbox *s)
{
    return ACCESS_WRITE | (s->abi >= ABI_TRUNCATE ? ACCESS_TRUNCATE : 0);
}

static bool add_rule(const struct sandbox *s, int file, uint64_t access)
{
    struct landlock_path_beneath_attr rule = { .allowed_access = access, .parent_fd = file };

    return syscall(SYS_landlock_add_rule, s->rules - 1, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == 0;
}

/* The kernel refuses a rule for a file if it has rights that apply only to folders. */
static bool allow(const struct sandbox *s, int file, uint64_t access)
{
    return add_rule(s, file, access) ||
           (errno == EINVAL && add_rule(s, file, access & LANDLOCK_ACCESS_FS_READ_FILE));
}

/* A path that does not exist or cannot be opened needs no rule. */
static void allow_reading(const struct sandbox *s, const char *path)
{
    int file = open(path, O_PATH | O_CLOEXEC);

    if (file < 0)
        return;
    allow(s, file, ACCESS_READ);
    close(file);
}

/* --- libraries --- */

/* Allows the search path of libraries: LD_LIBRARY_PATH, and the path that this program was linked
 * with. */
static void allow_search_path(const struct sandbox *s)
{
    void *program = dlopen(NULL, RTLD_LAZY);
    Dl_serinfo size, *folders;

    if (!program || dlinfo(program, RTLD_DI_SERINFOSIZE, &size) != 0)
        return;
    folders = memory_take(size.dls_size);
    dlinfo(program, RTLD_DI_SERINFOSIZE, folders);
    if (dlinfo(program, RTLD_DI_SERINFO, folders) == 0)
        for (unsigned i = 0; i < folders->dls_cnt; i++)
            allow_reading(s, folders->dls_serpath[i].dls_name);
    free(folders);
    dlclose(program);
}

/* Plugins are already loaded, and the sandbox grants no access to their folders. */
static bool is_plugin(const char *library)
{
    for (const struct plugin *const *p = plugins_loaded(); *p; p++)
        if (strcmp((*p)->file, library) == 0)
            return true;
    return false;
}

struct libraries {
    const struct sandbox *sandbox;
    struct text folder; /* folder of the last library; most libraries share it */
};

/* Allows the folder of a loaded library, since it may load other libraries from there. */
static int allow_beside(struct dl_phdr_info *library, size_t size, void *libraries)
{
    struct libraries *l = libraries;
    const char *slash = strrchr(library->dlpi_name, '/');
    size_t length = slash ? (size_t)(slash - library->dlpi_name) : 0;

    (void)size;
    if (!length || is_plugin(library->dlpi_name))
        return 0;
    if (l->folder.length == length && memcmp(l->folder.at, library->dlpi_name, length) == 0)
        return 0;
    text_clear(&l->folder);
    text_add(&l->folder, library->dlpi_name, length);
    allow_reading(l->sandbox, text_string(&l->folder));
    return 0;
}

/* --- links --- */

struct links_found {
    struct sandbox *sandbox;
    size_t n;
};

/* Shortens `folder` to the longest folder that contains both paths. */
static void keep_common(struct text *folder, const char *path)
{
    size_t i = 0, slash = 0;

    while (i < folder->length && folder->at[i] == path[i]) {
        i++;
        if (path[i] == '/' && (i == folder->length || folder->at[i] == '/'))
            slash = i;
    }
    text_cut(folder, slash);
}

/* Allows the target of a link. Beyond MAX_LINKS, the common folder of all targets is allowed
 * instead, since one rule per link would take more memory than the images. */
static void on_link(void *context, const char *path, int file)
{
    struct links_found *found = context;

    struct text *wide = &found->sandbox->wide;

    if (found->n++ < MAX_LINKS)
        allow(found->sandbox, file, ACCESS_READ);
    if (found->n == 1)
        text_add(wide, path, (size_t)(strrchr(path, '/') - path));
    else
        keep_common(wide, path);
}

static void allow_links(struct sandbox *s, const struct sandbox_access *access)
{
    struct links_found found = { s, 0 };

    if (access->find_links)
        access->find_links(access->context, on_link, &found);
    if (found.n <= MAX_LINKS) {
        text_drop(&s->wide);
        return;
    }
    if (!s->wide.length)
        text_adds(&s->wide, "/");
    allow_reading(s, text_string(&s->wide));
}

/* --- preparing --- */

static void close_rules(struct sandbox *s)
{
    if (s->rules)
        close(s->rules - 1);
    s->rules = 0;
}

static void open_rules(struct sandbox *s, const struct sandbox_access *access)
{
    const struct ruleset handled = {
        .files = ACCESS_READ | ACCESS_NEVER | write_access(s) |
                 (s->abi >= ABI_DEVICES ? ACCESS_DEVICES : 0),
        .network = s->abi >= ABI_NETWORK ? NETWORK_TCP : 0,
        .scopes = s->abi >= ABI_SCOPES ? SCOPE_PROCESSES : 0,
    };
    struct libraries libraries = { .sandbox = s };

    s->rules = 1 + (int)syscall(SYS_landlock_create_ruleset, &handled, sizeof handled, 0);
    if (!s->rules)
        return;
    for (size_t i = 0; i < COUNTOF(system_paths); i++)
        allow_reading(s, system_paths[i]);
    allow_search_path(s);
    dl_iterate_phdr(allow_beside, &libraries);
    text_drop(&libraries.folder);
    for (size_t i = 0; i < access->n_folders; i++)
        allow(s, access->folders[i], ACCESS_READ);
    allow_links(s, access);
}

void sandbox_open(struct sandbox *s, enum sandbox_mode mode, const struct sandbox_access *access)
{
    *s = (struct sandbox){ .must_work = mode == SANDBOX_ON };
    if (mode == SANDBOX_OFF)
        return;
    s->filter = sandbox_can_filter();
    s->abi = landlock_abi();
    if (s->abi >= ABI_MOVES)
        open_rules(s, access);
}

void sandbox_allow_writing(struct sandbox *s, int folder)
{
    if (s->rules && !allow(s, folder, ACCESS_READ | write_access(s)))
        close_rules(s);
}

void sandbox_close(struct sandbox *s)
{
    close_rules(s);
    text_drop(&s->wide);
}

bool sandbox_is_possible(struct text *why)
{
    long abi = landlock_abi();

    if (abi < ABI_MOVES)
        text_addf(why,
                  abi ? "its Landlock (ABI %ld) is older than ABI 2, of Linux 5.19"
                      : "it has no Landlock, or this container does not allow it",
                  abi);
    else if (!sandbox_can_filter())
        text_adds(why, "it has no seccomp filters");
    return !why->length;
}

void sandbox_describe(const struct sandbox *s, struct text *out)
{
    if (!s->rules && !s->filter) {
        text_adds(out, "not contained");
        return;
    }
    text_adds(out, s->rules && s->filter ? "contained: " : "contained in part: ");
    if (s->rules)
        text_addf(out, "files by Landlock (ABI %ld)%s", s->abi, s->filter ? ", " : "");
    if (s->filter)
        text_adds(out, "system calls by seccomp");
    if (s->wide.length)
        text_addf(out, "; they may read all of %s, where links lead", text_string(&s->wide));
}

/* --- in a process that decodes --- */

#if defined __SANITIZE_ADDRESS__
static bool is_entered;

/* Called by the leak checker (sanitizer/lsan_interface.h), which would trace its own process and
 * fail in the sandbox. */
int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void)
{
    return is_entered;
}
#endif

static bool enter(const struct sandbox *s)
{
    if (!s->rules && !s->filter)
        return true;
#if defined __SANITIZE_ADDRESS__
    is_entered = true;
#endif
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return false;
    if (s->rules && syscall(SYS_landlock_restrict_self, s->rules - 1, 0) != 0)
        return false;
    return !s->filter || sandbox_filter_calls();
}

void sandbox_enter(const struct sandbox *s)
{
    if (!s || enter(s) || !s->must_work)
        return;
    message_print("lockstep: error: a process cannot be contained: %s [sandbox-unavailable]",
                  errno_text());
    _exit(EXIT_RESOURCES);
}
