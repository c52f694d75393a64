// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* branch.c: the library that walk loads. */
#include <stdint.h>

extern volatile uint64_t branch_turns;
volatile uint64_t branch_turns;

__attribute__((noinline)) static uint64_t grow(uint64_t (*call)(unsigned), unsigned depth)
{
	for (unsigned i = 0; i < 100; i++)
		branch_turns += i;
	return call(depth) + branch_turns;
}

uint64_t branch_out(uint64_t (*call)(unsigned), unsigned depth);

uint64_t branch_out(uint64_t (*call)(unsigned), unsigned depth)
{
	return grow(call, depth) + 1;
}
