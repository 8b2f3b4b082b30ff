/* forms: all tests of a program, once for each kind of processor that loops have forms for, down
 * to the plain one (cpu.h):
 *
 *     unit_plan(FORMS * COUNTOF(tests));
 *     for (int form = 0; forms_take(form); form++)
 *         unit_run(tests, COUNTOF(tests));
 *     return unit_end();
 *
 * What this machine cannot run is tested as the next kind below. Include it last: cpu.h heeds what
 * is defined before. */
#pragma once

#include "unit.h"

#include "../../src/base/cpu.h"

enum { FORMS = CPU_FEATURES + 1 };

/* From now on loops have the form of that number, and reports say which; false when there is none
 * of that number. */
static inline bool forms_take(int form)
{
    static const char *const name[FORMS] = {
        "", ", without AVX-512 VBMI2", ", without AVX-512", ", without AVX2", ", plain",
    };

    if (form >= FORMS)
        return false;
    cpu_limit = (enum cpu_feature)(CPU_FEATURES - form);
    unit_form = name[form];
    return true;
}
