// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_sideband.c: the kernel's own records, as events and as the names of tasks. */
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <linux/perf_event.h>

#include "support/machine/amount.h"
#include "support/load/channel_load.h"
#include "object/globals.h"
#include "live/bpf/named.bpf.h"

EMBED_OBJECT(named)

/* A rare system call, so that other programs do not flood the rings. */
#define CALL SYS_sched_get_priority_min

static struct bpf_object *object;
static struct bpf_link *attachment;

static void setup(void)
{
	peat_set_print(keep_messages);
}

static void teardown(void)
{
	bpf_link__destroy(attachment);
	attachment = NULL;
	close_all();
}

#define ALL_KINDS ((PEAT_SIDE_BAND_TEXTPOKE << 1) - 1u)

static void open_kinds(uint32_t kinds)
{
	struct peat_reader_opts opts = PEAT_READER_OPTS_INIT;

	opts.side_band = kinds;
	reader = peat_reader__new_side_band(&opts);
	ck_assert_msg(reader, "%s", messages);
}

/* ---- records as events ----------------------------------------------------------------------- */

static uint64_t number(const struct peat_event *event, const char *name)
{
	uint32_t offset;
	uint64_t value;
	const struct peat_field *field = peat_schema__find(event->schema, name, &offset);

	ck_assert_msg(field && peat_field__number(field, event->data, event->size, &value),
		      "no number %s", name);
	return value;
}

/* The string at the end of the event. */
static const char *text(const struct peat_event *event, const char *name)
{
	uint32_t offset;
	const struct peat_field *field = peat_schema__find(event->schema, name, &offset);

	ck_assert_msg(field && field->kind == PEAT_FIELD_STRING, "no string %s", name);
	ck_assert_int_eq(((const char *)event->data)[event->size - 1], '\0');
	return (const char *)event->data + field->offset;
}

static bool is(const struct peat_event *event, const char *schema)
{
	return !strcmp(peat_schema__name(event->schema), schema);
}

/* The records of each kind for a process that runs `true`. */
static struct {
	uint32_t pid;
	unsigned forks, execs, maps, exits;
	uint64_t time_ns;
} life;

static void check_life(const struct peat_event *event)
{
	if (is(event, "@fork") && number(event, "child") == life.pid) {
		ck_assert_uint_eq(event->pid, (uint32_t)getpid());
		ck_assert_uint_eq(number(event, "parent"), (uint32_t)getpid());
		ck_assert_uint_eq(number(event, "parent_tid"), (uint32_t)gettid());
		ck_assert_uint_eq(number(event, "child_tid"), life.pid);
		life.forks++;
	}
	if (event->pid != life.pid)
		return;
	life.time_ns = event->time_ns;
	if (is(event, "@comm") && number(event, "exec")) {
		ck_assert_str_eq(text(event, "name"), "true");
		ck_assert_uint_eq(number(event, "thread"), life.pid);
		life.execs++;
	} else if (is(event, "@mmap")) {
		ck_assert_uint_eq(number(event, "process"), life.pid);
		ck_assert_uint_eq(number(event, "data"), false);
		if (*text(event, "filename") != '/') /* else of whatever `true` is a link to */
			return;
		ck_assert_uint_ne(number(event, "ino"), 0);
		life.maps++;
	} else if (is(event, "@exit")) {
		ck_assert_uint_eq(number(event, "ppid"), (uint32_t)getpid());
		ck_assert_uint_eq(number(event, "thread"), life.pid);
		life.exits++;
	}
}

static uint64_t drain_records(event_fn check)
{
	const struct peat_event *event;
	uint64_t events = 0;

	while (peat_reader__next(reader, &event) > 0) {
		if (event->kind != PEAT_EVENT_RECORD || !event->schema)
			continue;
		ck_assert_ptr_nonnull(event->record);
		ck_assert_uint_eq((uintptr_t)event->data % 8, 0);
		ck_assert_uint_ne(event->time_ns, 0);
		check(event);
		events++;
	}
	return events;
}

