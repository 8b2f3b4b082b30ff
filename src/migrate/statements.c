/* statements: parses statements of a Python file, and finds the effect of each on a name. */
#include "migrate/statements.h"

#include "json/document.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_BRACKETS = 256, MAX_ALIASES = 16 };

enum token_kind { TOKEN_WORD, TOKEN_STRING, TOKEN_NUMBER, TOKEN_SIGN };

struct token {
    enum token_kind kind;
    size_t at, length;
    size_t depth; /* number of open brackets around it; a bracket itself is outside of its pair */
};

struct statement {
    const struct token *token;
    size_t n;
    bool nested; /* part of a block */
    bool header; /* "for x in y:", without what is after the colon */
};

struct statements {
    const char *text;
    const struct statement *list;
    size_t n;
    const struct token *tokens;
    size_t n_tokens;
};

/* --- tokens --- */

struct lexer {
    struct faults *faults;
    const char *text;
    size_t at, length;
    char bracket[MAX_BRACKETS]; /* the closing brackets that are expected */
    size_t bracket_at[MAX_BRACKETS];
    size_t depth;
    bool fresh, indented; /* at the beginning of a statement; of an indented statement */
    struct pile tokens, statements;
};

/* While a file is scanned, its tokens move: a statement has the index of its first one. */
struct first_token {
    size_t first;
    bool nested;
};

static bool fail(const struct lexer *s, size_t at, const char *what)
{
    return fault_add(s->faults, at, 1, "", "python-syntax", "%s", what);
}

