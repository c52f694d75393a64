// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_objects.c: objects of other programs: variables that can be set, programs that cannot be
 * loaded.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <bpf/bpf.h>

#include <peat/peat.h>

#include "support/machine/harness.h"
#include "support/machine/mounts.h"
#include "support/machine/object.h"
#include "support/machine/tracing.h"

EMBED_OBJECT(far)
EMBED_OBJECT(future_map)
EMBED_OBJECT(motley)
EMBED_OBJECT(many)
EMBED_OBJECT(nested_maps)
EMBED_OBJECT(placeholder)
EMBED_OBJECT(programless)
EMBED_OBJECT(readonly)
EMBED_OBJECT(refusals)
EMBED_OBJECT(ringbuf)
EMBED_OBJECT(ringbuf_beside)
EMBED_OBJECT(stranger)
EMBED_OBJECT(tail_calls)
EMBED_OBJECT(tail_calls_pinned)
EMBED_OBJECT(unsized)
EMBED_OBJECT(valued)

#define PEAT command__peat()

/* Writes the object to a file.  The caller removes it by unlink(). */
static const char *file_of(const struct object_file *object)
{
	static char paths[2][64];
	static unsigned next;
	char *path = paths[next++ % 2];
	FILE *file;

	snprintf(path, sizeof(paths[0]), "/tmp/peat-%s-%d-%u.bpf.o", object->name, (int)getpid(),
		 next);
	file = fopen(path, "we");
	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(object->bytes, *object->count, 1, file), 1);
	ck_assert_int_eq(fclose(file), 0);
	return path;
}

static const char *text_of(const char *format, long number)
{
	static char texts[4][64];
	static unsigned next;
	char *text = texts[next++ % 4];

	snprintf(text, sizeof(texts[0]), format, number);
	return text;
}

static void expect_words(const struct command *peat, const char *words)
{
	ck_assert_msg(strstr(peat->err_text, words), "'%s' does not say '%s'", peat->err_text,
		      words);
}

/*
 * Runs peat trace with these arguments.  It has to end with `status`, and print each of the words,
 * of which NULL is the last.
 */
static void check_trace(uint64_t caps, const char *const *argv, int status,
			const char *const *words)
{
	struct command peat;

	command__run(&peat, caps, argv);
	ck_assert_msg(peat.status == status, "status %d: %s", peat.status, peat.err_text);
	for (; *words; words++)
		expect_words(&peat, *words);
	command__free(&peat);
}

#define check(argv, status, ...) check_trace(ALL_CAPS, argv, status, ARGV(__VA_ARGS__))

/* ---- variables ------------------------------------------------------------------------------- */

/* The event of motley, byte for byte. */
struct sent {
	uint64_t limit;
	uint32_t mood;
	char word[8];
} __attribute__((packed));

static void hex(const void *bytes, size_t count, char *text)
{
	for (size_t i = 0; i < count; i++)
		sprintf(text + 2 * i, "%02x", ((const unsigned char *)bytes)[i]);
}

START_TEST(test_variables_reach_the_program)
{
	static const struct sent sent = { 5000000000, 2, "hello" };
	const char *path = file_of(&motley_object), *event;
	char wanted[2 * sizeof(sent) + 1];
	struct tracing tracing = { 0 };

	command__start(&tracing.peat, ALL_CAPS,
		       TRACE("--set", "limit=5000000000", "--set", "mood=CROSS", "--set",
			     "word=hello", "--set", text_of("filter.pid=%ld", getpid()), "--set",
			     text_of("filter.calls[1]=%ld", SYS_getpgid), "--best-effort", path));
	command__expect(tracing.peat.err, "1 program attached");
	syscall(SYS_getpgid, 0);
	tracing__stop(&tracing);
	event = tracing__only(&tracing, "raw", getpid());
	hex(&sent, sizeof(sent), wanted);
	ck_assert_msg(!strncmp(json_lines__text(event, "bytes"), wanted, strlen(wanted)),
		      "%s is not %s", event, wanted);
	tracing__free(&tracing);
	unlink(path);
}
END_TEST

/* ---- event types ----------------------------------------------------------------------------- */

/* clang leaves the types of variables on the stack out of the BTF: only DWARF has them. */
#ifdef HAVE_LIBDW
#define need_debug_info() ((void)0)
#else
#define need_debug_info() skip("built without libdw, which reads DWARF")
#endif

