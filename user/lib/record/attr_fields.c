// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* event_attr.c: a perf_event_attr, member by member. */
#include "record/attr_fields.h"
#include "record/attr.h"

#define TYPE_BREAKPOINT 5
#define FLAGS_AT	40
#define SIZE_AT		4
#define FIRST_VERSION	64 /* bytes */

/* Bits of the flags, by the order of the kernel's bit-fields. */
#define BIT_FREQ      10
#define BIT_WATERMARK 14
#define BIT_PRECISE   15 /* two bits */

struct field {
	uint16_t at;
	uint8_t bytes;
	enum emit_kind kind;
	bool always; /* told even if 0, though not said */
	const char *name;
	const char *label; /* said instead of the name */
	const struct emit_name *names;
};

/* In the order in which perf prints them. */
static const struct emit_name sample_types[] = {
	{ 1 << 0, "IP" },
	{ 1 << 1, "TID" },
	{ 1 << 2, "TIME" },
	{ 1 << 3, "ADDR" },
	{ 1 << 4, "READ" },
	{ 1 << 5, "CALLCHAIN" },
	{ 1 << 6, "ID" },
	{ 1 << 7, "CPU" },
	{ 1 << 8, "PERIOD" },
	{ 1 << 9, "STREAM_ID" },
	{ 1 << 10, "RAW" },
	{ 1 << 11, "BRANCH_STACK" },
	{ 1 << 12, "REGS_USER" },
	{ 1 << 13, "STACK_USER" },
	{ 1 << 16, "IDENTIFIER" },
	{ 1 << 18, "REGS_INTR" },
	{ 1 << 15, "DATA_SRC" },
	{ 1 << 14, "WEIGHT" },
	{ 1 << 19, "PHYS_ADDR" },
	{ 1 << 17, "TRANSACTION" },
	{ 1 << 20, "AUX" },
	{ 1 << 21, "CGROUP" },
	{ 1 << 22, "DATA_PAGE_SIZE" },
	{ 1 << 23, "CODE_PAGE_SIZE" },
	{ 1 << 24, "WEIGHT_STRUCT" },
	{ 0, NULL },
};

static const struct emit_name read_formats[] = {
	{ 1 << 0, "TOTAL_TIME_ENABLED" },
	{ 1 << 1, "TOTAL_TIME_RUNNING" },
	{ 1 << 2, "ID" },
	{ 1 << 3, "GROUP" },
	{ 1 << 4, "LOST" },
	{ 0, NULL },
};

static const struct emit_name branch_types[] = {
	{ 1 << 0, "USER" },	  { 1 << 1, "KERNEL" },	    { 1 << 2, "HV" },
	{ 1 << 3, "ANY" },	  { 1 << 4, "ANY_CALL" },   { 1 << 5, "ANY_RETURN" },
	{ 1 << 6, "IND_CALL" },	  { 1 << 7, "ABORT_TX" },   { 1 << 8, "IN_TX" },
	{ 1 << 9, "NO_TX" },	  { 1 << 10, "COND" },	    { 1 << 11, "CALL_STACK" },
	{ 1 << 12, "IND_JUMP" },  { 1 << 13, "CALL" },	    { 1 << 14, "NO_FLAGS" },
	{ 1 << 15, "NO_CYCLES" }, { 1 << 16, "TYPE_SAVE" }, { 1 << 17, "HW_INDEX" },
	{ 1 << 18, "PRIV_SAVE" }, { 1 << 19, "COUNTERS" },  { 0, NULL },
};

static const char *const bits[] = {
	"disabled",
	"inherit",
	"pinned",
	"exclusive",
	"exclude_user",
	"exclude_kernel",
	"exclude_hv",
	"exclude_idle",
	"mmap",
	"comm",
	"freq",
	"inherit_stat",
	"enable_on_exec",
	"task",
	"watermark",
	"precise_ip",
	NULL,
	"mmap_data",
	"sample_id_all",
	"exclude_host",
	"exclude_guest",
	"exclude_callchain_kernel",
	"exclude_callchain_user",
	"mmap2",
	"comm_exec",
	"use_clockid",
	"context_switch",
	"write_backward",
	"namespaces",
	"ksymbol",
	"bpf_event",
	"aux_output",
	"cgroup",
	"text_poke",
	"build_id",
	"inherit_thread",
	"remove_on_exec",
	"sigtrap",
	"defer_callchain",
	"defer_output",
};

#define BITS_COUNT (sizeof(bits) / sizeof(*bits))

static const struct field before_flags[] = {
	{ .at = 0, .bytes = 4, .name = "type", .always = true },
	{ .at = 4, .bytes = 4, .name = "size", .always = true },
	{ .at = 8, .bytes = 8, .name = "config", .kind = EMIT_HEX, .always = true },
	{ .at = 16,
	  .bytes = 8,
	  .name = "sample_period",
	  .label = "{ sample_period, sample_freq }" },
	{ .at = 24, .bytes = 8, .name = "sample_type", .kind = EMIT_FLAGS, .names = sample_types },
	{ .at = 32, .bytes = 8, .name = "read_format", .kind = EMIT_FLAGS, .names = read_formats },
};

