/* forms: runs all tests of a program once for each kind of processor that functions are written for
 * by intrinsics, down to none (cpu.h). A kind that this machine cannot run is tested as the next
 * lower kind. VARIANTS loops have the form of this machine throughout. Include this header last:
 * cpu.h depends on earlier definitions. */
#pragma once

#include "unit.h"

#include "base/cpu.h"

enum { FORMS = CPU_FEATURES + 1 };

/* Switches functions to the form of this number, and reports name it; false if the number has no
 * form: for (int form = 0; forms_take(form); form++). */
static inline bool forms_take(int form)
{
    static const char *const name[FORMS] = {
        "", ", without AVX-512 VBMI2", ", without AVX-512", ", without AVX2", ", without SSSE3",
    };

    if (form >= FORMS)
        return false;
    cpu_limit = (enum cpu_feature)(CPU_FEATURES - form);
    unit_form = name[form];
    return true;
}

/* Runs unit_main in all forms. */
static inline int forms_main(const struct unit_test *tests, size_t n)
{
    unit_plan(FORMS * n);
    for (int form = 0; forms_take(form); form++)
        unit_run(tests, n);
    return unit_end();
}
