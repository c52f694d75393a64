// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_own_stacks.c: programs of uprobes that are preempted keep their stacks. */
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>

#include "support/machine/harness.h"
#include "support/machine/object.h"

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

/* Linux 6.13 and newer preempt the program with preempt=lazy or full. */
START_TEST(test_preempted)
{
	struct bpf_object *object = object__open(&own_stacks_object);
	struct bpf_link *link;

	object__load(object);
	link = object__attach(object, "on_call");
	call_in_threads();
	ck_assert_int_eq(bpf_link__destroy(link), 0);
	ck_assert_uint_eq(*(uint64_t *)object__variable(object, "calls", 8), THREADS * CALLS);
	ck_assert_uint_eq(*(uint64_t *)object__variable(object, "wrong", 8), 0);
	bpf_object__close(object);
}
END_TEST

static Suite *own_stacks_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("own_stacks", 60, &tests);

	tcase_add_test(tests, test_preempted);
	return suite;
}

int main(int argc, char **argv)
{
	return harness__main(argc, argv, (const suite_fn[]){ own_stacks_suite }, 1);
}
