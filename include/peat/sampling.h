/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * sampling.h: reads perf events that the kernel samples itself, without a BPF program: counters
 * that overflow, tracepoints, page faults, breakpoints.
 *
 *	struct peat_sampling_opts opts = PEAT_SAMPLING_OPTS_INIT;
 *	struct peat_reader_opts reader_opts = PEAT_READER_OPTS_INIT;
 *	uint32_t pid = 1234;
 *	struct peat_reader *reader;
 *
 *	opts.pids = &pid;
 *	opts.pid_count = 1;
 *	opts.frequency = 99;
 *	reader_opts.stacks.kinds = PEAT_STACK_KERNEL | PEAT_STACK_USER;
 *	reader = peat_reader__new_events("cycles:u,page-faults", &opts, &reader_opts);
 *
 * Each sample is a PEAT_EVENT_DATA.  Its type is the number of the event in the list, from 0.
 * `record->sample` has what the kernel sampled: ip, period, for page-faults and breakpoints addr,
 * for a tracepoint raw, with stacks callchain.  `data` and `schema` of a tracepoint have its
 * fields; other events have none.
 */
#ifndef PEAT_SAMPLING_H
#define PEAT_SAMPLING_H

#include <peat/common.h>
#include <peat/reader.h>
#include <peat/session.h>

PEAT_BEGIN_DECLS

struct peat_sampling_opts {
	size_t sz; /* sizeof(struct peat_sampling_opts) */
	/*
	 * A sample at each `period` events, or `frequency` samples per second, for events that do
	 * not have period= or freq= in the list; not both.  Both 0: a sample at each event of
	 * tracepoints and breakpoints, 4000 samples per second of others.  UINT32_MAX: as many as
	 * the kernel allows (kernel.perf_event_max_sample_rate).
	 */
	uint64_t period;
	uint32_t frequency;
	uint32_t uid; /* tasks of this user when the reader is opened, if by_uid is set */
	bool by_uid;
	bool no_inherit;     /* do not sample the children that tasks will have */
	bool on_exec;	     /* sample tasks once they call exec() */
	uint8_t reserved[5]; /* 0 */
	/* Processes with all their threads, and threads.  Without tasks and cgroup: all tasks. */
	const uint32_t *pids, *tids;
	uint32_t pid_count, tid_count;
	const char *cgroup; /* path of a cgroup (v2), with those below it; NULL: none */
};

/* The defaults: all members but sz are 0.  NULL options mean the same. */
#define PEAT_SAMPLING_OPTS_INIT                                                                    \
	{                                                                                          \
		sizeof(struct peat_sampling_opts), 0, 0, 0, false, false, false, { 0 }, NULL,      \
			NULL, 0, 0, NULL                                                           \
	}

/*
 * Makes a reader of the events in `events`, a list as perf record -e takes it:
 * "cycles:u,page-faults", "sched:sched_switch/next_pid==1/", "mem:0x601040:w", "{cycles,r1a8}".
 * Neither the text nor the options need to live longer than the call.
 *
 * The reader has no ledger, like one of raw events: peat_reader__stats() has the losses.
 * peat_reader__wait() returns -ENODATA once all tasks and their children have ended; the rest is
 * read by peat_reader__flush() and then peat_reader__next() until 0.  peat_reader__pause() ends the
 * sampling, without a loss.
 *
 * If the user may not sample the kernel (kernel.perf_event_paranoid), user space alone is sampled;
 * cycles on a machine without a counter for them become cpu-clock.  The log reports both.
 *
 * NULL and errno, with the reason and the remedy in the log:
 *	EINVAL		not a list of events; wrong options
 *	ENOENT		this machine has no such event, or tracefs has no such tracepoint
 *	EACCES, EPERM	missing permissions
 *	EOPNOTSUPP	the event cannot be sampled
 *	ESRCH		no such task
 *	ENOSPC		all breakpoints or counters are in use
 *	EMFILE, ENOMEM, and the errors of peat_reader__new_raw()
 */
PEAT_API struct peat_reader *peat_reader__new_events(const char *events,
						     const struct peat_sampling_opts *opts,
						     const struct peat_reader_opts *reader_opts);

/*
 * Adds such events to a session, which then reads them alone: it cannot have objects and maps
 * beside them.  Filters of the session do not apply; use the filters of `opts`.
 *
 *	0	added
 *	-EBUSY	the session has events already
 *	-EINVAL	the session has objects or maps; not a list of events; wrong options
 *	another negative errno, as above
 */
PEAT_API int peat_session__add_events(struct peat_session *session, const char *events,
				      const struct peat_sampling_opts *opts);

PEAT_END_DECLS

#endif /* PEAT_SAMPLING_H */
