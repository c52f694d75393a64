// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* print/sample_fields.c: prints the PERF_SAMPLE_* fields of an event. */
#include <stdio.h>
#include <string.h>

#include "record/data_src.h"
#include "base/emit.h"
#include "event/deferred.h"
#include "event/recorded.h"
#include "field/fields.h"
#include "record/regs.h"
#include "print/sample_fields.h"

#define PRINTED_ELSEWHERE (PEAT_SAMPLE_TID | PEAT_SAMPLE_TIME | PEAT_SAMPLE_CPU | PEAT_SAMPLE_RAW)

#define NAME_BYTES 32

struct sample_printer {
	struct emit emit;
	const struct peat_event *event;
	const struct peat_record *record;
	const struct peat_sample *sample;
	const char *arch;
	bool brief; /* text for people: without ids */
	struct address_names names;
	char name[NAME_BYTES];
};

/* ---- names and numbers ----------------------------------------------------------------------- */

/* Member names of a JSON object are unique: fields of the event have priority over samples. */
static const char *member_name(struct sample_printer *p, const char *name)
{
	if (!fields__find(p->event->schema, name))
		return name;
	snprintf(p->name, sizeof(p->name), "sample_%s", name);
	return p->name;
}

/* Ignores byte order and word size. */
static bool is_recorded_arch(const struct sample_printer *p, const char *arch)
{
	return reg_names__of(p->arch) == reg_names__of(arch);
}

static void write_address_hex(struct strbuf *out, const struct emit_value *value)
{
	strbuf__hex(out, value->number);
}

/* A string in JSON, since many JSON readers lose digits of large numbers. */
static void print_hex(struct emit *emit, const char *name, uint64_t number)
{
	struct emit_value value = { .kind = EMIT_WRITTEN,
				    .number = number,
				    .write = write_address_hex };

	emit__value(emit, name, &value);
}

static void write_address(struct strbuf *out, const struct emit_value *value)
{
	const struct sample_printer *p = value->bytes;

	frames__append_address(out, p->event, &p->names, frames__space(p->record, value->number),
			       value->number);
}

static void write_json_address(struct strbuf *out, const struct emit_value *value)
{
	const struct sample_printer *p = value->bytes;

	frames__append_json_address(out, p->event, &p->names,
				    frames__space(p->record, value->number), value->number);
}

/* JSON has the address always, and beside it the name; text has one of them. */
static void print_address(struct sample_printer *p, const char *name, uint64_t address)
{
	struct emit_value value = { .kind = EMIT_AS_IS, .number = address, .bytes = p };

	value.write = p->brief ? write_address : write_json_address;
	emit__value(&p->emit, name, &value);
}

static void print_ip(struct sample_printer *p)
{
	print_address(p, member_name(p, "ip"), p->sample->ip);
}

static void print_addr(struct sample_printer *p)
{
	print_address(p, member_name(p, "addr"), p->sample->addr);
}

/* Ids of live events are made up by the reader and have no meaning outside of it. */
static void print_sample_id(struct sample_printer *p)
{
	if (!p->brief && p->event->recorded)
		emit__unsigned(&p->emit, member_name(p, "id"), p->record->id);
}

static void print_stream_id(struct sample_printer *p)
{
	if (!p->brief && p->event->recorded)
		emit__unsigned(&p->emit, member_name(p, "stream_id"), p->record->stream_id);
}

static void print_period(struct sample_printer *p)
{
	if (!p->brief || p->sample->period != 1)
		emit__unsigned(&p->emit, member_name(p, "period"), p->sample->period);
}

static void print_phys_addr(struct sample_printer *p)
{
	print_hex(&p->emit, member_name(p, "phys_addr"), p->sample->phys_addr);
}

static void print_data_page_size(struct sample_printer *p)
{
	emit__unsigned(&p->emit, member_name(p, "data_page_size"), p->sample->data_page_bytes);
}

static void print_code_page_size(struct sample_printer *p)
{
	emit__unsigned(&p->emit, member_name(p, "code_page_size"), p->sample->code_page_bytes);
}

