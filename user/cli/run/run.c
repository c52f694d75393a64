// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* run.c: a session from start to end, for peat trace, record, count, hist and top. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <peat/peat.h>

#include "cli/cli.h"
#include "cli/run/event_filter.h"
#include "cli/run/field_list.h"
#include "cli/run/frame_names.h"
#include "cli/run/identity_filter.h"
#include "cli/base/messages.h"
#include "cli/run/maps.h"
#include "cli/base/progress.h"
#include "cli/options/options.h"
#include "cli/base/output.h"
#include "cli/run/summary.h"
#include "cli/run/option_notes.h"
#include "cli/run/run.h"
#include "cli/run/sampled.h"
#include "cli/run/sources.h"
#include "cli/run/stack_sources.h"
#include "cli/base/terminal.h"
#include "cli/run/types.h"
#include "cli/base/signals.h"
#include "cli/base/words.h"

/* ---- time ------------------------------------------------------------------------------------ */

int64_t run__now_ns(void)
{
	return (int64_t)peat_clock__now_ns();
}

/* ---- output ---------------------------------------------------------------------------------- */

/*
 * Probes filter in the kernel.  Kernel records and the events of --map are of all tasks, so they
 * are filtered here.  Records that were not requested, such as THROTTLE, are not printed.
 */
static bool is_wanted_event(const struct run *run, const struct peat_event *event)
{
	const struct options *options = run->options;
	bool is_record = event->kind == PEAT_EVENT_RECORD;

	if (event->kind == PEAT_EVENT_DATA && options->sources.events.count)
		return event_filter__wants_name(options, event);
	if (event->kind == PEAT_EVENT_LOST || (!is_record && !options->sources.map_count))
		return true;
	return !(is_record && !event->schema) && event_filter__wants_task(options, event) &&
	       (!is_record || peat_session__descends(run->session, event->pid));
}

/* The reader does not test records that the sink needs: requested ones are tested here. */
static bool matches(const struct run *run, const struct peat_event *event)
{
	return !run->where || peat_where__test(run->where, event);
}

/* Events of probes are filtered in the kernel: those that follow are wanted as well. */
static uint64_t write_event(struct run *run, const struct peat_event *event)
{
	uint64_t most = run->options->limits.count - run->printed;

	if (run->ops->write && event->kind == PEAT_EVENT_DATA && !run->options->sources.map_count)
		return run->ops->write(run, event, most);
	output__write(&run->output, event);
	return 1;
}

/* The kinds of records that the verb needs, whether the user requested them or not. */
static uint32_t needed_kinds(const struct run *run)
{
	return run->ops->side_band | (run->symbols ? FRAME_NAMES_SIDE_BAND : 0);
}

/* Records that the sink needs are written in any case; they count if they were requested. */
static void print_event(struct run *run, const struct peat_event *event)
{
	bool is_needed = needed_kinds(run) && event->kind == PEAT_EVENT_RECORD;
	bool wanted = is_wanted_event(run, event);
	uint64_t written;

	if (is_needed)
		wanted = wanted && types__has_kind(event, run->side_band) && matches(run, event);
	if (!wanted && !(is_needed && run->ops->side_band))
		return;
	written = write_event(run, event);
	if (event->kind != PEAT_EVENT_LOST && wanted)
		run->printed += written;
}

static int use_event(struct run *run, const struct peat_event *event)
{
	int err = run->symbols ? peat_symbols__follow(run->symbols, event) : 0;

	if (!err)
		print_event(run, event);
	return err;
}

/* ---- the run --------------------------------------------------------------------------------- */

static bool is_run_over(struct run *run)
{
	return command__follow(&run->command) || signals__is_stopping() || run->is_full ||
	       run->output.err || run->printed >= run->options->limits.count;
}

/*
 * Whether the rest waits.  While events arrive faster than they can be printed, there are always
 * more.  At the end, the rings have a limited number of them, and all are printed.
 */
