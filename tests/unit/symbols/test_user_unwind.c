// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_user_unwind.c: stacks of this process with names, from registers and a copy of the stack. */
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <peat/symbols.h>

#include "own_event.h"

#include "unit/suite.h"

static struct own_stack *own;
static struct own_event sample;
static struct peat_symbols *symbols;
static void *expected[UNWIND_FRAMES_MAX];
static size_t expected_count;

static void setup(void)
{
	own = own_stack__new();
	symbols = peat_symbols__new(NULL);
	ck_assert_ptr_nonnull(symbols);
}

static void teardown(void)
{
	peat_symbols__free(symbols);
	if (own)
		own_stack__free(own);
}

#define need_machine()                                                                             \
	do {                                                                                       \
		if (!own)                                                                          \
			skip("stacks of this machine are not unwound");                            \
	} while (0)

/* Not static, so that the compiler makes no copy of another name. */
int unwound_take(void);
int unwound_middle(int depth);

__attribute__((noinline)) int unwound_take(void)
{
	OWN_STACK_TAKE(own);
	expected_count =
		own_stack__backtrace(expected, UNWIND_FRAMES_MAX, __builtin_return_address(0));
	own_event__make(&sample, own);
	return (int)expected_count;
}

__attribute__((noinline)) int unwound_middle(int depth)
{
	int more = depth ? unwound_middle(depth - 1) : unwound_take();

	__asm__ volatile("" ::: "memory");
	return more + depth;
}

static void handle(int number)
{
	unwound_middle(number ? 2 : 3);
	__asm__ volatile("" ::: "memory"); /* no tail call */
}

static const struct peat_stack_frame *name(size_t count)
{
	const struct peat_stack_frame *frames;

	ck_assert_int_eq(peat_symbols__stack(symbols, &sample.event, &frames), (int)count);
	for (size_t i = 1; i < count; i++) {
		ck_assert_uint_eq(frames[i].address, (uint64_t)(uintptr_t)expected[i]);
		ck_assert_int_eq(frames[i].space, PEAT_SPACE_USER);
	}
	return frames;
}

START_TEST(test_unwound_frames_are_named)
{
	const struct peat_stack_frame *frames;

	need_machine();
	unwound_middle(2);
	frames = name(expected_count);
	ck_assert_str_eq(frames[0].symbol, "unwound_take");
	for (int i = 1; i <= 3; i++)
		ck_assert_str_eq(frames[i].symbol, "unwound_middle");
	ck_assert_str_eq(frames[4].symbol, "test_unwound_frames_are_named_fn");
}
END_TEST

/* The kernel's frame and the interrupted function are named by their own addresses. */
START_TEST(test_signal_frame_is_named)
{
	const struct sigaction action = { .sa_handler = handle };
	const struct peat_stack_frame *frames;
	size_t at = 0;

	need_machine();
	ck_assert_int_eq(sigaction(SIGUSR1, &action, NULL), 0);
	/* Not raise(), which may be interrupted in a local function of a stripped libc. */
	ck_assert_int_eq(syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), SIGUSR1), 0);
	frames = name(expected_count);
	while (at < expected_count && !(frames[at].symbol && !strcmp(frames[at].symbol, "handle")))
		at++;
	ck_assert_uint_lt(at + 2, expected_count);
	/* The trampoline has no symbol, or its own, at its start. */
	ck_assert(!frames[at + 1].symbol || frames[at + 1].offset == 0);
	ck_assert_pstr_eq(frames[at + 2].symbol, "syscall");
}
END_TEST

/* Addresses by frame pointers give way, if they are fewer. */
START_TEST(test_longer_wins)
{
	struct peat_words *chain = &sample.record.sample.callchain;
	const struct peat_stack_frame *frames;

	need_machine();
	unwound_middle(2);
	sample.record.has |= PEAT_SAMPLE_CALLCHAIN;
	sample.record.misc = PEAT_MISC_USER;
	sample.chain[0] = PEAT_CONTEXT_USER;
	sample.chain[1] = own->regs.pc;
	*chain = (struct peat_words){ sample.chain, 2, false };
	name(expected_count);
	sample.record.sample.stack_user_dyn_bytes = 8;
	for (int i = 2; i < 8; i++)
		sample.chain[i] = own->regs.pc;
	chain->count = 8;
	ck_assert_int_eq(peat_symbols__stack(symbols, &sample.event, &frames), 7);
	ck_assert_str_eq(frames[6].symbol, "unwound_take");
}
END_TEST

/* Registers without a stack, and of a 32-bit task, are no stack. */
START_TEST(test_incomplete_sample_has_no_stack)
{
	const struct peat_stack_frame *frames;

	need_machine();
	unwound_take();
	sample.record.sample.regs_user.abi = PEAT_REGS_ABI_32;
	ck_assert_int_eq(peat_symbols__stack(symbols, &sample.event, &frames), 0);
	sample.record.sample.regs_user.abi = PEAT_REGS_ABI_64;
	sample.record.sample.stack_user_dyn_bytes = 0;
	ck_assert_int_eq(peat_symbols__stack(symbols, &sample.event, &frames), 0);
}
END_TEST

/* A pid that is not there: addresses without names, as far as frame pointers lead. */
START_TEST(test_unknown_process)
{
	const struct peat_stack_frame *frames;

	need_machine();
	unwound_take();
	sample.event.pid = PEAT_NO_TASK;
	ck_assert_int_ge(peat_symbols__stack(symbols, &sample.event, &frames), 1);
	ck_assert_ptr_null(frames[0].symbol);
}
END_TEST

SUITE(60)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_unwound_frames_are_named);
	tcase_add_test(tests, test_signal_frame_is_named);
	tcase_add_test(tests, test_longer_wins);
	tcase_add_test(tests, test_incomplete_sample_has_no_stack);
	tcase_add_test(tests, test_unknown_process);
}
