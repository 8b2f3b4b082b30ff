/* cpu: the names of the forms of loops that this processor runs. */
#include "base/cpu.h"

#include "base/text.h"

enum cpu_feature cpu_limit = CPU_FEATURES;

static const char *const names[CPU_FEATURES] = {
    [CPU_SSSE3] = "ssse3",
    [CPU_AVX2] = "avx2",
    [CPU_AVX512_VBMI] = "avx512-vbmi",
    [CPU_AVX512_VBMI2] = "avx512-vbmi2",
};

/* The form of VARIANTS loops that is taken on this machine; NULL: the default one. */
static const char *cloned_form(void)
{
#ifdef CPU_HAS_CLONES
    if (__builtin_cpu_supports("x86-64-v4"))
        return "x86-64-v4";
    if (__builtin_cpu_supports("x86-64-v3"))
        return "x86-64-v3";
#endif
    return NULL;
}

static void add_name(struct text *out, const char *name, bool *any)
{
    text_addf(out, "%s%s", *any ? " " : "", name);
    *any = true;
}

void cpu_print(struct text *out)
{
    bool any = false;

    for (enum cpu_feature f = 0; f < CPU_FEATURES; f++)
        if (cpu_has_feature(f))
            add_name(out, names[f], &any);
    if (cloned_form())
        add_name(out, cloned_form(), &any);
    if (!any)
        text_adds(out, "plain");
}