static bool is_word_char(char c)
{
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

static void add_token(struct lexer *s, enum token_kind kind, size_t from)
{
    struct token *token;

    if (s->fresh) {
        struct first_token *start = pile_add(&s->statements, sizeof *start);

        *start = (struct first_token){ s->tokens.n, s->indented };
        s->fresh = false;
    }
    token = pile_add(&s->tokens, sizeof *token);
    *token = (struct token){ kind, from, s->at - from, s->depth };
}

/* Reads a string, whose prefix begins at `from`. */
static bool lex_string(struct lexer *s, size_t from)
{
    char quote = s->text[s->at];
    bool triple =
        s->at + 2 < s->length && s->text[s->at + 1] == quote && s->text[s->at + 2] == quote;

    s->at += triple ? 3 : 1;
    while (s->at < s->length) {
        char c = s->text[s->at];

        if (c == '\\' && s->at + 1 < s->length) {
            s->at += 2;
        } else if (c == quote && (!triple || (s->at + 2 < s->length && s->text[s->at + 1] == c &&
                                              s->text[s->at + 2] == c))) {
            s->at += triple ? 3 : 1;
            add_token(s, TOKEN_STRING, from);
            return true;
        } else if (c == '\n' && !triple) {
            break;
        } else {
            s->at++;
        }
    }
    return fail(s, from, "this string has no end");
}

static bool lex_word(struct lexer *s)
{
    size_t from = s->at;

    while (s->at < s->length && is_word_char(s->text[s->at]))
        s->at++;
    if (s->at - from <= 2 && s->at < s->length && strchr("'\"", s->text[s->at]) &&
        strspn(s->text + from, "rRbBuUfF") >= s->at - from)
        return lex_string(s, from);
    add_token(s, TOKEN_WORD, from);
    return true;
}

static void lex_number(struct lexer *s)
{
    size_t from = s->at;

    while (s->at < s->length &&
           (is_word_char(s->text[s->at]) || s->text[s->at] == '.' ||
            (strchr("+-", s->text[s->at]) && strchr("eE", s->text[s->at - 1]) && s->at > from)))
        s->at++;
    add_token(s, TOKEN_NUMBER, from);
}

static bool lex_bracket(struct lexer *s)
{
    char c = s->text[s->at];
    size_t from = s->at++;

    if (strchr("([{", c)) {
        add_token(s, TOKEN_SIGN, from);
        if (s->depth == MAX_BRACKETS)
            return fail(s, from, "this is more than 256 brackets deep");
        s->bracket_at[s->depth] = from;
        s->bracket[s->depth++] = c == '(' ? ')' : c == '[' ? ']' : '}';
        return true;
    }
    if (!s->depth || s->bracket[s->depth - 1] != c)
        return fail(s, from, "this bracket has no opening bracket");
    s->depth--;
    add_token(s, TOKEN_SIGN, from);
    return true;
}

static void lex_sign(struct lexer *s)
{
    static const char *const signs[] = {
        "**=", "//=", "<<=", ">>=", "...", "==", "!=", "<=", ">=", ":=", "->", "**",
        "//",  "<<",  ">>",  "+=",  "-=",  "*=", "/=", "%=", "@=", "&=", "|=", "^="
    };
    size_t from = s->at;

    s->at++;
    for (size_t i = 0; i < COUNTOF(signs); i++)
        if (strncmp(s->text + from, signs[i], strlen(signs[i])) == 0) {
            s->at = from + strlen(signs[i]);
            break;
        }
    add_token(s, TOKEN_SIGN, from);
}

/* Handles the end of a line; a statement ends there unless a bracket is open. */
static void lex_line_end(struct lexer *s)
{
    s->at++;
    if (s->depth)
        return;
    s->fresh = true;
    s->indented = s->at < s->length && strchr(" \t\f", s->text[s->at]);
}

static bool lex_token(struct lexer *s)
{
    char c = s->text[s->at];

    if (strchr("'\"", c))
        return lex_string(s, s->at);
    if (strchr("([{)]}", c))
        return lex_bracket(s);
    if (c == ';' && !s->depth) {
        s->fresh = true;
        s->at++;
        return true;
    }
    if (isdigit((unsigned char)c) ||
        (c == '.' && s->at + 1 < s->length && isdigit((unsigned char)s->text[s->at + 1])))
        lex_number(s);
    else if (is_word_char(c))
        return lex_word(s);
    else
        lex_sign(s);
    return true;
}

static bool lex_all(struct lexer *s)
{
    s->fresh = true;
    s->indented = s->length && strchr(" \t\f", s->text[0]);
    while (s->at < s->length) {
        char c = s->text[s->at];

        if (c == '\n')
            lex_line_end(s);
        else if (isspace((unsigned char)c))
            s->at++;
        else if (c == '#')
            s->at += strcspn(s->text + s->at, "\n");
        else if (c == '\\' && (s->text[s->at + 1] == '\n' || s->text[s->at + 1] == '\r'))
            s->at += s->text[s->at + 1] == '\r' && s->text[s->at + 2] == '\n' ? 3 : 2;
        else if (!lex_token(s))
            return false;
    }
    return !s->depth || fail(s, s->bracket_at[s->depth - 1], "this bracket has no end");
}

/* --- statements --- */

static bool is_token(const struct statements *f, const struct token *t, const char *word)
{
    return t->length == strlen(word) && memcmp(f->text + t->at, word, t->length) == 0;
}

static bool is_at(const struct statements *f, const struct statement *s, size_t i, const char *word)
{
    return i < s->n && s->token[i].kind != TOKEN_STRING && is_token(f, &s->token[i], word);
}

static bool is_any_of(const struct statements *f, const struct statement *s, size_t i,
                      const char *const *words)
{
    for (; *words; words++)
        if (is_at(f, s, i, *words))
            return true;
    return false;
}

/* Returns the number of tokens up to the colon that ends a header; 0 if it is not a header. */
static size_t header_length(const struct statements *f, const struct statement *s)
{
    static const char *const words[] = { "if",    "elif",  "else",   "for", "while",
                                         "with",  "try",   "except", "def", "finally",
                                         "class", "async", NULL };
    size_t lambdas = 0;

    if (!is_any_of(f, s, 0, words))
        return 0;
    for (size_t i = 0; i < s->n; i++) {
        if (s->token[i].depth)
            continue;
        lambdas += is_at(f, s, i, "lambda");
        if (is_at(f, s, i, ":") && lambdas)
            lambdas--;
        else if (is_at(f, s, i, ":"))
            return i + 1;
    }
    return s->n;
}

/* Adds a statement, or headers and the statement after them: "if x: y = 1". */
static void add_statement(const struct statements *f, struct statement s, struct pile *list)
{
    size_t length;

    while (s.n && (length = header_length(f, &s)) > 0) {
        struct statement header = s;

        header.n = length;
        header.header = true;
        *(struct statement *)pile_add(list, sizeof s) = header;
        s.token += length;
        s.n -= length;
        s.nested = true;
    }
    if (s.n)
        *(struct statement *)pile_add(list, sizeof s) = s;
}

const struct statements *statements_read(struct faults *faults, struct arena *arena)
{
    struct lexer s = { .faults = faults, .text = faults->text.at, .length = faults->text.length };
    struct statements *f = ARENA_NEW(arena, struct statements);
    struct pile list = { 0 };
    bool good = lex_all(&s);

    arena_take_over(arena, s.tokens.at);
    *f = (struct statements){ .text = faults->text.at,
                              .tokens = s.tokens.at,
                              .n_tokens = s.tokens.n };
    for (size_t i = 0; good && i < s.statements.n; i++) {
        const struct first_token *start = (const struct first_token *)s.statements.at + i;
        size_t end = i + 1 < s.statements.n ? start[1].first : s.tokens.n;

        add_statement(f,
                      (struct statement){ .token = f->tokens + start->first,
                                          .n = end - start->first,
                                          .nested = start->nested },
                      &list);
    }
    free(s.statements.at);
    arena_take_over(arena, list.at);
    f->list = list.at;
    f->n = list.n;
    return good ? f : NULL;
}

/* --- effects of a statement on a name --- */

enum effect { EFFECT_NONE, EFFECT_ASSIGNS, EFFECT_IMPORTS, EFFECT_CHANGES };

/* True if the i-th token means the name: not a keyword of a call, and not an attribute. */
static bool is_mention(const struct statements *f, const struct statement *s, size_t i,
                       const char *name)
{
    if (s->token[i].kind != TOKEN_WORD || !is_token(f, &s->token[i], name))
        return false;
    if (i && is_at(f, s, i - 1, "."))
        return false;
    return !(s->token[i].depth && is_at(f, s, i + 1, "=") && i &&
             (is_at(f, s, i - 1, "(") || is_at(f, s, i - 1, ",")));
}

/* Returns the index after a bracket and its contents. */
static size_t skip_bracket(const struct statement *s, size_t i)
{
    size_t depth = s->token[i].depth;

    for (i++; i < s->n && s->token[i].depth > depth;)
        i++;
    return i + 1;
}

/* True if a method that changes its list or dictionary is called of the name, or of a part of it:
 * name[2]["x"].update(...). */
static bool is_called_to_change(const struct statements *f, const struct statement *s, size_t i)
{
    static const char *const methods[] = { "insert", "append",      "extend",   "pop",
                                           "remove", "reverse",     "sort",     "clear",
                                           "update", "setdefault",  "popitem",  "__setitem__",
                                           "merge",  "__delitem__", "__iadd__", "merge_from_dict",
                                           NULL };

    for (i++; i < s->n;) {
        if (is_at(f, s, i, "[") || is_at(f, s, i, "("))
            i = skip_bracket(s, i);
        else if (!is_at(f, s, i, ".") || i + 1 >= s->n)
            return false;
        else if (is_any_of(f, s, i + 1, methods))
            return true;
        else
            i += 2;
    }
    return false;
}

/* Finds the last "=" outside of brackets, or the sign of "+=" and the like; n if there is none. */
static size_t find_equals(const struct statements *f, const struct statement *s, bool *augmented)
{
    size_t found = s->n;

    *augmented = false;
    for (size_t i = 0; i < s->n; i++) {
        const struct token *t = &s->token[i];

        if (t->depth || t->kind != TOKEN_SIGN || f->text[t->at + t->length - 1] != '=')
            continue;
        if (t->length == 1)
            found = i;
        else if (!strchr("=!<>:", f->text[t->at]) || t->length == 3) {
            found = i;
            *augmented = true;
        }
    }
    return found;
}

/* True if the i-th token is a whole target: "name =", "name: type =", "x = name =". */
static bool is_target(const struct statements *f, const struct statement *s, size_t i)
{
    if (s->token[i].depth || s->token[i].kind != TOKEN_WORD || (i && !is_at(f, s, i - 1, "=")))
        return false;
    return is_at(f, s, i + 1, "=") || (!i && is_at(f, s, 1, ":"));
}

static enum effect effect_of_header(const struct statements *f, const struct statement *s, size_t i)
{
    if (is_at(f, s, i + 1, ":=") || is_called_to_change(f, s, i))
        return EFFECT_CHANGES;
    if (i && (is_at(f, s, i - 1, "as") || is_at(f, s, i - 1, "def") || is_at(f, s, i - 1, "class")))
        return EFFECT_CHANGES;
    for (size_t k = 0; is_at(f, s, 0, "for") && k < s->n && !is_at(f, s, k, "in"); k++)
        if (k == i)
            return EFFECT_CHANGES;
    return EFFECT_NONE;
}

static enum effect effect_at(const struct statements *f, const struct statement *s, size_t i)
{
    static const char *const changing[] = { "del", "global", "nonlocal", NULL };
    static const char *const reading[] = { "print", "assert", "return", "raise", NULL };
    static const char *const import_job[] = { "from", "import", NULL };
    bool augmented;
    size_t equals = find_equals(f, s, &augmented);

    if (s->header)
        return effect_of_header(f, s, i);
    if (is_any_of(f, s, 0, import_job))
        return EFFECT_IMPORTS;
    if (is_any_of(f, s, 0, changing) || is_at(f, s, i + 1, ":=") || is_called_to_change(f, s, i))
        return EFFECT_CHANGES;
    if (equals == s->n)
        return is_any_of(f, s, 0, reading) || is_target(f, s, i) ? EFFECT_NONE : EFFECT_CHANGES;
    if (i > equals)
        return EFFECT_NONE;
    return !augmented && is_target(f, s, i) ? EFFECT_ASSIGNS : EFFECT_CHANGES;
}

/* Returns the strongest of its effects. */
static enum effect effect_of(const struct statements *f, const struct statement *s,
                             const char *name)
{
    enum effect strongest = EFFECT_NONE;

    for (size_t i = 0; i < s->n; i++)
        if (is_mention(f, s, i, name)) {
            enum effect effect = effect_at(f, s, i);

            strongest = effect > strongest ? effect : strongest;
        }
    return strongest;
}

/* --- other names of a value --- */

struct aliases {
    const char *name[MAX_ALIASES];
    size_t n;
};

static bool has_mention(const struct statements *f, const struct statement *s, size_t from,
                        const char *name)
{
    for (size_t i = from; i < s->n; i++)
        if (is_mention(f, s, i, name))
            return true;
    return false;
}

static void add_alias(const struct statements *f, const struct token *t, struct aliases *a,
                      struct arena *arena)
{
    const char *name = arena_copy(arena, f->text + t->at, t->length);

    for (size_t i = 0; i < a->n; i++)
        if (strcmp(a->name[i], name) == 0)
            return;
    if (a->n < MAX_ALIASES)
        a->name[a->n++] = name;
}

/* Adds the names that a statement gives to the value, or to its parts: x in "x = name", "x = name =
 * [...]", and "for x in name:". */
static void add_aliases(const struct statements *f, const struct statement *s, const char *name,
                        struct aliases *a, struct arena *arena)
{
    bool augmented;
    size_t equals = find_equals(f, s, &augmented), in = 0;

    while (in < s->n && !is_at(f, s, in, "in"))
        in++;
    if (s->header && is_at(f, s, 0, "for") && has_mention(f, s, in, name))
        for (size_t i = 1; i < in; i++)
            if (s->token[i].kind == TOKEN_WORD)
                add_alias(f, &s->token[i], a, arena);
    if (s->header || augmented || equals == s->n)
        return;
    if (effect_of(f, s, name) != EFFECT_ASSIGNS &&
        (equals + 2 != s->n || !is_mention(f, s, equals + 1, name)))
        return;
    for (size_t i = 0; i < equals; i++)
        if (is_target(f, s, i))
            add_alias(f, &s->token[i], a, arena);
}

static bool fail_at(const struct statement *s, struct faults *faults, const char *name,
                    const char *what)
{
    return fault_add(faults, s->token[0].at, 1, "", "python-changed", "%s %s", name, what);
}

/* True unless a statement changes the value by another of its names. */
static bool check_aliases(const struct statements *f, const char *name, struct faults *faults)
{
    struct arena arena = { 0 };
    struct aliases a = { { name }, 1 };
    bool good = true;

    for (size_t k = 0; good && k < a.n; k++)
        for (size_t i = 0; good && i < f->n; i++) {
            add_aliases(f, &f->list[i], a.name[k], &a, &arena);
            if (k && !f->list[i].header && effect_of(f, &f->list[i], a.name[k]) == EFFECT_CHANGES)
                good = fail_at(&f->list[i], faults, name,
                               "may be changed here, under another name, and nothing is run: write "
                               "the final value in one assignment");
        }
    arena_drop(&arena);
    return good;
}

/* --- the value of a name --- */

bool statements_find(const struct statements *f, const char *name, size_t use,
                     struct assignment *to, struct faults *faults)
{
    const struct statement *found = NULL;
    const struct token *last;
    bool augmented;

    *to = (struct assignment){ 0 };
    for (size_t i = 0; i < f->n; i++) {
        const struct statement *s = &f->list[i];
        enum effect effect = effect_of(f, s, name);

        if (effect == EFFECT_CHANGES)
            return fail_at(s, faults, name,
                           "is changed here, and nothing is run: write its final value in one "
                           "assignment");
        to->imported |= effect == EFFECT_IMPORTS;
        if ((effect == EFFECT_ASSIGNS || effect == EFFECT_IMPORTS) && found)
            return fail_at(s, faults, name, "has a second value here: keep one assignment");
        if (effect == EFFECT_ASSIGNS && to->imported)
            return fail_at(s, faults, name, "is also imported: keep one of its values");
        if (effect == EFFECT_ASSIGNS && s->nested)
            return fail_at(s, faults, name,
                           "has its value inside of a block, which is not run: assign it at the "
                           "beginning of a line");
        if (effect == EFFECT_ASSIGNS)
            found = s;
    }
    if (!found)
        return true;
    if (found->token[0].at > use)
        return fail_at(found, faults, name, "is used before this line gives it a value");
    last = &found->token[found->n - 1];
    to->found = true;
    to->begin = found->token[find_equals(f, found, &augmented)].at + 1;
    to->end = last->at + last->length;
    return check_aliases(f, name, faults);
}

/* --- steps to ignore --- */

/* Returns a string without its quotes, in the arena. */
static const char *string_at(const struct statements *f, const struct token *t, struct arena *arena)
{
    return t->length < 2 ? "" : arena_copy(arena, f->text + t->at + 1, t->length - 2);
}

static size_t token_at(const struct statements *f, size_t at)
{
    size_t lo = 0, hi = f->n_tokens;

    while (lo < hi) {
        size_t middle = lo + (hi - lo) / 2;

        if (f->tokens[middle].at < at)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo;
}

bool statements_find_type(const struct statements *f, size_t at, const char **type, size_t *end,
                          struct arena *arena)
{
    struct statement s = { .token = f->tokens, .n = f->n_tokens };
    size_t i = token_at(f, at), close;
    bool call = is_at(f, &s, i, "dict") && is_at(f, &s, i + 1, "(");

    i += call;
    if (i >= s.n || !(call || is_at(f, &s, i, "{")))
        return false;
    close = skip_bracket(&s, i);
    *type = NULL;
    for (size_t k = i + 1; k + 2 < close; k++) {
        const struct token *t = &s.token[k];
        bool key = call ? is_at(f, &s, k, "type") && is_at(f, &s, k + 1, "=")
                        : t->kind == TOKEN_STRING && is_at(f, &s, k + 1, ":") &&
                              strcmp(string_at(f, t, arena), "type") == 0;

        if (key && t->depth == s.token[i].depth + 1 && t[2].kind == TOKEN_STRING)
            *type = string_at(f, &t[2], arena);
    }
    *end = close <= s.n ? s.token[close - 1].at + 1 : 0;
    return *type && *end;
}
