// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* counters/trap.c: breakpoints that send SIGTRAP to the thread that hits them. */
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "counters/trap.h"

/* ---- requests -------------------------------------------------------------------------------- */

static bool is_own_thread(uint32_t tid)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/task/%u", tid);
	return !access(path, F_OK);
}

/* Other processes do not expect the signal. */
static bool are_tasks_own(const struct peat_counters_opts *opts)
{
	if (opts->all_tasks || opts->cgroup)
		return false;
	for (uint32_t i = 0; i < opts->pid_count; i++)
		if (opts->pids[i] != (uint32_t)getpid())
			return false;
	for (uint32_t i = 0; i < opts->tid_count; i++)
		if (!is_own_thread(opts->tids[i]))
			return false;
	return true;
}

/* The contradiction of the options; NULL: none. */
static const char *find_contradiction(const struct peat_counters_opts *opts)
{
	if (!opts->sigtrap)
		return opts->sig_data ? "sig_data needs sigtrap" : NULL;
	if (!opts->remove_on_exec)
		return "sigtrap needs remove_on_exec: the signal would end a program without a "
		       "handler";
	if (!are_tasks_own(opts))
		return "sigtrap is for tasks of this process: leave out all other tasks";
	return NULL;
}

/* The kernel sends the signal when the event overflows. */
static bool request_signal(struct pmu_event *event, uint64_t sig_data)
{
	if (event->attr.type != PERF_TYPE_BREAKPOINT)
		return false;
	event->attr.sigtrap = 1;
	event->attr.sig_data = sig_data;
	if (!event->attr.sample_period)
		event->attr.sample_period = 1;
	return true;
}

/*
 * On arm64 a breakpoint stops before the access, and the kernel does not step over it when a signal
 * is delivered: the thread returns from its handler to the same access, without end (perf leaves
 * its own test out there).  Other architectures are untested.
 */
#if defined(__x86_64__) || defined(__i386__)
#define HAS_SIGNALS true
#else
#define HAS_SIGNALS false
#endif

static bool request_signals(struct pmu_events *events, uint64_t sig_data)
{
	bool any = false;

	for (uint32_t i = 0; i < events->count; i++)
		any |= request_signal(&events->at[i], sig_data + i);
	return any;
}

int trap__prepare(struct pmu_events *events, const struct peat_counters_opts *opts)
{
	const char *contradiction = find_contradiction(opts);

	if (!contradiction && opts->sigtrap && !request_signals(events, opts->sig_data))
		contradiction = "sigtrap needs a breakpoint, such as mem:ADDRESS/4:w";
	if (contradiction) {
		log__error("peat_counters_opts: %s", contradiction);
		return -EINVAL;
	}
	if (!opts->sigtrap || HAS_SIGNALS)
		return 0;
	log__error("peat_counters_opts: sigtrap is for x86: on other machines the thread may "
		   "return from its handler to the same access, without end: leave it out");
	return -EOPNOTSUPP;
}

/* ---- signals --------------------------------------------------------------------------------- */

/* si_code of perf events (asm-generic/siginfo.h), which older C libraries lack. */
#define CODE_OF_PERF 6

/* The members of siginfo_t from si_addr on, which C libraries lack. */
struct trap {
	void *address;
	unsigned long data;
	uint32_t type; /* PERF_TYPE_* */
};

int peat_counters__trap_data(const void *siginfo, uint64_t *sig_data)
{
	const siginfo_t *info = siginfo;
	struct trap trap;

	if (info->si_signo != SIGTRAP || info->si_code != CODE_OF_PERF)
		return -ENOENT;
	memcpy(&trap, (const char *)siginfo + offsetof(siginfo_t, si_addr), sizeof(trap));
	if (trap.type != PERF_TYPE_BREAKPOINT)
		return -ENOENT;
	*sig_data = trap.data;
	return 0;
}