/*
 * Four arrays, each with its own type: two types are given, one is found because only one struct
 * has its size, and one stays unknown, so its events are bytes.
 */
START_TEST(test_types_of_events)
{
	const char *path = file_of(&many_object), *event;
	struct tracing tracing = { 0 };

	need_debug_info();
	command__start(&tracing.peat, ALL_CAPS,
		       TRACE("--set", text_of("only_pid=%ld", getpid()), "--set",
			     text_of("getpgid_number=%ld", SYS_getpgid), "--as", "first=of_first",
			     "--as", "second=of_second", path));
	command__expect(tracing.peat.err, "1 program attached");
	syscall(SYS_getpgid, 0);
	tracing__stop(&tracing);
	expect_words(&tracing.peat, "first: events are struct of_first: ");
	expect_words(&tracing.peat,
		     "third: events are struct of_third: the only struct of 12 bytes");
	expect_words(&tracing.peat, "fourth: events are bytes: 2 structs of 8 bytes: ");
	event = tracing__only(&tracing, "of_first", getpid());
	ck_assert_int_eq(json_lines__number(event, "head.map"), 0);
	event = tracing__only(&tracing, "of_second", getpid());
	ck_assert_int_gt(json_lines__number(event, "time_ns_"), 0);
	event = tracing__only(&tracing, "of_third", getpid());
	ck_assert_int_eq(json_lines__number(event, "balance"), -5);
	event = tracing__only(&tracing, "raw", getpid());
	ck_assert_str_eq(json_lines__text(event, "map"), "fourth");
	tracing__free(&tracing);
	unlink(path);
}
END_TEST

/* A struct of 4 bytes is a value that an array needs, not the type of events of other sizes. */
START_TEST(test_placeholder_type)
{
	const char *path = file_of(&placeholder_object), *event;
	struct tracing tracing = { 0 };

	need_debug_info();
	command__start(&tracing.peat, ALL_CAPS,
		       TRACE("--set", text_of("only_pid=%ld", getpid()), "--set",
			     text_of("getpgid_number=%ld", SYS_getpgid), path));
	command__expect(tracing.peat.err, "1 program attached");
	syscall(SYS_getpgid, 0);
	tracing__stop(&tracing);
	expect_words(&tracing.peat, "messages: events are struct message: the only struct of 24 "
				    "bytes");
	expect_words(&tracing.peat, "trimmed: events are bytes: 2 structs: event, message");
	event = tracing__only(&tracing, "message", getpid());
	ck_assert_int_eq(json_lines__number(event, "number"), 7);
	event = tracing__only(&tracing, "raw", getpid());
	ck_assert_str_eq(json_lines__text(event, "map"), "trimmed");
	tracing__free(&tracing);
	unlink(path);
}
END_TEST

/*
 * Each event has the program's address, the callchain of its task and the cgroup.  The format is
 * not checked.
 */
START_TEST(test_samples_have_chosen_parts)
{
	const char *path = file_of(&many_object), *event;
	struct tracing tracing = { 0 };

	need_debug_info();
	command__start(&tracing.peat, ALL_CAPS,
		       TRACE("--set", text_of("only_pid=%ld", getpid()), "--set",
			     text_of("getpgid_number=%ld", SYS_getpgid), "--sample",
			     "ip,callchain,cgroup", "--sample", "regs_user,stack_user",
			     "--no-symbols", path));
	command__expect(tracing.peat.err, "1 program attached");
	syscall(SYS_getpgid, 0);
	tracing__stop(&tracing);
	event = tracing__only(&tracing, "of_third", getpid());
	ck_assert_int_eq(json_lines__number(event, "balance"), -5);
	ck_assert_int_gt(json_lines__number(event, "cgroup"), 0);
	ck_assert_uint_gt(strlen(json_lines__text(event, "ip.address")), 2);
	ck_assert_uint_gt(strlen(json_lines__raw(event, "stack")),
			  strlen("[{\"address\":\"0x0\"}]"));
	ck_assert_uint_gt(strlen(json_lines__raw(event, "regs_user")), 100);
	ck_assert_uint_gt(strlen(json_lines__text(event, "stack_user")), 16);
	tracing__free(&tracing);
	check(ARGV(PEAT, "trace", "--sample", "ip", "exec"), 1, "raw events only");
	check(ARGV(PEAT, "trace", "--sample", "ip,nothing", path), 64, "'nothing'", "regs_user");
	unlink(path);
}
END_TEST

