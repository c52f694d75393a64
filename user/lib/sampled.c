// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* sampled.c: what the kernel sampled along with a raw event. */
#include "sampled.h"
#include "symbols.h"

/* arch/.../include/uapi/asm/perf_regs.h, by the number of the register. */
#if defined(__x86_64__)
static const char *const names[] = { "ax", "bx",    "cx",  "dx",  "si",	 "di",	"bp",  "sp",
				     "ip", "flags", "cs",  "ss",  NULL,	 NULL,	NULL,  NULL,
				     "r8", "r9",    "r10", "r11", "r12", "r13", "r14", "r15" };
const uint64_t sampled__regs = 0xff0fff;
#elif defined(__aarch64__)
static const char *const names[] = { "x0",  "x1",  "x2",  "x3",	 "x4",	"x5",  "x6",  "x7",  "x8",
				     "x9",  "x10", "x11", "x12", "x13", "x14", "x15", "x16", "x17",
				     "x18", "x19", "x20", "x21", "x22", "x23", "x24", "x25", "x26",
				     "x27", "x28", "x29", "lr",	 "sp",	"pc" };
const uint64_t sampled__regs = 0x1ffffffff;
#elif defined(__s390x__)
static const char *const names[] = {
	"r0", "r1",  "r2",  "r3",  "r4",  "r5",	 "r6",	"r7",	       "r8",
	"r9", "r10", "r11", "r12", "r13", "r14", "r15", [32] = "mask", "pc",
};
const uint64_t sampled__regs = 0x30000ffff;
#else
static const char *const names[] = { NULL };
const uint64_t sampled__regs = 0;
#endif

/* User space's are numbers: whose they are, only its maps tell. */
static void append_address(struct out *out, uint64_t address)
{
	if (address >> 63)
		symbols__append(out, address);
	else
		out__hex(out, address);
}

static void append_chain(struct out *out, const struct peat_words *chain, const char *between,
			 const char *quote)
{
	const char *before = "";

	for (uint64_t i = 0; i < chain->count; i++) {
		uint64_t address = peat_words__at(chain, i);

		if (address >= PEAT_CONTEXT_MAX)
			continue;
		out__text(out, before);
		out__text(out, quote);
		append_address(out, address);
		out__text(out, quote);
		before = between;
	}
}

static void append_name(struct out *out, uint32_t reg)
{
	if (reg < sizeof(names) / sizeof(*names) && names[reg]) {
		out__text(out, names[reg]);
		return;
	}
	out__char(out, 'r');
	out__unsigned(out, reg);
}

/* `between`: what separates them, `start`: what stands before a name, `middle`: behind it. */
static void append_regs(struct out *out, const struct peat_regs *regs, const char *between,
			const char *start, const char *middle, const char *end)
{
	uint64_t i = 0;

	for (uint32_t reg = 0; reg < 64 && i < regs->values.count; reg++) {
		if (!(regs->mask >> reg & 1))
			continue;
		out__text(out, i ? between : "");
		out__text(out, start);
		append_name(out, reg);
		out__text(out, middle);
		out__hex(out, peat_words__at(&regs->values, i++));
		out__text(out, end);
	}
}

/* At most what was dumped, and of that what is there. */
static size_t stack_bytes(const struct peat_sample *sample)
{
	uint64_t bytes = sample->stack_user_dyn_bytes;

	return bytes < sample->stack_user_bytes ? bytes : sample->stack_user_bytes;
}

void sampled__text(struct out *out, const struct peat_record *record)
{
	const struct peat_sample *sample = &record->sample;

	if (record->has & PEAT_SAMPLE_IP) {
		out__text(out, " ip=");
		append_address(out, sample->ip);
	}
	if (record->has & PEAT_SAMPLE_CALLCHAIN) {
		out__text(out, " callchain=[");
		append_chain(out, &sample->callchain, " ", "");
		out__char(out, ']');
	}
	if (record->has & PEAT_SAMPLE_CGROUP) {
		out__text(out, " cgroup=");
		out__unsigned(out, sample->cgroup);
	}
	if (record->has & PEAT_SAMPLE_REGS_USER) {
		out__text(out, " regs_user={");
		append_regs(out, &sample->regs_user, " ", "", "=", "");
		out__char(out, '}');
	}
	if (record->has & PEAT_SAMPLE_STACK_USER) {
		out__text(out, " stack_user=");
		out__hex_bytes(out, sample->stack_user, stack_bytes(sample));
	}
}

void sampled__json(struct out *out, const struct peat_record *record)
{
	const struct peat_sample *sample = &record->sample;

	if (record->has & PEAT_SAMPLE_IP) {
		out__text(out, ",\"ip\":\"");
		append_address(out, sample->ip);
		out__char(out, '"');
	}
	if (record->has & PEAT_SAMPLE_CALLCHAIN) {
		out__text(out, ",\"callchain\":[");
		append_chain(out, &sample->callchain, ",", "\"");
		out__char(out, ']');
	}
	if (record->has & PEAT_SAMPLE_CGROUP) {
		out__text(out, ",\"cgroup\":");
		out__unsigned(out, sample->cgroup);
	}
	if (record->has & PEAT_SAMPLE_REGS_USER) {
		out__text(out, ",\"regs_user\":{");
		append_regs(out, &sample->regs_user, ",", "\"", "\":\"", "\"");
		out__char(out, '}');
	}
	if (record->has & PEAT_SAMPLE_STACK_USER) {
		out__text(out, ",\"stack_user\":\"");
		out__hex_bytes(out, sample->stack_user, stack_bytes(sample));
		out__char(out, '"');
	}
}
