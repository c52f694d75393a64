// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* record/attr_fields.c: the fields of struct perf_event_attr, and their way in and out. */
#include "base/cursor.h"
#include "record/attr_fields.h"

#define FLAGS_AT 40

/* ---- names of bits, in the order in which perf prints them ----------------------------------- */

#define SAMPLE(field)                                                                              \
	{                                                                                          \
		PEAT_SAMPLE_##field, #field                                                        \
	}
#define READ(field)                                                                                \
	{                                                                                          \
		PEAT_READ_##field, #field                                                          \
	}

static const struct emit_name sample_types[] = {
	SAMPLE(IP),
	SAMPLE(TID),
	SAMPLE(TIME),
	SAMPLE(ADDR),
	SAMPLE(READ),
	SAMPLE(CALLCHAIN),
	SAMPLE(ID),
	SAMPLE(CPU),
	SAMPLE(PERIOD),
	SAMPLE(STREAM_ID),
	SAMPLE(RAW),
	SAMPLE(BRANCH_STACK),
	SAMPLE(REGS_USER),
	SAMPLE(STACK_USER),
	SAMPLE(IDENTIFIER),
	SAMPLE(REGS_INTR),
	SAMPLE(DATA_SRC),
	SAMPLE(WEIGHT),
	SAMPLE(PHYS_ADDR),
	SAMPLE(TRANSACTION),
	SAMPLE(AUX),
	SAMPLE(CGROUP),
	SAMPLE(DATA_PAGE_SIZE),
	SAMPLE(CODE_PAGE_SIZE),
	SAMPLE(WEIGHT_STRUCT),
	{ 0, NULL },
};

static const struct emit_name read_formats[] = {
	READ(TOTAL_TIME_ENABLED),
	READ(TOTAL_TIME_RUNNING),
	READ(ID),
	READ(GROUP),
	READ(LOST),
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

static const char *const flag_names[] = {
	[PERF_ATTR_DISABLED] = "disabled",
	[PERF_ATTR_INHERIT] = "inherit",
	[PERF_ATTR_PINNED] = "pinned",
	[PERF_ATTR_EXCLUSIVE] = "exclusive",
	[PERF_ATTR_EXCLUDE_USER] = "exclude_user",
	[PERF_ATTR_EXCLUDE_KERNEL] = "exclude_kernel",
	[PERF_ATTR_EXCLUDE_HV] = "exclude_hv",
	[PERF_ATTR_EXCLUDE_IDLE] = "exclude_idle",
	[PERF_ATTR_MMAP] = "mmap",
	[PERF_ATTR_COMM] = "comm",
	[PERF_ATTR_FREQ] = "freq",
	[PERF_ATTR_INHERIT_STAT] = "inherit_stat",
	[PERF_ATTR_ENABLE_ON_EXEC] = "enable_on_exec",
	[PERF_ATTR_TASK] = "task",
	[PERF_ATTR_WATERMARK] = "watermark",
	[PERF_ATTR_PRECISE_IP] = "precise_ip",
	[PERF_ATTR_MMAP_DATA] = "mmap_data",
	[PERF_ATTR_SAMPLE_ID_ALL] = "sample_id_all",
	[PERF_ATTR_EXCLUDE_HOST] = "exclude_host",
	[PERF_ATTR_EXCLUDE_GUEST] = "exclude_guest",
	[PERF_ATTR_EXCLUDE_CALLCHAIN_KERNEL] = "exclude_callchain_kernel",
	[PERF_ATTR_EXCLUDE_CALLCHAIN_USER] = "exclude_callchain_user",
	[PERF_ATTR_MMAP2] = "mmap2",
	[PERF_ATTR_COMM_EXEC] = "comm_exec",
	[PERF_ATTR_USE_CLOCKID] = "use_clockid",
	[PERF_ATTR_CONTEXT_SWITCH] = "context_switch",
	[PERF_ATTR_WRITE_BACKWARD] = "write_backward",
	[PERF_ATTR_NAMESPACES] = "namespaces",
	[PERF_ATTR_KSYMBOL] = "ksymbol",
	[PERF_ATTR_BPF_EVENT] = "bpf_event",
	[PERF_ATTR_AUX_OUTPUT] = "aux_output",
	[PERF_ATTR_CGROUP] = "cgroup",
	[PERF_ATTR_TEXT_POKE] = "text_poke",
	[PERF_ATTR_BUILD_ID] = "build_id",
	[PERF_ATTR_INHERIT_THREAD] = "inherit_thread",
	[PERF_ATTR_REMOVE_ON_EXEC] = "remove_on_exec",
	[PERF_ATTR_SIGTRAP] = "sigtrap",
	[PERF_ATTR_DEFER_CALLCHAIN] = "defer_callchain",
	[PERF_ATTR_DEFER_OUTPUT] = "defer_output",
};

const char *attr_fields__flag_name(unsigned flag)
{
	return flag < sizeof(flag_names) / sizeof(*flag_names) ? flag_names[flag] : NULL;
}

/* ---- the table ------------------------------------------------------------------------------- */

/* `where`: the first byte; `to`: the member of struct perf_attr. */
#define FIELD(where, to)                                                                           \
	.at = (where), .bytes = sizeof(((struct perf_attr *)0)->to),                               \
	.member = offsetof(struct perf_attr, to)

const struct attr_field attr_fields[] = {
	{ "type", FIELD(0, type), .always = true },
	{ "size", FIELD(4, bytes), .always = true },
	{ "config", FIELD(8, config), .kind = EMIT_HEX, .always = true },
	{ "sample_period", "sample_freq", PERF_ATTR_FREQ, FIELD(16, period) },
	{ "sample_type", FIELD(24, layout.sample_type), .kind = EMIT_FLAGS, .names = sample_types },
	{ "read_format", FIELD(32, layout.read_format), .kind = EMIT_FLAGS, .names = read_formats },
	{ "flags", FIELD(FLAGS_AT, flags) },
	{ "wakeup_events", "wakeup_watermark", PERF_ATTR_WATERMARK, FIELD(48, wakeup) },
	{ "bp_type", FIELD(52, bp_type) },
	{ "bp_addr", "config1", ATTR_FIELDS_NO_BREAKPOINT, FIELD(56, config1), .kind = EMIT_HEX },
	{ "bp_len", "config2", ATTR_FIELDS_NO_BREAKPOINT, FIELD(64, config2), .kind = EMIT_HEX },
	{ "branch_sample_type", FIELD(72, layout.branch_sample_type), .kind = EMIT_FLAGS,
	  .names = branch_types },
	{ "sample_regs_user", FIELD(80, layout.regs_user), .kind = EMIT_HEX },
	{ "sample_stack_user", FIELD(88, stack_user) },
	{ "clockid", FIELD(92, clockid), .kind = EMIT_SIGNED },
	{ "sample_regs_intr", FIELD(96, layout.regs_intr), .kind = EMIT_HEX },
	{ "aux_watermark", FIELD(104, aux_watermark) },
	{ "sample_max_stack", FIELD(108, max_stack) },
	{ "aux_sample_size", FIELD(112, aux_sample_bytes) },
	{ "aux_action", FIELD(116, aux_action), .kind = EMIT_HEX },
	{ "sig_data", FIELD(120, sig_data) },
	{ "config3", FIELD(128, config3), .kind = EMIT_HEX },
	{ "config4", FIELD(136, config4), .kind = EMIT_HEX },
	{ .name = NULL },
};

/* ---- flags ----------------------------------------------------------------------------------- */

/*
 * A compiler for big-endian machines lays bit-fields out from the top bit, so that neither a plain
 * load nor a byte swap finds them.  `width` bits, declared after `first` other bits, are here:
 */
static unsigned shift_of(bool swapped, unsigned first, unsigned width)
{
	bool big_endian = swapped != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);

	return big_endian ? 64 - first - width : first;
}

