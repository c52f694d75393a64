/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * counters.h: counting perf events: of this thread, of other tasks, of a cgroup, or of all tasks.
 *
 *	struct peat_counters_opts opts = { .sz = sizeof(opts) };
 *	struct peat_counter_value value = { .sz = sizeof(value) };
 *	struct peat_counters *counters;
 *
 *	opts.events = "page-faults,{cycles,instructions}";
 *	counters = peat_counters__new(&opts);
 *	peat_counters__enable(counters);
 *	work();
 *	peat_counters__read(counters);
 *	for (uint32_t i = 0; i < peat_counters__count(counters); i++)
 *		if (!peat_counters__value(counters, i, &value))
 *			printf("%s: %.0f\n", value.name, value.amount);
 *	peat_counters__free(counters);
 *
 * The object is for one thread at a time.
 */
#ifndef PEAT_COUNTERS_H
#define PEAT_COUNTERS_H

#include <peat/common.h>

PEAT_BEGIN_DECLS

struct peat_counters;

/* Without pids, tids, all_tasks and cgroup, the counters are the calling thread's. */
struct peat_counters_opts {
	size_t sz; /* sizeof(struct peat_counters_opts) */
	/*
	 * Events as perf takes them, separated by commas; see peat-stat(1).  `{a,b}` is a group:
	 * the kernel counts its events at the same times, so that their ratio is exact.
	 */
	const char *events;
	const uint32_t *pids; /* processes, with the threads that they have now */
	const uint32_t *tids; /* threads */
	uint32_t pid_count, tid_count;
	/*
	 * The tasks of this cgroup (cgroup2) and below, on each CPU: a path, also /proc/self/fd/N
	 * of an open directory, or one below the root cgroup.  NULL: none.
	 */
	const char *cgroup;
	/*
	 * Only on these CPUs, "0-3,8", each apart; NULL: all.  Tasks on chosen CPUs are not scaled:
	 * the kernel cannot tell multiplexing from a task that runs on another CPU.
	 */
	const char *cpus;
	bool all_tasks; /* all tasks, on each CPU */
	/* Counting begins when a task of pids or tids executes a program. */
	bool enable_on_exec;
	bool no_inherit; /* do not count threads and processes that the tasks will create */
	/* Events that this machine cannot count are PEAT_COUNTER_NOT_SUPPORTED, not an error. */
	bool optional;
	/*
	 * The counters of the calling thread alone, for peat_counters__read_self(): not of threads
	 * and processes that it will create.
	 */
	bool self;
	/*
	 * The signal of each overflow, to the calling thread, which caused it: with `self` and
	 * `period`.  si_fd of its siginfo_t is for peat_counters__event_of_fd(); si_code is
	 * POLL_IN, or POLL_HUP for the last overflow of peat_counters__refresh().  Signals from
	 * SIGRTMIN on are queued; of the others one is pending at a time.  0: none.
	 */
	uint8_t overflow_signal;
	/*
	 * Threads that the tasks will create are counted, processes that they will create are not
	 * (Linux 5.13).
	 */
	bool inherit_thread;
	/* A task is no longer counted after it has executed a program (Linux 5.13). */
	bool remove_on_exec;
	/*
	 * An event overflows each time that it has counted so many, on each CPU and in each thread
	 * by itself: see peat_counters__overflow_fd().  The term `period=` of an event has
	 * precedence.  0: events do not overflow.
	 *
	 * Tasks whose children are counted are then counted on each CPU apart, as with `cpus`.
	 */
	uint64_t period;
	/* A number of the caller for peat_counters__trap_data(), with `sigtrap`. */
	uint64_t sig_data;
	/*
	 * Each access counted by a breakpoint, such as `mem:0x7f01c0de/4:w`, sends SIGTRAP to the
	 * thread that made it, at once; with `period`, each access that overflows.  A system call
	 * that made it ends first.  For tasks of this process, and with `remove_on_exec`, since
	 * SIGTRAP ends a program without a handler.  x86 and Linux 5.13.
	 */
	bool sigtrap;
	bool reserved[7]; /* 0 */
};

#define PEAT_COUNTERS_OPTS_INIT                                                                    \
	{                                                                                          \
		sizeof(struct peat_counters_opts), NULL, NULL, NULL, 0, 0, NULL, NULL, false,      \
			false, false, false, false, 0, false, false, 0, 0, false,                  \
		{                                                                                  \
			false, false, false, false, false, false, false                            \
		}                                                                                  \
	}