static bool has_no_time(const struct run *run)
{
	return run->is_ending ? signals__have_given_up() : signals__is_stopping();
}

/* At the end, a full output counts the events that it leaves out. */
static bool has_enough(const struct run *run)
{
	return (run->is_full && !run->is_ending) || run->printed >= run->options->limits.count;
}

/*
 * Prints all available events.  0 or a negative errno.  A stop ends it between two events: the
 * longest step is the naming of the frames of one stack.
 */
static int print_available(struct run *run)
{
	const struct peat_event *event;
	int more = 1;

	while (more > 0 && !run->output.err && !has_enough(run) && !has_no_time(run)) {
		more = peat_reader__next(run->reader, &event);
		if (more > 0)
			more = use_event(run, event) ?: more;
	}
	if (more >= 0)
		more = run->ops->pause(run);
	return more;
}

/* Counts the events that are left if they were given up.  The rings get no new ones. */
static int count_unprinted(struct run *run)
{
	const struct peat_event *event;
	int more = has_no_time(run) || run->output.err == -ETIME;

	while (more > 0 && !has_enough(run)) {
		more = peat_reader__next(run->reader, &event);
		run->unprinted +=
			more > 0 && event->kind != PEAT_EVENT_LOST && is_wanted_event(run, event);
	}
	return more < 0 ? more : 0;
}

static void report_unprinted(const struct run *run)
{
	if (run->unprinted)
		messages__print("%llu more events arrived, and were left out",
				(unsigned long long)run->unprinted);
}

static int64_t end_ns(const struct run *run)
{
	return run->options->limits.run_ms < INT64_MAX / 2000000
		       ? run->started_ns + (int64_t)run->options->limits.run_ms * 1000000
		       : INT64_MAX;
}

/* The time of the next line of progress. */
#define PROGRESS_NS INT64_C(250000000)

/* The time until --duration, run->wake_ns or the next line of progress; -1: unlimited. */
static int timeout_ms(const struct run *run)
{
	int64_t until_ns = end_ns(run), left_ms;

	if (run->wake_ns && run->wake_ns < until_ns)
		until_ns = run->wake_ns;
	if (run->has_progress && run__now_ns() + PROGRESS_NS < until_ns)
		until_ns = run__now_ns() + PROGRESS_NS;
	if (until_ns == INT64_MAX)
		return -1;
	left_ms = (until_ns - run__now_ns() + 999999) / 1000000;
	return left_ms < 0 ? 0 : left_ms < 3600 * 1000 ? (int)left_ms : 3600 * 1000;
}

static int wait_for_events(struct run *run)
{
	return run->ops->wait ? run->ops->wait(run, timeout_ms(run))
			      : peat_reader__wait(run->reader, timeout_ms(run));
}

/* The command may live on if it has left the samplers: its own end is awaited. */
static bool await_command(const struct run *run)
{
	const struct timespec interval = { .tv_nsec = 10000000 };

	if (!run->command.pid)
		return false;
	nanosleep(&interval, NULL);
	return true;
}

/* A command would print to the same terminal. */
static void begin_progress(struct run *run)
{
	run->has_progress = run->ops->progress && !run->options->output.quiet && !run->is_screen &&
			    !run->command.pid && end_ns(run) < INT64_MAX &&
			    !terminal__is_pipe(run->output.fd) && isatty(STDERR_FILENO);
	progress__begin(!run->has_progress);
}

/* Events that programs count in tables of their own are unknown until the end. */
static void report_progress(const struct run *run)
{
	struct peat_session_table own = { .sz = sizeof(own) };
	struct peat_reader_stats stats = { .sz = sizeof(stats) };
	struct progress progress = { .verb = run->ops->progress, .unit = PROGRESS_MS };
	char notes[128];

	if (!run->has_progress || !progress__is_due() || peat_reader__stats(run->reader, &stats))
		return;
	progress.all = run->options->limits.run_ms;
	progress.done = (uint64_t)(run__now_ns() - run->started_ns) / 1000000;
	snprintf(notes, sizeof(notes), "%llu events, %llu lost%s",
		 (unsigned long long)(run->printed + stats.counted), (unsigned long long)stats.lost,
		 summary__skipped(&stats));
	if (peat_session__table(run->session, 0, &own) <= 0)
		progress.notes = notes;
	progress__report(&progress);
}

