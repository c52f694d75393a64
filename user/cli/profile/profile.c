// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* profile.c: peat profile: where the time goes, by function, as a table or a flame graph. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <peat/peat.h>

#include "cli/cli.h"
#include "cli/profile/functions.h"
#include "cli/base/messages.h"
#include "cli/options/options.h"
#include "cli/run/run.h"
#include "cli/base/signals.h"

struct profile {
	struct run run; /* the first member */
	struct peat_sink sink;
	struct peat_sink *stacks; /* writes the output; NULL: `functions` are printed */
	struct functions functions;
};

#define WEIGHT "duration" /* of off-CPU times */

static struct profile *profile_of(struct peat_sink *sink)
{
	return (struct profile *)((char *)sink - offsetof(struct profile, sink));
}

/* ---- events ---------------------------------------------------------------------------------- */

static bool read_weight(const struct profile *profile, const struct peat_event *event,
			uint64_t *weight)
{
	const struct peat_field *field;
	uint32_t offset;

	*weight = 1;
	if (!profile->run.options->profile.offcpu)
		return true;
	field = peat_schema__find(event->schema, WEIGHT, &offset);
	return field && peat_field__number(field, event->data, event->size, weight);
}

static int count_functions(struct profile *profile, const struct peat_event *event)
{
	const struct peat_stack_frame *frames;
	uint64_t weight;
	int count;

	if (event->kind != PEAT_EVENT_DATA || !read_weight(profile, event, &weight))
		return 0;
	count = peat_symbols__stack(profile->run.symbols, event, &frames);
	if (count < 0)
		return count;
	return functions__add(&profile->functions, frames, (size_t)count, weight);
}

static int write_event(struct peat_sink *sink, const struct peat_event *event)
{
	struct profile *profile = profile_of(sink);

	return profile->stacks ? peat_sink__write(profile->stacks, event)
			       : count_functions(profile, event);
}

/* ---- output ---------------------------------------------------------------------------------- */

#define ROWS_ON_TERMINAL 40

static void print_functions(struct profile *profile, FILE *out)
{
	const struct options *options = profile->run.options;
	struct functions_style style = {
		.by_total = options->table.sort && !strcmp(options->table.sort, "total"),
		.is_time = options->profile.offcpu,
		.no_heading = options->output.quiet,
		.rows = options->table.row_count,
	};

	if (options->profile.format == PROFILE_JSON) {
		functions__print_json(&profile->functions, &style, out);
		return;
	}
	if (style.rows == UINT64_MAX && isatty(profile->run.output.fd))
		style.rows = ROWS_ON_TERMINAL;
	functions__print(&profile->functions, &style, out);
}

/* The output's fd stays open. */
static int write_functions(struct profile *profile)
{
	int fd = dup(profile->run.output.fd), err = 0;
	FILE *out = fd < 0 ? NULL : fdopen(fd, "w");

	if (!out) {
		err = -errno;
		if (fd >= 0)
			close(fd);
		return err;
	}
	signals__begin_print(fd);
	print_functions(profile, out);
	if (ferror(out))
		err = -EIO;
	if (fclose(out) && !err)
		err = -errno;
	signals__end_print();
	return err;
}

static int finish_sink(struct peat_sink *sink)
{
	struct profile *profile = profile_of(sink);

	return profile->stacks ? peat_sink__finish(profile->stacks) : write_functions(profile);
}

static void free_sink(struct peat_sink *sink)
{
	struct profile *profile = profile_of(sink);

	peat_sink__free(profile->stacks);
	functions__free(&profile->functions);
}

/* Modifiers such as ":u" may follow.  Terms (cpu-clock/period=1000/) may change the rate. */
static bool is_clock(const char *event)
{
	size_t bytes = strcspn(event, ":");

	return (bytes == strlen("cpu-clock") && !strncmp(event, "cpu-clock", bytes)) ||
	       (bytes == strlen("task-clock") && !strncmp(event, "task-clock", bytes));
}

/* The CPU time that a sample stands for; 0: it is not taken by a clock. */
static uint64_t sample_period(const struct run *run)
{
	const struct profile_options *options = &run->options->profile;
	uint64_t freq;

	if (options->offcpu || (options->event && !is_clock(options->event)) ||
	    peat_session__read_number(run->session, "freq", &freq) || !freq)
		return 0;
	return 1000000000 / freq;
}

static int open_stacks(struct profile *profile)
{
	const struct options *options = profile->run.options;
	struct peat_stacks_opts opts = {
		.sz = sizeof(opts),
		.symbols = profile->run.symbols,
		.weight = options->profile.offcpu ? WEIGHT : NULL,
		.no_symbols = options->symbols.none,
		.period_ns = sample_period(&profile->run),
	};

	peat_reader__wall_clock(profile->run.reader, &opts.wall_clock_ns);
	profile->stacks =
		peat_sink__new_stacks(profile->run.output.fd, options->profile.stacks, &opts);
	return profile->stacks ? 0 : -errno;
}

static int open_sink(struct run *run, uint32_t kinds)
{
	struct profile *profile = (struct profile *)run;
	int err = 0;

	(void)kinds;
	profile->sink = (struct peat_sink){
		.sz = sizeof(profile->sink),
		.write = write_event,
		.finish = finish_sink,
		.free = free_sink,
	};
	profile->functions.by_module = run->options->symbols.none;
	if (run->options->profile.format == PROFILE_STACKS)
		err = open_stacks(profile);
	if (!err)
		run->output.sink = &profile->sink;
	else
		free_sink(&profile->sink);
	return err;
}

static int finish_profile(struct run *run)
{
	output__finish(&run->output);
	return 0;
}

static int keep_on(struct run *run)
{
	(void)run;
	return 0;
}

static bool always(const struct options *options)
{
	(void)options;
	return true;
}

static const struct run_ops ops = {
	.has_names = always,
	.waits_for_names = true,
	.progress = "profiling",
	.open_sink = open_sink,
	.pause = keep_on,
	.finish = finish_profile,
};

static const char doc[] =
	"Shows where the time goes: takes samples of what runs on the CPUs, with the stacks of "
	"kernel and user code, and prints the functions that took the most time, or writes a flame "
	"graph.  With COMMAND, only of its process and its descendants.\v"
	"SELF is the time in the function itself, TOTAL includes the functions that it called.\n"
	"Ends at SIGINT (Ctrl-C), SIGTERM or SIGHUP, by -d, or when COMMAND exits; the exit status "
	"is then that of COMMAND.\n"
	"\n"
	"  peat profile -d 10 -o out.svg\n"
	"  peat profile -- make -j8\n"
	"  peat profile --offcpu -p 1234 -d 10";

int profile_main(int argc, char **argv)
{
	struct options options;
	struct profile profile = { .run.ops = &ops };
	char **command = options__cut_command(&argc, argv);

	options__parse(&options, VERB_PROFILE, "[-- COMMAND...]", doc, argc, argv);
	options.output.ordered = true; /* names are those of the time of the sample */
	profile.run.owns_stdout = !options.output.path;
	return run__session(&profile.run, &options, command);
}