static bool is_precise_ip(unsigned flag)
{
	return flag == PERF_ATTR_PRECISE_IP || flag == PERF_ATTR_PRECISE_IP + 1;
}

static void decode_flags(struct perf_attr *attr, uint64_t word, bool swapped)
{
	attr->precise_ip = word >> shift_of(swapped, PERF_ATTR_PRECISE_IP, 2) & 3;
	attr->flags = 0;
	for (unsigned i = 0; i < 64; i++)
		if (!is_precise_ip(i))
			attr->flags |= (word >> shift_of(swapped, i, 1) & 1) << i;
}

static uint64_t encode_flags(const struct perf_attr *attr, bool swapped)
{
	uint64_t word = (attr->precise_ip & 3ULL) << shift_of(swapped, PERF_ATTR_PRECISE_IP, 2);

	for (unsigned i = 0; i < 64; i++)
		if (!is_precise_ip(i))
			word |= (attr->flags >> i & 1) << shift_of(swapped, i, 1);
	return word;
}

/* ---- in and out ------------------------------------------------------------------------------ */

static void copy_number(void *to, const void *from, size_t bytes, bool swapped)
{
	for (size_t i = 0; i < bytes; i++)
		((uint8_t *)to)[i] = ((const uint8_t *)from)[swapped ? bytes - 1 - i : i];
}

void attr_fields__decode(struct perf_attr *attr, const void *bytes, size_t count, bool swapped)
{
	memset(attr, 0, sizeof(*attr));
	for (const struct attr_field *field = attr_fields; field->name; field++)
		if ((size_t)field->at + field->bytes <= count)
			copy_number((uint8_t *)attr + field->member,
				    (const uint8_t *)bytes + field->at, field->bytes, swapped);
	decode_flags(attr, attr->flags, swapped);
	attr->layout.sample_id_all = perf_attr__has(attr, PERF_ATTR_SAMPLE_ID_ALL);
	attr->layout.swapped = swapped;
}

void attr_fields__encode(const struct perf_attr *attr, void *bytes, size_t count, bool swapped)
{
	struct perf_attr encoded = *attr;

	encoded.bytes = (uint32_t)count;
	encoded.flags = encode_flags(attr, swapped);
	memset(bytes, 0, count);
	for (const struct attr_field *field = attr_fields; field->name; field++)
		if ((size_t)field->at + field->bytes <= count)
			copy_number((uint8_t *)bytes + field->at,
				    (const uint8_t *)&encoded + field->member, field->bytes,
				    swapped);
}

uint64_t attr_fields__number(const struct perf_attr *attr, const struct attr_field *field)
{
	const uint8_t *member = (const uint8_t *)attr + field->member;

	if (field->bytes == sizeof(uint16_t))
		return load_u16(member, false);
	if (field->bytes == sizeof(uint64_t))
		return load_u64(member, false);
	return field->kind == EMIT_SIGNED ? (uint64_t)(int32_t)load_u32(member, false)
					  : load_u32(member, false);
}