static int follow(struct run *run)
{
	int err = 0;

	begin_progress(run);
	while (!err && !is_run_over(run) && run__now_ns() < end_ns(run)) {
		report_progress(run);
		err = wait_for_events(run);
		if (err >= 0)
			err = print_available(run);
		else if (err == -EINTR || err == -ECANCELED ||
			 (err == -ENODATA && await_command(run)))
			err = 0;
		output__check_closed_pipe(&run->output);
	}
	if (run->has_progress)
		progress__end();	  /* else it is that of the verb */
	return err == -ENODATA ? 0 : err; /* all tasks have ended */
}

/* NULL: none. */
static const char *find_btf(const struct options *options)
{
	const char *btf = options->objects.btf ? options->objects.btf : getenv("PEAT_BTF");

	return btf && *btf ? btf : NULL;
}

static bool needs_identity(const struct options *options)
{
	return options->output.identity || field_list__names_identity(options->output.fields);
}

static struct peat_session *new_session(const struct run *run)
{
	const struct options *options = run->options;
	struct peat_channel_opts channel_opts = PEAT_CHANNEL_OPTS_INIT;
	char *interfaces =
		words__join(options->objects.interfaces.at, options->objects.interfaces.count, ",");
	struct peat_session *session;
	struct peat_session_opts opts = {
		.sz = sizeof(opts),
		.pid = options->filter.pid,
		.tid = options->filter.tid,
		.uid = options->filter.uid,
		.by_uid = options->filter.by_uid,
		.measure = options->output.verbose,
		.best_effort = options->objects.best_effort,
		.steal = options->sources.steal,
		.comm = options->filter.comm,
		.cpus = options->filter.cpus,
		.cgroup = options->filter.cgroup,
		.interfaces = interfaces,
		.channel = &channel_opts,
		.btf = find_btf(options),
		.where = run->where,
		.table = run->table,
		.stacks = { options->stacks.kinds, options->stacks.depth, options->stacks.memory,
			    0 },
		.ancestor = options->sources.events.count ? 0 : run->ancestor,
	};

	channel_opts.max_rate = options->filter.max_rate;
	channel_opts.unstaged = !options->limits.latency_ms;
	channel_opts.owner = needs_identity(options);
	session =
		interfaces || !options->objects.interfaces.count ? peat_session__new(&opts) : NULL;
	free(interfaces);
	return session;
}

/* Counted events need no other fields than those that the table and the expression name. */
static int add_sources(struct run *run, uint32_t *kinds)
{
	const struct options *options = run->options;
	char *list = options->output.fields ? strdup(options->output.fields) : NULL, *at = list;
	const char *names[OPTIONS_NAMES];
	struct source_fields fields = { .names = names, .only = run->table };
	uint64_t most = options->sources.max_functions;
	int status;

	if (options->output.fields && !list)
		return EXIT_FAILED;
	fields.most = most < UINT32_MAX ? (uint32_t)most : UINT32_MAX;
	while (at && fields.count < OPTIONS_NAMES)
		names[fields.count++] = strsep(&at, ",");
	status = sources__add(run->session, options->sources.names, options->sources.name_count,
			      &fields, kinds);
	free(list);
	return status;
}

