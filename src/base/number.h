/* number: JSON numbers to doubles and back, exactly; functions that libm may round otherwise. */
#pragma once

#include "base/text.h"

/* Shortest text that reads back as the same double, in JSON's form ("-0" as "0"). Finite only. */
void number_print(struct text *, double);
/* The same to where there is room for NUMBER_ROOM bytes; of those up to the end, which it returns,
 * NUMBER_LONGEST at most. No zero byte behind it. */
char *number_put(char *, double);
enum { NUMBER_LONGEST = 24, NUMBER_ROOM = 48 };

/* Read one JSON number (RFC 8259 grammar) at the start of the slice, correctly rounded; the number
 * of bytes it takes, or 0 when there is none or it overflows. */
size_t number_scan(struct slice, double *);
/* Read numbers of a list, set off by a comma and at most a space, up to one that is not short, or
 * not there, or until there is no room: n of them. The bytes up to the end of the last. */
size_t number_scan_list(struct slice, double *, size_t room, size_t *n);
/* Read one integer of JSON, without point or exponent, within -2^53..2^53, at the start of the
 * slice; the number of bytes it takes, or 0. */
size_t number_scan_integer(struct slice, int64_t *);

/* e^x and ln x from IEEE basic operations alone: the same bits on every platform. Within 2 ulp for
 * |x| < 700 and finite x > 0. */
double number_exp(double x);
double number_log(double x);

/* The quantile of the standard normal distribution: the x that a share p of it lies below, for p in
 * 0..1, both excluded. The same bits everywhere; within about 1e-15 of x,
 * relatively (M. J. Wichura, Algorithm AS 241: PPND16, Applied Statistics 37, 1988). */
double number_normal(double p);
/* base^exponent for a base of at least 0, 0^0 being 1; not libm's pow(), whose last bit differs
 * between platforms. */
double number_power(double base, double exponent);
/* Python's round(): to nearest, halves to even, as an integer. */
int round_half_even(double);
