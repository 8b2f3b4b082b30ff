/* run_page: the report of a run as a page. */
#pragma once

#include "stats/run_report.h"

/* Appends the whole page, which ends with the plots of the outputs. */
void run_page_print(const struct run_report *, struct text *);
