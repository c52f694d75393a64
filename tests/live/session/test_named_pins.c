// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_named_pins.c: objects whose maps libbpf pins by their names, beside maps of other programs.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <peat/peat.h>

#include "support/load/renames.h"
#include "support/machine/harness.h"
#include "support/machine/mounts.h"
#include "support/machine/object.h"
#include "support/machine/tracing.h"

EMBED_OBJECT(pinned)

#define PEAT   command__peat()
#define EVENTS "/sys/fs/bpf/pinned_events"
#define COUNTS "/sys/fs/bpf/pinned_counts"
#define KEPT   "/sys/fs/bpf/kept"

static char path[64];

static void setup(void)
{
	FILE *file;

	mounts__own_bpffs();
	snprintf(path, sizeof(path), "/tmp/peat-pinned-%d.bpf.o", (int)getpid());
	file = fopen(path, "we");
	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(pinned_object.bytes, *pinned_object.count, 1, file), 1);
	ck_assert_int_eq(fclose(file), 0);
}

static void teardown(void)
{
	unlink(path);
}

/* The arguments that leave out the two programs that fail. */
#define WORKING "--no-prog", "refused", "--no-prog", "nowhere"

static const char *decimal(const char *before, long number)
{
	static char text[2][40];
	static unsigned next;
	char *chosen = text[next++ % 2];

	snprintf(chosen, sizeof(text[0]), "%s%ld", before, number);
	return chosen;
}

static void check_no_pins(void)
{
	ck_assert_int_ne(access(EVENTS, F_OK), 0);
	ck_assert_int_ne(access(COUNTS, F_OK), 0);
}

static uint32_t pinned_id(const char *pin)
{
	struct bpf_map_info info = { 0 };
	uint32_t bytes = sizeof(info);
	int fd = bpf_obj_get(pin);

	ck_assert_msg(fd >= 0, "%s: %s", pin, strerror(errno));
	ck_assert_int_eq(bpf_obj_get_info_by_fd(fd, &info, &bytes), 0);
	close(fd);
	return info.id;
}

static void make_pin(const char *pin)
{
	int fd = bpf_map_create(BPF_MAP_TYPE_ARRAY, "peat_t_stale", 4, 8, 1, NULL);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(bpf_obj_pin(fd, pin), 0);
	close(fd);
}

/* ---- an agent of another project ------------------------------------------------------------- */

struct agent {
	pid_t pid;
	int to_parent[2]; /* a byte, and then one per event */
};

static void set_autoload(struct bpf_object *object, const char *name)
{
	struct bpf_program *program = bpf_object__find_program_by_name(object, name);

	ck_assert_ptr_nonnull(program);
	ck_assert_int_eq(bpf_program__set_autoload(program, false), 0);
}

static int run_agent(void *arg)
{
	const struct agent *agent = arg;
	struct bpf_object *object = object__open(&pinned_object);
	const struct peat_event *event;
	struct peat_reader *reader;

	prctl(PR_SET_NAME, "the agent");
	set_autoload(object, "refused");
	set_autoload(object, "nowhere");
	object__load(object);
	object__attach(object, "on_rename");
	reader = peat_reader__new_raw(object__map_fd(object, "pinned_events"), NULL);
	if (!reader || write(agent->to_parent[1], "", 1) != 1)
		return 1;
	while (peat_reader__wait(reader, -1) >= 0)
		while (peat_reader__next(reader, &event) > 0)
			if (event->kind == PEAT_EVENT_DATA &&
			    write(agent->to_parent[1], "", 1) != 1)
				return 1;
	return 1;
}

static void expect_bytes(const struct agent *agent, unsigned count)
{
	char byte;

	while (count--)
		ck_assert_int_eq(read(agent->to_parent[0], &byte, 1), 1);
}

static void start_agent(struct agent *agent)
{
	ck_assert_int_eq(pipe(agent->to_parent), 0);
	agent->pid = process__start(run_agent, agent);
	close(agent->to_parent[1]);
	expect_bytes(agent, 1);
}

static void end_agent(const struct agent *agent)
{
	kill(agent->pid, SIGKILL);
	process__wait(agent->pid);
	close(agent->to_parent[0]);
}

/* ---- maps of other programs ------------------------------------------------------------------ */

static void expect_words(const struct command *peat, const char *words)
{
	ck_assert_msg(strstr(peat->err_text, words), "'%s' does not say '%s'", peat->err_text,
		      words);
}

static void run(struct command *peat, int status, const char *const *argv)
{
	command__run(peat, ALL_CAPS, argv);
	ck_assert_msg(peat->status == status, "status %d: %s", peat->status, peat->err_text);
}