/* Creates the session with all sources.  0 or an exit status. */
static int prepare(struct run *run, uint32_t *kinds)
{
	const struct options *options = run->options;
	int status;

	status = identity_filter__parse(options, &run->where) ?: stack_sources__check(options);
	if (status)
		return status;
	run->session = new_session(run);
	if (!run->session)
		return EXIT_FAILED;
	status = add_sources(run, kinds);
	if (!status)
		status = maps__add(run->session, options);
	if (!status)
		status = sources__set_variables(run->session, options->objects.sets.at,
						options->objects.sets.count);
	if (!status)
		status = sources__set_map_entries(run->session, options->objects.map_sizes.at,
						  options->objects.map_sizes.count);
	if (!status)
		status = sources__name_events(run->session, options->objects.types.at,
					      options->objects.types.count);
	if (!status)
		status = sources__leave_out_programs(run->session, options->objects.left_out.at,
						     options->objects.left_out.count);
	if (!status)
		status = sources__choose_targets(run->session, options->objects.attached.at,
						 options->objects.attached.count);
	if (!status && options->sources.pin &&
	    peat_session__pin(run->session, options->sources.pin))
		status = EXIT_FAILED;
	if (!status && *kinds && options->flight.bytes) {
		messages__print("--flight keeps events of probes, objects and maps: @KIND can only "
				"trigger a dump: --on @KIND");
		return EXIT_USAGE;
	}
	if (status || !*kinds ||
	    (!options->filter.by_uid && !options->filter.cgroup &&
	     !event_filter__has_identity(options)))
		return status ? status : identity_filter__check(options, run->session);
	messages__print("-u, --cgroup, --container, --pod and --unit cannot be used with @KIND: "
			"kernel records have no user and no cgroup: use -p, -t or --comm");
	return EXIT_USAGE;
}

static bool wants_first_by_time(const struct run *run)
{
	return run->ops->first_by_time && run->options->limits.count != UINT64_MAX;
}

/*
 * Names of addresses need the order, too: a program's event may be read before the record of the
 * mapping that it was called in.  Immediate events cannot be ordered.
 */
static bool is_ordered(const struct run *run)
{
	return run->options->limits.latency_ms &&
	       (run->options->output.ordered || run->symbols || wants_first_by_time(run));
}

static bool has_user_stacks(const struct peat_schema *schema)
{
	const struct peat_field *fields;
	uint32_t count = 0;

	fields = schema ? peat_schema__fields(schema, &count) : NULL;
	for (uint32_t i = 0; i < count; i++)
		if (fields[i].kind == PEAT_FIELD_USTACK)
			return true;
	return false;
}

/* Whether fields of events, or of tables of the programs, are user stacks. */
static bool keeps_user_stacks(struct peat_session *session)
{
	struct peat_session_table table = { .sz = sizeof(table) };
	const struct peat_schema *type;

	for (uint32_t i = 0; (type = peat_session__type(session, i)); i++)
		if (has_user_stacks(type))
			return true;
	for (uint32_t i = 0; peat_session__table(session, i, &table) > 0; i++)
		if (has_user_stacks(table.schema))
			return true;
	return false;
}

static bool has_addresses(const struct run *run)
{
	return frame_names__are_wanted(run->options) ||
	       (!run->options->symbols.none &&
		(peat_session__stacks(run->session) || keeps_user_stacks(run->session)));
}

static bool needs_names(const struct run *run)
{
	return run->ops->has_names && (run->ops->has_names(run->options) || has_addresses(run));
}

/* The file is emptied only now: a command line that is refused leaves it as it was. */
static int open_output(struct run *run, uint32_t kinds)
{
	int err = run->ops->check ? run->ops->check(run, kinds) : 0;

	if (!err)
		err = output__open(&run->output, run->options->output.path) ? -EIO : 0;
	return err ? err : run->ops->open_sink(run, kinds);
}

/* Loading large objects takes seconds. */
static int load(struct run *run, const struct peat_reader_opts *opts)
{
	char *names =
		words__join(run->options->sources.names, run->options->sources.name_count, ", ");
	int err;

	progress__begin_wait(run->options->output.quiet || !names, "loading", names);
	signals__set_session(run->session);
	err = peat_session__start(run->session, opts);
	signals__set_session(NULL);
	progress__end_wait();
	free(names);
	return err;
}

