/* polygon: rings cut at the edges of a box, exactly, into as many pieces as there are. */
#include "geom/ring_join.h"

#include <math.h>
#include <stdlib.h>

/* The side of a line where sign * (coordinate - limit) is not negative. */
struct half {
    bool vertical; /* the line x = limit, else y = limit */
    double sign, limit;
};

/* A stretch of the ring's points strictly inside, n of them from `first` on, and the points at
 * which it comes in and goes out. */
struct chain {
    size_t first, n;
    struct point in, out;
    size_t rank_in, rank_out; /* places among all crossings along the line */
    bool used;
};

struct crossing {
    double along;   /* the place on the line */
    double leaning; /* displacement along the line per pixel inwards, for equal places */
    size_t chain;
    bool goes_out;
};

static double depth(const struct half *h, struct point p)
{
    return h->sign * ((h->vertical ? p.x : p.y) - h->limit);
}

static double along(const struct half *h, struct point p)
{
    return h->vertical ? p.y : p.x;
}

/* The point of a-b on the line; for both directions of the edge the same to the bit, so that
 * neighbouring cuts fit. */
static struct point cross_at(const struct half *h, struct point a, struct point b)
{
    double da = depth(h, a), db = depth(h, b), pa, pb, at;

    if (da == 0)
        return a;
    if (db == 0)
        return b;
    if (a.x > b.x || (a.x == b.x && a.y > b.y)) {
        struct point t = a;

        a = b;
        b = t;
    }
    da = depth(h, a);
    db = depth(h, b);
    pa = along(h, a);
    pb = along(h, b);
    at = fmax(fmin(pa, pb), fmin(fmax(pa, pb), pa + (pb - pa) * (da / (da - db))));
    return h->vertical ? (struct point){ h->limit, at } : (struct point){ at, h->limit };
}

/* Points on the line count as outside here. The ring's stretches along the line belong to no piece,
 * so edges on the line cannot become bridges. (A ring that is nowhere outside never gets here.) */
static size_t find_chains(const struct ring *r, const struct half *h, struct chain *chain)
{
    size_t n = 0, start = 0;

    while (depth(h, r->at[start]) > 0)
        start++;
    for (size_t k = 1; k <= r->n; k++) {
        size_t i = (start + k) % r->n, before = (start + k - 1) % r->n;
        bool inside = depth(h, r->at[i]) > 0, was = depth(h, r->at[before]) > 0;

        if (inside && !was)
            chain[n] = (struct chain){ .first = i, .in = cross_at(h, r->at[before], r->at[i]) };
        if (inside)
            chain[n].n++;
        if (!inside && was)
            chain[n++].out = cross_at(h, r->at[before], r->at[i]);
    }
    return n;
}

static int by_place(const void *a, const void *b)
{
    const struct crossing *x = a, *y = b;

    if (x->along != y->along)
        return x->along < y->along ? -1 : 1;
    return (x->leaning > y->leaning) - (x->leaning < y->leaning);
}

/* Numbers the crossings in the order in which a line slightly further inside meets them. The ring's
 * inside is between the first and second, third and fourth, ... crossing. */
static void rank_crossings(const struct ring *r, const struct half *h, struct chain *chain,
                           size_t n, struct crossing *c)
{
    for (size_t i = 0; i < n; i++) {
        struct point first = r->at[chain[i].first];
        struct point last = r->at[(chain[i].first + chain[i].n - 1) % r->n];
        double in = along(h, chain[i].in), out = along(h, chain[i].out);

        c[2 * i] = (struct crossing){ in, (along(h, first) - in) / depth(h, first), i, false };
        c[2 * i + 1] = (struct crossing){ out, (along(h, last) - out) / depth(h, last), i, true };
    }
    qsort(c, 2 * n, sizeof *c, by_place);
    for (size_t k = 0; k < 2 * n; k++) {
        if (c[k].goes_out)
            chain[c[k].chain].rank_out = k;
        else
            chain[c[k].chain].rank_in = k;
    }
}

static void add_chain(struct ring *to, const struct ring *r, const struct chain *c, bool forward)
{
    ring_add(to, forward ? c->in : c->out);
    for (size_t k = 0; k < c->n; k++)
        ring_add(to, r->at[(c->first + (forward ? k : c->n - 1 - k)) % r->n]);
    ring_add(to, forward ? c->out : c->in);
}