START_TEST(test_unknown_types)
{
	const char *path = file_of(&many_object);

	need_debug_info();
	check(ARGV(PEAT, "trace", "--as", "of_first", path), 64, "MAP=TYPE");
	check(ARGV(PEAT, "trace", "--as", "fifth=of_first", path), 64,
	      "no perf event array 'fifth'");
	check(ARGV(PEAT, "trace", "--as", "first=nothing", path), 1, "nothing", "of_second");
	check(ARGV(PEAT, "trace", "--as", "of_first", "exec"), 64, "no perf event array");
	unlink(path);
}
END_TEST

START_TEST(test_unknown_variables)
{
	const char *path = file_of(&motley_object);

	check(ARGV(PEAT, "trace", "--set", "nothing=1", path), 64, "no variable 'nothing'", "limit",
	      "filter", "word", "mood");
	check(ARGV(PEAT, "trace", "--set", "filter.uid=1", path), 64, "no member 'uid'",
	      "pid, calls");
	check(ARGV(PEAT, "trace", "--set", "mood=GLAD", path), 64, "CALM, CROSS");
	check(ARGV(PEAT, "trace", "--set", "limit=-1", path), 64, "does not fit");
	check(ARGV(PEAT, "trace", "--set", "limit", path), 64, "NAME=VALUE");
	check(ARGV(PEAT, "trace", "--set", "peat_batch_bytes=0", "exec"), 64,
	      "no variable 'peat_batch_bytes'");
	unlink(path);
}
END_TEST

START_TEST(test_variable_of_two_objects)
{
	const char *one = file_of(&stranger_object), *other = file_of(&stranger_object);

	check(ARGV(PEAT, "trace", "--set", "only_pid=1", one, other), 64,
	      "'only_pid' is a variable of both", one, other);
	unlink(one);
	unlink(other);
}
END_TEST

/* ---- programs -------------------------------------------------------------------------------- */

START_TEST(test_programs_that_cannot_be_loaded)
{
	const char *path = file_of(&motley_object);

	check(ARGV(PEAT, "trace", "--no-prog", "not_in_btf", path), 1,
	      "cannot load the program rejected");
	check(ARGV(PEAT, "trace", "--no-prog", "rejected", path), 1,
	      "cannot load the program not_in_btf", "no_such_tracepoint");
	check(ARGV(PEAT, "trace", "--no-prog", "rejected", "--no-prog", "not_in_btf", "--no-prog",
		   "nowhere", path),
	      1, "cannot attach packets", "to tc", "--if");
	check(ARGV(PEAT, "trace", "--no-prog", "rejected", "--no-prog", "not_in_btf", "--no-prog",
		   "packets", path),
	      1, "cannot attach nowhere", "raw_tp/no_such_tracepoint",
	      "this kernel has no such tracepoint");
	check(ARGV(PEAT, "trace", "--no-prog", "nothing", path), 64, "no program 'nothing'",
	      "calls, rejected, packets");
	unlink(path);
}
END_TEST

START_TEST(test_programs_left_out)
{
	const char *path = file_of(&motley_object);

	check(ARGV(PEAT, "trace", "-d", "10ms", "-v", "--no-prog", "rejected", "--no-prog",
		   "not_in_btf", "--no-prog", "nowhere", "--no-prog", "packets", path),
	      0, "1 program attached", "  calls: ");
	check(ARGV(PEAT, "trace", "--no-prog", "rejected", "--no-prog", "not_in_btf", "--no-prog",
		   "nowhere", "--no-prog", "packets", "--no-prog", "calls", path),
	      1, "no program is left");
	unlink(path);
}
END_TEST

START_TEST(test_no_program)
{
	const char *path = file_of(&programless_object);

	check(ARGV(PEAT, "trace", "-d", "10ms", path), 0, "no object has a program");
	check(ARGV(PEAT, "trace", "--best-effort", path), 1, "no object has a program");
	unlink(path);
}
END_TEST