static void print_cgroup(struct sample_printer *p)
{
	emit__unsigned(&p->emit, member_name(p, "cgroup"), p->sample->cgroup);
}

/* ---- hardware -------------------------------------------------------------------------------- */

static void print_weight(struct sample_printer *p)
{
	emit__unsigned(&p->emit, member_name(p, "weight"), p->sample->weight);
}

/* The meaning of the third weight depends on the architecture; the names are perf's. */
static void print_weight_struct(struct sample_printer *p)
{
	bool x86 = is_recorded_arch(p, "x86_64");
	uint16_t var2, var3;
	uint32_t var1;

	peat_sample__weights(p->sample, &var1, &var2, &var3);
	emit__unsigned(&p->emit, member_name(p, "weight"), var1);
	emit__unsigned(&p->emit, member_name(p, "ins_lat"), var2);
	emit__unsigned(&p->emit, member_name(p, x86 ? "retire_lat" : "p_stage_cyc"), var3);
}

static void print_data_src(struct sample_printer *p)
{
	data_src__emit(&p->emit, member_name(p, "data_src"), p->sample->data_src);
}

/* PERF_TXN_*, as perf report calls them. */
static const struct emit_name transactions[] = {
	{ 1 << 0, "EL" },	 { 1 << 1, "TX" },	 { 1 << 2, "SYNC" },
	{ 1 << 3, "ASYNC" },	 { 1 << 4, "RETRY" },	 { 1 << 5, "CON" },
	{ 1 << 6, "CAP-WRITE" }, { 1 << 7, "CAP-READ" }, { 0, NULL },
};

static void print_transaction(struct sample_printer *p)
{
	struct emit_value flags = { .kind = EMIT_WRITTEN,
				    .number = (uint32_t)p->sample->transaction,
				    .names = transactions,
				    .write = emit__write_flags };
	uint64_t abort_code = p->sample->transaction >> 32;

	emit__begin(&p->emit, member_name(p, "transaction"), false);
	emit__value(&p->emit, "flags", &flags);
	if (abort_code)
		emit__hex(&p->emit, "abort_code", abort_code);
	emit__end(&p->emit, false);
}

/* ---- counters -------------------------------------------------------------------------------- */

/* NULL: no event has the id. */
static const char *counter_name(const struct sample_printer *p, uint64_t id,
				char room[RECORDED_NAME_BYTES])
{
	const struct peat_recorded *recorded = p->event->recorded;

	return recorded ? recorded->names->counter(recorded, id, room) : NULL;
}

static void print_read_value(struct sample_printer *p, uint64_t format,
			     const struct peat_read_value *value)
{
	bool has_id = format & PEAT_READ_ID;
	struct emit *emit = &p->emit;
	char room[RECORDED_NAME_BYTES];
	const char *event = has_id ? counter_name(p, value->id, room) : NULL;

	emit__begin(emit, NULL, false);
	if (event)
		emit__text(emit, "event", event);
	if (has_id && !(event && p->brief))
		emit__unsigned(emit, "id", value->id);
	emit__unsigned(emit, "value", value->value);
	if (format & PEAT_READ_LOST)
		emit__unsigned(emit, "lost", value->lost);
	emit__end(emit, false);
}

static void print_read(struct sample_printer *p)
{
	const struct peat_read *read = &p->sample->read;
	struct emit *emit = &p->emit;

	emit__begin(emit, member_name(p, "read"), false);
	if (read->format & PEAT_READ_TOTAL_TIME_ENABLED)
		emit__unsigned(emit, "time_enabled_ns", read->time_enabled_ns);
	if (read->format & PEAT_READ_TOTAL_TIME_RUNNING)
		emit__unsigned(emit, "time_running_ns", read->time_running_ns);
	emit__begin(emit, "values", true);
	for (uint64_t i = 0; i < read->count; i++) {
		struct peat_read_value value = peat_read__at(read, i);

		print_read_value(p, read->format, &value);
	}
	emit__end(emit, true);
	emit__end(emit, false);
}

/* ---- callchain and branches ------------------------------------------------------------------ */