/* Joins one piece. It starts at the chain's end, and follows the line to the paired crossing, where
 * another chain begins or ends. It follows that chain, and so on until it closes. If the ring
 * crosses itself, a chain may be entered at its end and is walked backwards. */
static struct ring join_chains(struct arena *arena, const struct ring *r, struct chain *chain,
                               const struct crossing *c, size_t first)
{
    struct ring piece = { .cut = true };
    size_t room = 0, i = first;
    bool forward = true;

    for (int pass = 0; pass < 2; pass++) {
        do {
            size_t partner = (forward ? chain[i].rank_out : chain[i].rank_in) ^ 1;

            chain[i].used = true;
            if (pass)
                add_chain(&piece, r, &chain[i], forward);
            else
                room += chain[i].n + 2;
            i = c[partner].chain;
            forward = !c[partner].goes_out;
        } while (i != first || !forward);
        if (!pass)
            piece.at = ARENA_ARRAY(arena, struct point, room);
    }
    ring_close(&piece);
    return piece;
}

/* Cut one ring that has points on both sides. */
static void cut(struct arena *arena, const struct ring *r, const struct half *h, struct pieces *to)
{
    /* Every second point at most begins a chain. */
    struct chain *chain = memory_take((r->n / 2 + 1) * sizeof *chain);
    size_t n = find_chains(r, h, chain);
    struct crossing *c = memory_take(2 * n * sizeof *c);

    rank_crossings(r, h, chain, n, c);
    for (size_t i = 0; i < n; i++)
        if (!chain[i].used) {
            struct ring piece = join_chains(arena, r, chain, c, i);

            if (!ring_is_sliver(&piece, r))
                pieces_add(arena, to, piece);
        }
    free(c);
    free(chain);
}

static void clip_half(struct arena *arena, const struct ring *r, const struct half *h,
                      struct pieces *to)
{
    bool any_in = false, any_out = false;

    for (size_t i = 0; i < r->n; i++) {
        double d = depth(h, r->at[i]);

        any_in |= d > 0;
        any_out |= d < 0;
    }
    if (!any_out)
        pieces_add(arena, to, *r);
    else if (any_in)
        cut(arena, r, h, to);
}

static void clip_into(struct arena *arena, const struct ring *r, struct box b, struct pieces *out)
{
    const struct half half[] = {
        { true, 1, b.x0 }, { true, -1, b.x1 }, { false, 1, b.y0 }, { false, -1, b.y1 }
    };
    const struct box bounds = box_of_points(r->at, r->n);
    /* How deep inside the ring's outmost point is. */
    const double reach[] = { bounds.x0 - b.x0, b.x1 - bounds.x1, bounds.y0 - b.y0,
                             b.y1 - bounds.y1 };
    struct pieces now = { 0 };

    if (!r->n || box_is_empty(b))
        return;
    /* Most are not cut, and asking each point about each side takes its time. */
    if (bounds.x1 < b.x0 || bounds.x0 > b.x1 || bounds.y1 < b.y0 || bounds.y0 > b.y1)
        return;
    if (box_contains(b, bounds, 0)) {
        pieces_add(arena, out, ring_copy(arena, r));
        return;
    }
    pieces_add(arena, &now, *r);
    for (size_t k = 0; k < COUNTOF(half); k++) {
        struct pieces next = { 0 };

        if (reach[k] >= 0) /* whatever was cut off reaches less far */
            continue;
        for (size_t i = 0; i < now.list.n; i++)
            clip_half(arena, &now.list.ring[i], &half[k], &next);
        now = next;
    }
    /* Pieces of a self-crossing ring may overlap. By even-odd, the overlap is outside, but two
     * rings would be joined there. Only then must they stay one ring. */
    if (rings_overlap(&now.list)) {
        pieces_add(arena, out, rings_tied(arena, &now.list));
        return;
    }
    for (size_t i = 0; i < now.list.n; i++) {
        struct ring *piece = &now.list.ring[i];

        pieces_add(arena, out, piece->at == r->at ? ring_copy(arena, piece) : *piece);
    }
}

struct rings ring_clip(struct arena *arena, const struct ring *r, struct box b)
{
    struct pieces out = { 0 };

    clip_into(arena, r, b, &out);
    return out.list;
}

struct rings rings_clip(struct arena *arena, const struct rings *r, struct box b)
{
    struct pieces out = { 0 };

    for (size_t i = 0; i < r->n; i++)
        clip_into(arena, &r->ring[i], b, &out);
    return out.list;
}