/*
 * Opens the counters, which count from peat_counters__enable() on.  File descriptors: one for each
 * event and CPU, or thread.  If RLIMIT_NOFILE is too low, its soft limit is raised.
 *
 * If this user may not count the kernel, user space alone is counted, and the event's name has the
 * modifier `u`.
 *
 * NULL and errno; the log has the reason:
 *	EINVAL	wrong options or events; with `period`, also the term freq= of an event
 *	ENOENT	this machine has no such PMU, event or tracepoint, or no such cgroup
 *	EOPNOTSUPP	this machine, or these tasks, cannot be counted by an event; not if
 *			`optional`.  Also no inherit_thread, remove_on_exec or sigtrap here
 *	EACCES	no permission; with `period`, also too little memory that this user may lock
 *	ESRCH	no such task
 *	ENODEV	no such CPU
 *	EMFILE	too many file descriptors
 *	ENOSPC	no free hardware breakpoint
 *	ENOMEM
 */
PEAT_API struct peat_counters *peat_counters__new(const struct peat_counters_opts *opts);

/* Starts and stops counting.  Counts and times are kept.  0 or a negative errno. */
PEAT_API int peat_counters__enable(struct peat_counters *counters);
PEAT_API int peat_counters__disable(struct peat_counters *counters);

/*
 * Reads all counters, for the functions below.  Counters of CPUs that were offline and have
 * returned count again; until a CPU returns, its last counts are kept.
 *
 * 0 or a negative errno.
 */
PEAT_API int peat_counters__read(struct peat_counters *counters);

/*
 * Sets the counts and times of the last peat_counters__read() to 0.  Counts made between the
 * two calls are in the next reading, so intervals lose nothing.
 */
PEAT_API void peat_counters__reset(struct peat_counters *counters);

/*
 * A file descriptor for poll(2), readable when CPUs may have gone offline or online: call
 * peat_counters__read() then, so that CPUs that return are counted at once.  -1: the counters are
 * of tasks, which need no such care.
 */
PEAT_API int peat_counters__fd(const struct peat_counters *counters);

/*
 * A file descriptor for poll(2), readable after an event has overflowed.  It is reported once: then
 * call peat_counters__read() and compare the counts.  Any CPU and thread may wake it, and a wakeup
 * may also mean that a task has ended.  -EINVAL: opts.period was not set.
 *
 * The kernel limits overflows to kernel.perf_event_max_sample_rate per second and CPU: an event
 * that overflows more often does not wake for each.
 */
PEAT_API int peat_counters__overflow_fd(const struct peat_counters *counters);

/*
 * Parses EVENT>N, a limit: more than N of a perf event, as `--on` of peat-record(1) takes it.
 *
 *	1		a limit: stores the size of EVENT, which begins the text, and N
 *	0		something else, such as a function with an argument `a->b`
 *	-EINVAL		EVENT is missing, or N is no number below INT64_MAX
 */
PEAT_API int peat_counters__parse_limit(const char *text, size_t *event_bytes, uint64_t *over);

/*
 * A period that wakes peat_counters__overflow_fd() when a part of `over` events has happened on a
 * CPU.  Events that are spread over CPUs and tasks wake it late or never: also call
 * peat_counters__exceeded() in intervals.
 */
PEAT_API uint64_t peat_counters__limit_period(uint64_t over);

/*
 * Reads all counters, and returns how often more than `over` events have happened, those of all
 * names, CPUs and tasks together, since the last call that did not return 0.  `over` is less than
 * INT64_MAX.  `rest` keeps the events beyond the last `over` + 1 for the next call: 0 at first, and
 * after peat_counters__reset(), which begins again.
 *
 * A number, or a negative errno.
 */
PEAT_API int64_t peat_counters__exceeded(struct peat_counters *counters, uint64_t over,
					 uint64_t *rest);

/*
 * The number of the event that has this file descriptor, for handlers of opts.overflow_signal: it
 * is async-signal-safe.  -ENOENT: none, as for a signal of another origin.
 */
PEAT_API int64_t peat_counters__event_of_fd(const struct peat_counters *counters, int fd);

/*
 * Stores opts.sig_data plus the number of the event, of a SIGTRAP of opts.sigtrap.  `siginfo` is
 * the siginfo_t of a handler with SA_SIGINFO; its si_addr is the address of the breakpoint.  This
 * function is async-signal-safe.
 *
 * 0, or -ENOENT: a signal of another origin.
 */
PEAT_API int peat_counters__trap_data(const void *siginfo, uint64_t *sig_data);

/*
 * Enables an event until it has overflowed `overflows` times more, and disables it then: with
 * opts.self and opts.period.  Its count to the next overflow begins anew.  Overflows that are left
 * of an earlier call are added.  Only another call enables it again.
 *
 * 0 or a negative errno; -EINVAL: no such event, `overflows` is not from 1 to INT32_MAX, or the
 * event is a member of a group, but not the first.
 */
