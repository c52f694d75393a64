// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* recording_run.c: selects the events of a recording and reads them to the end. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <peat/peat.h>

#include "cli/cli.h"
#include "cli/run/event_filter.h"
#include "cli/run/frame_names.h"
#include "cli/run/identity_filter.h"
#include "cli/base/messages.h"
#include "cli/base/progress.h"
#include "probe.h"
#include "cli/recorded/recording_run.h"
#include "cli/base/signals.h"
#include "cli/run/sources.h"
#include "cli/base/terminal.h"
#include "cli/run/summary.h"
#include "cli/run/types.h"

/* ---- arguments and filters ------------------------------------------------------------------- */

static uint32_t all_kinds(void)
{
	uint32_t kinds = 0;

	for (uint32_t kind = 1; peat_side_band__name((enum peat_side_band)kind); kind <<= 1)
		kinds |= kind;
	return kinds;
}

static bool parse_record(struct recording_run *recorded, const char *name)
{
	bool all = !strcmp(name, "all"), samples = all || !strcmp(name, "sample");
	uint32_t kinds = all ? all_kinds() : peat_side_band__find(name);

	recorded->samples |= samples;
	recorded->side_band |= kinds;
	return samples || kinds;
}

/* Arguments after the file: @KIND, and names of events. */
static int parse_arguments(struct recording_run *recorded)
{
	const struct options *options = recorded->options;

	recorded->samples = options->sources.name_count == 1;
	for (size_t i = 1; i < options->sources.name_count; i++) {
		const char *name = options->sources.names[i];

		if (*name != '@' || parse_record(recorded, name + 1))
			continue;
		messages__print("unknown kind of records '%s': use @sample, @task, @comm, @mmap, "
				"@switch, @namespaces, @cgroup, @ksymbol, @bpf, @textpoke, @other, "
				"@tool or @all",
				name);
		return EXIT_USAGE;
	}
	return 0;
}

/* Marks the arguments that name the event. */
static bool is_named_event(struct recording_run *recorded, const struct peat_schema *type)
{
	const struct options *options = recorded->options;
	bool named = false;

	for (size_t i = 1; i < options->sources.name_count; i++)
		if (peat_schema__is_called(type, options->sources.names[i]))
			named = recorded->matched[i] = true;
	return named;
}

bool recording_run__selects(const struct recording_run *recorded, const struct peat_schema *type)
{
	const struct options *options = recorded->options;
	bool selects = recorded->samples;

	for (size_t i = 1; i < options->sources.name_count; i++)
		selects = selects || peat_schema__is_called(type, options->sources.names[i]);
	return selects;
}

/* Caches the answer, since consecutive samples often have the same event. */
static bool is_wanted_sample(struct recording_run *recorded, const struct peat_event *event)
{
	if (event->schema != recorded->last) {
		recorded->last = event->schema;
		recorded->last_is_wanted =
			is_named_event(recorded, event->schema) || recorded->samples;
	}
	return recorded->last_is_wanted;
}

static bool is_selected_event(struct recording_run *recorded, const struct peat_event *event)
{
	const struct options *options = recorded->options;

	if (event->kind == PEAT_EVENT_RECORD && recorded->symbols &&
	    !types__has_kind(event, recorded->side_band))
		return false; /* only the names need it */
	if (!event_filter__wants_time(options, event))
		return false;
	if (event->kind == PEAT_EVENT_LOST || event->kind == PEAT_EVENT_TOOL)
		return true;
	if (!event_filter__wants_task(options, event))
		return false;
	return event->kind != PEAT_EVENT_DATA || is_wanted_sample(recorded, event);
}

/* ---- reading --------------------------------------------------------------------------------- */

static int use_event(struct recording_run *recorded, const struct peat_event *event)
{
	int err = recorded->symbols ? peat_symbols__follow(recorded->symbols, event) : 0;

	if (err || !is_selected_event(recorded, event))
		return err;
	err = recorded->use(recorded, event);
	if (!err)
		recorded->used += event->kind != PEAT_EVENT_LOST;
	return err;
}

static bool has_enough(const struct recording_run *recorded)
{
	return recorded->output.err || recorded->used >= recorded->options->limits.count;
}

static bool is_recording_over(const struct recording_run *recorded)
{
	return signals__stop_requested() || has_enough(recorded);
}

/* Uses all available events.  0 or a negative errno. */
static int use_available(struct recording_run *recorded)
{
	const struct peat_event *event;
	int more, err = 0;

	while (!err && !is_recording_over(recorded) &&
	       (more = peat_reader__next(recorded->reader, &event)))
		err = more < 0 ? more : use_event(recorded, event);
	return err;
}

