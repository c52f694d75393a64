// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_unwind_stack.c: stacks of this program, beside those of libgcc's unwinder, which backtrace()
 * calls.
 */
#include <alloca.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "unit/symbols/own_stack.h"

#include "unit/suite.h"

#define KEEP_FRAME __asm__ volatile("" ::: "memory")
#define FRAMES	   UNWIND_FRAMES_MAX

static struct own_stack *own;
static struct unwind_frame frames[FRAMES];
static void *expected[FRAMES];
static size_t count, expected_count;

static void setup(void)
{
	own = own_stack__new();
}

static void teardown(void)
{
	if (own)
		own_stack__free(own);
}

#define need_machine()                                                                             \
	do {                                                                                       \
		if (!own)                                                                          \
			skip("stacks of this machine are not unwound");                            \
	} while (0)

/* Both stacks at this place; the innermost frames differ in their address. */
__attribute__((noinline)) static void take(void)
{
	OWN_STACK_TAKE(own);
	expected_count = own_stack__backtrace(expected, FRAMES, __builtin_return_address(0));
	count = own_stack__unwind(own, frames);
}

static void check_same(void)
{
	ck_assert_uint_gt(expected_count, 3);
	for (size_t i = 1; i < count && i < expected_count; i++)
		ck_assert_msg(frames[i].pc == (uint64_t)(uintptr_t)expected[i],
			      "frame %zu: %#lx is not %p", i, (unsigned long)frames[i].pc,
			      expected[i]);
	ck_assert_uint_eq(count, expected_count);
	ck_assert(frames[0].is_exact);
}

/* ---- kinds of frames ------------------------------------------------------------------------- */

__attribute__((noinline)) static int recurse(unsigned depth)
{
	int more = 1;

	if (depth)
		more = recurse(depth - 1) + 1;
	else
		take();
	KEEP_FRAME;
	return more;
}

START_TEST(test_unwinds_recursion)
{
	need_machine();
	recurse(60);
	check_same();
}
END_TEST

/* Frames of any size use a frame pointer as the base of their rules. */
__attribute__((noinline)) static int allocate(unsigned depth)
{
	char *room = alloca(depth * 24 + 1);
	int more;

	memset(room, (int)depth, depth * 24 + 1);
	if (depth)
		more = allocate(depth - 1) + room[depth];
	else
		take();
	KEEP_FRAME;
	return depth ? more : room[0];
}

START_TEST(test_unwinds_alloca)
{
	need_machine();
	allocate(30);
	check_same();
}
END_TEST

static int compare(const void *a, const void *b)
{
	if (!count)
		take();
	return *(const int *)a - *(const int *)b;
}

START_TEST(test_through_libc)
{
	int numbers[] = { 3, 1, 2 };

	need_machine();
	count = 0;
	qsort(numbers, 3, sizeof(*numbers), compare);
	check_same();
}
END_TEST

static void handle(int number)
{
	(void)number;
	take();
}

/* The kernel's frame is exact, and so is the interrupted one, which did not call. */
static void check_signal(void)
{
	size_t exact = 0;

	check_same();
	for (size_t i = 1; i < count; i++)
		exact += frames[i].is_exact;
	ck_assert_uint_eq(exact, 2);
}

START_TEST(test_unwinds_signal)
{
	const struct sigaction action = { .sa_handler = handle };

	need_machine();
	ck_assert_int_eq(sigaction(SIGUSR1, &action, NULL), 0);
	raise(SIGUSR1);
	check_signal();
}
END_TEST

#if defined(__x86_64__)
#define INVALID "ud2"
#elif defined(__aarch64__)
#define INVALID "udf #0"
#else
#define INVALID ".long 0, 0" /* s390x returns after the instruction */
#endif

/* A fault at the first instruction of a function: the address before it is in another function. */
__attribute__((visibility("hidden"))) void fault(void);
__asm__(".text\n.p2align 4\n.globl fault\n.hidden fault\n.type fault, %function\n"
	"fault: .cfi_startproc\n" INVALID "\n.cfi_endproc\n.size fault, .-fault");

static void *interrupted;

static void *fault_pc(const ucontext_t *context)
{
#if defined(__x86_64__)
	return (void *)context->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
	return (void *)context->uc_mcontext.pc;
#elif defined(__s390x__)
	return (void *)context->uc_mcontext.psw.addr;
#else
	(void)context;
	return NULL;
#endif
}

static void handle_fault(int number, siginfo_t *info, void *context)
{
	(void)number;
	(void)info;
	interrupted = fault_pc(context);
	take();
	check_signal();
	for (size_t i = 0; i < count; i++)
		if (frames[i].pc == (uint64_t)(uintptr_t)interrupted)
			_exit(frames[i].is_exact ? 42 : 1);
	_exit(2);
}

START_TEST(test_unwinds_fault)
{
	const struct sigaction action = { .sa_sigaction = handle_fault, .sa_flags = SA_SIGINFO };

	need_machine();
	ck_assert_int_eq(sigaction(SIGILL, &action, NULL), 0);
	fault();
}
END_TEST

