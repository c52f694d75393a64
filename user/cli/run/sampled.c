// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* sampled.c: perf events that the kernel samples, as named by -e. */
#include <errno.h>
#include <stdlib.h>

#include <peat/sampling.h>

#include "cli/cli.h"
#include "cli/base/messages.h"
#include "cli/run/event_filter.h"
#include "cli/run/sampled.h"
#include "cli/base/words.h"

/* The first source that is no @KIND; NULL: none. */
static const char *find_program(const struct options *options)
{
	for (size_t i = 0; i < options->sources.name_count; i++)
		if (*options->sources.names[i] != '@')
			return options->sources.names[i];
	return options->sources.map_count ? options->sources.maps[0] : NULL;
}

int sampled__check_options(const struct options *options)
{
	const char *program = find_program(options);

	if (!options->sources.events.count)
		return 0;
	if (program)
		messages__print("-e cannot be used with %s: perf events are sampled by the kernel, "
				"probes and maps are written by programs: run peat for each",
				program);
	else if (options->filter.max_rate || options->sources.pin || options->sampling.sample)
		messages__print("--max-rate, --pin and --sample cannot be used with -e: they apply "
				"to programs: use -F, -c and -g");
	else if (options->flight.bytes)
		messages__print(
			"--flight cannot be used with -e: it keeps events of probes, objects "
			"and maps");
	else if (options->filter.cgroup &&
		 (options->filter.by_pid || options->filter.by_tid || options->filter.by_uid))
		messages__print("--cgroup cannot be used with -p, -t and -u: the kernel samples "
				"either a cgroup or tasks");
	else if (event_filter__has_identity(options))
		messages__print("--container, --pod and --unit cannot be used with -e: samples of "
				"the kernel have no container: use --cgroup");
	else
		return 0;
	return EXIT_USAGE;
}

static void set_tasks(const struct options *options, const uint32_t *command,
		      struct peat_sampling_opts *opts)
{
	bool of_command = *command != 0;

	opts->pids = options->filter.by_pid ? &options->filter.pid : of_command ? command : NULL;
	opts->pid_count = opts->pids != NULL;
	opts->on_exec = of_command;
	opts->tids = options->filter.by_tid ? &options->filter.tid : NULL;
	opts->tid_count = options->filter.by_tid;
	opts->no_inherit =
		options->filter.by_tid && !options->filter.by_pid && !options->filter.by_uid;
	opts->by_uid = options->filter.by_uid;
	opts->uid = options->filter.uid;
	opts->cgroup = options->filter.cgroup;
}

int sampled__add(struct peat_session *session, const struct options *options, uint32_t command)
{
	struct peat_sampling_opts opts = PEAT_SAMPLING_OPTS_INIT;
	char *events;
	int err;

	if (!options->sources.events.count)
		return 0;
	events = words__join(options->sources.events.at, options->sources.events.count, ",");
	if (!events)
		return EXIT_FAILED;
	opts.period = options->sampling.period;
	opts.frequency = options->sampling.frequency;
	set_tasks(options, &command, &opts);
	err = peat_session__add_events(session, events, &opts);
	free(events);
	return !err ? 0 : err == -EINVAL ? EXIT_USAGE : EXIT_FAILED;
}
