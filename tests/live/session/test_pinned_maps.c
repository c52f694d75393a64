// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_pinned_maps.c: pinned programs and channels, and readers that take turns. */
#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>

#include "support/load/renames.h"
#include "support/machine/scratch.h"
#include "read_maps.h"

EMBED_OBJECT(renames)
EMBED_OBJECT(stranger)

static const char *renames_file(void)
{
	return file_of(&renames_object);
}

/* ---- pinned programs ------------------------------------------------------------------------- */

/* The id of the program that writes to the only map pinned there. */
static uint32_t kept_program(void)
{
	struct peat_maps *maps = peat_maps__new();
	const struct peat_map *map;
	uint32_t program = 0;

	ck_assert_msg(maps, "%s", messages);
	for (uint32_t i = 0; (map = peat_maps__at(maps, i)); i++)
		if (map->pin_count && !strcmp(map->pins[0], PIN "/map-renames")) {
			ck_assert_uint_eq(map->flags & BPF_F_PRESERVE_ELEMS, BPF_F_PRESERVE_ELEMS);
			ck_assert_str_eq(map->flag_names, "BPF_F_PRESERVE_ELEMS");
			ck_assert_uint_eq(map->program_count, 1);
			ck_assert_str_eq(map->programs[0].attached, "raw_tracepoint task_rename");
			program = map->programs[0].id;
		}
	peat_maps__free(maps);
	ck_assert_uint_ne(program, 0);
	return program;
}

static void check_counts(uint32_t program, uint64_t written, uint64_t no_space)
{
	struct renames_counts counts = renames__counts(program);

	ck_assert_uint_eq(counts.written, written);
	ck_assert_uint_eq(counts.no_space, no_space);
	ck_assert_uint_eq(counts.no_slot + counts.others, 0);
}

/* Checks that exactly the events with these numbers have arrived, in order. */
static void check_events(const struct tracing *tracing, unsigned first, unsigned count)
{
	size_t from = 0;

	for (unsigned i = first; i < first + count; i++) {
		const char *event = tracing__next(tracing, "raw", getpid(), &from);
		char name[16] = "", hex[33];

		ck_assert_msg(event, "no event %u", i);
		snprintf(name, sizeof(name), "peat#%u", i);
		for (size_t byte = 0; byte < 16; byte++)
			snprintf(hex + 2 * byte, 3, "%02x", (unsigned char)name[byte]);
		ck_assert_int_eq(strncmp(json_lines__text(event, "bytes"), hex, 32), 0);
	}
	ck_assert_ptr_null(tracing__next(tracing, "raw", getpid(), &from));
}

static void remove_pins(void)
{
	struct command rm;

	command__run(&rm, ALL_CAPS, ARGV("/bin/rm", "-r", PIN));
	check_exit(&rm, 0, "");
}

/*
 * The first reader pins the program.  The second takes over while the first runs: nothing is lost.
 * Then there is no reader for a while: events emitted meanwhile are lost.  A third reader
 * continues.
 */
START_TEST(test_readers_of_a_pinned_producer)
{
	const char *path = renames_file();
	struct tracing first, second, third;
	uint32_t program;

	process__pin(); /* keeps the events in order */
	tracing__start(&first, TRACE(path, "--pin", PIN));
	program = kept_program();
	renames__emit(0, 100);
	tracing__start(&second, TRACE("--map", PIN, "--steal"));
	renames__emit(100, 100);
	tracing__stop(&first);
	renames__emit(200, 100);
	tracing__stop(&second);
	check_counts(program, 300, 0);
	renames__emit(300, 50);
	check_counts(program, 300, 50);
	tracing__start(&third, TRACE("--map", PIN "/map-renames", "--steal"));
	renames__emit(350, 10);
	tracing__stop(&third);
	check_counts(program, 310, 50);
	check_events(&first, 0, 100);
	check_events(&second, 100, 200);
	check_events(&third, 350, 10);
	remove_pins();
	tracing__free(&first);
	tracing__free(&second);
	tracing__free(&third);
	unlink(path);
}
END_TEST

START_TEST(test_pin_path)
{
	const char *path = renames_file(), *elsewhere = scratch__path("no-bpffs");
	struct command peat;
	char message[256];

	command__run(&peat, ALL_CAPS, ARGV(PEAT, "trace", "-qd", "1ms", path, "--pin", PIN));
	check_exit(&peat, 0, "");
	command__run(&peat, ALL_CAPS, ARGV(PEAT, "trace", "-qd", "1ms", path, "--pin", PIN));
	check_exit(&peat, 1, "read it (--map), or end it with rm -r");
	kept_program();
	/* The map is pinned, so another process may read it. */
	command__run(&peat, ALL_CAPS, ARGV(PEAT, "trace", "-d", "1ms", "--map", PIN));
	check_exit(&peat, 1, "pinned at " PIN "/map-renames");
	remove_pins();
	command__run(&peat, ALL_CAPS, ARGV(PEAT, "trace", "-qd", "1ms", path, "--pin", elsewhere));
	snprintf(message, sizeof(message), "cannot pin %s", elsewhere);
	check_exit(&peat, 1, message);
	ck_assert_int_ne(access(elsewhere, F_OK), 0);
	command__run(&peat, ALL_CAPS, ARGV(PEAT, "trace", "-d", "1ms", "--map", "/sys/fs/bpf"));
	check_exit(&peat, 1, "was not made by --pin");
	unlink(path);
}
END_TEST

