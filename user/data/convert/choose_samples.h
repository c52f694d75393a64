/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * convert/choose_samples.h: finds the samples that match an expression, when a recording is
 * rewritten.
 *
 *	err = choose_samples__open(&choose, rec, opts, &passes);
 *	for each record:
 *		err = choose_samples__test(&choose, &entry, &is_kept);
 *	choose_samples__close(&choose);
 *
 * A sample may come before the record that names its task, so a first pass reads all names.
 */
#ifndef PEAT_CONVERT_CHOOSE_SAMPLES_H
#define PEAT_CONVERT_CHOOSE_SAMPLES_H

#include <peat/recording.h>

#include "convert/passes.h"
#include "replay/intake.h"

struct choose_samples {
	struct peat_where *where;  /* NULL: all samples match */
	struct peat_reader reader; /* the event that is tested */
	struct replay_intake in;   /* of the first pass */
	uint64_t kept, left_out;
};

/*
 * Makes the first pass over the file of `rec`, unless opts->where is NULL, and counts it.  0, or a
 * negative errno that is logged: -EINVAL: no event has a field of the expression; -ESPIPE: a pipe
 * cannot be read twice.
 */
int choose_samples__open(struct choose_samples *choose, const struct perf_recording *rec,
			 const struct peat_rewrite_opts *opts, struct passes *passes);

/* Sets *is_kept, of a sample by the expression.  0 or a negative errno. */
int choose_samples__test(struct choose_samples *choose, const struct perf_entry *entry,
			 bool *is_kept);

void choose_samples__close(struct choose_samples *choose); /* all zero is allowed */

#endif /* PEAT_CONVERT_CHOOSE_SAMPLES_H */
