// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_stack_opts.c: requests of stacks, checked, and as attrs of perf events. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <peat/log.h>
#include <peat/wire.h>

#include "record/sample_regs.h"
#include "ring/stack_opts.h"
#include "unit/suite.h"

#define BOTH (PEAT_STACK_KERNEL | PEAT_STACK_USER)

static char messages[1000];

static void keep_message(enum peat_log_level level, const char *text)
{
	if (level <= PEAT_LOG_WARN)
		snprintf(messages, sizeof(messages), "%s", text);
}

static void setup(void)
{
	messages[0] = '\0';
	peat_set_print(keep_message);
}

static int set_defaults(struct peat_stack_request *request)
{
	return stack_opts__set_defaults(request, "opts");
}

START_TEST(test_defaults_are_bounded)
{
	struct peat_stack_request request = { .kinds = BOTH };
	uint32_t most = stack_opts__max_depth();

	ck_assert_int_eq(set_defaults(&request), 0);
	ck_assert_uint_eq(request.depth, most < 127 ? most : 127);
	ck_assert_uint_eq(request.memory_bytes, 8192);
	request = (struct peat_stack_request){ .kinds = BOTH, .depth = 5, .memory_bytes = 64 };
	ck_assert_int_eq(set_defaults(&request), 0);
	ck_assert_uint_eq(request.depth, 5);
	ck_assert_uint_eq(request.memory_bytes, 64);
}
END_TEST

static void refused(struct peat_stack_request request, const char *why)
{
	ck_assert_int_eq(set_defaults(&request), -EINVAL);
	ck_assert_msg(strstr(messages, why), "%s", messages);
}

START_TEST(test_wrong_requests_are_refused)
{
	refused((struct peat_stack_request){ .kinds = 8 }, "opts: stacks.kinds is 0x8");
	refused((struct peat_stack_request){ .depth = stack_opts__max_depth() + 1 },
		"stacks.depth is ");
	refused((struct peat_stack_request){ .memory_bytes = 12 }, "stacks.memory_bytes is 12");
	refused((struct peat_stack_request){ .memory_bytes = 16392 }, "at most 16384");
	refused((struct peat_stack_request){ .reserved = 1 }, "stacks.reserved is not 0");
}
END_TEST

static struct perf_event_attr attr_of(uint32_t kinds, uint32_t depth)
{
	struct peat_stack_request request = { .kinds = kinds,
					      .depth = depth,
					      .memory_bytes = 4096 };
	struct perf_event_attr attr = { .sample_type = PEAT_SAMPLE_RAW };
	struct peat_layout layout = { .sample_type = PEAT_SAMPLE_RAW };

	stack_opts__set_attr(&request, &attr);
	stack_opts__set_layout(&request, &layout);
	ck_assert_uint_eq(attr.sample_type, layout.sample_type);
	ck_assert_uint_eq(attr.sample_regs_user, layout.regs_user);
	return attr;
}

START_TEST(test_attrs_ask_for_stacks)
{
	struct perf_event_attr attr = attr_of(0, 127), nothing = { .sample_type = PEAT_SAMPLE_RAW };

	ck_assert_mem_eq(&attr, &nothing, sizeof(attr));
	attr = attr_of(BOTH, 10);
	ck_assert_uint_eq(attr.sample_type, PEAT_SAMPLE_RAW | PEAT_SAMPLE_CALLCHAIN);
	ck_assert(!attr.exclude_callchain_kernel && !attr.exclude_callchain_user);
	ck_assert_uint_eq(attr.sample_max_stack, 20);
	attr = attr_of(PEAT_STACK_KERNEL, 10);
	ck_assert(!attr.exclude_callchain_kernel && attr.exclude_callchain_user);
	ck_assert_uint_eq(attr.sample_max_stack, 10);
	attr = attr_of(PEAT_STACK_USER, stack_opts__max_depth());
	ck_assert(attr.exclude_callchain_kernel && !attr.exclude_callchain_user);
	attr = attr_of(PEAT_STACK_DWARF, 10);
	ck_assert_uint_eq(attr.sample_type,
			  PEAT_SAMPLE_RAW | PEAT_SAMPLE_REGS_USER | PEAT_SAMPLE_STACK_USER);
	ck_assert_uint_eq(attr.sample_stack_user, 4096);
	ck_assert_uint_eq(attr.sample_regs_user, SAMPLE_REGS_USER);
}
END_TEST

/* More than the kernel allows would be an error of perf_event_open(). */
START_TEST(test_limit_of_both)
{
	struct perf_event_attr attr = attr_of(BOTH, stack_opts__max_depth());

	ck_assert_uint_eq(attr.sample_max_stack, 0);
}
END_TEST

SUITE(10)
{
	tcase_add_checked_fixture(tests, setup, NULL);
	tcase_add_test(tests, test_defaults_are_bounded);
	tcase_add_test(tests, test_wrong_requests_are_refused);
	tcase_add_test(tests, test_attrs_ask_for_stacks);
	tcase_add_test(tests, test_limit_of_both);
}