/* ---- pinned channels ------------------------------------------------------------------------- */

static void emit_strangers(unsigned count)
{
	while (count--)
		syscall(SYS_getpgid, 0);
}

static void start_reader(struct command *peat, const char *const *argv)
{
	command__start(peat, ALL_CAPS, argv);
	command__expect(peat->err, " attached");
}

/*
 * Ends the reader.  Sets the numbers of events that it printed and lost, which have to add up to
 * the emitted events in its ledger.
 */
static void end_reader(struct command *peat, unsigned *printed, unsigned *lost)
{
	const char *summary, *ledger;
	unsigned emitted = 0;

	kill(peat->pid, SIGINT);
	command__finish(peat);
	ck_assert_msg(peat->status == 0, "%s", peat->err_text);
	summary = strstr(peat->err_text, " events in ");
	ck_assert_msg(summary, "%s", peat->err_text);
	while (summary > peat->err_text && summary[-1] != ' ')
		summary--;
	ck_assert_int_eq(sscanf(summary, "%u events in %*f s, %u lost", printed, lost), 2);
	ledger = strstr(peat->err_text, "emitted ");
	ck_assert_msg(ledger && sscanf(ledger, "emitted %u", &emitted) == 1, "%s", peat->err_text);
	ck_assert_msg(emitted == *printed + *lost, "%s", peat->err_text);
	ck_assert_ptr_null(strstr(peat->err_text, "corrupt"));
}

/* The kernel shows other processes that read a ring, but not other sessions of this one. */
START_TEST(test_sessions_of_a_pinned_channel)
{
	struct peat_session *sessions[] = { peat_session__new(NULL), peat_session__new(NULL) };
	unsigned printed, lost;
	struct command peat;
	char source[128];
	const char *path = file_of(&stranger_object);
	int map_fd;

	snprintf(source, sizeof(source), "%s,only_pid=%d,getpgid_number=%d", path, (int)getpid(),
		 (int)SYS_getpgid);
	start_reader(&peat, TRACE(source, "--pin", PIN));
	end_reader(&peat, &printed, &lost);
	command__free(&peat);
	map_fd = peat_map__open(PIN "/map-peat_ring");
	ck_assert_int_ge(map_fd, 0);
	ck_assert_int_eq(peat_session__add_map(sessions[0], map_fd), 0);
	ck_assert_int_eq(peat_session__add_map(sessions[1], map_fd), -EBUSY);
	peat_session__free(sessions[0]);
	ck_assert_int_eq(peat_session__add_map(sessions[1], map_fd), 0);
	peat_session__free(sessions[1]);
	close(map_fd);
	remove_pins();
	unlink(path);
}
END_TEST

/*
 * Events emitted between two readers are staged and delivered by the second, or lost and counted in
 * its ledger.  It decodes them with the BTF of the loaded programs.
 */
START_TEST(test_readers_of_a_pinned_channel)
{
	unsigned printed, lost;
	struct json_lines events;
	struct command peat, third;
	char source[128];
	const char *path = file_of(&stranger_object);

	snprintf(source, sizeof(source), "%s,only_pid=%d,getpgid_number=%d", path, (int)getpid(),
		 (int)SYS_getpgid);
	process__pin();
	start_reader(&peat, TRACE(source, "--pin", PIN));
	emit_strangers(10);
	end_reader(&peat, &printed, &lost);
	ck_assert_uint_eq(printed, 10);
	ck_assert_uint_eq(lost, 0);
	command__free(&peat);

	emit_strangers(1000);
	start_reader(&peat, TRACE("--map", PIN, "--steal"));
	command__run(&third, ALL_CAPS, ARGV(PEAT, "trace", "--steal", "--map", PIN));
	check_exit(&third, 1, "one reader at a time");
	emit_strangers(5);
	end_reader(&peat, &printed, &lost);
	ck_assert_uint_eq(printed + lost, 1005);
	ck_assert_uint_gt(lost, 0);
	ck_assert_uint_gt(printed, 5);
	ck_assert_msg(strstr(peat.err_text, "lost_no_ring"), "%s", peat.err_text);
	events = json_lines__split(peat.out_text);
	expect_text(events.lines[0], "type", "stranger");
	expect_text(events.lines[0], "color", "BLUE");
	expect_text(events.lines[0], "to.address", "2001::1");
	json_lines__free(&events);
	command__free(&peat);

	/* The second reader reported these losses, so the third does not. */
	start_reader(&peat, TRACE("--map", PIN, "--steal"));
	emit_strangers(3);
	end_reader(&peat, &printed, &lost);
	ck_assert_uint_eq(printed, 3);
	ck_assert_uint_eq(lost, 0);
	command__free(&peat);
	command__run(&peat, ALL_CAPS,
		     ARGV(PEAT, "trace", "--steal", "--map", PIN, "--map", PIN "/map-peat_ring"));
	check_exit(&peat, 1, "is named twice");
	remove_pins();
	unlink(path);
}
END_TEST

static Suite *pinned_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("pinned_maps", 60, &tests);

	tcase_add_checked_fixture(tests, setup, NULL);
	tcase_add_checked_fixture(tests, scratch__make, scratch__remove);
	tcase_add_test(tests, test_readers_of_a_pinned_producer);
	tcase_add_test(tests, test_pin_path);
	tcase_add_test(tests, test_readers_of_a_pinned_channel);
	tcase_add_test(tests, test_sessions_of_a_pinned_channel);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { pinned_suite };

	return harness__main(argc, argv, suites, 1);
}