/* The agent gets its events before, during and after the attempt. */
START_TEST(test_live_agent_keeps_its_events)
{
	uint32_t events, counts;
	struct command peat;
	struct agent agent;

	start_agent(&agent);
	events = pinned_id(EVENTS);
	counts = pinned_id(COUNTS);
	renames__emit(0, 5);
	expect_bytes(&agent, 5);
	run(&peat, 1, ARGV(PEAT, "trace", WORKING, path));
	expect_words(&peat, "its map pinned_events is pinned already, at " EVENTS ": ");
	expect_words(&peat, "its map pinned_counts is pinned already, at " COUNTS ": ");
	expect_words(&peat, decimal("it is held by process ", agent.pid));
	expect_words(&peat, "(the agent); it is used by program ");
	expect_words(&peat, "use --steal");
	ck_assert_ptr_null(strstr(peat.err_text, "rm "));
	command__free(&peat);
	renames__emit(5, 5);
	expect_bytes(&agent, 5);
	run(&peat, 1, ARGV(PEAT, "trace", "--best-effort", path));
	command__free(&peat);
	renames__emit(10, 5);
	expect_bytes(&agent, 5);
	ck_assert_uint_eq(pinned_id(EVENTS), events);
	ck_assert_uint_eq(pinned_id(COUNTS), counts);
	end_agent(&agent);
}
END_TEST

/* Both programs write to the agent's map, which stays pinned. */
START_TEST(test_steal_leaves_map_pinned)
{
	struct tracing tracing;
	struct agent agent;
	uint32_t events;

	start_agent(&agent);
	events = pinned_id(EVENTS);
	tracing__start(&tracing, TRACE("--steal", WORKING, path));
	renames__emit(7, 1);
	tracing__stop(&tracing);
	ck_assert_uint_eq(tracing__count(&tracing, "raw", getpid()), 2);
	tracing__free(&tracing);
	ck_assert_uint_eq(pinned_id(EVENTS), events);
	tracing__start(&tracing, TRACE("--steal", "--pin", KEPT, WORKING, path));
	renames__emit(8, 1);
	tracing__stop(&tracing);
	ck_assert_uint_eq(tracing__count(&tracing, "raw", getpid()), 2);
	tracing__free(&tracing);
	ck_assert_uint_eq(pinned_id(KEPT "/map-pinned_events"), events);
	end_agent(&agent);
}
END_TEST

START_TEST(test_pin_without_a_holder)
{
	struct command peat;
	uint32_t id;

	make_pin(COUNTS);
	id = pinned_id(COUNTS);
	run(&peat, 1, ARGV(PEAT, "trace", "-d1ms", WORKING, path));
	expect_words(&peat, "remove it: rm " COUNTS "\n");
	expect_words(&peat, "use --steal");
	command__free(&peat);
	ck_assert_int_ne(access(EVENTS, F_OK), 0);
	ck_assert_uint_eq(pinned_id(COUNTS), id);
	ck_assert_int_eq(unlink(COUNTS), 0);
	run(&peat, 0, ARGV(PEAT, "trace", "-d1ms", WORKING, path));
	command__free(&peat);
}
END_TEST

/* The pinned map is of another type. */
START_TEST(test_steal_another_map)
{
	struct command peat;

	make_pin(EVENTS);
	run(&peat, 1, ARGV(PEAT, "trace", "-d1ms", "--steal", WORKING, path));
	expect_words(&peat, "cannot use the map pinned at " EVENTS " as pinned_events of ");
	command__free(&peat);
	ck_assert_int_ne(access(COUNTS, F_OK), 0);
}
END_TEST

/* ---- pins of the session --------------------------------------------------------------------- */

START_TEST(test_pinned_while_it_runs)
{
	struct tracing tracing;

	tracing__start(&tracing, TRACE(WORKING, path));
	pinned_id(EVENTS);
	pinned_id(COUNTS);
	renames__emit(1, 1);
	tracing__stop(&tracing);
	tracing__only(&tracing, "raw", getpid());
	tracing__free(&tracing);
	check_no_pins();
}
END_TEST

START_TEST(test_no_pin_after_a_failure)
{
	struct command peat;

	run(&peat, 1, ARGV(PEAT, "trace", "-d1ms", "--no-prog", "nowhere", path));
	expect_words(&peat, "cannot load the program refused");
	command__free(&peat);
	check_no_pins();
	run(&peat, 1, ARGV(PEAT, "trace", "-d1ms", "--no-prog", "refused", path));
	expect_words(&peat, "cannot attach");
	command__free(&peat);
	check_no_pins();
}
END_TEST