static void run_true(void)
{
	pid_t pid = fork();

	ck_assert_int_ge(pid, 0);
	if (!pid) {
		execlp("true", "true", NULL);
		_exit(127);
	}
	life.pid = (uint32_t)pid;
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
}

START_TEST(test_life_of_a_process)
{
	uint64_t start_ns = now_ns();

	open_kinds(PEAT_SIDE_BAND_TASK | PEAT_SIDE_BAND_COMM | PEAT_SIDE_BAND_MMAP);
	for (int i = 0; i < 20; i++) {
		memset(&life, 0, sizeof(life));
		run_true();
		drain_records(check_life);
		ck_assert_uint_eq(life.forks, 1);
		ck_assert_uint_eq(life.execs, 1);
		ck_assert_uint_ge(life.maps, 1);
		ck_assert_uint_eq(life.exits, 1);
		ck_assert_uint_ge(life.time_ns, start_ns);
		ck_assert_uint_le(life.time_ns, now_ns());
	}
	ck_assert_uint_eq(stats_now().corrupt, 0);
	ck_assert_uint_eq(stats_now().unknown, 0);
	ck_assert_uint_eq(stats_now().side_band_lost, 0);
}
END_TEST

static unsigned named_comm;

static void count_comm(const struct peat_event *event)
{
	ck_assert_str_eq(peat_schema__name(event->schema), "@comm");
	named_comm += event->pid == life.pid && !strcmp(text(event, "name"), "true");
}

/* With COMM the kernel also writes FORK and EXIT: they are not returned. */
START_TEST(test_only_the_kinds_chosen)
{
	open_kinds(PEAT_SIDE_BAND_COMM);
	run_true();
	drain_records(count_comm);
	ck_assert_uint_eq(named_comm, 1);
}
END_TEST

/* The records of kinds that are not about processes. */
static struct {
	unsigned loads, unloads, symbols, switches, namespaces, of_children;
	uint32_t id;
} other;

static void check_other(const struct peat_event *event)
{
	if (is(event, "@bpf") && number(event, "id") == other.id) {
		other.loads += number(event, "action") == PEAT_BPF_PROG_LOAD;
		other.unloads += number(event, "action") == PEAT_BPF_PROG_UNLOAD;
	} else if (is(event, "@ksymbol")) {
		other.symbols += strstr(text(event, "name"), "by_itself") != NULL;
	} else if (is(event, "@switch")) {
		other.switches++;
	} else if (is(event, "@namespaces") && event->pid == life.pid) {
		ck_assert_uint_ne(number(event, "uts"), 0);
		other.namespaces++;
	} else if (is(event, "@namespaces") && number(event, "process") == life.pid) {
		ck_assert_uint_eq(event->pid, (uint32_t)getpid()); /* its parent's word */
		other.of_children++;
	}
}

static uint32_t program_id(const char *name)
{
	struct bpf_prog_info info = { 0 };
	uint32_t bytes = sizeof(info);

	ck_assert_int_eq(bpf_obj_get_info_by_fd(object__program_fd(object, name), &info, &bytes),
			 0);
	return info.id;
}

static void open_named(const struct peat_channel_opts *opts)
{
	uint32_t number_of_call = CALL;

	open_channel(opts);
	object = bind_object(&named_object);
	ck_assert_int_eq(globals__set(object, "call_number", &number_of_call, 4), 0);
	object__load(object);
}

static void enter_namespace(void)
{
	pid_t pid = fork();

	if (!pid)
		_exit(unshare(CLONE_NEWUTS));
	life.pid = (uint32_t)pid;
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
}

START_TEST(test_other_kinds)
{
	open_kinds(ALL_KINDS & ~PEAT_SIDE_BAND_CGROUP);
	open_named(NULL);
	other.id = program_id("by_itself");
	enter_namespace();
	drain_records(check_other);
	ck_assert_uint_eq(other.loads, 1);
	ck_assert_uint_ge(other.switches, 1);
	ck_assert_uint_ge(other.namespaces, 1);
	ck_assert_uint_eq(other.of_children, 1);
	if (access("/proc/sys/net/core/bpf_jit_enable", F_OK))
		skip("no JIT, so no symbols");
	ck_assert_uint_ge(other.symbols, 1);
}
END_TEST