START_TEST(test_best_effort)
{
	const char *path = file_of(&motley_object);

	check(ARGV(PEAT, "trace", "-d", "10ms", "--best-effort", path), 0,
	      "left out: program rejected of ", "left out: program not_in_btf of ",
	      "left out: program packets of ", "left out: program nowhere of ", " 0 lost");
	check(ARGV(PEAT, "trace", "--best-effort", "--no-prog", "calls", path), 1,
	      "left out: program nowhere of ", "no program is left");
	/* Missing capabilities are no reason to leave programs out. */
	check_trace(0, ARGV(PEAT, "trace", "--best-effort", path), 1,
		    ARGV("CAP_NET_ADMIN is missing", "CAP_BPF and CAP_PERFMON"));
	unlink(path);
}
END_TEST

/* A map that the kernel does not have, and a program that uses it. */
START_TEST(test_best_effort_without_a_map)
{
	const char *path = file_of(&future_map_object);

	check(ARGV(PEAT, "trace", "-n", "1", "--best-effort", path), 0, "left out: map future of ",
	      "type 9999, keys of 4 bytes", "left out: program with_it of ", "1 event in");
	check(ARGV(PEAT, "trace", "-n", "1", path), 1, "cannot create the map future of ");
	unlink(path);
}
END_TEST

static unsigned count_words(const char *text, const char *words)
{
	unsigned count = 0;

	for (; (text = strstr(text, words)); text++)
		count++;
	return count;
}

static void check_count(const struct command *peat, const char *words, unsigned count)
{
	unsigned found = count_words(peat->err_text, words);

	ck_assert_msg(found == count, "%u times '%s'", found, words);
}

static void check_verified(const struct command *peat, const char *program, unsigned count)
{
	char words[128];

	snprintf(words, sizeof(words), "prog '%s': -- BEGIN PROG LOAD LOG", program);
	check_count(peat, words, count);
}

/*
 * The kernel verifies a program that it refuses once, and others twice: in a trial, and in the
 * object.  Maps are created twice, however many programs are refused.
 */
START_TEST(test_best_effort_tries_once)
{
	static const char *const accepted[] = { "accepted", "between", "late",
						"later",    "more_8",  "last" };
	static const char *const refused[] = { "first", "second", "third", "fourth", "fifth" };
	const char *path = file_of(&refusals_object);
	struct command peat;

	command__run(&peat, ALL_CAPS,
		     ARGV(PEAT, "trace", "-vv", "-d", "10ms", "--best-effort", path));
	ck_assert_int_eq(peat.status, 0);
	check_count(&peat, "left out: program ", 5);
	check_count(&peat, "map 'events': created successfully", 2);
	for (size_t i = 0; i < sizeof(accepted) / sizeof(*accepted); i++)
		check_verified(&peat, accepted[i], 2);
	for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++)
		check_verified(&peat, refused[i], 1);
	check_count(&peat, "prog 'accepted': relo #0: patched", 2);
	check_count(&peat, "prog 'last': relo #20: patched",
		    3); /* the first trial has all programs */
	command__free(&peat);
	unlink(path);
}
END_TEST

/* A program that is refused without --best-effort is verified again, with each step logged. */
START_TEST(test_steps_of_refused_program)
{
	const char *path = file_of(&refusals_object);
	struct command peat;

	command__run(&peat, ALL_CAPS, ARGV(PEAT, "trace", "-vv", path));
	ck_assert_int_eq(peat.status, 1);
	check_verified(&peat, "first", 2);
	check_verified(&peat, "second", 0);
	check_count(&peat, "\n  0: (", 1);
	check_count(&peat, "cannot load the program first of ", 1);
	command__free(&peat);
	unlink(path);
}
END_TEST

static struct peat_session *session_to_cancel;
static unsigned later_programs;

/* Cancels when the kernel has loaded the first program. */
static void cancel_at_first(enum peat_log_level level, const char *text)
{
	(void)level;
	if (strstr(text, "prog 'accepted': -- BEGIN PROG LOAD LOG"))
		peat_session__cancel(session_to_cancel);
	else if (strstr(text, ": -- BEGIN PROG LOAD LOG") || strstr(text, "left out: "))
		later_programs++;
}

/* Neither a trial nor the object loads another program then. */
START_TEST(test_cancelled_loading)
{
	struct peat_session_opts opts = { .sz = sizeof(opts), .best_effort = _i };

	session_to_cancel = peat_session__new(&opts);
	ck_assert_ptr_nonnull(session_to_cancel);
	ck_assert_int_eq(peat_session__add(session_to_cancel, "refusals", refusals_object.bytes,
					   *refusals_object.count),
			 0);
	later_programs = 0;
	peat_set_print(cancel_at_first);
	ck_assert_int_eq(peat_session__start(session_to_cancel, NULL), -ECANCELED);
	ck_assert_uint_eq(later_programs, 0);
	peat_session__free(session_to_cancel);
	peat_set_print(NULL);
}
END_TEST

