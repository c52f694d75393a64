// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* packets.c: packets as pcapng. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <peat/peat.h>

#include "cli/cli.h"
#include "cli/base/messages.h"
#include "cli/run/packets.h"
#include "cli/run/sources.h"

/* Programs limit it to the size of their member `data`. */
#define SNAP ",snap=65535"

/* ---- sources --------------------------------------------------------------------------------- */

static bool has_snap(const struct peat_object *object)
{
	struct peat_option option = { .sz = sizeof(option) };

	for (uint32_t i = 0; peat_object__option(object, i, &option) > 0; i++)
		if (!strcmp(option.name, "snap"))
			return true;
	return false;
}

/* Whether the user has set the option: SOURCE,OPTION,snap=BYTES. */
static bool sets_snap(const char *source)
{
	return strstr(source, ",snap=") || strstr(source, ",snap,");
}

/* 0 or an exit status; *snaps: the source has an option `snap`. */
static int find_snap(const char *source, bool *snaps)
{
	struct peat_object *object;
	int status = sources__inspect(source, &object);

	*snaps = object && has_snap(object);
	peat_object__free(object);
	return status;
}

static int set_snap(const char **source)
{
	static char texts[OPTIONS_NAMES][512];
	static size_t count;
	char *text = texts[count];
	bool snaps;
	int status;

	if (sets_snap(*source))
		return 0;
	status = find_snap(*source, &snaps);
	if (status || !snaps || count == OPTIONS_NAMES)
		return status;
	if (snprintf(text, sizeof(texts[0]), "%s" SNAP, *source) < (int)sizeof(texts[0])) {
		*source = text;
		count++;
	}
	return 0;
}

int packets__prepare(struct options *options)
{
	int status = 0;

	options->output.ordered = options->limits.latency_ms != 0;
	for (size_t i = 0; !status && i < options->sources.name_count; i++)
		status = set_snap(&options->sources.names[i]);
	return status;
}

/* ---- output ---------------------------------------------------------------------------------- */

int packets__open_sink(struct output *output, struct peat_reader *reader)
{
	if (isatty(output->fd)) {
		messages__print("cannot write pcapng to a terminal: use -o FILE or a pipe");
		return -EINVAL;
	}
	output->sink = peat_sink__new_pcapng(reader, output->fd, NULL);
	return output->sink ? 0 : -errno;
}

bool packets__exist(struct peat_reader *reader)
{
	struct peat_type type = { .sz = sizeof(type) };

	for (uint32_t i = 0; peat_reader__type_at(reader, i, &type) > 0; i++)
		if (type.schema && peat_schema__has_packets(type.schema))
			return true;
	messages__print("no packets for pcapng: no event has the members data, bytes and ifindex: "
			"use the probe packet or ssl, or see PACKETS in peat-probe(7)");
	return false;
}

static void print_counts(const struct output *output, const struct peat_pcapng_stats *stats)
{
	char cut[64] = "";

	if (stats->cut)
		snprintf(cut, sizeof(cut), ", %llu of them cut by snap",
			 (unsigned long long)stats->cut);
	messages__print("%llu packet%s in %s%s", (unsigned long long)stats->packets,
			stats->packets == 1 ? "" : "s", output->name ? output->name : "stdout",
			cut);
	if (stats->skipped)
		messages__print("%llu event%s left out: no packet%s",
				(unsigned long long)stats->skipped, stats->skipped == 1 ? "" : "s",
				stats->skipped == 1 ? "" : "s");
}

void packets__finish(struct output *output, bool quiet)
{
	struct peat_pcapng_stats stats = { .sz = sizeof(stats) };

	output__finish(output);
	if (output->err || peat_pcapng__stats(output->sink, &stats))
		return;
	if (stats.packets && stats.empty == stats.packets)
		messages__print("the packets have no bytes, only lengths: record them with "
				"packet,snap=2048");
	else if (!quiet)
		print_counts(output, &stats);
}