static uint64_t opened_ns;

static void check_times(const struct peat_event *event)
{
	if (!is(event, "@bpf") && !is(event, "@ksymbol"))
		return;
	ck_assert_uint_ge(event->time_ns, opened_ns);
	ck_assert_uint_le(event->time_ns, now_ns());
	ck_assert_uint_lt(event->cpu, 1u << 16);
	check_other(event);
}

/* The kernel writes the same record for each reader, with a size that grows. */
START_TEST(test_others_who_read)
{
	uint32_t kinds = PEAT_SIDE_BAND_KSYMBOL | PEAT_SIDE_BAND_BPF;
	struct peat_reader_opts opts = PEAT_READER_OPTS_INIT;
	struct peat_reader *before, *after;

	opts.side_band = kinds;
	before = peat_reader__new_side_band(&opts);
	ck_assert_ptr_nonnull(before);
	open_kinds(kinds);
	after = peat_reader__new_side_band(&opts);
	ck_assert_ptr_nonnull(after);
	opened_ns = now_ns();
	open_named(NULL);
	other.id = program_id("by_itself");
	drain_records(check_times);
	ck_assert_uint_eq(other.loads, 1);
	ck_assert_uint_eq(stats_now().corrupt, 0);
	peat_reader__free(before);
	peat_reader__free(after);
}
END_TEST

START_TEST(test_no_kinds_is_refused)
{
	struct peat_reader_opts opts = PEAT_READER_OPTS_INIT;

	ck_assert_ptr_null(peat_reader__new_side_band(NULL));
	ck_assert_int_eq(errno, EINVAL);
	opts.side_band = ALL_KINDS + 1;
	ck_assert_ptr_null(peat_reader__new_side_band(&opts));
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_msg(strstr(messages, "side_band"), "%s", messages);
}
END_TEST

/* ---- names ----------------------------------------------------------------------------------- */

static void open_names_reader(bool raw, uint32_t latency_ms, uint64_t memory_bytes, uint32_t kinds)
{
	struct peat_reader_opts opts = PEAT_READER_OPTS_INIT;

	opts.latency_ms = latency_ms;
	opts.immediate = !latency_ms;
	opts.memory_bytes = memory_bytes;
	opts.names = true;
	opts.side_band = kinds;
	reader = raw ? peat_reader__new_raw(object__map_fd(object, "events"), &opts)
		     : peat_reader__new(channel, &opts);
	ck_assert_msg(reader, "%s", messages);
}

static void open_names(bool raw, uint32_t latency_ms, uint64_t memory_bytes, uint32_t kinds)
{
	open_named(NULL);
	open_names_reader(raw, latency_ms, memory_bytes, kinds);
	attachment = object__attach(object, raw ? "by_itself" : "by_channel");
}

static uint64_t named;

static void check_name(const struct peat_event *event)
{
	const struct named *e = event->data;

	ck_assert_uint_eq(event->tid, e->tid);
	if (!event->comm || strcmp(event->comm, e->comm))
		ck_abort_msg("event %llu: tid %u was %s, not %s", (unsigned long long)named, e->tid,
			     e->comm, event->comm ? event->comm : "NULL");
	named++;
}

static void call_as(const char *name, int number)
{
	char comm[32];

	snprintf(comm, sizeof(comm), "%s-%d", name, number);
	prctl(PR_SET_NAME, comm);
	syscall(CALL, 0);
}

/*
 * An event with the parent's name, two with names that the task set, and one of a child that
 * inherits the last name; then all of them exit.
 */
static void live_under_names(int number)
{
	syscall(CALL, 0);
	call_as("first", number);
	call_as("second", number);
	if (!fork()) {
		syscall(CALL, 0);
		_exit(0);
	}
	call_as("a name that is too long", number);
	_exit(0);
}

#define AT_ONCE	  8
#define PROCESSES 500

