// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * walk.c: usage: walk MILLISECONDS [LIBRARY]
 *
 * Uses a CPU for some time in stacks of many shapes: recursion, callbacks from libc, a signal
 * handler, the vdso, calls through the PLT, and a library that dlopen() loads.
 */
#include <dlfcn.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))

volatile uint64_t sink;

static NOINLINE void spin(unsigned turns)
{
	for (unsigned i = 0; i < turns; i++)
		sink += i ^ sink >> 3;
}

/* ---- recursion ------------------------------------------------------------------------------- */

/* The addition keeps the call from being a jump. */
static NOINLINE uint64_t descend(unsigned depth)
{
	spin(20);
	return depth ? descend(depth - 1) + sink : sink;
}

/* An array on the stack whose size is not constant needs a frame register. */
static NOINLINE uint64_t with_array(unsigned count)
{
	volatile char *array = __builtin_alloca(count);

	for (unsigned i = 0; i < count; i++)
		array[i] = (char)i;
	return descend(count % 13) + (uint64_t)array[count / 2];
}

static void recursion(void)
{
	descend(40);
	for (unsigned count = 16; count < 200; count += 16)
		with_array(count);
}

/* ---- callbacks ------------------------------------------------------------------------------- */

static int compare(const void *a, const void *b)
{
	spin(5);
	return *(const int *)a - *(const int *)b;
}

static NOINLINE void callbacks(void)
{
	int numbers[200];

	for (int i = 0; i < 200; i++)
		numbers[i] = i * 7919 % 199;
	qsort(numbers, 200, sizeof(*numbers), compare);
	sink += (uint64_t)numbers[0];
}

/* ---- signals --------------------------------------------------------------------------------- */

static NOINLINE void in_handler(int signal)
{
	spin(1500);
	sink += (uint64_t)signal;
}

static NOINLINE void signals(void)
{
	for (int i = 0; i < 5; i++)
		raise(SIGUSR1);
}

/* ---- vdso, PLT, dlopen() --------------------------------------------------------------------- */

static NOINLINE void clocks(void)
{
	struct timespec now;

	for (int i = 0; i < 500; i++)
		clock_gettime(CLOCK_MONOTONIC, &now);
	sink += (uint64_t)now.tv_nsec;
}

static NOINLINE void library_calls(void)
{
	char text[16];

	for (int i = 0; i < 500; i++) {
		memset(text, 'a' + i % 16, sizeof(text) - 1);
		text[15] = '\0';
		sink += strtoul(text, NULL, 16) + (uint64_t)abs((int)sink);
	}
}

static uint64_t (*branch)(uint64_t (*)(unsigned), unsigned);

static NOINLINE void loaded(void)
{
	if (branch)
		for (unsigned i = 0; i < 10; i++)
			sink += branch(descend, 10 + i);
}

/* ---- names ----------------------------------------------------------------------------------- */

/* Three names of one function: the global one is preferred. */
NOINLINE void walk_global(void)
{
	spin(2000);
	__asm__ volatile("");
}

static __attribute__((alias("walk_global"), used)) void local_name(void);
__attribute__((alias("walk_global"), weak)) void walk_weak(void);

/* The last instruction of walk_ends() is a call, so its return address belongs to the next
 * function. */
static NOINLINE __attribute__((noreturn)) void leave(void)
{
	spin(20000);
	_exit(0);
}

NOINLINE __attribute__((noreturn)) void walk_ends(void)
{
	leave();
}

/* ---------------------------------------------------------------------------------------------- */

static void load(const char *path)
{
	void *library = path ? dlopen(path, RTLD_NOW) : NULL;

	if (library)
		branch = (uint64_t(*)(uint64_t(*)(unsigned), unsigned))dlsym(library, "branch_out");
}

int main(int argc, char **argv)
{
	clock_t end = (argc > 1 ? atoi(argv[1]) : 100) * (clock_t)(CLOCKS_PER_SEC / 1000);

	load(argc > 2 ? argv[2] : NULL);
	signal(SIGUSR1, in_handler);
	while (clock() < end) {
		recursion();
		callbacks();
		signals();
		clocks();
		library_calls();
		loaded();
		walk_global();
	}
	walk_ends();
}
