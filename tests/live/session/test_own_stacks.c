// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_own_stacks.c: programs of uprobes that are preempted, or sleep, keep their stacks. */
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include "session/attach/uprobe_multi.h"
#include "support/machine/harness.h"
#include "support/machine/multi_links.h"
#include "support/machine/object.h"
#include "support/machine/waiting_uprobes.h"
#include "support/machine/slow_memory.h"
#include "elf/function_offset.h"

EMBED_OBJECT(own_stacks)

#define THREADS	   2
#define CALLS	   500 /* per thread */
#define BYTES_READ (1 << 15)

static char memory[BYTES_READ] = { 1 };

/* The program is attached here. */
__attribute__((noinline, used)) void own_stacks_call(const void *text)
{
	__asm__ volatile("" ::"r"(text) : "memory");
}

static void stay_on_first_cpu(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(0, &set);
	ck_assert_int_eq(sched_setaffinity(0, sizeof(set), &set), 0);
}

static void *call(void *unused)
{
	stay_on_first_cpu();
	for (int i = 0; i < CALLS; i++)
		own_stacks_call(memory);
	return unused;
}

static void call_in_threads(void)
{
	pthread_t threads[THREADS];

	for (int i = 0; i < THREADS; i++)
		ck_assert_int_eq(pthread_create(&threads[i], NULL, call, NULL), 0);
	for (int i = 0; i < THREADS; i++)
		ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
}

static void check_counts(struct bpf_object *object, unsigned calls)
{
	ck_assert_uint_eq(*(uint64_t *)object__variable(object, "calls", 8), calls);
	ck_assert_uint_eq(*(uint64_t *)object__variable(object, "wrong", 8), 0);
	bpf_object__close(object);
}

static struct bpf_object *open_with(const char *name, struct bpf_program **program)
{
	struct bpf_object *object = object__open(&own_stacks_object);

	*program = bpf_object__find_program_by_name(object, name);
	ck_assert_int_eq(bpf_program__set_autoload(*program, true), 0);
	return object;
}

/* Linux 6.13 and newer preempt the program with preempt=lazy or full. */
START_TEST(test_preempted_program_keeps_stack)
{
	struct bpf_program *program;
	struct bpf_object *object = open_with("on_call", &program);
	struct bpf_link *link;

	object__load(object);
	link = object__attach(object, "on_call");
	call_in_threads();
	ck_assert_int_eq(bpf_link__destroy(link), 0);
	check_counts(object, THREADS * CALLS);
}
END_TEST

/* While a thread waits for the page. */
static void call_meanwhile(void *unused)
{
	(void)unused;
	stay_on_first_cpu();
	own_stacks_call(memory);
}

/* Linux 6.13 and newer would give both runs of the program the stack of the CPU. */
START_TEST(test_sleeping_program_keeps_stack)
{
	struct bpf_program *program;
	struct bpf_object *object = open_with("on_sleepable_call", &program);
	struct slow_memory slow;
	struct bpf_link *link;

	if (!waiting_uprobes__are_possible())
		skip("other uprobes wait with a sleeping program (Linux 6.10)");
	object__load(object);
	link = object__attach(object, "on_sleepable_call");
	slow_memory__make(&slow, "", 0, call_meanwhile, NULL);
	stay_on_first_cpu();
	own_stacks_call(slow.page);
	slow_memory__free(&slow);
	ck_assert_int_eq(bpf_link__destroy(link), 0);
	check_counts(object, 2);
}
END_TEST

/* The same for a program whose attach type is another. */
START_TEST(test_preempted_by_link)
{
	struct bpf_program *program;
	struct bpf_object *object = open_with("on_call", &program);
	struct uprobe_place place = { .path = "/proc/self/exe" };
	int link;

	if (!multi_links__are_possible())
		skip("this kernel has no links of uprobe_multi with a process (Linux 6.10)");
	ck_assert_int_eq(bpf_program__set_expected_attach_type(
				 program, (enum bpf_attach_type)UPROBE_MULTI_ATTACH_TYPE),
			 0);
	object__load(object);
	ck_assert_int_eq(function_offset__find(place.path, "own_stacks_call", &place.offset), 0);
	link = uprobe_multi__attach(bpf_program__fd(program), &place);
	ck_assert_int_ge(link, 0);
	call_in_threads();
	ck_assert_int_eq(close(link), 0);
	check_counts(object, THREADS * CALLS);
}
END_TEST

static Suite *own_stacks_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("own_stacks", 60, &tests);

	tcase_add_test(tests, test_preempted_program_keeps_stack);
	tcase_add_test(tests, test_sleeping_program_keeps_stack);
	tcase_add_test(tests, test_preempted_by_link);
	return suite;
}

int main(int argc, char **argv)
{
	return harness__main(argc, argv, (const suite_fn[]){ own_stacks_suite }, 1);
}