static void run_named(uint32_t processes, bool drains)
{
	signal(SIGCHLD, SIG_DFL);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	for (uint32_t i = 0; i < processes; i++) {
		pid_t pid = fork();

		ck_assert_int_ge(pid, 0);
		if (!pid)
			live_under_names((int)i);
		if (i % AT_ONCE)
			continue;
		while (waitpid(-1, NULL, 0) > 0)
			;
		if (drains)
			drain(check_name);
	}
	while (waitpid(-1, NULL, 0) > 0)
		;
}

static void check_names(bool raw, uint32_t latency_ms, bool drains)
{
	uint32_t processes = amount__at_most("PEAT_TEST_PROCESSES", PROCESSES);

	open_names(raw, latency_ms, 64 << 20, 0);
	run_named(processes, drains);
	if (raw)
		drain(check_name);
	else
		drain_all(check_name);
	ck_assert_uint_ge(named + object__misses(object, raw ? "by_itself" : "by_channel"),
			  processes * 5);
	ck_assert_uint_eq(stats_now().lost, 0);
	ck_assert_uint_eq(stats_now().side_band_lost, 0);
	ck_assert_uint_eq(stats_now().corrupt, 0);
	ck_assert_uint_eq(stats_now().unknown, 0);
}

START_TEST(test_names_of_raw_events)
{
	check_names(true, 100, false);
}
END_TEST

START_TEST(test_names_of_raw_events_at_once)
{
	check_names(true, 0, true);
}
END_TEST

START_TEST(test_names_of_a_channels_events)
{
	check_names(false, 100, false);
}
END_TEST

START_TEST(test_names_of_a_channels_events_while_they_come)
{
	check_names(false, 1, true);
}
END_TEST

static volatile bool stop;

static void *rename_and_call(void *ignored)
{
	for (int i = 0; !stop; i++) {
		char comm[32];

		snprintf(comm, sizeof(comm), "moves-%d", i);
		pin_to((uint32_t)i % 2);
		prctl(PR_SET_NAME, comm);
		pin_to((uint32_t)(i / 2) % 2);
		syscall(CALL, 0);
	}
	return ignored;
}

/* The name was set on another CPU, whose ring is read before or after. */
START_TEST(test_names_of_a_thread_that_moves)
{
	uint64_t until_ns = now_ns() + amount__ns(2);
	struct cpus cpus = online_cpus();
	bool two = cpus.limit >= 2 && cpus__has(&cpus, 0) && cpus__has(&cpus, 1);
	pthread_t thread;

	cpus__free(&cpus);
	if (!two)
		skip("needs CPUs 0 and 1");
	open_names(true, 1, 0, 0);
	ck_assert_int_eq(pthread_create(&thread, NULL, rename_and_call, NULL), 0);
	while (named <= 100 || (now_ns() < until_ns && named < 20000))
		if (peat_reader__wait(reader, 10) > 0)
			drain(check_name);
	stop = true;
	pthread_join(thread, NULL);
	drain(check_name);
}
END_TEST

/* Another task, older than the reader, that never changed its name. */
START_TEST(test_names_of_existing_tasks)
{
	int go[2];
	pid_t pid;
	char c;

	ck_assert_int_eq(pipe(go), 0);
	pid = fork();
	if (!pid) {
		prctl(PR_SET_NAME, "was (here)\n");
		ck_assert_int_eq(read(go[0], &c, 1), 1);
		syscall(CALL, 0);
		_exit(0);
	}
	usleep(50000);
	open_names(false, 100, 0, 0);
	ck_assert_int_eq(write(go[1], "", 1), 1);
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
	drain_all(check_name);
	ck_assert_uint_ge(named, 1);
}
END_TEST

/* The idle tasks, one per CPU, are not in /proc and have no records. */
START_TEST(test_name_of_the_idle_task)
{
	struct cpus cpus = online_cpus();

	open_named(NULL);
	open_names_reader(true, 100, 0, 0);
	attachment = object__attach(object, "by_idle");
	for_each_cpu (cpu, &cpus) {
		pin_to(cpu);
		for (int i = 0; i < 20; i++)
			usleep(5000);
	}
	drain(check_name);
	cpus__free(&cpus);
	if (!named)
		skip("no CPU was ever idle");
}
END_TEST

