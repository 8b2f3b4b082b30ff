/* number: JSON numbers to doubles; exp, log and normal quantiles without libm. */
#include "base/number.h"

#include "base/number_tiny.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const double number_tens[19] = { 1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8, 1e9,
                                 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18 };

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Returns the length of the number's text by the grammar; 0 if it is not a number. */
static size_t grammar(struct slice s)
{
    size_t i = 0, digits;

    if (i < s.length && s.at[i] == '-')
        i++;
    if (i >= s.length || !is_digit(s.at[i]))
        return 0;
    if (s.at[i] == '0')
        i++;
    else
        while (i < s.length && is_digit(s.at[i]))
            i++;
    if (i < s.length && s.at[i] == '.') {
        digits = ++i;
        while (i < s.length && is_digit(s.at[i]))
            i++;
        if (i == digits)
            return 0;
    }
    if (i < s.length && (s.at[i] == 'e' || s.at[i] == 'E')) {
        i++;
        if (i < s.length && (s.at[i] == '+' || s.at[i] == '-'))
            i++;
        digits = i;
        while (i < s.length && is_digit(s.at[i]))
            i++;
        if (i == digits)
            return 0;
    }
    return i;
}

/* Appends the digits at this position to the decimal number in *value, which wraps; returns their
 * number. */
static size_t take_digits(const char *at, const char *end, uint64_t *value)
{
    static const uint32_t tens[] = {
        1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000
    };
    const char *start = at;
    size_t n = 8;

    for (; n == 8 && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__; at += n) {
        uint64_t w = number_load(at, end) ^ NUMBER_ZEROS, others = number_others(w);

        n = others ? (size_t)__builtin_ctzll(others) / 8 : 8;
        if (n)
            *value = *value * tens[n] + number_of_eight(w << (64 - 8 * n));
    }
    for (; at < end && is_digit(*at); at++)
        *value = *value * 10 + (uint64_t)(*at - '0');
    return (size_t)(at - start);
}

/* Reads a number without loops over big integers. Integers up to 2^53 and powers of ten up to 10^22
 * are exact in doubles, and one division or multiplication of exact numbers is correctly rounded
 * (Clinger 1990). This covers nearly all numbers that are longer than coordinates. Returns the
 * length, or 0 if another function must read it. */
static size_t scan_short(struct slice s, double *value)
{
    const char *end = s.at + s.length, *first = s.at, *at;
    bool negative = s.length && *s.at == '-';
    size_t whole, after = 0;
    uint64_t digits = 0;

    first += negative;
    whole = take_digits(first, end, &digits);
    at = first + whole;
    if (!whole || (*first == '0' && whole > 1))
        return 0;
    if (at < end && *at == '.') {
        after = take_digits(at + 1, end, &digits);
        at += 1 + after;
        if (!after)
            return 0;
    }
    if (whole + after > 18 || digits > 1ull << 53 || (at < end && (*at | 0x20) == 'e'))
        return 0;
    *value = (double)digits / number_tens[after];
    if (negative)
        *value = -*value;
    return (size_t)(at - s.at);
}

size_t number_scan(struct slice s, double *value)
{
    size_t length = number_scan_tiny(s.at, s.at + s.length, value);
    char stack[64], *copy = stack;

    if (length || (length = scan_short(s, value)))
        return length;
    length = grammar(s);
    if (!length)
        return 0;
    if (length >= sizeof stack)
        copy = memory_take(length + 1);
    memcpy(copy, s.at, length);
    copy[length] = '\0';
    *value = strtod(copy, NULL);
    if (copy != stack)
        free(copy);
    return isfinite(*value) ? length : 0;
}

size_t number_scan_integer(struct slice s, int64_t *value)
{
    const uint64_t largest = 1ull << 53;
    bool negative = s.length && s.at[0] == '-';
    const char *first = s.at + negative, *end = s.at + s.length, *at;
    uint64_t digits = 0;
    size_t n = take_digits(first, end, &digits);

    if (!n)
        return 0;
    if (*first == '0') { /* a digit after it would begin another number */
        n = 1;
        digits = 0;
    }
    at = first + n;
    if (n > 16 || digits > largest || (at < end && (*at == '.' || (*at | 0x20) == 'e')))
        return 0;
    *value = negative ? -(int64_t)digits : (int64_t)digits;
    return n + negative;
}