static const struct field after_flags[] = {
	{ .at = 48,
	  .bytes = 4,
	  .name = "wakeup_events",
	  .label = "{ wakeup_events, wakeup_watermark }" },
	{ .at = 52, .bytes = 4, .name = "bp_type" },
	{ .at = 56,
	  .bytes = 8,
	  .name = "config1",
	  .label = "{ bp_addr, config1 }",
	  .kind = EMIT_HEX },
	{ .at = 64,
	  .bytes = 8,
	  .name = "config2",
	  .label = "{ bp_len, config2 }",
	  .kind = EMIT_HEX },
	{ .at = 72,
	  .bytes = 8,
	  .name = "branch_sample_type",
	  .kind = EMIT_FLAGS,
	  .names = branch_types },
	{ .at = 80, .bytes = 8, .name = "sample_regs_user", .kind = EMIT_HEX },
	{ .at = 88, .bytes = 4, .name = "sample_stack_user" },
	{ .at = 92, .bytes = 4, .name = "clockid", .kind = EMIT_SIGNED },
	{ .at = 96, .bytes = 8, .name = "sample_regs_intr", .kind = EMIT_HEX },
	{ .at = 104, .bytes = 4, .name = "aux_watermark" },
	{ .at = 108, .bytes = 2, .name = "sample_max_stack" },
	{ .at = 112, .bytes = 4, .name = "aux_sample_size" },
	{ .at = 116, .bytes = 4, .name = "aux_action", .kind = EMIT_HEX },
	{ .at = 120, .bytes = 8, .name = "sig_data" },
	{ .at = 128, .bytes = 8, .name = "config3", .kind = EMIT_HEX },
	{ .at = 136, .bytes = 8, .name = "config4", .kind = EMIT_HEX },
};

struct attr {
	struct emit *emit;
	const uint8_t *at;
	size_t bytes;
	bool swapped;
	uint64_t flags;
	uint32_t type;
};

static uint64_t load(const struct attr *attr, size_t at, size_t bytes)
{
	if (at + bytes > attr->bytes)
		return 0;
	switch (bytes) {
	case 2:
		return load_u16(attr->at + at, attr->swapped);
	case 4:
		return load_u32(attr->at + at, attr->swapped);
	default:
		return load_u64(attr->at + at, attr->swapped);
	}
}

static uint64_t load_bits(const struct attr *attr, unsigned first, unsigned width)
{
	return perf_attr__bits(attr->flags, attr->swapped, first, width);
}

static void tell(const struct attr *attr, const char *name, const char *label,
		 const struct emit_value *value)
{
	emit__value(attr->emit, name, value);
	if (!value->number)
		return;
	emit__say(attr->emit, ", ");
	emit__say(attr->emit, label ? label : name);
	emit__say(attr->emit, " = ");
	emit__show(attr->emit, value);
}

/* What a union holds. */
static const char *name_of(const struct attr *attr, const struct field *field)
{
	bool breakpoint = attr->type == TYPE_BREAKPOINT;

	switch (field->at) {
	case 16:
		return load_bits(attr, BIT_FREQ, 1) ? "sample_freq" : field->name;
	case 48:
		return load_bits(attr, BIT_WATERMARK, 1) ? "wakeup_watermark" : field->name;
	case 56:
		return breakpoint ? "bp_addr" : field->name;
	case 64:
		return breakpoint ? "bp_len" : field->name;
	default:
		return field->name;
	}
}

static void tell_fields(const struct attr *attr, const struct field *fields, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct field *field = &fields[i];
		struct emit_value value = { .kind = field->kind, .names = field->names };

		value.number = load(attr, field->at, field->bytes);
		if (field->kind == EMIT_SIGNED)
			value.number = (uint64_t)(int32_t)value.number;
		if (value.number || field->always)
			tell(attr, name_of(attr, field), field->label, &value);
	}
}

static void tell_bits(const struct attr *attr)
{
	for (unsigned int i = 0; i < BITS_COUNT; i++) {
		struct emit_value value = { 0 };

		if (!bits[i])
			continue;
		value.number = load_bits(attr, i, i == BIT_PRECISE ? 2 : 1);
		if (value.number)
			tell(attr, bits[i], NULL, &value);
	}
}

void event_attr__tell(struct emit *emit, const void *at, size_t bytes, bool swapped)
{
	struct attr attr = { .emit = emit, .at = at, .bytes = bytes, .swapped = swapped };
	uint64_t size = load(&attr, SIZE_AT, 4);

	/* A writer may leave room behind the attr that it knows. */
	if (size >= FIRST_VERSION && size < bytes)
		attr.bytes = (size_t)size;
	attr.flags = load(&attr, FLAGS_AT, 8);
	attr.type = (uint32_t)load(&attr, 0, 4);
	tell_fields(&attr, before_flags, sizeof(before_flags) / sizeof(*before_flags));
	tell_bits(&attr);
	tell_fields(&attr, after_flags, sizeof(after_flags) / sizeof(*after_flags));
}