/* Without a timestamp, an event gets the task's name as of reading. */
START_TEST(test_names_of_events_without_time)
{
	struct peat_channel_opts opts = PEAT_CHANNEL_OPTS_INIT;

	opts.no_time = true;
	open_named(&opts);
	open_names_reader(false, 100, 0, 0);
	attachment = object__attach(object, "by_channel");
	for (int i = 0; i < 100; i++) {
		call_as("timeless", i);
		drain_all(check_name);
	}
	ck_assert_uint_ge(named, 100);
}
END_TEST

START_TEST(test_no_names_by_default)
{
	const struct peat_event *event;
	unsigned came = 0;

	open_named(NULL);
	reader = peat_reader__new_raw(object__map_fd(object, "events"), NULL);
	attachment = object__attach(object, "by_itself");
	syscall(CALL, 0);
	while (peat_reader__next(reader, &event) > 0) {
		ck_assert_int_eq(event->kind, PEAT_EVENT_DATA);
		ck_assert_ptr_null(event->comm);
		ck_assert_ptr_null(event->schema);
		came++;
	}
	ck_assert_uint_ge(came, 1);
}
END_TEST

/* ---- accounts -------------------------------------------------------------------------------- */

static void fork_many(unsigned forks)
{
	while (forks--) {
		pid_t pid = fork();

		if (!pid)
			_exit(0);
		ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
		for (int i = 0; i < 50; i++)
			syscall(CALL, 0);
	}
}

/* Frames and side-band records are lost: each is counted by its own event; the ledger balances. */
START_TEST(test_ledger_balances_with_side_band)
{
	struct peat_ledger ledger;

	open_names(false, 100, 1, PEAT_SIDE_BAND_TASK | PEAT_SIDE_BAND_COMM);
	for (int i = 0; i < 5; i++) {
		fork_many(200);
		drain(NULL);
	}
	bpf_link__destroy(attachment);
	attachment = NULL;
	ledger = finish(NULL);
	ck_assert_uint_ge(ledger.emitted, 5 * 200 * 50);
	ck_assert_uint_gt(ledger.lost_ring_full, 0);
	ck_assert_uint_gt(stats_now().side_band_lost, 0);
}
END_TEST

static unsigned open_fds(void)
{
	DIR *dir = opendir("/proc/self/fd");
	unsigned count = 0;

	ck_assert_ptr_nonnull(dir);
	while (readdir(dir))
		count++;
	closedir(dir);
	return count;
}

START_TEST(test_no_fd_is_left)
{
	unsigned before = open_fds();

	for (int i = 0; i < 5; i++) {
		open_kinds(ALL_KINDS);
		close_reader();
		open_names(i % 2, 100, 0, ALL_KINDS);
		teardown();
	}
	ck_assert_uint_eq(open_fds(), before);
}
END_TEST

/* ---------------------------------------------------------------------------------------------- */

static Suite *sideband_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("sideband", 120, &tests);

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_life_of_a_process);
	tcase_add_test(tests, test_only_the_kinds_chosen);
	tcase_add_test(tests, test_other_kinds);
	tcase_add_test(tests, test_others_who_read);
	tcase_add_test(tests, test_no_kinds_is_refused);
	tcase_add_test(tests, test_names_of_raw_events);
	tcase_add_test(tests, test_names_of_raw_events_at_once);
	tcase_add_test(tests, test_names_of_a_channels_events);
	tcase_add_test(tests, test_names_of_a_channels_events_while_they_come);
	tcase_add_test(tests, test_names_of_a_thread_that_moves);
	tcase_add_test(tests, test_names_of_existing_tasks);
	tcase_add_test(tests, test_name_of_the_idle_task);
	tcase_add_test(tests, test_names_of_events_without_time);
	tcase_add_test(tests, test_no_names_by_default);
	tcase_add_test(tests, test_ledger_balances_with_side_band);
	tcase_add_test(tests, test_no_fd_is_left);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { sideband_suite };

	return harness__main(argc, argv, suites, 1);
}