/* Counts the events that are left if they were given up. */
static int count_unused(struct recording_run *recorded)
{
	const struct peat_event *event;
	int more = signals__have_given_up() || recorded->output.err == -ETIME;

	while (more > 0 && recorded->used < recorded->options->limits.count &&
	       (more = peat_reader__next(recorded->reader, &event)) > 0)
		recorded->unused +=
			event->kind != PEAT_EVENT_LOST && is_selected_event(recorded, event);
	return more < 0 ? more : 0;
}

/* Uses the events already read, even after a signal: they cannot be read from a pipe again. */
static int use_held(struct recording_run *recorded)
{
	const struct peat_event *event;
	int more, err = 0;

	peat_reader__flush(recorded->reader);
	while (!err && !has_enough(recorded) && !signals__have_given_up() &&
	       (more = peat_reader__next(recorded->reader, &event)))
		err = more < 0 ? more : use_event(recorded, event);
	return err ? err : count_unused(recorded);
}

static bool hides_progress(const struct recording_run *recorded)
{
	int fd = recorded->output.fd;

	return recorded->options->output.quiet || terminal__is_pipe(fd) ||
	       (!recorded->prints_rarely && isatty(fd));
}

static void report_progress(const struct recording_run *recorded)
{
	struct progress progress = { .verb = "reading",
				     .name = recorded->options->sources.names[0],
				     .unit = PROGRESS_BYTES };
	struct peat_reader_stats stats = { .sz = sizeof(stats) };

	if (!progress__is_due() || peat_reader__stats(recorded->reader, &stats))
		return;
	progress.done = stats.read_bytes;
	progress.all = stats.all_bytes;
	progress__report(&progress);
}

/* Uses all events.  The end of the recording is no error. */
static int read_events(struct recording_run *recorded)
{
	int err = 0;

	progress__begin(hides_progress(recorded));
	while (!err && !is_recording_over(recorded)) {
		report_progress(recorded);
		err = peat_reader__wait(recorded->reader, 0);
		if (!err) { /* the writer of a pipe is slower */
			output__flush(&recorded->output);
			if (recorded->is_open || !recorded->options->output.path)
				output__check_closed_pipe(&recorded->output);
			err = recorded->output.err ? 0 : peat_reader__wait(recorded->reader, -1);
		}
		if (err >= 0)
			err = use_available(recorded);
		else if (err == -EINTR || err == -ECANCELED)
			err = 0;
	}
	progress__end();
	signals__begin_end();
	if (!err && signals__stop_requested())
		err = use_held(recorded);
	output__flush(&recorded->output);
	return err == -ENODATA ? 0 : err;
}

/* ---- the run --------------------------------------------------------------------------------- */

static bool is_event(const struct recording_run *recorded, const char *name)
{
	const struct peat_schema *type;
	bool found = false;

	for (uint32_t i = 0; !found && (type = peat_reader__type(recorded->reader, i)); i++)
		found = peat_schema__is_called(type, name);
	return found;
}

/* The first argument, if it is neither a file nor an event of perf.data; NULL: it is one. */
static const char *misspelt(const struct recording_run *recorded)
{
	const char *name =
		recorded->options->sources.is_default ? recorded->options->sources.names[1] : NULL;

	return name && *name != '@' && !is_event(recorded, name) ? name : NULL;
}

static void report_unmatched(const struct recording_run *recorded)
{
	const struct options *options = recorded->options;

	for (size_t i = 1; i < options->sources.name_count; i++)
		if (*options->sources.names[i] != '@' && !recorded->matched[i] &&
		    options->sources.names[i] != misspelt(recorded))
			messages__print("no sample of event '%s': peat replay --stats lists the "
					"events",
					options->sources.names[i]);
}

static void summarize(const struct recording_run *recorded)
{
	struct peat_reader_stats stats = { .sz = sizeof(stats) };

	if (peat_reader__stats(recorded->reader, &stats))
		return;
	messages__print("%llu event%s, %llu lost%s", (unsigned long long)recorded->used,
			recorded->used == 1 ? "" : "s", (unsigned long long)stats.lost,
			summary__skipped(&stats));
	summary__print_stats(&stats);
	if (recorded->unused)
		messages__print("%llu more events were read, and left out",
				(unsigned long long)recorded->unused);
	if (stats.unknown)
		messages__print("%llu records skipped: unknown type or unknown event",
				(unsigned long long)stats.unknown);
	if (recorded->options->output.verbose && stats.stacks_missing)
		messages__print("%llu stacks end in the kernel: the record with their user part is "
				"missing",
				(unsigned long long)stats.stacks_missing);
	if (recorded->options->output.verbose)
		frame_names__print_stats(recorded->symbols);
	report_unmatched(recorded);
}