/* ln 2 in two parts: the first has 21 zero bits at its end, so that k times it is exact. */
static const double LN2_HIGH = 6.93147180369123816490e-01, LN2_LOW = 1.90821492927058770002e-10;

double number_exp(double x)
{
    double k = nearbyint(x / (LN2_HIGH + LN2_LOW));
    double r = (x - k * LN2_HIGH) - k * LN2_LOW, sum = 1;

    /* Taylor by Horner on |r| <= ln 2 / 2: the 18th term is below 2^-80. */
    for (int i = 18; i >= 1; i--)
        sum = 1 + sum * r / i;
    return ldexp(sum, (int)k);
}

double number_log(double x)
{
    int k;
    double m = frexp(x, &k), f, s, square, sum = 0;

    if (m < 0.70710678118654752440) {
        m *= 2;
        k--;
    }
    /* With s = f / (2 + f): ln (1 + f) = 2 artanh s = 2 s + s R, and 2 s = f - s f. Since f is
     * exact, f - s (f - R) rounds but once where it matters. The 13th term is below 2^-62. */
    f = m - 1;
    s = f / (2 + f);
    square = s * s;
    for (int i = 13; i >= 1; i--)
        sum = (sum + 2.0 / (2 * i + 1)) * square;
    return k * LN2_HIGH - ((s * (f - sum) - k * LN2_LOW) - f);
}

enum { NORMAL_TERMS = 8 };

/* A fraction of two polynomials, coefficients from the lowest power on. */
struct fraction {
    double above[NORMAL_TERMS], below[NORMAL_TERMS];
};

static double fraction_at(const struct fraction *f, double x)
{
    double above = 0, below = 0;

    for (int i = NORMAL_TERMS - 1; i >= 0; i--) {
        above = above * x + f->above[i];
        below = below * x + f->below[i];
    }
    return above / below;
}

/* AS 241's coefficients: for the middle, |p - 0.5| <= 0.425, and for two parts of the tails. */
static const struct fraction normal_middle = {
    { 3.3871328727963666080e0, 1.3314166789178437745e+2, 1.9715909503065514427e+3,
      1.3731693765509461125e+4, 4.5921953931549871457e+4, 6.7265770927008700853e+4,
      3.3430575583588128105e+4, 2.5090809287301226727e+3 },
    { 1, 4.2313330701600911252e+1, 6.8718700749205790830e+2, 5.3941960214247511077e+3,
      2.1213794301586595867e+4, 3.9307895800092710610e+4, 2.8729085735721942674e+4,
      5.2264952788528545610e+3 }
};
static const struct fraction normal_near = {
    { 1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0,
      3.64784832476320460504e0, 1.27045825245236838258e0, 2.41780725177450611770e-1,
      2.27238449892691845833e-2, 7.74545014278341407640e-4 },
    { 1, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1,
      1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4,
      1.05075007164441684324e-9 }
};
static const struct fraction normal_far = {
    { 6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0,
      2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
      2.71155556874348757815e-5, 2.01033439929228813265e-7 },
    { 1, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2,
      7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7,
      2.04426310338993978564e-15 }
};

double number_normal(double p)
{
    double q = p - 0.5, r;

    if (fabs(q) <= 0.425)
        return q * fraction_at(&normal_middle, 0.180625 - q * q);
    r = sqrt(-number_log(q < 0 ? p : 1 - p)); /* IEEE's square root is exactly rounded */
    r = r <= 5 ? fraction_at(&normal_near, r - 1.6) : fraction_at(&normal_far, r - 5);
    return q < 0 ? -r : r;
}

double number_power(double base, double exponent)
{
    double ln;

    if (base <= 0)
        return exponent > 0 ? 0 : 1;
    ln = exponent * number_log(base);
    return ln < -700 ? 0 : ln > 700 ? INFINITY : number_exp(ln);
}

int round_half_even(double v)
{
    return (int)nearbyint(v); /* the rounding mode is never changed */
}
