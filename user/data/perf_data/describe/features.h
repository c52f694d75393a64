/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * perf_data/describe/features.h: prints the header features of a perf.data: the machine, the
 * command and the events.
 *
 * A file has a section for each feature; a pipe has a record FEATURE for each, with the same bytes
 * after its id.  Both have them in ascending order of ids:
 *
 *	struct perf_features features = { .swapped = file_is_foreign };
 *	struct emit emit = emit__lines(&out); // or emit__json(), emit__pairs()
 *	const char *why;
 *
 *	for each feature id, and bytes and count of its section:
 *		if (features__emit(&features, id, bytes, count, &emit, &why))
 *			complain(why);
 *		strbuf__char(&out, '\n'); // JSON and pairs only: lines are whole
 *
 * For the names of events in groups (GROUP_DESC), set features.event_desc and event_desc_bytes to
 * the section of EVENT_DESC while it is in memory.  Allocates only `out`.
 */
#ifndef PEAT_PERF_DATA_DESCRIBE_FEATURES_H
#define PEAT_PERF_DATA_DESCRIBE_FEATURES_H

#include "base/emit.h"
#include "perf_data/features.h"

/* The name that perf uses, such as "HOSTNAME"; NULL: unknown. */
const char *features__name(uint64_t id);

/*
 * Emits a feature as an object, {"feature":"HOSTNAME","id":3,"hostname":"example"}, or as the lines
 * of perf report --header-only -I; BUILD_ID and TRACING_DATA have lines, too, though perf prints
 * none.  Topologies of CPUs and memory, scheduler domains and BPF programs, which perf lists, have
 * their size only.
 *
 * 0, also for an unknown feature; -EBADMSG: the feature is damaged, *why has the reason, everything
 * before the damage was emitted, and "damaged" is a member and a line.  Excess bytes are ignored.
 */
int features__emit(struct perf_features *features, uint64_t id, const void *bytes, size_t count,
		   struct emit *emit, const char **why);

#endif /* PEAT_PERF_DATA_DESCRIBE_FEATURES_H */