static int start(struct run *run, uint32_t kinds)
{
	struct peat_reader_opts opts = PEAT_READER_OPTS_INIT;
	int err;

	run->side_band = kinds;
	if (needs_names(run)) {
		run->symbols = frame_names__new(run->options, run->ops->waits_for_names
								      ? FRAME_NAMES_LIVE
								      : FRAME_NAMES_AT_ONCE);
		if (!run->symbols)
			return -errno;
		signals__set_symbols(run->symbols);
	}
	opts.latency_ms = run->options->limits.latency_ms;
	opts.immediate = !opts.latency_ms && !run->options->flight.bytes;
	opts.memory_bytes = run->options->limits.memory_bytes;
	opts.overwrite = run->options->flight.bytes;
	opts.cpus = run->options->filter.cpus;
	opts.side_band = kinds | needed_kinds(run);
	opts.names = true;
	opts.data_maps =
		run->ops->side_band && peat_session__stacks(run->session) & PEAT_STACK_DWARF;
	opts.ordered = is_ordered(run);
	opts.sample = run->options->sampling.sample;
	opts.identity = needs_identity(run->options);
	run->names = peat_runtime_names__new();
	opts.find_names = run->names ? peat_runtime_names__find : NULL;
	opts.find_names_arg = run->names;
	opts.where_side_band = kinds & ~needed_kinds(run);
	err = types__add_kinds(run->where, kinds & needed_kinds(run));
	if (err)
		return err;
	err = load(run, &opts);
	if (err == -EBUSY && !peat_session__reader(run->session))
		messages__print("use --steal to load it with these maps anyway");
	if (err)
		return err;
	run->reader = peat_session__reader(run->session);
	signals__set_reader(run->reader);
	if (!run->options->output.quiet)
		summary__print_arrays(run->session);
	run->started_ns = run__now_ns();
	return open_output(run, kinds);
}

static void summarize(const struct run *run, double seconds)
{
	const char *plural = run->printed == 1 ? "" : "s";
	struct peat_reader_stats stats = { .sz = sizeof(stats) };

	if (peat_reader__stats(run->reader, &stats)) {
		messages__print("%llu event%s in %.2f s; cannot read the losses: %m",
				(unsigned long long)run->printed, plural, seconds);
		return;
	}
	messages__print("%llu event%s in %.2f s, %llu lost%s", (unsigned long long)run->printed,
			plural, seconds, (unsigned long long)stats.lost, summary__skipped(&stats));
	summary__print_stats(&stats);
	report_unprinted(run);
	option_notes__print(run->options, run->printed, &stats);
	if (summary__has_losses(&stats) || run->options->output.verbose)
		summary__print_ledger(run->reader, &stats);
	if (!run->options->output.verbose)
		return;
	summary__print_programs(run->session);
	messages__print("%llu records in %llu rounds from %u rings of %llu bytes",
			(unsigned long long)stats.records, (unsigned long long)stats.rounds,
			stats.rings, (unsigned long long)stats.ring_bytes);
	frame_names__print_stats(run->symbols);
}

/* Losses that cannot be read are losses. */
static void find_losses(struct run *run)
{
	struct peat_reader_stats stats = { .sz = sizeof(stats) };

	if (run->options->output.fail_on_loss)
		run->has_losses |= run->unprinted || peat_reader__stats(run->reader, &stats) ||
				   summary__has_losses(&stats);
}

/* The heading is printed with the first events, so a terminal would stay empty until then. */
static void print_hint(const struct run *run)
{
	if (!run->options->output.quiet && !run->is_screen && isatty(STDOUT_FILENO) &&
	    isatty(STDERR_FILENO))
		messages__print("tracing; press Ctrl-C to stop");
}

static int follow_to_end(struct run *run)
{
	uint64_t deadline_ns = end_ns(run) < INT64_MAX ? (uint64_t)end_ns(run) : UINT64_MAX;
	int err;

	signals__set_deadline(deadline_ns);
	err = follow(run);
	signals__begin_end();
	return err;
}

