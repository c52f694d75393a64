// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* sampled.c: what was sampled along with an event, told once. */
#include <stdio.h>
#include <string.h>

#include "record/data_src.h"
#include "base/emit.h"
#include "perf_data/event_names.h"
#include "schema/fields.h"
#include "replay/recorded.h"
#include "record/regs.h"
#include "print/sample_fields.h"
#include "sys/kallsyms.h"

/* By the numbers of asm/perf_regs.h. */
#if defined(__x86_64__)
const uint64_t sampled__regs = 0xff0fff;
#elif defined(__aarch64__)
const uint64_t sampled__regs = 0x1ffffffff;
#elif defined(__s390x__)
const uint64_t sampled__regs = 0x30000ffff;
#else
const uint64_t sampled__regs = 0;
#endif

#define TOLD_ELSEWHERE (PEAT_SAMPLE_TID | PEAT_SAMPLE_TIME | PEAT_SAMPLE_CPU | PEAT_SAMPLE_RAW)

#define NAME_BYTES 32

struct told {
	struct emit emit;
	const struct peat_event *event;
	const struct peat_record *record;
	const struct peat_sample *sample;
	const char *arch;
	bool brief;   /* for people */
	bool symbols; /* those of the running kernel are the event's */
	char name[NAME_BYTES];
};

/* ---- names and numbers ----------------------------------------------------------------------- */

/* No two members of an object may have the same name: the event's own fields go first. */
static const char *name_of(struct told *told, const char *name)
{
	const struct peat_schema *schema = told->event->schema;
	uint32_t i = 0;

	while (schema && i < schema->count && strcmp(schema->fields[i].name, name))
		i += schema->fields[i].span;
	if (!schema || i >= schema->count)
		return name;
	snprintf(told->name, sizeof(told->name), "sample_%s", name);
	return told->name;
}

/* Whatever its byte order and width. */
static bool is_arch(const struct told *told, const char *arch)
{
	return reg_names__of(told->arch) == reg_names__of(arch);
}

static void write_symbol(struct out *out, const struct emit_value *value)
{
	symbols__append(out, value->number);
}

static void write_hex(struct out *out, const struct emit_value *value)
{
	out__hex(out, value->number);
}

/* In JSON a string: many readers of numbers lose digits of such large ones. */
static void tell_hex(struct emit *emit, const char *name, uint64_t number)
{
	struct emit_value value = { .kind = EMIT_WRITTEN, .number = number, .write = write_hex };

	emit__value(emit, name, &value);
}

/* User space's, and a guest's, are numbers: whose they are, only their maps tell. */
enum whose { UNTOLD, KERNEL, USER, GUEST };

static enum whose whose_mode(const struct peat_record *record)
{
	switch (record->misc & PEAT_MISC_CPUMODE_MASK) {
	case PEAT_MISC_KERNEL:
		return KERNEL;
	case PEAT_MISC_GUEST_KERNEL:
	case PEAT_MISC_GUEST_USER:
		return GUEST;
	default:
		return UNTOLD;
	}
}

static enum whose whose_context(uint64_t context)
{
	if (context <= PEAT_CONTEXT_GUEST)
		return GUEST; /* the three of guests are the lowest */
	return context == PEAT_CONTEXT_KERNEL ? KERNEL : USER;
}

/* On most machines the upper half is the kernel's; on others, such as s390x, it has to be told. */
static void tell_code(struct told *told, const char *name, uint64_t address, enum whose whose)
{
	bool kernel = whose == KERNEL || (whose != GUEST && address >> 63);
	struct emit_value value = { .kind = EMIT_WRITTEN,
				    .number = address,
				    .write = kernel && told->symbols ? write_symbol : write_hex };

	emit__value(&told->emit, name, &value);
}

static void tell_ip(struct told *told)
{
	tell_code(told, name_of(told, "ip"), told->sample->ip, whose_mode(told->record));
}

static void tell_addr(struct told *told)
{
	tell_hex(&told->emit, name_of(told, "addr"), told->sample->addr);
}

/* Those of live events are of the reader's own making, and mean nothing to anybody else. */
static void tell_id(struct told *told)
{
	if (!told->brief && told->event->recorded)
		emit__unsigned(&told->emit, name_of(told, "id"), told->record->id);
}

static void tell_stream_id(struct told *told)
{
	if (!told->brief && told->event->recorded)
		emit__unsigned(&told->emit, name_of(told, "stream_id"), told->record->stream_id);
}

static void tell_period(struct told *told)
{
	if (!told->brief || told->sample->period != 1)
		emit__unsigned(&told->emit, name_of(told, "period"), told->sample->period);
}

static void tell_phys_addr(struct told *told)
{
	tell_hex(&told->emit, name_of(told, "phys_addr"), told->sample->phys_addr);
}

