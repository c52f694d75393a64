// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* map_tally.c: the entries of a BPF map of another program, as a table. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/table/map_tally.h"
#include "cli/base/messages.h"
#include "cli/base/signals.h"
#include "cli/run/event_filter.h"

static bool is_directory(const char *path)
{
	struct stat found;

	return !stat(path, &found) && S_ISDIR(found.st_mode);
}

/* Perf event arrays may be several, and those of a directory made by --pin. */
int map_tally__finds(const struct options *options)
{
	if (options->sources.map_count != 1 || options->sources.name_count ||
	    is_directory(options->sources.maps[0]))
		return 0;
	return peat_map__is_table(options->sources.maps[0]);
}

/* The default of hist, a log2 histogram, is no option. */
static bool counts_values(const struct options *options)
{
	uint32_t defaults = options->verb == VERB_HIST ? PEAT_TABLE_LOG2 : 0;

	return options->table.values & ~defaults;
}

static int check_options(const struct options *options, char **command)
{
	if (command) {
		messages__print("COMMAND cannot be used with a map that is a table: use -d or -i");
		return EXIT_USAGE;
	}
	if (options->table.by || options->table.field || counts_values(options) ||
	    options->filter.where || options->filter.by_pid || options->filter.by_tid ||
	    options->filter.comm || options->filter.by_uid || options->filter.cgroup ||
	    event_filter__has_identity(options) || options->filter.cpus) {
		messages__print("the map %s is a table: its columns are those of the map, and "
				"options that select or count events do not apply",
				options->sources.maps[0]);
		return EXIT_USAGE;
	}
	return 0;
}

static uint64_t now_ns(void)
{
	return (uint64_t)run__now_ns();
}

static int64_t wall_clock_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec - run__now_ns();
}

static bool is_tally_over(const struct tally *tally, int64_t end_ns)
{
	return signals__stop_requested() || tally->run.is_full || tally__is_full(tally) ||
	       run__now_ns() >= end_ns;
}

/* Waits until the next interval or the end; a signal or a key may end it earlier. */
static int wait(struct tally *tally, int64_t end_ns)
{
	int64_t until_ns = tally->run.wake_ns < end_ns ? tally->run.wake_ns : end_ns;
	int64_t left_ms = (until_ns - run__now_ns() + 999999) / 1000000;
	int ms = left_ms < 0 ? 0 : left_ms < 3600000 ? (int)left_ms : 3600000;
	int ready = tally->is_shown ? tally->ops->wait(tally, ms) : poll(NULL, 0, ms);

	return ready < 0 && errno != EINTR ? -errno : 0;
}

static int follow(struct tally *tally, struct output *output)
{
	const struct options *options = tally->options;
	int64_t interval_ns = (int64_t)tally->interval_ms * 1000000, end_ns = INT64_MAX;
	int err = 0;

	if (options->limits.run_ms < INT64_MAX / 2000000)
		end_ns = run__now_ns() + (int64_t)options->limits.run_ms * 1000000;
	tally->run.wake_ns = interval_ns ? run__now_ns() + interval_ns : INT64_MAX;
	while (!err && !output->err && !is_tally_over(tally, end_ns)) {
		err = wait(tally, end_ns);
		interval_ns = (int64_t)tally->interval_ms * 1000000; /* keys change it */
		if (err || run__now_ns() < tally->run.wake_ns)
			continue;
		tally->run.wake_ns = run__now_ns() + interval_ns;
		tally->to_ns = now_ns();
		err = tally__end_interval(tally, output);
	}
	return err;
}

/* What was counted before the first interval is not part of it. */
static int begin_interval(struct tally *tally)
{
	int err = tally__read(tally);

	return err ? err : peat_table__clear(tally->table);
}

/* Without an interval and a duration: what the map has now. */
static int print_all(struct tally *tally, struct output *output)
{
	bool is_once = !tally->interval_ms && tally->options->limits.run_ms == UINT64_MAX;
	int err = is_once ? 0 : begin_interval(tally);

	if (!err && tally->ops->open)
		err = tally->ops->open(tally);
	tally->wall_ns = wall_clock_ns();
	tally->from_ns = now_ns();
	if (!err && !is_once)
		err = follow(tally, output);
	tally->to_ns = now_ns();
	if (!err && !output->err)
		err = tally__end_interval(tally, output);
	if (tally->is_shown)
		tally->ops->close(tally);
	return err;
}

/* hist prints nothing but histograms. */
static int check_bars(struct tally *tally)
{
	const char *map = tally->options->sources.maps[0];
	int err = tally->ops->prints_bars ? tally__read(tally) : 0;

	if (err)
		messages__print("cannot read the map %s: %s", map, strerror(-err));
	if (err || !tally->ops->prints_bars || peat_rows__have_bars(tally->rows))
		return err ? EXIT_FAILED : 0;
	messages__print("the map %s has no histogram: peat count --map %s prints it", map, map);
	return EXIT_USAGE;
}

static int run(struct tally *tally)
{
	int status = output__open(&tally->run.output, tally->options->output.path), failed, err;

	if (status)
		return status;
	signals__catch();
	err = print_all(tally, &tally->run.output);
	if (err)
		messages__print("cannot read the map %s: %s", tally->options->sources.maps[0],
				strerror(-err));
	failed = output__close(&tally->run.output);
	return err ? EXIT_FAILED : failed;
}

int map_tally__main(struct tally *tally, char **command)
{
	struct peat_map_table_opts opts = PEAT_MAP_TABLE_OPTS_INIT;
	int status = check_options(tally->options, command), map_fd;

	if (status)
		return status;
	map_fd = peat_map__open_table(tally->options->sources.maps[0]);
	if (map_fd < 0)
		return EXIT_FAILED;
	opts.sort = tally->options->table.sort;
	tally->table = peat_table__open_map(map_fd, &opts);
	close(map_fd); /* the table has duplicated it */
	if (!tally->table)
		return EXIT_FAILED;
	status = check_bars(tally) ?: run(tally);
	peat_table__free(tally->table);
	peat_rows__free(tally->rows);
	return status;
}