/* Detaching may take seconds: names of functions have their time afterwards. */
static void detach(struct run *run)
{
	peat_session__stop(run->session);
	run->is_ending = true;
	signals__begin_names();
}

/* Prints the events that are in the rings. */
static int print_rest(struct run *run)
{
	int err = run->ops->detached ? run->ops->detached(run) : 0;

	if (!err)
		err = print_available(run);
	return err ? err : count_unprinted(run);
}

static int trace(struct run *run, uint32_t kinds)
{
	double seconds;
	int err, finished;

	messages__begin_errors();
	err = start(run, kinds);
	if (err) {
		messages__report_no_memory(err);
		return err;
	}
	print_hint(run);
	messages__begin_errors();
	command__start(&run->command);
	err = follow_to_end(run);
	seconds = (double)(run__now_ns() - run->started_ns) / 1e9;
	detach(run);
	if (!err)
		err = print_rest(run);
	messages__report_no_memory(err);
	finished = run->ops->finish(run);
	if (!err)
		err = finished;
	messages__report_no_memory(err);
	signals__begin_print(STDERR_FILENO);
	if (!run->options->output.quiet)
		summarize(run, seconds);
	signals__end_print();
	find_losses(run);
	return err;
}

static void end(struct run *run)
{
	signals__set_reader(NULL);
	signals__set_symbols(NULL);
	peat_session__free(run->session);
	peat_runtime_names__free(run->names);
	peat_where__free(run->where);
	peat_symbols__free(run->symbols);
}

static int prepare_command(struct run *run, char **command)
{
	int err;

	if (command && !*command) {
		messages__print("no command after --");
		return EXIT_USAGE;
	}
	err = command__prepare(&run->command, command, run->owns_stdout);
	if (err)
		messages__print("cannot create a process: %s", strerror(-err));
	return err ? EXIT_FAILED : 0;
}

/*
 * The events of the command are those of its process and of its descendants.  Sources that follow
 * one process follow that of the command, unless a filter names another.
 */
static int choose_process(struct run *run)
{
	const struct options *options = run->options;
	int follows;

	if (!options->sampling.all_tasks && !event_filter__has_tasks(options))
		run->ancestor = (uint32_t)run->command.pid;
	if (!run->command.pid || options->filter.by_pid)
		return 0;
	follows = sources__follow_one_process(options->sources.names, options->sources.name_count);
	if (follows <= 0)
		return -follows;
	run->ancestor = 0;
	run->chosen = *options;
	run->chosen.filter.by_pid = true;
	run->chosen.filter.pid = (uint32_t)run->command.pid;
	run->options = &run->chosen;
	return 0;
}

static int check_tasks(const struct options *options)
{
	if (!options->sampling.all_tasks || !event_filter__has_tasks(options))
		return 0;
	messages__print("-a cannot be used with -p, -t, -u, --cgroup, --container, --pod and "
			"--unit: it selects all tasks");
	return EXIT_USAGE;
}

int run__session(struct run *run, const struct options *options, char **command)
{
	int status, failed, commands;
	uint32_t kinds;

	run->options = options;
	run->output.fd = STDOUT_FILENO;
	messages__set_verbosity(options->output.verbose);
	signals__catch();
	status = maps__check_options(options) ?: sampled__check_options(options)
							 ?: check_tasks(options);
	if (!status)
		status = prepare_command(run, command);
	if (!status)
		status = choose_process(run);
	if (!status)
		status = prepare(run, &kinds);
	if (!status)
		status = sampled__add(run->session, options, run->ancestor);
	if (status == EXIT_FAILED)
		messages__report_no_memory(-errno);
	if (!status && trace(run, kinds))
		status = EXIT_FAILED;
	commands = command__end(&run->command);
	failed = output__close(&run->output);
	end(run);
	if (!status)
		status = failed;
	if (!status && options->output.fail_on_loss && run->has_losses)
		status = EXIT_LOSS;
	return status ? status : commands;
}