static void tell_data_page_size(struct told *told)
{
	emit__unsigned(&told->emit, name_of(told, "data_page_size"), told->sample->data_page_bytes);
}

static void tell_code_page_size(struct told *told)
{
	emit__unsigned(&told->emit, name_of(told, "code_page_size"), told->sample->code_page_bytes);
}

static void tell_cgroup(struct told *told)
{
	emit__unsigned(&told->emit, name_of(told, "cgroup"), told->sample->cgroup);
}

/* ---- hardware -------------------------------------------------------------------------------- */

static void tell_weight(struct told *told)
{
	emit__unsigned(&told->emit, name_of(told, "weight"), told->sample->weight);
}

/* What the third is about differs, and perf has a name for each. */
static void tell_weights(struct told *told)
{
	bool x86 = is_arch(told, "x86_64");
	uint16_t var2, var3;
	uint32_t var1;

	peat_sample__weights(told->sample, &var1, &var2, &var3);
	emit__unsigned(&told->emit, name_of(told, "weight"), var1);
	emit__unsigned(&told->emit, name_of(told, "ins_lat"), var2);
	emit__unsigned(&told->emit, name_of(told, x86 ? "retire_lat" : "p_stage_cyc"), var3);
}

static void tell_data_src(struct told *told)
{
	data_src__tell(&told->emit, name_of(told, "data_src"), told->sample->data_src);
}

/* PERF_TXN_*, as perf report calls them. */
static const struct emit_name transactions[] = {
	{ 1 << 0, "EL" },	 { 1 << 1, "TX" },	 { 1 << 2, "SYNC" },
	{ 1 << 3, "ASYNC" },	 { 1 << 4, "RETRY" },	 { 1 << 5, "CON" },
	{ 1 << 6, "CAP-WRITE" }, { 1 << 7, "CAP-READ" }, { 0, NULL },
};

static void tell_transaction(struct told *told)
{
	struct emit_value flags = { .kind = EMIT_WRITTEN,
				    .number = (uint32_t)told->sample->transaction,
				    .names = transactions,
				    .write = emit__write_flags };
	uint64_t abort_code = told->sample->transaction >> 32;

	emit__begin(&told->emit, name_of(told, "transaction"), false);
	emit__value(&told->emit, "flags", &flags);
	if (abort_code)
		emit__hex(&told->emit, "abort_code", abort_code);
	emit__end(&told->emit, false);
}

/* ---- counters -------------------------------------------------------------------------------- */

/* NULL: nobody has the id. */
static const char *event_of(const struct told *told, uint64_t id, char room[EVENT_NAME_BYTES])
{
	const struct peat_recorded *recorded = told->event->recorded;
	const struct perf_attr *attr = NULL;

	if (recorded && recorded->attrs)
		attr = perf_attrs__by_id(recorded->attrs, id);
	return attr ? event_names__of(attr, room) : NULL;
}

static void tell_value(struct told *told, uint64_t format, const struct peat_read_value *value)
{
	bool has_id = format & PEAT_READ_ID;
	struct emit *emit = &told->emit;
	char room[EVENT_NAME_BYTES];
	const char *event = has_id ? event_of(told, value->id, room) : NULL;

	emit__begin(emit, NULL, false);
	if (event)
		emit__text(emit, "event", event);
	if (has_id && !(event && told->brief))
		emit__unsigned(emit, "id", value->id);
	emit__unsigned(emit, "value", value->value);
	if (format & PEAT_READ_LOST)
		emit__unsigned(emit, "lost", value->lost);
	emit__end(emit, false);
}

static void tell_read(struct told *told)
{
	const struct peat_read *read = &told->sample->read;
	struct emit *emit = &told->emit;

	emit__begin(emit, name_of(told, "read"), false);
	if (read->format & PEAT_READ_TOTAL_TIME_ENABLED)
		emit__unsigned(emit, "time_enabled_ns", read->time_enabled_ns);
	if (read->format & PEAT_READ_TOTAL_TIME_RUNNING)
		emit__unsigned(emit, "time_running_ns", read->time_running_ns);
	emit__begin(emit, "values", true);
	for (uint64_t i = 0; i < read->count; i++) {
		struct peat_read_value value = peat_read__at(read, i);

		tell_value(told, read->format, &value);
	}
	emit__end(emit, true);
	emit__end(emit, false);
}

/* ---- where it came from ---------------------------------------------------------------------- */

