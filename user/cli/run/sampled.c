// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* sampled.c: perf events that the kernel samples, as named by -e. */
#include <errno.h>
#include <stdlib.h>

#include <peat/sampling.h>

#include "cli/cli.h"
#include "cli/base/messages.h"
#include "cli/recorded/recording_run.h"
#include "cli/run/sampled.h"
#include "cli/base/words.h"

/* The first source that is no @KIND; NULL: none. */
static const char *find_program(const struct options *options)
{
	for (size_t i = 0; i < options->name_count; i++)
		if (*options->names[i] != '@')
			return options->names[i];
	return options->map_count ? options->maps[0] : NULL;
}

static bool has_tasks(const struct options *options)
{
	return options->by_pid || options->by_tid || options->by_uid || options->cgroup;
}

int sampled__check_options(const struct options *options)
{
	const char *program = find_program(options);

	if (!options->event_count)
		return 0;
	if (program)
		messages__print("-e cannot be used with %s: perf events are sampled by the kernel, "
				"probes and maps are written by programs: run peat for each",
				program);
	else if (options->max_rate || options->pin || options->sample)
		messages__print("--max-rate, --pin and --sample cannot be used with -e: they apply "
				"to programs: use -F, -c and -g");
	else if (options->flight_bytes)
		messages__print(
			"--flight cannot be used with -e: it keeps events of probes, objects "
			"and maps");
	else if (options->all_tasks && has_tasks(options))
		messages__print("-a cannot be used with -p, -t, -u and --cgroup: it samples all "
				"tasks");
	else if (options->cgroup && (options->by_pid || options->by_tid || options->by_uid))
		messages__print("--cgroup cannot be used with -p, -t and -u: the kernel samples "
				"either a cgroup or tasks");
	else
		return 0;
	return EXIT_USAGE;
}

static void set_tasks(const struct options *options, const uint32_t *command,
		      struct peat_sampling_opts *opts)
{
	bool of_command = *command && !options->all_tasks && !has_tasks(options);

	opts->pids = options->by_pid ? &options->pid : of_command ? command : NULL;
	opts->pid_count = opts->pids != NULL;
	opts->on_exec = of_command;
	opts->tids = options->by_tid ? &options->tid : NULL;
	opts->tid_count = options->by_tid;
	opts->no_inherit = options->by_tid && !options->by_pid && !options->by_uid;
	opts->by_uid = options->by_uid;
	opts->uid = options->uid;
	opts->cgroup = options->cgroup;
}

int sampled__add(struct peat_session *session, const struct options *options, pid_t command)
{
	struct peat_sampling_opts opts = PEAT_SAMPLING_OPTS_INIT;
	const uint32_t pid = (uint32_t)command;
	char *events;
	int err;

	if (!options->event_count)
		return 0;
	recording_run__allow_many_files(); /* each event needs one per CPU */
	events = words__join(options->events, options->event_count, ",");
	if (!events)
		return EXIT_FAILED;
	opts.period = options->period;
	opts.frequency = options->frequency;
	opts.stacks = options->stacks;
	opts.stack_depth = options->stack_depth;
	opts.stack_memory = options->stack_memory;
	set_tasks(options, &pid, &opts);
	err = peat_session__add_events(session, events, &opts);
	free(events);
	return !err ? 0 : err == -EINVAL ? EXIT_USAGE : EXIT_FAILED;
}
