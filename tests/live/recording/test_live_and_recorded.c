// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_live_and_recorded.c: the events of a recording are those that were recorded, for each probe
 * and for other programs.
 *
 * A session hands its events to a sink of JSON and to a recording.  The recording is read again,
 * and has to give the same lines.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <peat/peat.h>
#include <peat/wire.h>

#include "probe.h"
#include "support/load/file_lock.h"
#include "support/load/probe_events.h"
#include "support/machine/command.h"
#include "support/machine/harness.h"
#include "support/machine/loop_disk.h"
#include "support/machine/memory_cgroup.h"
#include "support/machine/mounts.h"
#include "support/machine/netns.h"
#include "support/machine/object.h"
#include "support/machine/process.h"
#include "support/machine/scratch.h"
#include "support/recording/json_lines.h"

EMBED_OBJECT(absent)
EMBED_OBJECT(many)
EMBED_OBJECT(stranger)

#define EVENTS_MAX 20000

static char messages[4096];

static void keep_messages(enum peat_log_level level, const char *text)
{
	size_t used = strlen(messages);

	if (level <= PEAT_LOG_WARN)
		snprintf(messages + used, sizeof(messages) - used, "%s\n", text);
}

/* ---- both ways ------------------------------------------------------------------------------- */

static int new_file(const char *name)
{
	int fd = open(scratch__path(name), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	ck_assert_int_ge(fd, 0);
	return fd;
}

static char *read_file(const char *name)
{
	int fd = open(scratch__path(name), O_RDONLY | O_CLOEXEC);
	off_t bytes = lseek(fd, 0, SEEK_END);
	char *text = malloc((size_t)bytes + 1);

	ck_assert_int_eq(pread(fd, text, (size_t)bytes, 0), bytes);
	text[bytes] = '\0';
	close(fd);
	return text;
}

static struct peat_sink *new_json(const char *name)
{
	int fd = new_file(name);
	const struct peat_sink_opts opts = { .sz = sizeof(opts) };
	struct peat_sink *sink = peat_sink__new_json(fd, &opts);

	ck_assert_ptr_nonnull(sink);
	return sink;
}

static void finish(struct peat_sink *sink)
{
	ck_assert_int_eq(peat_sink__finish(sink), 0);
	peat_sink__free(sink);
}

struct both {
	struct peat_sink *json, *recording;
	uint32_t events;
};

static struct both begin_both(struct peat_session *session)
{
	struct both both = { .json = new_json("live") };

	both.recording =
		peat_sink__new_perf(peat_session__reader(session), new_file("recording"), NULL);
	ck_assert_ptr_nonnull(both.recording);
	return both;
}

static void write_both(struct both *both, struct peat_session *session)
{
	const struct peat_event *event;

	while (both->events < EVENTS_MAX &&
	       peat_reader__next(peat_session__reader(session), &event) > 0) {
		ck_assert_int_eq(peat_sink__write(both->recording, event), 0);
		if (event->kind != PEAT_EVENT_DATA)
			continue;
		ck_assert_int_eq(peat_sink__write(both->json, event), 0);
		both->events++;
	}
}

static void end_both(struct both *both, struct peat_session *session)
{
	peat_session__stop(session);
	peat_reader__flush(peat_session__reader(session));
	write_both(both, session);
	finish(both->json);
	finish(both->recording);
}

static struct peat_reader *open_recording(struct peat_where *where)
{
	struct peat_replay_opts opts = PEAT_REPLAY_OPTS_INIT;
	struct peat_reader *reader;

	opts.names = true;
	opts.ordered = true;
	opts.where = where;
	reader = peat_reader__open(scratch__path("recording"), &opts);
	ck_assert_ptr_nonnull(reader);
	return reader;
}

static uint32_t replay(const char *name, struct peat_where *where)
{
	struct peat_reader *reader = open_recording(where);
	struct peat_sink *json = new_json(name);
	const struct peat_event *event;
	uint32_t events = 0;

	while (peat_reader__wait(reader, -1) >= 0)
		while (peat_reader__next(reader, &event) > 0) {
			if (event->kind != PEAT_EVENT_DATA)
				continue;
			ck_assert_int_eq(peat_sink__write(json, event), 0);
			events++;
		}
	finish(json);
	peat_reader__free(reader);
	return events;
}

/* Makes a recording of the recording. */
static void record_again(void)
{
	struct peat_reader *reader = open_recording(NULL);
	struct peat_sink *again = peat_sink__new_perf(reader, new_file("again"), NULL);
	const struct peat_event *event;

	ck_assert_ptr_nonnull(again);
	while (peat_reader__wait(reader, -1) >= 0)
		while (peat_reader__next(reader, &event) > 0)
			ck_assert_int_eq(peat_sink__write(again, event), 0);
	finish(again);
	peat_reader__free(reader);
	ck_assert_int_eq(rename(scratch__path("again"), scratch__path("recording")), 0);
}

/*
 * Code without frame pointers has any values in its frames.  In recordings, some of them end the
 * user stack: PERF_CONTEXT_*.
 */
static bool has_marker(const char *line)
{
	return strstr(line, "\"0xfffffffffffff");
}

/* Programs of other tests run, too.  Sinks name those that are loaded, of live events alone. */
static bool has_program(const char *line)
{
	return strstr(line, "\"symbol\":\"bpf_");
}

/* The names of idle tasks are not in /proc: live, they may come after the event. */
static bool has_nameless_idle_task(const char *line)
{
	return strstr(line, "\"tid\":0,\"comm\":null");
}

/* Events of one time may change places. */
static int compare_lines(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void check_same_lines(const char *what)
{
	char *live = read_file("live"), *recorded = read_file("recorded");
	struct json_lines one = json_lines__split(live), other = json_lines__split(recorded);

	qsort(one.lines, one.count, sizeof(*one.lines), compare_lines);
	qsort(other.lines, other.count, sizeof(*other.lines), compare_lines);
	for (size_t i = 0; i < one.count && i < other.count; i++)
		ck_assert_msg(has_marker(one.lines[i]) || has_program(one.lines[i]) ||
				      has_nameless_idle_task(one.lines[i]) ||
				      !strcmp(one.lines[i], other.lines[i]),
			      "%s\nlive     %s\nrecorded %s", what, one.lines[i], other.lines[i]);
	ck_assert_uint_eq(one.count, other.count);
	json_lines__free(&one);
	json_lines__free(&other);
	free(live);
	free(recorded);
}

static void check_same_fields(const struct peat_schema *live, const struct peat_schema *recorded)
{
	uint32_t count, other;
	const struct peat_field *one = peat_schema__fields(live, &count),
				*two = peat_schema__fields(recorded, &other);

	ck_assert_str_eq(peat_schema__name(recorded), peat_schema__name(live));
	ck_assert_pstr_eq(peat_schema__doc(recorded), peat_schema__doc(live));
	ck_assert_pstr_eq(peat_schema__subject(recorded), peat_schema__subject(live));
	ck_assert_uint_eq(other, count);
	for (uint32_t i = 0; i < count; i++) {
		ck_assert_str_eq(two[i].name, one[i].name);
		ck_assert_int_eq(two[i].kind, one[i].kind);
		ck_assert_pstr_eq(two[i].doc, one[i].doc);
		ck_assert_uint_eq(two[i].name_count, one[i].name_count);
		ck_assert(two[i].is_minor == one[i].is_minor && two[i].span == one[i].span);
		ck_assert(!two[i].presence == !one[i].presence);
	}
}

static void check_same_types(struct peat_session *session)
{
	struct peat_reader *reader = open_recording(NULL), *live = peat_session__reader(session);
	struct peat_type one = { .sz = sizeof(one) }, other = { .sz = sizeof(other) };

	for (uint32_t i = 0; peat_reader__type_at(live, i, &one) > 0; i++) {
		ck_assert_int_eq(peat_reader__type_at(reader, i, &other), 1);
		check_same_fields(one.schema, other.schema);
	}
	peat_reader__free(reader);
}

static void check_both(struct both *both, struct peat_session *session, const char *what)
{
	end_both(both, session);
	ck_assert_msg(both->events, "%s: no events: %s", what, messages);
	ck_assert_uint_eq(replay("recorded", NULL), both->events);
	check_same_lines(what);
	check_same_types(session);
}

/* ---- probes ---------------------------------------------------------------------------------- */

static const struct {
	const char *source;
	bool by_name; /* false: of all tasks */
	uint32_t stacks;
} probes[] = {
	{ "open", true, 0 },
	{ "open", true, PEAT_STACK_KERNEL | PEAT_STACK_USER },
	{ "exec", true, 0 },
	{ "exit", true, 0 },
	{ "signal", true, 0 },
	{ "syscall,min=0,waits,counts=0", true, 0 },
	{ "filechange", true, 0 },
	{ "fileslow,min=0", true, 0 },
	{ "guard", true, 0 },
	{ "capable,repeats", true, 0 },
	{ "sched,min=0", true, 0 },
	{ "offcpu,min=0", true, 0 },
	{ "fault,minor", true, 0 },
	{ "listen", true, 0 },
	{ "tcp", true, 0 },
	{ "drop", true, 0 },
	{ "retrans", true, 0 },
	{ "resolve", true, 0 },
	{ "ssl", true, 0 },
	{ "packet", false, 0 },
	{ "profile,freq=999", false, 0 },
};

#define PROBES (int)(sizeof(probes) / sizeof(*probes))

static const char *source_of(int probe)
{
	static char text[128];

	if (strcmp(probes[probe].source, "ssl") != 0)
		return probes[probe].source;
	snprintf(text, sizeof(text), "ssl,library=/proc/%d/exe", (int)getpid());
	return text;
}

static void start(struct peat_session *session)
{
	struct peat_reader_opts opts = PEAT_READER_OPTS_INIT;

	opts.names = true;
	opts.ordered = true;
	opts.latency_ms = 10;
	opts.side_band = PEAT_SIDE_BAND_TASK;
	ck_assert_msg(!peat_session__start(session, &opts), "%s", messages);
}

static struct peat_session *start_source(const char *text, const struct peat_session_opts *opts)
{
	char *source = strdup(text), *options = source;
	const char *name = strsep(&options, ",");
	const struct probe *probe = probe__find(name);
	struct peat_session *session = peat_session__new(opts);

	ck_assert_msg(session && probe, "%s: %s", name, messages);
	ck_assert_int_eq(peat_session__add(session, name, probe->object, probe->object_bytes), 0);
	if (options)
		probe_events__set_options(session, options);
	start(session);
	free(source);
	return session;
}

static struct peat_session *start_probe(int number)
{
	struct peat_session_opts opts = { .sz = sizeof(opts) };
	const char *source = source_of(number);

	opts.stacks.kinds = probes[number].stacks;
	opts.comm = probes[number].by_name ? probe_events__name() : NULL;
	opts.interfaces = strcmp(source, "packet") ? NULL : "lo";
	return start_source(source, &opts);
}

static bool has_hook(const char *source)
{
	if (strncmp(source, "capable", 7) != 0)
		return true;
	mounts__need_tracefs();
	return !access("/sys/kernel/tracing/events/capability/cap_capable/id", F_OK);
}

START_TEST(test_events_of_each_probe)
{
	struct peat_session *session;
	struct both both;

	if (!has_hook(probes[_i].source))
		skip("no tracepoint cap_capable (Linux 6.14)");
	probe_events__start();
	session = start_probe(_i);
	both = begin_both(session);
	probe_events__request();
	for (int round = 0; round < 3; round++) {
		peat_session__wait(session, 50);
		write_both(&both, session);
	}
	probe_events__end();
	check_both(&both, session, probes[_i].source);
	peat_session__free(session);
}
END_TEST

/* ---- probes with events of their own --------------------------------------------------------- */

static struct peat_session *start_of_process(const char *source, pid_t pid, uint32_t stacks)
{
	struct peat_session_opts opts = { .sz = sizeof(opts) };

	opts.pid = (uint32_t)pid;
	opts.stacks.kinds = stacks;
	return start_source(source, &opts);
}

static void use_disk(struct loop_disk *disk)
{
	void *block;

	ck_assert_int_eq(posix_memalign(&block, 4096, 65536), 0);
	memset(block, 'x', 65536);
	ck_assert_int_eq(pwrite(disk->fd, block, 65536, 4096), 65536);
	ck_assert_int_eq(fsync(disk->fd), 0);
	ck_assert_int_eq(pread(disk->fd, block, 4096, 1 << 20), 4096);
	loop_disk__break(disk);
	ck_assert_int_lt(pwrite(disk->fd, block, 4096, 8192), 0);
	free(block);
}

/* Also with the stacks that the program takes when the I/O starts. */
START_TEST(test_events_of_disk)
{
	struct peat_session *session;
	struct loop_disk disk;
	struct both both;

	loop_disk__open(&disk, 4 << 20);
	session = start_of_process("bio", getpid(), _i ? PEAT_STACK_KERNEL | PEAT_STACK_USER : 0);
	both = begin_both(session);
	use_disk(&disk);
	check_both(&both, session, "bio");
	ck_assert_uint_ge(both.events, 3); /* the kernel flushes in another task */
	peat_session__free(session);
	loop_disk__close(&disk);
}
END_TEST

START_TEST(test_events_of_locks)
{
	struct peat_session *session;
	struct file_lock_wait waits[FILE_LOCK_WAITS];
	struct both both;

	mounts__need_tracefs();
	if (access("/sys/kernel/tracing/events/lock/contention_begin/id", F_OK))
		skip("no tracepoint lock/contention_begin (Linux 5.19)");
	session = start_of_process("lock", getpid(), 0);
	both = begin_both(session);
	file_lock__wait(waits);
	check_both(&both, session, "lock");
	peat_session__free(session);
}
END_TEST

#define LEAKS 5

static void *volatile kept; /* the compiler cannot remove it */

/* A process that allocates at a request, and waits for its end. */
static int leak_memory(void *request)
{
	char byte;

	if (read(*(int *)request, &byte, 1) != 1)
		return 1;
	for (int i = 0; i < LEAKS; i++)
		kept = malloc(1000);
	kept = calloc(7, 1000);
	pause();
	return 0;
}

static void read_until(struct both *both, struct peat_session *session, uint32_t events)
{
	while (both->events < events) {
		ck_assert_int_ge(peat_session__wait(session, 50), 0);
		write_both(both, session);
	}
}

/* The program finds memory that gets old while the process does nothing. */
START_TEST(test_events_of_leaks)
{
	struct peat_session *session;
	struct both both;
	int request[2];
	pid_t child;

#ifdef __SANITIZE_ADDRESS__
	skip("the sanitizer has a malloc() of its own");
#endif
	ck_assert_int_eq(pipe(request), 0);
	child = process__start(leak_memory, request);
	session = start_of_process("leak,age=100ms", child, 0);
	both = begin_both(session);
	ck_assert_int_eq(write(request[1], "", 1), 1);
	read_until(&both, session, 2);
	check_both(&both, session, "leak");
	peat_session__free(session);
	kill(child, SIGKILL);
	process__wait(child);
}
END_TEST

#define MEMORY_LIMIT (32 << 20)

static int use_too_much(void *cgroup)
{
	char *memory;

	mounts__enter_cgroup(cgroup);
	memory = mmap(NULL, 2 * MEMORY_LIMIT, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		      -1, 0);
	if (memory != MAP_FAILED)
		memset(memory, 1, 2 * MEMORY_LIMIT);
	return 0;
}

START_TEST(test_events_of_killed_processes)
{
	char *cgroup = (char *)memory_cgroup__make("peat-test-recorded", MEMORY_LIMIT);
	struct peat_session *session;
	struct both both;

	if (!cgroup)
		skip("this kernel has no memory controller");
	session = start_source("oom", NULL);
	both = begin_both(session);
	for (int i = 0; i < 2; i++)
		ck_assert(WIFSIGNALED(process__wait(process__start(use_too_much, cgroup))));
	check_both(&both, session, "oom");
	ck_assert_uint_ge(both.events, 2); /* other processes may be killed, too */
	peat_session__free(session);
	memory_cgroup__remove(cgroup);
}
END_TEST

/* ---- others ---------------------------------------------------------------------------------- */

static struct peat_session *add_object(const struct object_file *object)
{
	struct peat_session *session = peat_session__new(NULL);
	char pid[16], number[16];

	ck_assert_ptr_nonnull(session);
	ck_assert_int_eq(peat_session__add(session, object->name, object->bytes, *object->count),
			 0);
	snprintf(pid, sizeof(pid), "%d", (int)getpid());
	snprintf(number, sizeof(number), "%d", (int)SYS_getpgid);
	ck_assert_int_eq(peat_session__set_variable(session, "only_pid", pid), 0);
	ck_assert_int_eq(peat_session__set_variable(session, "getpgid_number", number), 0);
	return session;
}

static struct peat_session *start_object(const struct object_file *object)
{
	struct peat_session *session = add_object(object);

	start(session);
	return session;
}

START_TEST(test_events_of_own_program)
{
	struct peat_session *session = start_object(&stranger_object);
	struct both both = begin_both(session);

	for (int i = 0; i < 10; i++)
		syscall(SYS_getpgid, 0);
	check_both(&both, session, "stranger");
	record_again();
	ck_assert_uint_eq(replay("recorded", NULL), both.events);
	check_same_lines("recorded twice");
	check_same_types(session);
	peat_session__free(session);
}
END_TEST

/* Members that each second event lacks. */
START_TEST(test_events_with_absent_members)
{
	static const char absent[] = ",\"inode\":null,\"at\":{\"line\":null,\"column\":7},"
				     "\"name\":null,\"data\":null}";
	struct peat_session *session = start_object(&absent_object);
	struct both both = begin_both(session);
	uint32_t count = 0;
	char *recorded;

	for (int i = 0; i < 10; i++)
		syscall(SYS_getpgid, 0);
	check_both(&both, session, "absent");
	recorded = read_file("recorded");
	for (const char *at = recorded; (at = strstr(at, absent)); at++)
		count++;
	ck_assert_uint_eq(count, 5);
	free(recorded);
	peat_session__free(session);
}
END_TEST

/* A program without peat's header, with a type for each of its arrays. */
START_TEST(test_events_of_foreign_program)
{
	static const char *const types[][2] = { { "first", "of_first" },
						{ "second", "of_second" },
						{ "third", "of_third" },
						{ "fourth", "of_fourth" } };
	struct peat_session *session = add_object(&many_object);
	struct both both;

	for (size_t i = 0; i < 4; i++)
		ck_assert_int_eq(peat_session__name_events(session, types[i][0], types[i][1]), 0);
	start(session);
	both = begin_both(session);
	for (int i = 0; i < 10; i++)
		syscall(SYS_getpgid, 0);
	check_both(&both, session, "many");
	ck_assert_uint_eq(both.events, 40);
	peat_session__free(session);
}
END_TEST

/* Histograms have the unit; the name that stock perf shows is accepted. */
static void check_histogram(const char *type)
{
	struct command peat;

	command__run(&peat, ALL_CAPS,
		     ARGV(command__peat(), "hist", scratch__path("recording"), type, "took"));
	ck_assert_msg(!peat.status && strstr(peat.out_text, "ms)  "), "%s%s", peat.out_text,
		      peat.err_text);
	ck_assert_ptr_nonnull(strstr(peat.err_text, "10 events"));
	command__free(&peat);
}

/* Expressions mean the same as before, with units, names and members of structs. */
START_TEST(test_expressions_on_recorded_events)
{
	static const struct {
		const char *text;
		uint32_t events;
	} wheres[] = {
		{ "took > 1ms", 10 },
		{ "took > 20ms", 0 },
		{ "took == 1500us", 10 },
		{ "to.port == 443", 10 },
		{ "to.address == 2001::1", 10 },
		{ "color == BLUE", 10 },
		{ "color == RED", 0 },
		{ "stranger.large == 8000", 10 },
	};
	struct peat_session *session = start_object(&stranger_object);
	struct both both = begin_both(session);

	for (int i = 0; i < 10; i++)
		syscall(SYS_getpgid, 0);
	end_both(&both, session);
	for (size_t i = 0; i < sizeof(wheres) / sizeof(*wheres); i++) {
		struct peat_where *where = peat_where__parse(wheres[i].text);

		ck_assert_msg(where, "%s", messages);
		ck_assert_msg(replay("recorded", where) == wheres[i].events, "%s: %s",
			      wheres[i].text, messages);
		peat_where__free(where);
	}
	ck_assert_str_eq(messages, "");
	check_histogram("stranger");
	check_histogram("peat:stranger");
	peat_session__free(session);
}
END_TEST

static void setup(void)
{
	netns__enter();
	scratch__make();
	peat_set_print(keep_messages);
}

static Suite *live_and_recorded_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("live_and_recorded", 60, &tests);

	tcase_add_checked_fixture(tests, setup, scratch__remove);
	tcase_add_loop_test(tests, test_events_of_each_probe, 0, PROBES);
	tcase_add_loop_test(tests, test_events_of_disk, 0, 2);
	tcase_add_test(tests, test_events_of_locks);
	tcase_add_test(tests, test_events_of_leaks);
	tcase_add_test(tests, test_events_of_killed_processes);
	tcase_add_test(tests, test_events_of_own_program);
	tcase_add_test(tests, test_events_with_absent_members);
	tcase_add_test(tests, test_events_of_foreign_program);
	tcase_add_test(tests, test_expressions_on_recorded_events);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { live_and_recorded_suite };

	return harness__main(argc, argv, suites, 1);
}
