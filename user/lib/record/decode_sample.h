/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * sample.h: the parts of decoding that are long enough for a file of their own.
 */
#ifndef PEAT_SAMPLE_H
#define PEAT_SAMPLE_H

#include "base/cursor.h"

/* The body of a SAMPLE: sets has, the ids and rec->sample. What went wrong is in cur->bad. */
void peat_sample__decode(struct cursor *cur, struct peat_record *rec);

/* A struct read_format, in a SAMPLE or a READ. */
void peat_read__decode(struct cursor *cur, struct peat_read *read);

#endif /* PEAT_SAMPLE_H */
