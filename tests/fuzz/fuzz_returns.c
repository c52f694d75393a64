// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * fuzz_returns.c: returns__make_odd(), returns__make_zero() and returns__has_even() on any
 * instructions.
 *
 * The seeds are sections of objects (llvm-objcopy --dump-section=SECTION=FILE).  Only bit 0 of an
 * immediate may change, and a second call changes nothing.  Of exits, only the added one is left.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "object/returns.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_change(const struct bpf_insn *before, struct bpf_insn *after, size_t count)
{
	int changed = returns__make_odd(after, count);

	for (size_t i = 0; i < count; i++) {
		after[i].imm &= ~1 | (before[i].imm & 1);
		if (memcmp(&before[i], &after[i], sizeof(*after)))
			abort();
	}
	if (returns__make_odd(after, count) != changed || returns__make_odd(after, count) > 0)
		abort();
}

static void check_zero(const struct bpf_insn *before, size_t count)
{
	const __u8 exit = BPF_JMP | BPF_EXIT;
	struct bpf_insn *after = malloc((count + RETURNS_ZERO_INSNS) * sizeof(*after));

	if (!after)
		abort();
	memcpy(after, before, count * sizeof(*after));
	if (!returns__make_zero(after, count))
		for (size_t i = 0; i < count; i++)
			if (before[i].code == exit ? i + 1 + (size_t)after[i].off != count
						   : memcmp(&before[i], &after[i], sizeof(*after)))
				abort();
	free(after);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t count = size / sizeof(struct bpf_insn), bytes = count * sizeof(struct bpf_insn);
	struct bpf_insn *before = malloc(bytes), *after = malloc(bytes);

	if (bytes && (!before || !after))
		abort();
	if (bytes) {
		memcpy(before, data, bytes);
		memcpy(after, data, bytes);
		returns__has_even(before, count);
		check_change(before, after, count);
		check_zero(before, count);
	}
	free(before);
	free(after);
	return 0;
}
