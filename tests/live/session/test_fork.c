// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_fork.c: children of fork() that free or use the session of their parent. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <bpf/bpf.h>

#include <peat/peat.h>

#include "session/attach/clsact.h"
#include "support/machine/harness.h"
#include "support/machine/netns.h"
#include "support/machine/object.h"

EMBED_OBJECT(payload)
EMBED_OBJECT(tracepoints)
EMBED_OBJECT(zero)

#define CALLS 500

static struct peat_session *session;

static const struct peat_session_opts *session_opts;

static void start(const struct object_file *file, const char *const *left_out)
{
	session = peat_session__new(session_opts);
	ck_assert_ptr_nonnull(session);
	ck_assert_int_eq(peat_session__add(session, file->name, file->bytes, *file->count), 0);
	for (; *left_out; left_out++)
		ck_assert_int_eq(peat_session__leave_out(session, *left_out), 0);
	if (file == &tracepoints_object)
		ck_assert_int_eq(peat_session__set_number(session, "only_pid", (uint64_t)getpid()),
				 0);
	ck_assert_int_eq(peat_session__start(session, NULL), 0);
}

static void start_channel(void)
{
	start(&tracepoints_object, (const char *const[]){ "missing", NULL });
}

static void start_raw(void)
{
	start(&zero_object, (const char *const[]){ "on_uprobe", "on_kprobe", "by_function", NULL });
}

static void teardown(void)
{
	peat_session__free(session);
}

static void call(void)
{
	for (int i = 0; i < CALLS; i++)
		ck_assert_int_ge(syscall(SYS_getpgid, 0), 0);
}