/* The rest of one that is deferred comes in a CALLCHAIN_DEFERRED, with the same cookie. */
static void tell_callchain(struct told *told)
{
	const struct peat_words *chain = &told->sample->callchain;
	enum whose whose = whose_mode(told->record) == GUEST ? GUEST : UNTOLD;
	bool deferred = false;
	uint64_t cookie = 0;

	emit__begin(&told->emit, name_of(told, "callchain"), true);
	for (uint64_t i = 0; i < chain->count; i++) {
		uint64_t address = peat_words__at(chain, i);

		if (address < PEAT_CONTEXT_MAX) {
			tell_code(told, NULL, address, whose);
			continue;
		}
		whose = whose_context(address);
		if (address != PEAT_CONTEXT_USER_DEFERRED || i + 1 == chain->count)
			continue;
		cookie = peat_words__at(chain, ++i);
		deferred = true;
	}
	emit__end(&told->emit, true);
	if (deferred)
		emit__hex(&told->emit, name_of(told, "callchain_cookie"), cookie);
}

/* PERF_BR_*, as perf script calls them; 0 is unknown. */
#define EXTENDED 15

static const struct emit_name branch_types[] = {
	{ 1, "COND" },	{ 2, "UNCOND" },  { 3, "IND" },	    { 4, "CALL" },	{ 5, "IND_CALL" },
	{ 6, "RET" },	{ 7, "SYSCALL" }, { 8, "SYSRET" },  { 9, "COND_CALL" }, { 10, "COND_RET" },
	{ 11, "ERET" }, { 12, "IRQ" },	  { 13, "SERROR" }, { 14, "NO_TX" },	{ 0, NULL },
};

#define FAULTS                                                                                     \
	{ 0, "FAULT_ALGN" }, { 1, "FAULT_DATA" },                                                  \
	{                                                                                          \
		2, "FAULT_INST"                                                                    \
	}

static const struct emit_name extended_types[] = {
	FAULTS,		 { 3, "ARCH_1" }, { 4, "ARCH_2" }, { 5, "ARCH_3" },
	{ 6, "ARCH_4" }, { 7, "ARCH_5" }, { 0, NULL },
};

static const struct emit_name extended_types_arm64[] = {
	FAULTS,
	{ 3, "ARM64_FIQ" },
	{ 4, "ARM64_DEBUG_HALT" },
	{ 5, "ARM64_DEBUG_EXIT" },
	{ 6, "ARM64_DEBUG_INST" },
	{ 7, "ARM64_DEBUG_DATA" },
	{ 0, NULL },
};

static const struct emit_name speculations[] = {
	{ 1, "SPEC_WRONG_PATH" },
	{ 2, "NON_SPEC_CORRECT_PATH" },
	{ 3, "SPEC_CORRECT_PATH" },
	{ 0, NULL },
};

static const struct emit_name privileges[] = {
	{ 1, "user" },
	{ 2, "kernel" },
	{ 3, "hv" },
	{ 0, NULL },
};

static void tell_branch_type(struct told *told, const struct peat_branch *branch)
{
	bool arm64 = is_arch(told, "aarch64");

	if (branch->type == EXTENDED)
		emit__named(&told->emit, "type", branch->new_type,
			    arm64 ? extended_types_arm64 : extended_types);
	else if (branch->type)
		emit__named(&told->emit, "type", branch->type, branch_types);
}

static void tell_if(struct emit *emit, const char *name, bool holds)
{
	if (holds)
		emit__bool(emit, name, true);
}

/* What is not there says nothing: not supported, or not so. */
static void tell_branch(struct told *told, const struct peat_branch *branch)
{
	enum whose whose = whose_mode(told->record) == GUEST ? GUEST : UNTOLD;
	struct emit *emit = &told->emit;

	tell_code(told, "from", branch->from, whose);
	tell_code(told, "to", branch->to, whose);
	tell_if(emit, "mispred", branch->mispred);
	tell_if(emit, "predicted", branch->predicted);
	tell_if(emit, "in_tx", branch->in_tx);
	tell_if(emit, "abort", branch->abort);
	if (branch->cycles)
		emit__unsigned(emit, "cycles", branch->cycles);
	tell_branch_type(told, branch);
	if (branch->spec)
		emit__named(emit, "spec", branch->spec, speculations);
	if (branch->priv)
		emit__named(emit, "priv", branch->priv, privileges);
}

static void tell_branches(struct told *told)
{
	const struct peat_branches *branches = &told->sample->branches;
	struct emit *emit = &told->emit;

	if (branches->hw_idx != UINT64_MAX)
		emit__unsigned(emit, name_of(told, "branch_hw_idx"), branches->hw_idx);
	emit__begin(emit, name_of(told, "branch_stack"), true);
	for (uint64_t i = 0; i < branches->nr; i++) {
		struct peat_branch branch = peat_branches__at(branches, i);

		emit__begin(emit, NULL, false);
		tell_branch(told, &branch);
		if (i < branches->counters.count)
			emit__hex(emit, "counters", peat_words__at(&branches->counters, i));
		emit__end(emit, false);
	}
	emit__end(emit, true);
}