START_TEST(test_no_pin_after_best_effort)
{
	struct tracing tracing;

	tracing__start(&tracing, TRACE("--best-effort", path));
	pinned_id(EVENTS);
	renames__emit(1, 1);
	tracing__stop(&tracing);
	tracing__only(&tracing, "raw", getpid());
	tracing__free(&tracing);
	check_no_pins();
}
END_TEST

/* The pins by name end with the session, the directory stays. */
START_TEST(test_pin_of_the_user_stays)
{
	struct tracing tracing;

	tracing__start(&tracing, TRACE("--pin", KEPT, WORKING, path));
	ck_assert_uint_eq(pinned_id(KEPT "/map-pinned_events"), pinned_id(EVENTS));
	tracing__stop(&tracing);
	tracing__free(&tracing);
	check_no_pins();
	pinned_id(KEPT "/map-pinned_events");
}
END_TEST

/* Each object emits every event, to the map that they share. */
START_TEST(test_objects_share_a_map)
{
	struct tracing tracing;

	tracing__start(&tracing, TRACE("--no-prog", "refused", "--no-prog", "nowhere", path, path));
	renames__emit(1, 3);
	tracing__stop(&tracing);
	ck_assert_uint_eq(tracing__count(&tracing, "raw", getpid()), 6);
	tracing__free(&tracing);
	check_no_pins();
}
END_TEST

/* Another program removed the pin and made its own: that one stays. */
START_TEST(test_replaced_pin_stays)
{
	struct tracing tracing;
	uint32_t id;

	tracing__start(&tracing, TRACE(WORKING, path));
	ck_assert_int_eq(unlink(COUNTS), 0);
	make_pin(COUNTS);
	id = pinned_id(COUNTS);
	tracing__stop(&tracing);
	tracing__free(&tracing);
	ck_assert_int_ne(access(EVENTS, F_OK), 0);
	ck_assert_uint_eq(pinned_id(COUNTS), id);
}
END_TEST

START_TEST(test_no_bpf_file_system)
{
	struct command peat;

	mounts__hide_bpffs();
	run(&peat, 0, ARGV(PEAT, "trace", "-d1ms", WORKING, path));
	expect_words(&peat, "its map pinned_events is not pinned");
	expect_words(&peat, EVENTS " is not on a BPF file system (mount -t bpf ");
	expect_words(&peat, "its map pinned_counts is not pinned");
	command__free(&peat);
	check_no_pins();
}
END_TEST

/* Each object emits every event, to the map that they share. */
START_TEST(test_share_without_bpf_file_system)
{
	struct tracing tracing;

	mounts__hide_bpffs();
	tracing__start(&tracing, TRACE(WORKING, path, path));
	renames__emit(1, 3);
	tracing__stop(&tracing);
	ck_assert_uint_eq(tracing__count(&tracing, "raw", getpid()), 6);
	tracing__free(&tracing);
	check_no_pins();
}
END_TEST

/* A file there is no pin. */
START_TEST(test_file_at_place_of_pin)
{
	struct tracing tracing;
	FILE *file;

	mounts__hide_bpffs();
	file = fopen(COUNTS, "we");
	ck_assert(file && !fclose(file));
	tracing__start(&tracing, TRACE(WORKING, path));
	renames__emit(1, 1);
	tracing__stop(&tracing);
	tracing__only(&tracing, "raw", getpid());
	tracing__free(&tracing);
	ck_assert_int_eq(unlink(COUNTS), 0);
}
END_TEST

/* ---------------------------------------------------------------------------------------------- */

static Suite *pins_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("named_pins", 60, &tests);

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_live_agent_keeps_its_events);
	tcase_add_test(tests, test_steal_leaves_map_pinned);
	tcase_add_test(tests, test_pin_without_a_holder);
	tcase_add_test(tests, test_steal_another_map);
	tcase_add_test(tests, test_pinned_while_it_runs);
	tcase_add_test(tests, test_no_pin_after_a_failure);
	tcase_add_test(tests, test_no_pin_after_best_effort);
	tcase_add_test(tests, test_pin_of_the_user_stays);
	tcase_add_test(tests, test_objects_share_a_map);
	tcase_add_test(tests, test_replaced_pin_stays);
	tcase_add_test(tests, test_no_bpf_file_system);
	tcase_add_test(tests, test_share_without_bpf_file_system);
	tcase_add_test(tests, test_file_at_place_of_pin);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { pins_suite };

	return harness__main(argc, argv, suites, 1);
}