static void find_losses(struct recording_run *recorded)
{
	struct peat_reader_stats stats = { .sz = sizeof(stats) };

	recorded->has_losses = recorded->unused || peat_reader__stats(recorded->reader, &stats) ||
			       summary__has_losses(&stats);
}

static int open_reader(struct recording_run *recorded)
{
	const struct options *options = recorded->options;
	struct peat_replay_opts opts = PEAT_REPLAY_OPTS_INIT;
	int err;

	opts.side_band = recorded->side_band | (recorded->symbols ? FRAME_NAMES_SIDE_BAND : 0);
	opts.names = true;
	opts.ordered = !options->recording.unordered;
	opts.cpus = options->filter.cpus;
	opts.memory_bytes = options->limits.memory_bytes;
	opts.as = options->objects.types.at;
	opts.btf = options->objects.btf;
	opts.where = recorded->where;
	opts.where_side_band = recorded->side_band;
	recorded->reader = peat_reader__open(options->sources.names[0], &opts);
	err = recorded->reader ? 0 : -errno;
	if (err == -EINVAL && event_filter__has_identity(options))
		messages__print("--container, --pod, --unit: " IDENTITY_FILTER_NO_RECORD);
	return err;
}

int recording_run__open_output(struct recording_run *recorded)
{
	const struct options *options = recorded->options;

	if (recorded->is_open)
		return 0;
	recorded->is_open = true;
	return output__open_beside(&recorded->output, options->output.path,
				   options->sources.names[0])
		       ? -EIO
		       : 0;
}

static int read_recording(struct recording_run *recorded)
{
	int err = open_reader(recorded), finished = 0;

	if (err)
		return err;
	signals__catch(); /* only now: signals have to end a wait for a pipe's header */
	signals__set_reader(recorded->reader);
	signals__set_symbols(recorded->symbols);
	err = read_events(recorded);
	messages__report_no_memory(err);
	if (recorded->finish)
		finished = recorded->finish(recorded);
	if (!err && !finished)
		finished = recording_run__open_output(recorded);
	messages__report_no_memory(finished);
	signals__begin_print(STDERR_FILENO);
	if (!recorded->options->output.quiet)
		summarize(recorded);
	signals__end_print();
	find_losses(recorded);
	return err ? err : finished;
}

static int report_misspelt(const struct recording_run *recorded)
{
	if (!misspelt(recorded))
		return 0;
	messages__print("'%s' is neither a file nor an event of perf.data: "
			"peat replay --stats lists the events",
			misspelt(recorded));
	return EXIT_FAILED;
}

int recording_run__read(struct recording_run *recorded)
{
	int status, failed;

	recorded->output.fd = STDOUT_FILENO;
	status = parse_arguments(recorded)
			 ?: identity_filter__parse(recorded->options, &recorded->where);
	if (status) {
		peat_symbols__free(recorded->symbols);
		return status;
	}
	messages__begin_errors();
	status = read_recording(recorded) ? EXIT_FAILED : 0;
	if (!status)
		status = report_misspelt(recorded);
	failed = output__close(&recorded->output);
	signals__set_reader(NULL);
	signals__set_symbols(NULL);
	peat_reader__free(recorded->reader);
	peat_where__free(recorded->where);
	peat_symbols__free(recorded->symbols);
	if (!status)
		status = failed;
	if (!status && recorded->options->output.fail_on_loss && recorded->has_losses)
		status = EXIT_LOSS;
	return status;
}

/* ---- sources --------------------------------------------------------------------------------- */

/* The beginning of a perf.data, in either byte order. */
static bool has_magic(const char *path)
{
	char magic[8];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool is_perf = fd >= 0 && read(fd, magic, sizeof(magic)) == sizeof(magic) &&
		       (!memcmp(magic, "PERFILE2", 8) || !memcmp(magic, "2ELIFREP", 8));

	if (fd >= 0)
		close(fd);
	return is_perf;
}

bool recording_run__is_recording(const char *name)
{
	struct stat status;

	if (!strcmp(name, "-"))
		return true;
	if (*name == '@' || peat_functions__are(name) || stat(name, &status) || probe__find(name))
		return false;
	if (!S_ISREG(status.st_mode)) /* a directory of perf, or a pipe */
		return true;
	return has_magic(name) || !sources__is_file(name);
}