/* The trial load of --best-effort does not change the channel. */
START_TEST(test_best_effort_with_a_channel)
{
	const char *path = file_of(&stranger_object);
	struct tracing tracing;

	tracing__start(&tracing,
		       TRACE("--best-effort", "--set", text_of("only_pid=%ld", getpid()), "--set",
			     text_of("getpgid_number=%ld", SYS_getpgid), path, "exit"));
	syscall(SYS_getpgid, 0);
	tracing__stop(&tracing);
	expect_text(tracing__only(&tracing, "stranger", getpid()), "color", "BLUE");
	tracing__free(&tracing);
	unlink(path);
}
END_TEST

static void check_tail_calls(const char *const *argv)
{
	struct tracing tracing = { 0 };
	uint32_t called = 0, returned = 0;
	const char *event;
	size_t from = 0;

	command__start(&tracing.peat, ALL_CAPS, argv);
	command__expect(tracing.peat.err, "2 programs attached");
	for (int i = 0; i < 4; i++)
		syscall(SYS_getpgid, 0);
	tracing__stop(&tracing);
	while ((event = tracing__next(&tracing, "event", getpid(), &from))) {
		expect_number(event, "was_called", json_lines__number(event, "slot") == 1);
		called += json_lines__number(event, "was_called") == 1;
		returned += json_lines__number(event, "was_called") == 0;
	}
	/* `called` is attached itself, and called once. */
	ck_assert_uint_eq(called, 5);
	ck_assert_uint_eq(returned, 3);
	tracing__free(&tracing);
}

/* The slot of a program that is left out stays empty, and the others are filled. */
START_TEST(test_program_array)
{
	const char *path = file_of(&tail_calls_object);
	const char *pid = text_of("only_pid=%ld", getpid());
	const char *call = text_of("getpgid_number=%ld", SYS_getpgid);

	check_tail_calls(
		TRACE("--no-prog", "refused", "--as", "event", "--set", pid, "--set", call, path));
	check_tail_calls(
		TRACE("--best-effort", "--as", "event", "--set", pid, "--set", call, path));
	unlink(path);
}
END_TEST

#define PIN "/sys/fs/bpf/calls"

static void pin_array(enum bpf_map_type type)
{
	int fd = bpf_map_create(type, "calls", 4, 4, 4, NULL);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(bpf_obj_pin(fd, PIN), 0);
	close(fd);
}

/* A program array that is reused from a pin: of another program, or of an object before. */
START_TEST(test_pinned_program_array)
{
	const char *path = file_of(&tail_calls_pinned_object);
	const char *pid = text_of("only_pid=%ld", getpid());
	const char *call = text_of("getpgid_number=%ld", SYS_getpgid);

	mounts__own_bpffs();
	check_tail_calls(
		TRACE("--no-prog", "refused", "--as", "event", "--set", pid, "--set", call, path));
	ck_assert_int_ne(access(PIN, F_OK), 0);
	check(ARGV(PEAT, "trace", "-v", "-d1ms", "--no-prog", "refused", path, path), 0,
	      "4 programs attached");
	pin_array(BPF_MAP_TYPE_PROG_ARRAY);
	check_tail_calls(TRACE("--steal", "--no-prog", "refused", "--as", "event", "--set", pid,
			       "--set", call, path));
	check_tail_calls(TRACE("--steal", "--best-effort", "--as", "event", "--set", pid, "--set",
			       call, path));
	ck_assert_int_eq(unlink(PIN), 0);
	pin_array(BPF_MAP_TYPE_ARRAY);
	check(ARGV(PEAT, "trace", "--steal", "--no-prog", "refused", "--as", "event", path), 1,
	      PIN " is not like calls: remove the pin");
	unlink(path);
}
END_TEST

/* libbpf takes the size of the values from one of the two. */
START_TEST(test_two_value_sizes)
{
	const char *path = file_of(&valued_object);

	check(ARGV(PEAT, "trace", path), 1, "conflicting value size 4 != 16",
	      "leave out value_size");
	check(ARGV(PEAT, "list", "-v", path), 1, "leave out value_size");
	unlink(path);
}
END_TEST

