// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* options_list.c: peat list. */
#include "cli/options/option_take.h"
#include "cli/options/options.h"

const struct option_row options_list__rows[] = {
	{ { "attached", 0, NULL, 0,
	    "list the perf event arrays of this machine: their pins, the processes that hold them, "
	    "the programs that write to them",
	    9 },
	  VERB_LIST,
	  INTO(list.attached) },
	{ { "maps", 0, NULL, 0,
	    "list the hash tables and arrays of this machine, which can be shown as tables: the "
	    "types of key and value, the processes that hold them, the programs that use them",
	    8 },
	  VERB_LIST,
	  INTO(list.maps) },
	{ { "search", 0, "TEXT", 0,
	    "list the sources that mention each word of TEXT: in a name or a description of the "
	    "probe, its fields or its options, in a hook, or as a tool of bcc, bpftrace, perf or "
	    "strace that answers the same question",
	    8 },
	  VERB_LIST,
	  INTO(list.search) },
	{ { "events", 0, NULL, 0,
	    "list the perf events of this machine: hardware and software events, those of its "
	    "PMUs, tracepoints; with TEXT instead of SOURCE, those whose name contains it",
	    8 },
	  VERB_LIST,
	  INTO(list.events) },
	LAST_ROW,
};