PEAT_API int peat_counters__refresh(struct peat_counters *counters, uint32_t event,
				    uint32_t overflows);

/*
 * Changes an event's period from now on: its value goes on, and its count to the next overflow
 * begins anew.  Events of other tasks may be missed during the change, which takes microseconds.
 * Tasks that have inherited the event keep their period.  An event of peat_counters__refresh() is
 * disabled: call that again.
 *
 * 0 or a negative errno; -EINVAL: no such event, a period of 0 or more than INT64_MAX, without
 * opts.period, or with enable_on_exec.
 */
PEAT_API int peat_counters__set_period(struct peat_counters *counters, uint32_t event,
				       uint64_t period);

enum peat_counter_status {
	PEAT_COUNTER_COUNTED,
	/* It had no time to count: the tasks did not run, or other events occupied the PMU. */
	PEAT_COUNTER_NOT_COUNTED,
	PEAT_COUNTER_NOT_SUPPORTED
};

struct peat_counter_value {
	size_t sz;	  /* sizeof(struct peat_counter_value), set by the caller */
	const char *name; /* the event's, with its modifiers; as long as the counters */
	const char *unit; /* unit of `amount`, "Joules", "ns"; NULL: a plain number */
	uint64_t value;	  /* as counted */
	/*
	 * If more events than the PMU has counters are enabled, the kernel counts them in turns.
	 * value * enabled_ns / running_ns is an estimate for all of the time.
	 */
	uint64_t scaled;
	double amount;	     /* `scaled` in `unit` */
	uint64_t enabled_ns; /* time in which it was to count; of all CPUs or tasks together */
	uint64_t running_ns; /* time in which it did */
	uint64_t lost;	     /* samples lost; 0 unless the event also has a ring */
	int32_t cpu;	     /* -1: all */
	int32_t tid;	     /* -1: all; 0: the calling thread */
	enum peat_counter_status status;
	uint32_t group; /* number of its group, from 0; PEAT_COUNTER_NO_GROUP */
};

#define PEAT_COUNTER_NO_GROUP UINT32_MAX

/* The number of events: a name may stand for several. */
PEAT_API uint32_t peat_counters__count(const struct peat_counters *counters);

/*
 * The sum of an event's values at the last reading.  Each part is scaled by its own times.  0, or
 * -EINVAL: no such event.
 */
PEAT_API int peat_counters__value(const struct peat_counters *counters, uint32_t event,
				  struct peat_counter_value *value);

/* The number of an event's parts: CPUs or threads that it has been counted on. */
PEAT_API uint32_t peat_counters__parts(const struct peat_counters *counters, uint32_t event);

/* The value of one part.  0, or -EINVAL: no such part. */
PEAT_API int peat_counters__part(const struct peat_counters *counters, uint32_t event,
				 uint32_t part, struct peat_counter_value *value);

/*
 * Moves a breakpoint, such as `mem:0x7f01c0de:w`, to another address while it counts; its count
 * goes on (Linux 4.17).  0 or a negative errno:
 *
 *	-EINVAL		the event is no breakpoint, or the address does not fit its length
 *	-EOPNOTSUPP	this kernel or machine cannot count it
 */
PEAT_API int peat_counters__move_breakpoint(struct peat_counters *counters, uint32_t event,
					    uint64_t address);

/*
 * Reads one event of the calling thread, for peat_counters__value(), and stores its value.  For
 * counters that were made with opts.self, by the thread that made them.
 *
 * On x86-64 and arm64 this is no system call while all of this holds, and otherwise one, read(2):
 *
 *	- it is an event of the CPU's PMU, such as cycles, and the counters are enabled
 *	- the kernel allows it: /sys/bus/event_source/devices/cpu/rdpmc is not 0 on x86-64;
 *	  kernel.perf_user_access is 1 on arm64 (Linux 5.17)
 *	- RLIMIT_MEMLOCK and kernel.perf_event_mlock_kb have room for a page of each event
 *
 * Members of a group are read one after the other: use peat_counters__read() for their ratio.
 *
 * 0 or a negative errno: -EINVAL: no such event, or opts.self was not set.
 */
PEAT_API int peat_counters__read_self(struct peat_counters *counters, uint32_t event,
				      struct peat_counter_value *value);

/* Accepts NULL. */
PEAT_API void peat_counters__free(struct peat_counters *counters);

PEAT_END_DECLS

#endif /* PEAT_COUNTERS_H */
