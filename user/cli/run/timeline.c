// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* timeline.c: timelines for Perfetto. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <peat/peat.h>

#include "cli/base/messages.h"
#include "cli/run/frame_names.h"
#include "cli/run/timeline.h"

void timeline__prepare(struct options *options)
{
	options->output.ordered = options->limits.latency_ms != 0;
}

int timeline__open_sink(struct output *output, struct peat_reader *reader,
			struct peat_symbols *symbols)
{
	const struct peat_perfetto_opts opts = { .sz = sizeof(opts), .symbols = symbols };

	if (isatty(output->fd)) {
		messages__print("cannot write a timeline to a terminal: use -o FILE or a pipe");
		return -EINVAL;
	}
	output->sink = peat_sink__new_perfetto(reader, output->fd, &opts);
	return output->sink ? 0 : -errno;
}

static void append_count(char *text, size_t room, uint64_t count, const char *one, const char *many)
{
	size_t used = strlen(text);

	if (count)
		snprintf(text + used, room - used, "%s%llu %s", used ? ", " : ": ",
			 (unsigned long long)count, count == 1 ? one : many);
}

static void print_counts(const struct output *output, const struct peat_perfetto_stats *stats)
{
	char parts[256] = "";

	append_count(parts, sizeof(parts), stats->slices, "slice", "slices");
	append_count(parts, sizeof(parts), stats->instants, "instant", "instants");
	append_count(parts, sizeof(parts), stats->switches, "context switch", "context switches");
	append_count(parts, sizeof(parts), stats->samples, "sample", "samples");
	messages__print("timeline in %s%s", output->name ? output->name : "stdout", parts);
	if (stats->skipped)
		messages__print("%llu event%s left out: no timestamp",
				(unsigned long long)stats->skipped, stats->skipped == 1 ? "" : "s");
}

void timeline__finish(struct output *output, bool quiet)
{
	struct peat_perfetto_stats stats = { .sz = sizeof(stats) };

	output__finish(output);
	if (!quiet && !output->err && !peat_perfetto__stats(output->sink, &stats))
		print_counts(output, &stats);
}

/* ---- live ------------------------------------------------------------------------------------ */

static int open_live(struct run *run, uint32_t kinds)
{
	(void)kinds;
	return timeline__open_sink(&run->output, run->reader, run->symbols);
}

static int flush_live(struct run *run)
{
	output__flush(&run->output);
	return 0;
}

static int finish_live(struct run *run)
{
	timeline__finish(&run->output, run->options->output.quiet);
	return 0;
}

const struct run_ops timeline__ops = {
	.has_names = frame_names__are_wanted,
	.open_sink = open_live,
	.pause = flush_live,
	.finish = finish_live,
};
