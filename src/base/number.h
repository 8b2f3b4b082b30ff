/* number: converts JSON numbers to doubles and back, exactly; and replaces functions of libm whose
 * rounding differs between platforms. */
#pragma once

#include "base/text.h"

/* Appends the shortest text that reads back as the same double, in JSON's form ("-0" as "0"). The
 * number must be finite. */
void number_print(struct text *, double);
/* The same into a buffer of NUMBER_ROOM bytes. Returns the end of the number, at most
 * NUMBER_LONGEST bytes long; the bytes after it are unspecified, and no NUL is added. */
char *number_put(char *, double);
enum { NUMBER_LONGEST = 24, NUMBER_ROOM = 48 };

/* Reads one JSON number (RFC 8259 grammar) at the start of the slice, correctly rounded. Returns
 * its length in bytes, or 0 if there is none or it overflows. */
size_t number_scan(struct slice, double *);
/* Reads numbers of a list, separated by a comma and at most one space. Stops before a number that
 * is long or missing, or when `room` numbers are read. Stores the count in n. Returns the number of
 * bytes up to the end of the last one. */
size_t number_scan_list(struct slice, double *, size_t room, size_t *n);
/* Reads one JSON integer without point or exponent, within -2^53..2^53, at the start of the slice.
 * Returns its length in bytes, or 0. */
size_t number_scan_integer(struct slice, int64_t *);

/* Return e^x and ln x, from IEEE basic operations alone: the same bits on every platform. Within 2
 * ulp for |x| < 700 and finite x > 0. */
double number_exp(double x);
double number_log(double x);

/* Returns the quantile of the standard normal distribution, for 0 < p < 1. The same bits on every
 * platform; relative error about 1e-15 (M. J. Wichura, Algorithm AS 241: PPND16, Applied Statistics
 * 37, 1988). */
double number_normal(double p);
/* Returns base^exponent for a base of at least 0, with 0^0 = 1. Unlike libm's pow(), whose last bit
 * differs between platforms. */
double number_power(double base, double exponent);
/* Rounds like Python's round(): to the nearest integer, halves to even. */
int round_half_even(double);
