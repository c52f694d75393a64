// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* replay/deferral.c: completes recorded samples whose user callchain is a record of its own. */
#include <errno.h>
#include <stdlib.h>

#include "replay/deferral.h"

/* The callchains of two records, each of at most 65,535 bytes. */
#define MERGED_WORDS (2 * 8192)

void deferral__init(struct deferral *deferral, uint64_t limit_bytes, uint64_t wait_ns)
{
	deferred__init(&deferral->queue, limit_bytes, wait_ns);
	deferral->record.sz = sizeof(deferral->record);
}

void deferral__free(struct deferral *deferral)
{
	deferred__free(&deferral->queue);
	free(deferral->merged);
	deferral->merged = NULL;
}

static bool decode(struct deferral *deferral, const struct peat_event *undecoded,
		   const struct peat_layout *layout)
{
	return layout &&
	       peat_record__decode(layout, undecoded->data, undecoded->size, &deferral->record) > 0;
}

/* Invalid records do not wait; they are counted when they are returned. */
static enum deferred_role find_role(struct deferral *deferral, const struct peat_event *undecoded,
				    const struct peat_layout *layout, uint64_t *cookie)
{
	const struct peat_record *record = &deferral->record;

	if (!decode(deferral, undecoded, layout))
		return DEFERRED_NONE;
	if (record->type == PEAT_RECORD_CALLCHAIN_DEFERRED) {
		*cookie = record->callchain_deferred.cookie;
		return DEFERRED_PART;
	}
	if (record->type == PEAT_RECORD_SAMPLE && record->has & PEAT_SAMPLE_CALLCHAIN &&
	    deferred__find_cookie(&record->sample.callchain, cookie))
		return DEFERRED_SAMPLE;
	return DEFERRED_NONE;
}

int deferral__put(struct deferral *deferral, const struct peat_event *undecoded,
		  const struct peat_layout *layout)
{
	uint64_t cookie = 0;
	enum deferred_role role = find_role(deferral, undecoded, layout, &cookie);

	if (!deferral->merged)
		deferral->merged = calloc(MERGED_WORDS, sizeof(*deferral->merged));
	if (!deferral->merged)
		return -ENOMEM;
	return deferred__put(&deferral->queue, undecoded, role, cookie);
}

void deferral__complete(struct deferral *deferral, const struct peat_event *part,
			const struct peat_layout *layout, struct peat_record *sample)
{
	struct peat_words *chain = &sample->sample.callchain;

	if (!decode(deferral, part, layout))
		return;
	chain->count = deferred__merge(chain, &deferral->record.callchain_deferred.callchain,
				       deferral->merged);
	chain->data = deferral->merged;
	chain->swapped = false;
}
