// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* options_filter.c: the events that are wanted. */
#include "cli/options/option_take.h"
#include "cli/options/options.h"
#include "cli/options/parse_value.h"

static uint32_t parse_id(const char *arg, struct argp_state *state)
{
	const struct options *options = state->input;

	return parse_value__pid(arg, options->verb & REPLAY, state);
}

static void take_pid(void *member, const char *arg, struct argp_state *state)
{
	struct filter_options *filter = member;

	if (filter->by_pid)
		argp_error(state, "-p '%s': give one process", arg);
	filter->pid = parse_id(arg, state);
	filter->by_pid = true;
}

static void take_tid(void *member, const char *arg, struct argp_state *state)
{
	struct filter_options *filter = member;

	if (filter->by_tid)
		argp_error(state, "-t '%s': give one thread", arg);
	filter->tid = parse_id(arg, state);
	filter->by_tid = true;
}

static void take_uid(void *member, const char *arg, struct argp_state *state)
{
	struct filter_options *filter = member;

	if (filter->by_uid)
		argp_error(state, "-u '%s': give one user", arg);
	filter->uid = parse_value__user(arg, state);
	filter->by_uid = true;
}

static void take_where(void *member, const char *arg, struct argp_state *state)
{
	const char **where = member;

	if (*where)
		argp_error(state, "--where '%s': give one expression, with && or ||", arg);
	*where = arg;
}

static void take_comm(void *member, const char *arg, struct argp_state *state)
{
	const char **comm = member;

	if (*comm)
		argp_error(state,
			   "--comm '%s': give one name, or --where 'comm in (\"%s\", \"%s\")'", arg,
			   *comm, arg);
	*comm = arg;
}

static void take_cgroup(void *member, const char *arg, struct argp_state *state)
{
	const char **cgroup = member;

	if (*cgroup)
		argp_error(state, "--cgroup '%s': give one cgroup", arg);
	*cgroup = arg;
}

static void take_name(const char **name, const char *option, const char *arg,
		      struct argp_state *state)
{
	if (*name)
		argp_error(state, "--%s '%s': give one, or a pattern such as 'a*'", option, arg);
	if (!*arg)
		argp_error(state, "--%s: the name is empty", option);
	*name = arg;
}

static void take_container(void *member, const char *arg, struct argp_state *state)
{
	take_name(member, "container", arg, state);
}

static void take_pod(void *member, const char *arg, struct argp_state *state)
{
	take_name(member, "pod", arg, state);
}

static void take_unit(void *member, const char *arg, struct argp_state *state)
{
	take_name(member, "unit", arg, state);
}

static void take_cpus(void *member, const char *arg, struct argp_state *state)
{
	const char **cpus = member;

	if (*cpus)
		argp_error(state, "-C '%s': give one list: -C %s,%s", arg, *cpus, arg);
	*cpus = arg;
}

static void take_time(void *member, const char *arg, struct argp_state *state)
{
	struct filter_options *filter = member;

	if (filter->by_time)
		argp_error(state, "--time '%s': give one span of time", arg);
	parse_value__span(arg, &filter->from_ns, &filter->to_ns, state);
	filter->by_time = true;
}

static void refuse_time(void *member, const char *arg, struct argp_state *state)
{
	(void)member;
	(void)arg;
	argp_error(state, "--time is for peat replay: use -d, or -T for the time of day");
}

const struct option_row options_filter__rows[] = {
	{ { "where", 0, "EXPR", 0,
	    "only events whose fields match: 'delay > 5ms && comm == \"nginx\"', 'result in "
	    "(ENOENT, "
	    "EACCES)', 'path ~ \"/etc/*\"'",
	    1 },
	  RUN | REPLAY | VERB_CONVERT | VERB_PROFILE,
	  BY(take_where, filter.where) },
	{ { "pid", 'p', "PID", 0, "only events of this process", 1 },
	  RUN | REPLAY | VERB_PROFILE | VERB_DOCTOR,
	  BY(take_pid, filter) },
	{ { "tid", 't', "TID", 0, "only events of this thread", 1 },
	  RUN | REPLAY | VERB_PROFILE,
	  BY(take_tid, filter) },
	{ { "uid", 'u', "USER", 0, "only events of this user, a number or a name", 1 },
	  RUN | VERB_PROFILE,
	  BY(take_uid, filter) },
	{ { "comm", 0, "NAME", 0, "only events of tasks with this name (at most 15 bytes)", 1 },
	  RUN | VERB_PROFILE,
	  BY(take_comm, filter.comm) },
	{ { "comm", 0, "NAME", 0, "only events of tasks with this name", 1 },
	  REPLAY,
	  BY(take_comm, filter.comm) },
	{ { "cgroup", 0, "PATH", 0,
	    "only events of tasks in this cgroup or below; programs of cgroups are attached to it",
	    1 },
	  RUN | VERB_PROFILE,
	  BY(take_cgroup, filter.cgroup) },
	{ { "container", 0, "NAME", 0,
	    "only events of tasks in this container: the beginning of its id, or its name", 1 },
	  RUN | REPLAY,
	  BY(take_container, filter.container) },
	{ { "pod", 0, "NAME", 0, "only events of tasks in this pod: its UID, or its name", 1 },
	  RUN | REPLAY,
	  BY(take_pod, filter.pod) },
	{ { "unit", 0, "NAME", 0, "only events of tasks in this unit of systemd", 1 },
	  RUN | REPLAY,
	  BY(take_unit, filter.unit) },
	{ { "cpu", 'C', "LIST", 0, "only events of these CPUs: 0-3,8", 1 },
	  RUN | REPLAY | VERB_PROFILE,
	  BY(take_cpus, filter.cpus) },
	{ { "time", 0, "FROM,TO", 0,
	    "only events in this span, in seconds as printed: 3202.9,3203 or 3202.9, or ,3203", 1 },
	  REPLAY,
	  BY(take_time, filter) },
	{ { "time", 0, "FROM,TO", 0,
	    "of a recording, only events in this span, in seconds as replay prints them", 1 },
	  TALLY,
	  BY(take_time, filter) },
	{ { "time", 0, "FROM,TO", OPTION_HIDDEN, NULL, 1 }, LIVE, BY(refuse_time, filter) },
	{ { "max-rate", 0, "N", 0,
	    "at most N events per second on each CPU; the others are counted as throttled", 1 },
	  RUN | VERB_PROFILE,
	  BY(option_take__count, filter.max_rate) },
	{ { "pid", 'p', "PID", 0, "list functions and USDT of the files of this process", 9 },
	  VERB_LIST,
	  BY(take_pid, filter) },
	{ { "pid", 'p', "PID", 0, "count this process, with all its threads", 2 },
	  VERB_STAT,
	  BY(take_pid, filter) },
	{ { "tid", 't', "TID", 0, "count this thread", 2 }, VERB_STAT, BY(take_tid, filter) },
	{ { "cgroup", 0, "PATH", 0, "count the tasks of this cgroup and below", 2 },
	  VERB_STAT,
	  BY(take_cgroup, filter.cgroup) },
	{ { "cpu", 'C', "LIST", 0, "count on these CPUs only: 0-3,8", 2 },
	  VERB_STAT,
	  BY(take_cpus, filter.cpus) },
	LAST_ROW,
};