__attribute__((noreturn)) static void take_and_exit(void)
{
	take();
	check_same();
	_exit(42);
}

static __attribute__((noreturn)) void (*volatile never_returns)(void) = take_and_exit;

/* The address that is returned to is after the function: its rules are those of the call. */
__attribute__((noinline, noreturn)) static void end_with_call(void)
{
	volatile char room[200];

	room[0] = 1;
	(void)room[0];
	never_returns();
}

START_TEST(test_last_instruction)
{
	if (!own)
		_exit(42); /* stacks of this machine are not unwound */
	end_with_call();
}
END_TEST

static void *run_thread(void *arg)
{
	recurse(3);
	return arg;
}

/* A thread's stack ends where clone() began it. */
START_TEST(test_unwinds_thread)
{
	pthread_t thread;

	need_machine();
	ck_assert_int_eq(pthread_create(&thread, NULL, run_thread, NULL), 0);
	ck_assert_int_eq(pthread_join(thread, NULL), 0);
	check_same();
}
END_TEST

/* ---- limits ---------------------------------------------------------------------------------- */

START_TEST(test_number_of_frames_is_bounded)
{
	need_machine();
	recurse(200);
	ck_assert_uint_eq(count, FRAMES);
	for (size_t i = 0; i < FRAMES; i++)
		ck_assert(!frames[i].is_guess);
	ck_assert_uint_eq(unwind_stack(own->machine, &own->regs, &own->memory, own_stack__find, own,
				       frames, 5),
			  5);
}
END_TEST

/* A shorter copy of the stack gives the first frames, and no other ones. */
START_TEST(test_cut_stack_gives_first_frames)
{
	struct unwind_frame shorter[FRAMES];
	size_t last = 0;

	need_machine();
	allocate(8);
	check_same();
	for (uint64_t bytes = 0; own->memory.bytes - bytes < OWN_STACK_BYTES; bytes++) {
		const struct unwind_memory memory = { own->bytes, own->memory.start, bytes, false };
		size_t found = unwind_stack(own->machine, &own->regs, &memory, own_stack__find, own,
					    shorter, FRAMES);

		ck_assert_uint_ge(found, last);
		ck_assert_uint_le(found, count);
		for (size_t i = 0; i < found; i++)
			ck_assert_uint_eq(shorter[i].pc, frames[i].pc);
		last = found;
		if (found == count)
			break;
	}
	ck_assert_uint_eq(last, count);
}
END_TEST

static bool find_nothing(void *ctx, uint64_t address, struct unwind_code *code)
{
	(void)ctx;
	(void)address;
	(void)code;
	return false;
}

/* Memory that points anywhere ends the stack, or gives wrong frames, but a limited number. */
START_TEST(test_random_memory)
{
	need_machine();
	recurse(5);
	srand(1);
	for (int round = 0; round < 2000; round++) {
		own->bytes[(size_t)rand() % 1024] = (uint8_t)rand();
		ck_assert_uint_ge(own_stack__unwind(own, frames), 1);
	}
	for (uint8_t reg = 0; reg < UNWIND_REGS; reg++)
		own->regs.value[reg] = UINT64_MAX - reg;
	ck_assert_uint_ge(own_stack__unwind(own, frames), 1);
	own->regs.known = 0;
	ck_assert_uint_eq(own_stack__unwind(own, frames), 1);
}
END_TEST

/* Without rules, frame pointers are followed: here on a stack that is made up. */
START_TEST(test_frame_pointers)
{
	const uint64_t start = 0x7000;
	uint64_t stack[] = { 0, start + 32, 0x1111, 0, 0, 0x2222, 0, 0 };
	struct unwind_memory memory = { (const uint8_t *)stack, start, sizeof(stack), false };
	const struct unwind_machine *machine = unwind_machine__of("x86_64");
	struct unwind_regs regs = { .pc = 0x1000 };

	unwind_regs__set(&regs, machine->sp, start);
	unwind_regs__set(&regs, machine->fp, start + 8);
	ck_assert_uint_eq(unwind_stack(machine, &regs, &memory, find_nothing, NULL, frames, FRAMES),
			  3);
	ck_assert_uint_eq(frames[0].pc, 0x1000);
	ck_assert_uint_eq(frames[1].pc, 0x1111);
	ck_assert_uint_eq(frames[2].pc, 0x2222);
	ck_assert(!frames[1].is_exact);
	ck_assert(!frames[0].is_guess && frames[1].is_guess && frames[2].is_guess);
}
END_TEST

FORKED_SUITE(60)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_unwinds_recursion);
	tcase_add_test(tests, test_unwinds_alloca);
	tcase_add_test(tests, test_through_libc);
	tcase_add_test(tests, test_unwinds_signal);
	tcase_add_exit_test(tests, test_unwinds_fault, 42);
	tcase_add_exit_test(tests, test_last_instruction, 42);
	tcase_add_test(tests, test_unwinds_thread);
	tcase_add_test(tests, test_number_of_frames_is_bounded);
	tcase_add_test(tests, test_cut_stack_gives_first_frames);
	tcase_add_test(tests, test_random_memory);
	tcase_add_test(tests, test_frame_pointers);
}