/*
 * The frames are printed by print/frames.c.  The user part of a deferred callchain is in a
 * CALLCHAIN_DEFERRED with the same cookie; a reader in the order of time has merged it.
 */
static void print_cookie(struct sample_printer *p)
{
	uint64_t cookie;

	if (deferred__find_cookie(&p->sample->callchain, &cookie))
		emit__hex(&p->emit, member_name(p, "callchain_cookie"), cookie);
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

static void print_branch_type(struct sample_printer *p, const struct peat_branch *branch)
{
	bool arm64 = is_recorded_arch(p, "aarch64");

	if (branch->type == EXTENDED)
		emit__named(&p->emit, "type", branch->new_type,
			    arm64 ? extended_types_arm64 : extended_types);
	else if (branch->type)
		emit__named(&p->emit, "type", branch->type, branch_types);
}

static void print_flag(struct emit *emit, const char *name, bool holds)
{
	if (holds)
		emit__bool(emit, name, true);
}

/* A missing flag means that it is false or not supported by the CPU. */
static void print_branch(struct sample_printer *p, const struct peat_branch *branch)
{
	struct emit *emit = &p->emit;

	print_address(p, "from", branch->from);
	print_address(p, "to", branch->to);
	print_flag(emit, "mispred", branch->mispred);
	print_flag(emit, "predicted", branch->predicted);
	print_flag(emit, "in_tx", branch->in_tx);
	print_flag(emit, "abort", branch->abort);
	if (branch->cycles)
		emit__unsigned(emit, "cycles", branch->cycles);
	print_branch_type(p, branch);
	if (branch->spec)
		emit__named(emit, "spec", branch->spec, speculations);
	if (branch->priv)
		emit__named(emit, "priv", branch->priv, privileges);
}

static void print_branches(struct sample_printer *p)
{
	const struct peat_branches *branches = &p->sample->branches;
	struct emit *emit = &p->emit;

	if (branches->hw_idx != UINT64_MAX)
		emit__unsigned(emit, member_name(p, "branch_hw_idx"), branches->hw_idx);
	emit__begin(emit, member_name(p, "branch_stack"), true);
	for (uint64_t i = 0; i < branches->nr; i++) {
		struct peat_branch branch = peat_branches__at(branches, i);

		emit__begin(emit, NULL, false);
		print_branch(p, &branch);
		if (i < branches->counters.count)
			emit__hex(emit, "counters", peat_words__at(&branches->counters, i));
		emit__end(emit, false);
	}
	emit__end(emit, true);
}

/* ---- registers and memory -------------------------------------------------------------------- */

/* `abi` is printed for 32-bit tasks only: all others have 64 bits, or no registers. */
static void print_regs(struct sample_printer *p, const char *name, const char *abi,
		       const struct peat_regs *regs)
{
	const struct reg_names *names = reg_names__of(p->arch);
	struct emit *emit = &p->emit;
	char room[REG_NAME_BYTES];
	uint64_t i = 0;

	if (regs->abi == PEAT_REGS_ABI_32)
		emit__unsigned(emit, member_name(p, abi), 32);
	emit__begin(emit, member_name(p, name), false);
	for (uint32_t reg = 0; reg < 64 && i < regs->values.count; reg++)
		if (regs->mask >> reg & 1)
			print_hex(emit, reg_names__at(names, reg, room),
				  peat_words__at(&regs->values, i++));
	emit__end(emit, false);
}

static void print_regs_user(struct sample_printer *p)
{
	print_regs(p, "regs_user", "regs_user_abi", &p->sample->regs_user);
}

static void print_regs_intr(struct sample_printer *p)
{
	print_regs(p, "regs_intr", "regs_intr_abi", &p->sample->regs_intr);
}

/* The record has room for stack_user_bytes; the kernel filled in dyn_bytes of them. */
static void print_stack_user(struct sample_printer *p)
{
	const struct peat_sample *sample = p->sample;
	uint64_t bytes = sample->stack_user_dyn_bytes;

	if (bytes > sample->stack_user_bytes)
		bytes = sample->stack_user_bytes;
	emit__bytes(&p->emit, member_name(p, "stack_user"), sample->stack_user, bytes);
}

static void print_aux(struct sample_printer *p)
{
	struct emit *emit = &p->emit;

	emit__begin(emit, member_name(p, "aux"), false);
	emit__unsigned(emit, "size", p->sample->aux_bytes);
	emit__bytes(emit, "bytes", p->sample->aux, p->sample->aux_bytes);
	emit__end(emit, false);
}

/* ---- all fields ------------------------------------------------------------------------------ */

/* Long fields are last, so that short ones stay visible on a terminal. */
static const struct {
	uint64_t has; /* PEAT_SAMPLE_*: printed if any of them was sampled */
	void (*print)(struct sample_printer *p);
} fields[] = {
	{ PEAT_SAMPLE_IP, print_ip },
	{ PEAT_SAMPLE_ADDR, print_addr },
	{ PEAT_SAMPLE_ID | PEAT_SAMPLE_IDENTIFIER, print_sample_id },
	{ PEAT_SAMPLE_STREAM_ID, print_stream_id },
	{ PEAT_SAMPLE_PERIOD, print_period },
	{ PEAT_SAMPLE_WEIGHT, print_weight },
	{ PEAT_SAMPLE_WEIGHT_STRUCT, print_weight_struct },
	{ PEAT_SAMPLE_DATA_SRC, print_data_src },
	{ PEAT_SAMPLE_TRANSACTION, print_transaction },
	{ PEAT_SAMPLE_PHYS_ADDR, print_phys_addr },
	{ PEAT_SAMPLE_DATA_PAGE_SIZE, print_data_page_size },
	{ PEAT_SAMPLE_CODE_PAGE_SIZE, print_code_page_size },
	{ PEAT_SAMPLE_READ, print_read },
	{ PEAT_SAMPLE_CALLCHAIN, print_cookie },
	{ PEAT_SAMPLE_CGROUP, print_cgroup },
	{ PEAT_SAMPLE_BRANCH_STACK, print_branches },
	{ PEAT_SAMPLE_REGS_USER, print_regs_user },
	{ PEAT_SAMPLE_REGS_INTR, print_regs_intr },
	{ PEAT_SAMPLE_STACK_USER, print_stack_user },
	{ PEAT_SAMPLE_AUX, print_aux },
};

/* Events that peat recorded had no samples of their own. */
static bool has_sample_fields(const struct peat_event *event)
{
	const struct peat_record *record = event->record;

	if (event->schema && event->schema->hides_sample)
		return false;
	return record && record->type == PEAT_RECORD_SAMPLE && record->has & ~PRINTED_ELSEWHERE;
}

static struct sample_printer new_printer(const struct peat_event *event,
					 const struct address_names *names)
{
	const struct peat_recorded *recorded = event->recorded;

	return (struct sample_printer){
		.event = event,
		.record = event->record,
		.sample = &event->record->sample,
		.arch = recorded ? recorded->arch : reg_names__here,
		.names = *names,
	};
}

/* Registers and memory that the stack was unwound from. */
static uint64_t unwound(const struct sample_printer *p)
{
	const uint64_t both = PEAT_SAMPLE_REGS_USER | PEAT_SAMPLE_STACK_USER;

	return p->names.symbols && (p->record->has & both) == both ? both : 0;
}

static void print_sample_fields(struct sample_printer *p)
{
	uint64_t has = p->record->has & ~unwound(p);

	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++)
		if (has & fields[i].has)
			fields[i].print(p);
}

void sample_fields__text(struct strbuf *out, const struct peat_event *event,
			 const struct address_names *names)
{
	struct sample_printer p;

	if (!has_sample_fields(event))
		return;
	p = new_printer(event, names);
	p.emit = emit__pairs_members(out);
	p.brief = true;
	print_sample_fields(&p);
}

void sample_fields__json(struct strbuf *out, const struct peat_event *event,
			 const struct address_names *names)
{
	struct sample_printer p;

	if (!has_sample_fields(event))
		return;
	p = new_printer(event, names);
	p.emit = emit__json_members(out);
	print_sample_fields(&p);
}
