// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* table_timeline.c: the tables of peat count and hist as counters for Perfetto. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <peat/peat.h>

#include "cli/cli.h"
#include "cli/base/messages.h"
#include "cli/base/words.h"
#include "cli/options/options.h"
#include "cli/table/table_timeline.h"

int table_timeline__check(const struct options *options)
{
	const char *path = options->output.path, *problem = NULL;

	if (!path)
		return 0;
	if (!words__end_with(path, ".pftrace"))
		problem = "tables are written as a timeline alone: use -o FILE.pftrace, or >FILE";
	else if (options->output.json)
		problem = "-j cannot be used with a timeline";
	else if (!options->output.interval_ms)
		problem = "a timeline has a table for each interval: use -i TIME";
	else if (options->sources.map_count)
		problem = "the table of --map cannot be written as a timeline";
	if (problem)
		messages__print("-o '%s': %s", path, problem);
	return problem ? EXIT_USAGE : 0;
}

int table_timeline__check_key(const struct options *options)
{
	if (!options->output.path || !options->table.by_stack)
		return 0;
	messages__print("-o '%s': the key stack cannot be written as a timeline",
			options->output.path);
	return EXIT_USAGE;
}

int table_timeline__open(struct tally *tally, const struct output *output,
			 struct peat_reader *reader)
{
	if (!tally->options->output.path)
		return 0;
	tally->timeline = peat_sink__new_perfetto(reader, output->fd, NULL);
	return tally->timeline ? 0 : -errno;
}

/* The events of a recording follow its name. */
static char *name_of(const struct tally *tally)
{
	const struct source_options *sources = &tally->options->sources;
	size_t first = tally->recorded.reader != NULL;

	if (tally->name)
		return words__join(&tally->name, 1, "");
	if (sources->name_count <= first)
		return words__join((const char *const[]){ "events" }, 1, "");
	return words__join(sources->names + first, sources->name_count - first, ",");
}

/* A reader that has enough of a pipe is no error to report. */
static int report(const struct tally *tally, int err)
{
	if (err && err != -EPIPE)
		messages__print("cannot write to %s: %s", tally->options->output.path,
				strerror(-err));
	return err;
}

int table_timeline__add(struct tally *tally)
{
	char *name = name_of(tally);
	int err = name && tally->from_ns
			  ? peat_perfetto__write_rows(tally->timeline, name, tally->rows,
						      tally->from_ns, tally->to_ns)
			  : 0;

	if (!name)
		err = -ENOMEM;
	free(name);
	tally->tables++;
	return report(tally, err);
}

static void print_counters(const struct tally *tally, const struct output *output)
{
	struct peat_perfetto_stats stats = { .sz = sizeof(stats) };

	if (peat_perfetto__stats(tally->timeline, &stats))
		return;
	if (!tally->options->output.quiet)
		messages__print("timeline in %s: %llu counter%s", output->name,
				(unsigned long long)stats.counters, stats.counters == 1 ? "" : "s");
	if (stats.left_out)
		messages__print("%llu numbers are left out: there are too many counters",
				(unsigned long long)stats.left_out);
}

int table_timeline__finish(struct tally *tally, const struct output *output)
{
	int err = tally->timeline ? report(tally, peat_sink__finish(tally->timeline)) : 0;

	if (tally->timeline && !err)
		print_counters(tally, output);
	peat_sink__free(tally->timeline);
	tally->timeline = NULL;
	return err;
}
