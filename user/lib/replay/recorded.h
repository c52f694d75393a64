/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* replay/recorded.h: the context of a recorded event. */
#ifndef PEAT_REPLAY_RECORDED_H
#define PEAT_REPLAY_RECORDED_H

#include <peat/reader.h>

#include "perf_data/attrs.h"
#include "perf_data/tool_record.h"
#include "replay/build_ids.h"

/* Valid as long as the event, including everything it points to. */
struct peat_recorded {
	const char *arch;	/* of the machine, as in uname -m; NULL: unknown */
	const char *release;	/* of its kernel, as in uname -r; NULL: unknown */
	const char *interfaces; /* its network interfaces, lines of NOTE_INTERFACES */
	size_t interfaces_bytes;
	bool other_machine; /* host, release or arch are not those of this machine */
	int64_t changed_ns; /* when the recording was written last, since 1970; 0: unknown */
	bool same_kernel;   /* kernel addresses are those of the running kernel */
	const struct perf_attrs *attrs; /* the events, to find by the ids in samples */
	struct build_ids *build_ids;	/* of files, if their mappings have none; or NULL */

	/* Set for PEAT_EVENT_TOOL, else NULL. */
	const struct tool_record *tool;
};

#endif /* PEAT_REPLAY_RECORDED_H */
