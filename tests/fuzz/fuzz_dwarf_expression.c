// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * fuzz_dwarf_expression.c: dwarf_expression__evaluate() on anything.
 *
 * Input: an expression, with a stack and registers that are always the same.  It has to end, with
 * the same result each time.
 */
#include <stdlib.h>

#include "symbols/dwarf/dwarf_expression.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const uint64_t stack[] = { 0x7008, 0x1122334455667788, 3 };
	const struct unwind_memory memory = { (const uint8_t *)stack, 0x7000, sizeof(stack),
					      false };
	const uint64_t first = 0x7000;
	struct unwind_regs regs = { 0 };
	uint64_t results[2];
	bool are_valid[2];

	for (uint8_t reg = 0; reg < UNWIND_REGS; reg += 1 + reg % 3)
		unwind_regs__set(&regs, reg, 0x7000 + reg);
	for (int i = 0; i < 2; i++)
		are_valid[i] =
			dwarf_expression__evaluate(data, size, &regs, &memory, &first, &results[i]);
	if (are_valid[0] != are_valid[1] || (are_valid[0] && results[0] != results[1]))
		abort();
	return 0;
}
