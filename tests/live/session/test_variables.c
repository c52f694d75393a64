// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_variables.c: objects, maps and variables of a session, before and after its start. */
#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include <peat/peat.h>

#include "live/bpf/burst.bpf.h"
#include "support/machine/harness.h"
#include "support/machine/object.h"

EMBED_OBJECT(burst)

static struct peat_session *session;
static uint64_t events;

static int count(struct peat_sink *sink, const struct peat_event *event)
{
	(void)sink;
	events += event->kind == PEAT_EVENT_DATA;
	return 0;
}

static void set(const char *name, const char *text)
{
	ck_assert_int_eq(peat_session__set_variable(session, name, text), 0);
}

static void set_to(const char *name, long number)
{
	char text[32];

	snprintf(text, sizeof(text), "%ld", number);
	set(name, text);
}

static uint64_t number(const char *name)
{
	uint64_t value = 0;

	ck_assert_int_eq(peat_session__read_number(session, name, &value), 0);
	return value;
}

static void start(void)
{
	session = peat_session__new(NULL);
	ck_assert_ptr_nonnull(session);
	ck_assert_int_eq(
		peat_session__add(session, "burst", burst_object.bytes, *burst_object.count), 0);
	set_to("only_pid", getpid());
	set_to("getpgid_number", SYS_getpgid);
	set_to("per_call", 2);
	ck_assert_int_eq(peat_session__start(session, NULL), 0);
}

static uint64_t call(void)
{
	struct peat_sink sink = { .sz = sizeof(sink), .write = count };

	events = 0;
	syscall(SYS_getpgid, 0);
	peat_reader__flush(peat_session__reader(session));
	ck_assert_int_ge(peat_session__drain(session, &sink), 0);
	return events;
}

static uint64_t emitted(void)
{
	uint64_t sum = 0;
	char name[64];

	for (int cpu = 0; cpu < BURST_CPUS; cpu++) {
		snprintf(name, sizeof(name), "counts[%d].emitted", cpu);
		sum += number(name);
	}
	return sum;
}

START_TEST(test_variables_of_a_running_program)
{
	start();
	ck_assert_uint_eq(number("per_call"), 2);
	ck_assert_uint_eq(number("only_pid"), (uint64_t)getpid());
	ck_assert_uint_eq(call(), 2);
	ck_assert_uint_eq(emitted(), 2);
	set("per_call", "5");
	ck_assert_uint_eq(number("per_call"), 5);
	ck_assert_uint_eq(call(), 5);
	ck_assert_uint_eq(emitted(), 7);
	peat_session__free(session);
}
END_TEST

START_TEST(test_memory_of_a_running_program)
{
	struct peat_variable variable = { .sz = sizeof(variable) };

	start();
	ck_assert_int_eq(peat_session__variable(session, "per_call", &variable), 0);
	ck_assert(!variable.is_constant && variable.bytes == sizeof(uint32_t));
	*(volatile uint32_t *)variable.memory = 3;
	ck_assert_uint_eq(call(), 3);
	ck_assert_int_eq(peat_session__variable(session, "counts", &variable), 0);
	ck_assert_uint_eq(variable.bytes, sizeof(struct burst_counts) * BURST_CPUS);
	ck_assert_int_eq(variable.field->kind, PEAT_FIELD_ARRAY);
	peat_session__free(session);
}
END_TEST

START_TEST(test_constants_of_a_running_program)
{
	struct peat_variable variable = { .sz = sizeof(variable) };

	start();
	ck_assert_int_eq(peat_session__set_variable(session, "only_pid", "1"), -EBUSY);
	ck_assert_int_eq(peat_session__variable(session, "only_pid", &variable), 0);
	ck_assert(variable.is_constant);
	ck_assert_uint_eq(*(volatile uint32_t *)variable.memory, (uint32_t)getpid());
	peat_session__free(session);
}
END_TEST

/* libbpf's functions work with the session's objects and maps. */
START_TEST(test_objects_and_maps)
{
	struct bpf_map *map;
	uint32_t key = 0;
	static struct burst_payload payload;

	start();
	ck_assert_ptr_nonnull(
		bpf_object__find_program_by_name(peat_session__object(session, 0), "burst"));
	ck_assert_ptr_null(peat_session__object(session, 1));
	map = peat_session__map(session, "payloads");
	ck_assert_ptr_nonnull(map);
	ck_assert_int_eq(peat_session__map_fd(session, "burst.payloads"), bpf_map__fd(map));
	ck_assert_int_eq(
		bpf_map_lookup_elem(peat_session__map_fd(session, "payloads"), &key, &payload), 0);
	ck_assert_int_eq(peat_session__map_fd(session, "nothing"), -ENOENT);
	peat_session__free(session);
}
END_TEST

static Suite *variables_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("variables", 60, &tests);

	tcase_add_test(tests, test_variables_of_a_running_program);
	tcase_add_test(tests, test_memory_of_a_running_program);
	tcase_add_test(tests, test_constants_of_a_running_program);
	tcase_add_test(tests, test_objects_and_maps);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { variables_suite };

	return harness__main(argc, argv, suites, 1);
}
