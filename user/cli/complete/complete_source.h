/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef CLI_COMPLETE_SOURCE_H
#define CLI_COMPLETE_SOURCE_H

#include "cli/complete/completions.h"

/* complete_source.h: completes sources, and names that depend on them: fields and tables. */

/* Names of sources that have been typed. */
struct typed_sources {
	char *const *names;
	size_t count;
};

/* Adds probes and @KINDs; after a probe's comma, its options and their values. */
void complete_source__name(struct completions *completions);

/* Adds @KINDs, also those that exist only in recordings. */
void complete_source__recorded_kind(struct completions *completions);

/* Adds the fields of all events of the sources, by their paths. */
void complete_source__field(struct completions *completions, const struct typed_sources *sources);

/* Likewise, those whose values are integers: they have a sum and a histogram. */
void complete_source__number(struct completions *completions, const struct typed_sources *sources);

/* Adds the names of the tables that the sources keep. */
void complete_source__table(struct completions *completions, const struct typed_sources *sources);

/* Adds the fields, or after a comparison of a field the names of its values. */
void complete_source__expression(struct completions *completions,
				 const struct typed_sources *sources);

#endif /* CLI_COMPLETE_SOURCE_H */
