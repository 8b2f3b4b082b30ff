/* collect: reports of records, in input order, become manifest, annotation file and run.json. */
#pragma once

#include "record.h"
#include "store.h"

#include <stdio.h>

/* Opaque spools in OUT/.lockstep; all zero before collect_start. */
struct collect {
    const struct job *job;
    FILE *manifest, *errors, *records;
    struct store objects; /* where who does a record puts its objects */
    struct indexed *record_index, *object_index;
    size_t n_records, n_objects, room_records, room_objects;
    uint64_t records_size;
    bool changed;         /* why collect_finish failed: the annotations did, under the run */
    size_t done, skipped; /* records */
    struct counts counts; /* of those that are done */
    size_t first_several, first_misnamed; /* records */
};

/* Open the spools. False with a reason. */
bool collect_start(struct collect *, const struct job *, struct text *why);
/* Take the report of one record, its objects being in the store; call in input order. */
bool collect_take(struct collect *, size_t record, const struct report *, struct text *why);
/* Add a record's counts, as collect_take does. */
void collect_count(struct collect *, size_t record, const struct counts *);
/* See that all outputs are there, and put everything in its place, the annotation file last; then
 * the scratch is removed and the job's folder closed. */
bool collect_finish(struct collect *, struct text *why);
/* Close what is open (after a failure; finish does it by itself). */
void collect_drop(struct collect *);