/* ---- registers and memory -------------------------------------------------------------------- */

/* Of a task of 32 bits it is said; what else there is has 64, or no values. */
static void tell_regs(struct told *told, const char *name, const char *abi,
		      const struct peat_regs *regs)
{
	const struct reg_names *names = reg_names__of(told->arch);
	struct emit *emit = &told->emit;
	char room[REG_NAME_BYTES];
	uint64_t i = 0;

	if (regs->abi == PEAT_REGS_ABI_32)
		emit__unsigned(emit, name_of(told, abi), 32);
	emit__begin(emit, name_of(told, name), false);
	for (uint32_t reg = 0; reg < 64 && i < regs->values.count; reg++)
		if (regs->mask >> reg & 1)
			tell_hex(emit, reg_names__at(names, reg, room),
				 peat_words__at(&regs->values, i++));
	emit__end(emit, false);
}

static void tell_regs_user(struct told *told)
{
	tell_regs(told, "regs_user", "regs_user_abi", &told->sample->regs_user);
}

static void tell_regs_intr(struct told *told)
{
	tell_regs(told, "regs_intr", "regs_intr_abi", &told->sample->regs_intr);
}

/* At most what was dumped, and of that what is there. */
static void tell_stack_user(struct told *told)
{
	const struct peat_sample *sample = told->sample;
	uint64_t bytes = sample->stack_user_dyn_bytes;

	if (bytes > sample->stack_user_bytes)
		bytes = sample->stack_user_bytes;
	emit__bytes(&told->emit, name_of(told, "stack_user"), sample->stack_user, bytes);
}

static void tell_aux(struct told *told)
{
	struct emit *emit = &told->emit;

	emit__begin(emit, name_of(told, "aux"), false);
	emit__unsigned(emit, "size", told->sample->aux_bytes);
	emit__bytes(emit, "bytes", told->sample->aux, told->sample->aux_bytes);
	emit__end(emit, false);
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* What is long comes last, so that what is short is seen. */
static const struct {
	uint64_t has; /* any of them */
	void (*tell)(struct told *told);
} fields[] = {
	{ PEAT_SAMPLE_IP, tell_ip },
	{ PEAT_SAMPLE_ADDR, tell_addr },
	{ PEAT_SAMPLE_ID | PEAT_SAMPLE_IDENTIFIER, tell_id },
	{ PEAT_SAMPLE_STREAM_ID, tell_stream_id },
	{ PEAT_SAMPLE_PERIOD, tell_period },
	{ PEAT_SAMPLE_WEIGHT, tell_weight },
	{ PEAT_SAMPLE_WEIGHT_STRUCT, tell_weights },
	{ PEAT_SAMPLE_DATA_SRC, tell_data_src },
	{ PEAT_SAMPLE_TRANSACTION, tell_transaction },
	{ PEAT_SAMPLE_PHYS_ADDR, tell_phys_addr },
	{ PEAT_SAMPLE_DATA_PAGE_SIZE, tell_data_page_size },
	{ PEAT_SAMPLE_CODE_PAGE_SIZE, tell_code_page_size },
	{ PEAT_SAMPLE_READ, tell_read },
	{ PEAT_SAMPLE_CALLCHAIN, tell_callchain },
	{ PEAT_SAMPLE_CGROUP, tell_cgroup },
	{ PEAT_SAMPLE_BRANCH_STACK, tell_branches },
	{ PEAT_SAMPLE_REGS_USER, tell_regs_user },
	{ PEAT_SAMPLE_REGS_INTR, tell_regs_intr },
	{ PEAT_SAMPLE_STACK_USER, tell_stack_user },
	{ PEAT_SAMPLE_AUX, tell_aux },
};

static bool has_any(const struct peat_record *record)
{
	return record && record->type == PEAT_RECORD_SAMPLE && record->has & ~TOLD_ELSEWHERE;
}

static void tell(struct emit emit, const struct peat_event *event, bool brief)
{
	const struct peat_recorded *recorded = event->recorded;
	const struct peat_record *record = event->record;
	struct told told = {
		.emit = emit,
		.event = event,
		.record = record,
		.sample = &record->sample,
		.arch = recorded ? recorded->arch : reg_names__here,
		.brief = brief,
		.symbols = !recorded || recorded->same_kernel,
	};

	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++)
		if (record->has & fields[i].has)
			fields[i].tell(&told);
}

void sampled__text(struct out *out, const struct peat_event *event)
{
	if (has_any(event->record))
		tell(emit__pairs_members(out), event, true);
}

void sampled__json(struct out *out, const struct peat_event *event)
{
	if (has_any(event->record))
		tell(emit__json_members(out), event, false);
}