START_TEST(test_ring_buffer)
{
	const char *path = file_of(&ringbuf_object);

	check(ARGV(PEAT, "trace", path), 1, "no perf event array", "peat reads perf event arrays");
	unlink(path);
}
END_TEST

START_TEST(test_ring_buffer_beside_an_array)
{
	const char *path = file_of(&ringbuf_beside_object);

	check(TRACE("--duration", "0.01", path), 0, "events of the ring buffer unread are not read",
	      "1 program attached");
	unlink(path);
}
END_TEST

START_TEST(test_map_that_cannot_be_created)
{
	const char *path = file_of(&far_object);

	check(ARGV(PEAT, "trace", path), 1, "cannot create the map events",
	      "BPF_F_NUMA_NODE, its memory is on NUMA node 900");
	unlink(path);
}
END_TEST

/* ---- sizes of maps ----------------------------------------------------------------------------
 */

static void check_unsized(const char *const *argv)
{
	struct tracing tracing = { 0 };
	const char *event;

	command__start(&tracing.peat, ALL_CAPS, argv);
	command__expect(tracing.peat.err, "1 program attached");
	syscall(SYS_getpgid, 0);
	tracing__stop(&tracing);
	expect_words(&tracing.peat, "valued: events are struct event: the map's value type");
	event = tracing__only(&tracing, "event", getpid());
	ck_assert_int_eq(json_lines__number(event, "number"), 3);
	ck_assert_int_eq(json_lines__number(event, "balance"), -5);
	event = tracing__only(&tracing, "raw", getpid());
	ck_assert_str_eq(json_lines__text(event, "map"), "bare");
	tracing__free(&tracing);
}

/* Sizes that a loader sets.  A trial of --best-effort uses the same ones. */
START_TEST(test_maps_without_sizes)
{
	const char *path = file_of(&unsized_object);
	const char *pid = text_of("only_pid=%ld", getpid());
	const char *call = text_of("getpgid_number=%ld", SYS_getpgid);

	check_unsized(TRACE("--set-map", "table=3", "--set", pid, "--set", call, path));
	check_unsized(
		TRACE("--best-effort", "--set-map", "table=3", "--set", pid, "--set", call, path));
	check(ARGV(PEAT, "trace", "-d", "10ms", "--set-map", "table=3", path), 0, "map counts of ",
	      "has no number of entries: it gets 10240", "map stacks of ", "it gets 16384");
	check(ARGV(PEAT, "trace", "-d", "10ms", "-v", "--set-map", "table=3", path), 0,
	      "map valued of ", " slots instead of 1, one for each CPU");
	unlink(path);
}
END_TEST

START_TEST(test_maps_that_need_entries)
{
	const char *path = file_of(&unsized_object);

	check(ARGV(PEAT, "trace", path), 1, "cannot create the map table",
	      "array, keys of 4 bytes, values of 8 bytes, 0 entries", "--set-map");
	check(ARGV(PEAT, "trace", "--set-map", "tables=3", path), 64, "no map 'tables'",
	      "table, counts, stacks, valued, bare");
	check(ARGV(PEAT, "trace", "--set-map", "table=3x", path), 64, "a number such as 1024");
	check(ARGV(PEAT, "trace", "--set-map", "table", path), 64, "MAP=ENTRIES");
	unlink(path);
	path = file_of(&stranger_object);
	check(ARGV(PEAT, "trace", "--set-map", "peat_stage=3", path), 64, "map peat_stage", "busy");
	unlink(path);
}
END_TEST

START_TEST(test_map_without_inner_map)
{
	const char *path = file_of(&nested_maps_object);

	check(ARGV(PEAT, "trace", path), 1, "cannot create the map by_cgroup",
	      "hash_of_maps, keys of 8 bytes", "no inner map");
	unlink(path);
}
END_TEST

START_TEST(test_map_that_cannot_be_read)
{
	const char *path = file_of(&readonly_object);

	check(ARGV(PEAT, "trace", path), 1, "cannot read the map events", "BPF_F_RDONLY");
	unlink(path);
}
END_TEST

/* ---- descriptions ---------------------------------------------------------------------------- */

