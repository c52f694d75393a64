/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* own_event.h: a sample of the calling thread, with user registers and a copy of the stack. */
#ifndef TESTS_UNIT_SYMBOLS_OWN_EVENT_H
#define TESTS_UNIT_SYMBOLS_OWN_EVENT_H

#include <string.h>
#include <unistd.h>

#include <peat/reader.h>

#include "own_stack.h"

struct own_event {
	struct peat_event event;
	struct peat_record record;
	uint64_t values[64], chain[8];
};

/* Makes an event of a stack that was taken.  Its parts point into both. */
static inline void own_event__make(struct own_event *made, const struct own_stack *own)
{
	const struct unwind_machine *machine = own->machine;
	struct peat_sample *sample = &made->record.sample;
	uint64_t mask = UINT64_C(1) << machine->perf_pc, count = 0;

	memset(made, 0, sizeof(*made));
	for (unsigned reg = 0; reg < UNWIND_REGS; reg++)
		if (machine->perf[reg] < 64 && own->regs.known >> reg & 1)
			mask |= UINT64_C(1) << machine->perf[reg];
	for (unsigned at = 0; at < 64; at++) {
		for (unsigned reg = 0; reg < UNWIND_REGS; reg++)
			if (machine->perf[reg] == at && own->regs.known >> reg & 1)
				made->values[count] = own->regs.value[reg];
		if (at == machine->perf_pc)
			made->values[count] = own->regs.pc;
		count += mask >> at & 1;
	}
	made->record.type = PEAT_RECORD_SAMPLE;
	made->record.has = PEAT_SAMPLE_REGS_USER | PEAT_SAMPLE_STACK_USER;
	sample->regs_user =
		(struct peat_regs){ PEAT_REGS_ABI_64, mask, { made->values, count, false } };
	sample->stack_user = own->bytes;
	sample->stack_user_bytes = sizeof(own->bytes);
	sample->stack_user_dyn_bytes = own->memory.bytes;
	made->event.kind = PEAT_EVENT_DATA;
	made->event.pid = made->event.tid = (uint32_t)getpid();
	made->event.record = &made->record;
}

#endif /* TESTS_UNIT_SYMBOLS_OWN_EVENT_H */