static void run_child(void (*act)(void))
{
	int status;
	pid_t pid = fork();

	ck_assert_int_ge(pid, 0);
	if (!pid) {
		act();
		_exit(0);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
}

static void free_session(void)
{
	peat_session__free(session);
}

static void stop_session(void)
{
	peat_session__stop(session);
}

#define refuse(call)                                                                               \
	do {                                                                                       \
		errno = 0;                                                                         \
		if ((call) != -ECHILD || errno != ECHILD)                                          \
			_exit(__LINE__ % 250 + 1);                                                 \
	} while (0)

static int write_nothing(struct peat_sink *sink, const struct peat_event *event)
{
	(void)sink;
	(void)event;
	return 0;
}

static void use_reader(struct peat_reader *reader)
{
	struct peat_reader_stats stats = { .sz = sizeof(stats) };
	struct peat_ledger ledger = { .sz = sizeof(ledger) };
	const struct peat_event *event;
	uint64_t lost;

	refuse(peat_reader__fd(reader));
	refuse(peat_reader__wait(reader, 0));
	refuse(peat_reader__next(reader, &event));
	refuse(peat_reader__stats(reader, &stats));
	refuse(peat_reader__ledger(reader, 0, &ledger));
	refuse(peat_reader__counts(reader, 0, &stats, NULL));
	refuse(peat_reader__map_lost(reader, 0, &lost));
	peat_reader__pause(reader);
	peat_reader__flush(reader);
	peat_reader__break(reader);
}

/* Names that do not exist: the process is checked first. */
static void set_up_session(void)
{
	refuse(peat_session__add(session, "zero", zero_object.bytes, *zero_object.count));
	refuse(peat_session__add_file(session, "no-file"));
	refuse(peat_session__add_events(session, "page-faults", NULL));
	refuse(peat_session__add_map(session, 0));
	refuse(peat_session__pin(session, "no-directory"));
	refuse(peat_session__set_number(session, "no-option", 1));
	refuse(peat_session__set_text(session, "no-option", "1"));
	refuse(peat_session__set_map_entries(session, "no-map", 1));
	refuse(peat_session__name_events(session, "no-map", "no-type"));
	refuse(peat_session__leave_out(session, "no-program"));
	refuse(peat_session__attach_to(session, "no-program", "no-target"));
	refuse(peat_session__start(session, NULL));
}

static void use_variables(void)
{
	struct peat_variable variable = { .sz = sizeof(variable) };
	uint64_t number;
	char text[8];

	refuse(peat_session__set_variable(session, "only_pid", "1"));
	refuse(peat_session__variable(session, "only_pid", &variable));
	refuse(peat_session__read_number(session, "only_pid", &number));
	refuse(peat_session__read_variable(session, "only_pid", text, sizeof(text)));
}

static void use_session(void)
{
	struct peat_channel *channel = peat_session__channel(session);
	struct peat_program_stats program = { .sz = sizeof(program) };
	struct peat_sink sink = { .sz = sizeof(sink), .write = write_nothing };

	if (channel && (peat_reader__new(channel, NULL) || errno != EBUSY))
		_exit(1);
	refuse(peat_session__wait(session, 0));
	refuse(peat_session__drain(session, &sink));
	refuse(peat_session__program(session, 0, &program));
	refuse(peat_session__map_fd(session, "no-map"));
	set_up_session();
	use_variables();
	use_reader(peat_session__reader(session));
	peat_session__cancel(session);
	free_session();
}

static bool is_own(const struct peat_event *event)
{
	return event->kind == PEAT_EVENT_DATA && event->pid == (uint32_t)getpid();
}

/* The parent reads the first event, so that the child finds it in the middle of a round. */
static uint64_t read_one(void)
{
	const struct peat_event *event;

	ck_assert_int_eq(peat_session__wait(session, 1000), 1);
	return peat_reader__next(peat_session__reader(session), &event) == 1 && is_own(event);
}

static uint64_t read_round(void)
{
	const struct peat_event *event;
	uint64_t events = 0;

	while (peat_reader__next(peat_session__reader(session), &event) > 0)
		events += is_own(event);
	return events;
}

/* The present round has the events from before it. */
static uint64_t read_rest(void)
{
	uint64_t events;

	peat_session__stop(session);
	events = read_round();
	return events + read_round();
}

static void check_nothing_lost(void (*act)(void))
{
	uint64_t events;

	call();
	events = read_one();
	run_child(act);
	ck_assert_int_ge(peat_session__wait(session, 0), 0); /* not canceled by the child */
	call();
	events += read_rest();
	ck_assert_uint_eq(events, 2 * CALLS);
}

START_TEST(test_child_of_a_channel)
{
	static void (*const acts[])(void) = { free_session, stop_session, use_session };

	for (size_t i = 0; i < sizeof(acts) / sizeof(*acts); i++) {
		struct peat_ledger ledger = { .sz = sizeof(ledger) };

		start_channel();
		check_nothing_lost(acts[i]);
		ck_assert_int_eq(
			peat_reader__ledger(peat_session__reader(session), PEAT_ALL_CPUS, &ledger),
			0);
		ck_assert_uint_eq(ledger.emitted, 2 * CALLS);
		ck_assert_uint_eq(ledger.delivered, 2 * CALLS);
		teardown();
	}
}
END_TEST

START_TEST(test_child_of_a_raw_session)
{
	static void (*const acts[])(void) = { free_session, stop_session, use_session };

	for (size_t i = 0; i < sizeof(acts) / sizeof(*acts); i++) {
		start_raw();
		check_nothing_lost(acts[i]);
		teardown();
	}
}
END_TEST

/* Links of programs of this name: sessions have no number of a link. */
static unsigned count_links(const char *program)
{
	unsigned count = 0;
	uint32_t id = 0;

	while (!bpf_link_get_next_id(id, &id)) {
		struct bpf_link_info link = { 0 };
		struct bpf_prog_info info = { 0 };
		uint32_t link_bytes = sizeof(link), bytes = sizeof(info);
		int fd = bpf_link_get_fd_by_id(id), program_fd = -1;

		if (fd >= 0 && !bpf_obj_get_info_by_fd(fd, &link, &link_bytes))
			program_fd = bpf_prog_get_fd_by_id(link.prog_id);
		if (program_fd >= 0 && !bpf_obj_get_info_by_fd(program_fd, &info, &bytes))
			count += !strcmp(info.name, program);
		if (program_fd >= 0)
			close(program_fd);
		if (fd >= 0)
			close(fd);
	}
	return count;
}

/* The programs end with the parent's session, though a child lives that freed its copy. */
START_TEST(test_child_keeps_no_links)
{
	int freed[2], status;
	pid_t child;
	char byte;

	start_raw();
	if (!count_links("on_tracepoint")) {
		harness__skip(__func__, "no links of tracepoints (Linux 5.15)");
		teardown();
		return;
	}
	ck_assert_int_eq(pipe(freed), 0);
	child = fork();
	ck_assert_int_ge(child, 0);
	if (!child) {
		free_session();
		if (write(freed[1], "", 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	ck_assert_int_eq(read(freed[0], &byte, 1), 1);
	ck_assert_uint_eq(count_links("on_tracepoint"), 1);
	teardown();
	/* The kernel frees a link in a while. */
	for (int i = 0; i < 1000 && count_links("on_tracepoint"); i++)
		usleep(10000);
	ck_assert_uint_eq(count_links("on_tracepoint"), 0);
	ck_assert_int_eq(kill(child, SIGKILL), 0);
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert(WIFSIGNALED(status));
}
END_TEST

/* A session of the child is its own. */
static void read_own(void)
{
	peat_session__free(session);
	start_raw();
	call();
	if (read_one() + read_rest() < CALLS)
		_exit(1);
	teardown();
}

START_TEST(test_session_of_the_child)
{
	start_raw();
	check_nothing_lost(read_own);
	teardown();
}
END_TEST

/* ---- tables, sinks and counters -------------------------------------------------------------- */

static struct peat_table *table;

static void use_table(void)
{
	refuse(peat_table__read(table));
	refuse(peat_table__clear(table));
	free_session();
	peat_table__free(table);
}

/* The sum of the column "count". */
static uint64_t read_table(void)
{
	struct peat_table_row row = { .sz = sizeof(row) };
	uint64_t sum = 0, number;
	uint32_t at;

	ck_assert_int_ge(peat_table__read(table), 1);
	while (peat_table__next(table, &row) > 0) {
		const struct peat_field *count =
			peat_schema__find(peat_table__schema(table), "count", &at);

		ck_assert(peat_field__number(count, (const char *)row.data + at, row.size - at,
					     &number));
		sum += number;
	}
	return sum;
}

/* The programs count: a child that collects their counts takes them from its parent. */
START_TEST(test_table_of_the_parent)
{
	const struct peat_table_opts table_opts = { .sz = sizeof(table_opts), .by = "pid" };
	struct peat_session_opts opts = { .sz = sizeof(opts) };

	table = opts.table = peat_table__new(&table_opts);
	ck_assert_ptr_nonnull(table);
	session_opts = &opts;
	start_channel();
	call();
	run_child(use_table);
	call();
	peat_session__stop(session);
	read_round();
	ck_assert_uint_eq(read_table(), 2 * CALLS);
	teardown();
	peat_table__free(table);
}
END_TEST

static int output;

#define refuse_new(call)                                                                           \
	do {                                                                                       \
		errno = 0;                                                                         \
		if ((call) || errno != ECHILD)                                                     \
			_exit(__LINE__ % 250 + 1);                                                 \
	} while (0)

static void make_sinks(void)
{
	struct peat_reader *reader = peat_session__reader(session);

	refuse_new(peat_sink__new_perf(reader, output, NULL));
	refuse_new(peat_sink__new_pcapng(reader, output, NULL));
}

START_TEST(test_sinks_of_the_child)
{
	char path[] = "/tmp/peat-fork-XXXXXX";

	output = mkstemp(path);
	ck_assert_int_ge(output, 0);
	unlink(path);
	start_raw();
	check_nothing_lost(make_sinks);
	ck_assert_int_eq(lseek(output, 0, SEEK_END), 0);
	close(output);
	teardown();
}
END_TEST

static struct peat_reader *kept;

static void use_snapshots(void)
{
	refuse_new(peat_reader__snapshot(kept, NULL));
	use_reader(kept);
	peat_reader__free(kept);
}

START_TEST(test_snapshots_of_the_child)
{
	struct peat_reader_opts opts = PEAT_READER_OPTS_INIT;
	struct peat_channel *channel = peat_channel__new(NULL);
	struct bpf_object *object;

	opts.overwrite = 65536;
	object = peat_channel__open(channel, tracepoints_object.bytes, *tracepoints_object.count,
				    NULL);
	ck_assert_ptr_nonnull(object);
	bpf_program__set_autoload(bpf_object__find_program_by_name(object, "missing"), false);
	ck_assert_int_eq(bpf_object__load(object), 0);
	kept = peat_reader__new(channel, &opts);
	ck_assert_ptr_nonnull(kept);
	run_child(use_snapshots);
	peat_reader__free(kept);
	bpf_object__close(object);
	peat_channel__free(channel);
}
END_TEST

static struct peat_counters *counters;

static void use_counters(void)
{
	refuse(peat_counters__enable(counters));
	refuse(peat_counters__disable(counters));
	refuse(peat_counters__read(counters));
	refuse(peat_counters__fd(counters));
	refuse(peat_counters__move_breakpoint(counters, 0, 0));
	peat_counters__reset(counters);
	peat_counters__free(counters);
}

START_TEST(test_counters_of_the_parent)
{
	struct peat_counters_opts opts = PEAT_COUNTERS_OPTS_INIT;
	struct peat_counter_value before = { .sz = sizeof(before) }, after = before;
	const uint32_t pid = (uint32_t)getpid();

	opts.events = "task-clock";
	opts.pids = &pid;
	opts.pid_count = 1;
	counters = peat_counters__new(&opts);
	ck_assert_ptr_nonnull(counters);
	ck_assert_int_eq(peat_counters__enable(counters), 0);
	ck_assert_int_eq(peat_counters__read(counters), 0);
	ck_assert_int_eq(peat_counters__value(counters, 0, &before), 0);
	run_child(use_counters);
	call();
	ck_assert_int_eq(peat_counters__read(counters), 0);
	ck_assert_int_eq(peat_counters__value(counters, 0, &after), 0);
	ck_assert_uint_gt(after.value, before.value);
	peat_counters__free(counters);
}
END_TEST

/* ---- packets --------------------------------------------------------------------------------- */

#define LO 1 /* index of the loopback interface */

static void start_packets(void)
{
	struct peat_session_opts opts = { .sz = sizeof(opts), .interfaces = "lo" };

	session = peat_session__new(&opts);
	ck_assert_ptr_nonnull(session);
	ck_assert_int_eq(peat_session__add(session, payload_object.name, payload_object.bytes,
					   *payload_object.count),
			 0);
	ck_assert_int_eq(peat_session__start(session, NULL), 0);
}

static uint64_t send_and_read(const struct netns_pair *pair)
{
	uint64_t events = 0;
	const struct peat_event *event;

	netns__send(pair, "packet", 6);
	peat_reader__flush(peat_session__reader(session));
	while (peat_session__wait(session, 0) > 0)
		while (peat_reader__next(peat_session__reader(session), &event) > 0)
			events += event->kind == PEAT_EVENT_DATA;
	return events;
}

/* Filters of tc and XDP programs are the parent's, and so is the qdisc that the session added. */
START_TEST(test_packets_of_the_parent)
{
	static void (*const acts[])(void) = { free_session, stop_session };
	struct netns_pair pair;
	uint64_t before;

	netns__enter();
	if (clsact__add(LO) != 1)
		skip("this kernel has no clsact");
	clsact__remove(LO);
	pair = netns__pair(AF_INET);
	for (size_t i = 0; i < sizeof(acts) / sizeof(*acts); i++) {
		start_packets();
		before = send_and_read(&pair);
		ck_assert_uint_gt(before, 0);
		run_child(acts[i]);
		ck_assert_uint_eq(send_and_read(&pair), before);
		teardown();
	}
	netns__close(&pair);
}
END_TEST

static Suite *fork_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("fork", 60, &tests);

	tcase_add_test(tests, test_child_of_a_channel);
	tcase_add_test(tests, test_child_of_a_raw_session);
	tcase_add_test(tests, test_child_keeps_no_links);
	tcase_add_test(tests, test_session_of_the_child);
	tcase_add_test(tests, test_table_of_the_parent);
	tcase_add_test(tests, test_sinks_of_the_child);
	tcase_add_test(tests, test_snapshots_of_the_child);
	tcase_add_test(tests, test_counters_of_the_parent);
	tcase_add_test(tests, test_packets_of_the_parent);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { fork_suite };

	return harness__main(argc, argv, suites, 1);
}
