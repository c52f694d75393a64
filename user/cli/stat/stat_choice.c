// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* stat_choice.c: checks the options of peat stat, and names what they choose. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/words.h"
#include "cli/stat/stat_choice.h"

/* ---- tasks and CPUs -------------------------------------------------------------------------- */

bool stat_choice__has_task(const struct options *options)
{
	return options->filter.by_pid || options->filter.by_tid;
}

bool stat_choice__is_system_wide(const struct options *options)
{
	return options->sampling.all_tasks ||
	       (options->filter.cpus && !stat_choice__has_task(options) && !options->filter.cgroup);
}

bool stat_choice__is_command(const struct options *options)
{
	return !stat_choice__has_task(options) && !options->filter.cgroup &&
	       !stat_choice__is_system_wide(options);
}

/* ---- mistakes -------------------------------------------------------------------------------- */

static const char *find_mistake_of_rows(const struct options *options)
{
	bool has_cpus = !stat_choice__has_task(options) && !stat_choice__is_command(options);
	static char text[96];

	switch (options->stat.by) {
	case STAT_BY_EVENT:
		return NULL;
	case STAT_BY_THREAD:
		return stat_choice__has_task(options)
			       ? NULL
			       : "--per-thread needs threads that exist when counting begins: use "
				 "it with -p or -t";
	default:
		snprintf(text, sizeof(text),
			 "%s needs CPUs to count: use it with -a, -C or --cgroup",
			 options_stat__by_name(options->stat.by));
		return has_cpus ? NULL : text;
	}
}

static const char *find_mistake_of_runs(const struct options *options, char **command)
{
	if (!options->stat.runs)
		return NULL;
	if (options->output.interval_ms)
		return "-r and -i exclude each other";
	if (!command && options->limits.run_ms == UINT64_MAX)
		return "-r needs runs that end: use -- COMMAND or -d";
	return NULL;
}

const char *stat_choice__find_mistake(const struct options *options, char **command)
{
	if (options->sources.name_count)
		return "the command to count follows --: peat stat -- COMMAND";
	if (command && !*command)
		return "no command after --";
	if (options->filter.by_pid + options->filter.by_tid + options->sampling.all_tasks +
		    !!options->filter.cgroup >
	    1)
		return "-p, -t, -a and --cgroup exclude each other";
	if (stat_choice__is_command(options) && !command)
		return "nothing to count: use -- COMMAND, -p, -t, -a or --cgroup";
	if (options->output.json && options->stat.separator)
		return "-j and -x exclude each other";
	return find_mistake_of_rows(options) ?: find_mistake_of_runs(options, command);
}

/* ---- events ---------------------------------------------------------------------------------- */

/* As perf stat counts them; those that the machine lacks are shown as not supported. */
#define DEFAULT_EVENTS                                                                             \
	"task-clock,context-switches,cpu-migrations,page-faults,cycles,instructions,branches,"     \
	"branch-misses"

/* The events of -d, and those that -dd and -ddd of perf stat add. */
#define INSTRUCTION_CACHE "L1-icache-loads,L1-icache-load-misses"
#define TLBS		  "dTLB-loads,dTLB-load-misses,iTLB-loads,iTLB-load-misses"

static const char *const details[] = {
	"L1-dcache-loads,L1-dcache-load-misses,LLC-loads,LLC-load-misses",
	(INSTRUCTION_CACHE "," TLBS),
	"L1-dcache-prefetches,L1-dcache-prefetch-misses",
};

#define DETAILS ((int)(sizeof(details) / sizeof(*details)))

char *stat_choice__events(const struct options *options)
{
	const struct option_words *chosen = &options->sources.events;
	const char *words[OPTIONS_NAMES + DETAILS];
	size_t count = chosen->count;

	memcpy(words, chosen->at, count * sizeof(*words));
	if (!count)
		words[count++] = DEFAULT_EVENTS;
	for (int i = 0; i < options->stat.details && i < DETAILS; i++)
		words[count++] = details[i];
	return words__join(words, count, ",");
}

/* ---- the title ------------------------------------------------------------------------------- */

static char *command_title(char **command)
{
	char *words, *title = NULL;
	size_t count = 0;

	while (command[count])
		count++;
	words = words__join((const char *const *)command, count, " ");
	if (!words || asprintf(&title, "'%s'", words) < 0)
		title = NULL;
	free(words);
	return title;
}

char *stat_choice__title(const struct options *options, char **command)
{
	char *title = NULL;
	int bytes;

	if (options->filter.by_pid)
		bytes = asprintf(&title, "process %u", options->filter.pid);
	else if (options->filter.by_tid)
		bytes = asprintf(&title, "thread %u", options->filter.tid);
	else if (options->filter.cgroup)
		bytes = asprintf(&title, "cgroup '%s'", options->filter.cgroup);
	else if (options->filter.cpus)
		bytes = asprintf(&title, "CPUs %s", options->filter.cpus);
	else if (options->sampling.all_tasks)
		bytes = asprintf(&title, "all CPUs");
	else
		return command_title(command);
	return bytes < 0 ? NULL : title;
}