START_TEST(test_lists_variables_and_hooks)
{
	static const char *const lines[] = {
		"  variable limit=3 (number)\n",
		"  variable mood=CALM (name)\n",
		"  variable word=\"\" (text)\n",
		"  variable filter (struct)\n    pid              number\n",
		"  hook raw_tp/sys_enter, program calls\n",
		"  hook tc, program packets\n",
	};
	const char *path = file_of(&motley_object);
	struct command peat;

	command__run(&peat, 0, ARGV(PEAT, "list", "-v", path));
	ck_assert_msg(peat.status == 0, "%s", peat.err_text);
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++)
		ck_assert_msg(strstr(peat.out_text, lines[i]), "no '%s' in %s", lines[i],
			      peat.out_text);
	command__free(&peat);
	unlink(path);
}
END_TEST

static void list(const struct object_file *object, const char *option, const char *wanted)
{
	const char *path = file_of(object);
	struct command peat;

	command__run(&peat, 0, ARGV(PEAT, "list", option, path));
	ck_assert_msg(peat.status == 0 && strstr(peat.out_text, wanted), "no '%s' in %s%s", wanted,
		      peat.out_text, peat.err_text);
	command__free(&peat);
	unlink(path);
}

/* Types are inferred without loading the object. */
START_TEST(test_list_of_arrays)
{
	need_debug_info();
	list(&many_object, "-v", "  array third: struct of_third: the only struct of 12 bytes");
	list(&many_object, "-v", "  array fourth: bytes: 2 structs of 8 bytes: ");
	list(&many_object, "-j", "{\"name\":\"fourth\",\"why\":\"2 structs of 8 bytes: ");
	list(&unsized_object, "-v",
	     "  array valued: struct event: the map's value type\n    number           number\n");
	list(&unsized_object, "-j", "\"guess\":false,\"type\":{\"type\":\"event\",\"doc\":");
	list(&stranger_object, "-j", "\"arrays\":[],");
	list(&ringbuf_object, "-j", "\"arrays\":[],");
}
END_TEST

/* ---- the kernel's types ---------------------------------------------------------------------- */

/* Only objects that use kernel types need a kernel with BTF. */
START_TEST(test_kernel_without_types)
{
	const char *own = file_of(&stranger_object), *foreign = file_of(&many_object);

	mounts__hide_btf();
	check(TRACE("--duration", "0.01", own), 0, "1 program attached");
	check(TRACE("--duration", "0.01", foreign), 0, "1 program attached");
	check(TRACE("exec"), 1, "this kernel has no BTF");
	unlink(own);
	unlink(foreign);
}
END_TEST

static Suite *objects_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("objects", 60, &tests);

	tcase_add_test(tests, test_variables_reach_the_program);
	tcase_add_test(tests, test_types_of_events);
	tcase_add_test(tests, test_placeholder_type);
	tcase_add_test(tests, test_samples_have_chosen_parts);
	tcase_add_test(tests, test_unknown_types);
	tcase_add_test(tests, test_unknown_variables);
	tcase_add_test(tests, test_variable_of_two_objects);
	tcase_add_test(tests, test_programs_that_cannot_be_loaded);
	tcase_add_test(tests, test_programs_left_out);
	tcase_add_test(tests, test_no_program);
	tcase_add_test(tests, test_best_effort);
	tcase_add_test(tests, test_best_effort_without_a_map);
	tcase_add_test(tests, test_best_effort_tries_once);
	tcase_add_test(tests, test_steps_of_refused_program);
	tcase_add_loop_test(tests, test_cancelled_loading, false, true + 1);
	tcase_add_test(tests, test_best_effort_with_a_channel);
	tcase_add_test(tests, test_program_array);
	tcase_add_test(tests, test_pinned_program_array);
	tcase_add_test(tests, test_two_value_sizes);
	tcase_add_test(tests, test_ring_buffer);
	tcase_add_test(tests, test_ring_buffer_beside_an_array);
	tcase_add_test(tests, test_map_that_cannot_be_created);
	tcase_add_test(tests, test_maps_without_sizes);
	tcase_add_test(tests, test_maps_that_need_entries);
	tcase_add_test(tests, test_map_without_inner_map);
	tcase_add_test(tests, test_map_that_cannot_be_read);
	tcase_add_test(tests, test_kernel_without_types);
	tcase_add_test(tests, test_lists_variables_and_hooks);
	tcase_add_test(tests, test_list_of_arrays);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { objects_suite };

	return harness__main(argc, argv, suites, 1);
}
