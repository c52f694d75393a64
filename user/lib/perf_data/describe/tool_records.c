// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* perf_data/describe/tool_records.c: decodes and emits the records of perf itself, by tables. */
#include <errno.h>

#include "perf_data/describe/attr_text.h"
#include "perf_data/describe/table_decoder.h"
#include "perf_data/describe/tool_records.h"
#include "perf_data/note.h"

#define ATTR_BYTES_LEAST  64 /* of its first version */
#define METADATA_BYTES	  (64 + 256)
#define IDS_BYTES_MAX	  48 /* of the ids at the end of a record */
#define ANY_CPU		  UINT16_MAX
#define ID_ENTRY_BYTES	  32
#define GUEST_ENTRY_BYTES 16
#define CYCLES_BYTES	  18

/* The program's name in BPF_METADATA: of the newest perf, and of the perf before. */
#define PROGRAM_BYTES	  512
#define PROGRAM_BYTES_OLD 256

#define TOO_FEW "there are fewer entries than it says"

struct tool_decoder {
	struct table_decoder dec;
	const struct tool_record *rec;
	struct perf_features *features;
};

/* Members, then a list, then the rest by a function; each may be missing. */
struct layout {
	const struct member *members;
	const struct list *list;
	void (*emit)(struct tool_decoder *tool);
};

#define NAMED(member_kind, member_name, name_list)                                                 \
	{                                                                                          \
		member_kind, .name = member_name, .names = name_list, .name_in_json = true         \
	}

static const struct emit_name auxtrace_kinds[] = {
	{ 0, "unknown" },  { 1, "INTEL_PT" }, { 2, "INTEL_BTS" },
	{ 3, "CS_ETM" },   { 4, "ARM_SPE" },  { 5, "S390_CPUMSF" },
	{ 6, "HISI_PTT" }, { 7, "VPA_DTL" },  { 0, NULL },
};

static const struct emit_name error_kinds[] = { { 1, "ITRACE" }, { 0, NULL } };

static const struct emit_name round_kinds[] = { { 0, "INTERVAL" }, { 1, "FINAL" }, { 0, NULL } };

static const struct emit_name note_kinds[] = { { NOTE_ATTRS, "ATTRS" },
					       { NOTE_LEDGER, "LEDGER" },
					       { NOTE_INTERFACES, "INTERFACES" },
					       { 0, NULL } };

static const struct emit_name update_kinds[] = {
	{ TOOL_UPDATE_UNIT, "UNIT" },
	{ TOOL_UPDATE_SCALE, "SCALE" },
	{ TOOL_UPDATE_NAME, "NAME" },
	{ TOOL_UPDATE_CPUS, "CPUS" },
	{ 0, NULL },
};

static const struct emit_name config_tags[] = {
	{ 0, "aggr_mode" }, { 1, "interval" }, { 2, "scale" }, { 3, "aggr_level" }, { 0, NULL },
};

static void emit_text(struct emit *emit, const char *name, const void *text, size_t bytes)
{
	struct emit_value value = { .kind = EMIT_TEXT, .bytes = text, .count = bytes };

	emit__value(emit, name, &value);
}

static void emit_members(struct tool_decoder *tool, const struct member *members)
{
	table_decoder__members(&tool->dec, &(struct shape){ members, NULL });
}

/* ---- sets of CPUs ---------------------------------------------------------------------------- */

static bool emit_cpu_list(struct table_decoder *dec)
{
	uint16_t count = cursor__u16(&dec->cur), cpu;

	if (!table_decoder__check(dec, dec->too_short))
		return false;
	emit__begin(dec->emit, "cpus", true);
	for (; count; count--) {
		cpu = cursor__u16(&dec->cur);
		if (!table_decoder__check(dec, TOO_FEW))
			break;
		emit__signed(dec->emit, NULL, cpu == ANY_CPU ? -1 : cpu);
	}
	emit__end(dec->emit, true);
	return true;
}

static bool emit_cpu_mask(struct table_decoder *dec)
{
	uint16_t words = cursor__u16(&dec->cur), bytes = cursor__u16(&dec->cur);
	uint64_t word;

	if (!table_decoder__check(dec, dec->too_short))
		return false;
	if (bytes != 4 && bytes != 8)
		return table_decoder__fail(dec,
					   "a mask of CPUs has words of neither 4 nor 8 bytes");
	if (bytes == 8)
		cursor__bytes(&dec->cur, 4); /* was aligned, in a struct that is not */
	emit__begin(dec->emit, "cpus", true);
	for (uint32_t i = 0; i < words; i++) {
		word = bytes == 4 ? cursor__u32(&dec->cur) : cursor__u64(&dec->cur);
		if (!table_decoder__check(dec, TOO_FEW))
			break;
		for (uint32_t bit = 0; bit < 8u * bytes; bit++)
			if (word >> bit & 1)
				emit__signed(dec->emit, NULL, 8u * bytes * i + bit);
	}
	emit__end(dec->emit, true);
	table_decoder__check(dec, dec->too_short);
	return true;
}

static bool emit_cpu_range(struct table_decoder *dec)
{
	const uint8_t *any = cursor__bytes(&dec->cur, 2);
	uint16_t first = cursor__u16(&dec->cur), last = cursor__u16(&dec->cur);

	if (!table_decoder__check(dec, dec->too_short))
		return false;
	if (first > last)
		return table_decoder__fail(dec, "a range of CPUs ends before it begins");
	emit__begin(dec->emit, "cpus", true);
	if (*any)
		emit__signed(dec->emit, NULL, -1);
	for (uint32_t cpu = first; cpu <= last; cpu++)
		emit__signed(dec->emit, NULL, cpu);
	emit__end(dec->emit, true);
	return true;
}

/* False: nothing was emitted. */
static bool emit_cpus(struct table_decoder *dec)
{
	switch (cursor__u16(&dec->cur)) {
	case 0:
		return emit_cpu_list(dec);
	case 1:
		return emit_cpu_mask(dec);
	case 2:
		return emit_cpu_range(dec);
	default:
		return table_decoder__fail(dec, "a set of CPUs in an encoding that is not known");
	}
}

static void emit_cpu_map(struct tool_decoder *tool)
{
	emit_cpus(&tool->dec);
}

/* ---- events ---------------------------------------------------------------------------------- */

/* The attr has its size; the rest is ids. */
static void emit_attr(struct tool_decoder *tool)
{
	const struct tool_record *rec = tool->rec;
	struct emit *emit = tool->dec.emit;
	size_t bytes = rec->bytes;

	if (bytes >= ATTR_BYTES_LEAST)
		bytes = load_u32(rec->body + sizeof(uint32_t), rec->swapped);
	if (bytes < ATTR_BYTES_LEAST)
		bytes = ATTR_BYTES_LEAST;
	if (bytes > rec->bytes)
		bytes = rec->bytes;
	emit__begin(emit, "attr", false);
	attr_text__emit(emit, rec->body, bytes, rec->swapped);
	emit__end(emit, false);
	emit__begin(emit, "ids", true);
	for (; bytes + sizeof(uint64_t) <= rec->bytes; bytes += sizeof(uint64_t))
		emit__unsigned(emit, NULL, load_u64(rec->body + bytes, rec->swapped));
	emit__end(emit, true);
}

static void emit_note(struct emit *emit, const struct note *note)
{
	emit__named(emit, "kind", note->kind, note_kinds);
	if (note->kind == NOTE_ATTRS)
		emit__unsigned(emit, "bytes", note->count);
	else
		emit_text(emit, "text", note->bytes, note->count);
}

static void emit_event_type(struct tool_decoder *tool)
{
	struct note note;

	if (note__read(tool->rec, &note))
		emit_note(tool->dec.emit, &note);
	else
		emit_members(tool, MEMBERS({ MEMBER_U64, .name = "id" },
					   { MEMBER_LAST, .name = "name", .room = 64 }));
}

static void emit_scale(struct tool_decoder *tool, uint64_t bits)
{
	struct emit_value scale = { .kind = EMIT_REAL };

	memcpy(&scale.real, &bits, sizeof(bits));
	emit__value(tool->dec.emit, "scale", &scale);
}

static void emit_event_update(struct tool_decoder *tool)
{
	static const struct member text[] = { { .kind = MEMBER_LAST, .room = SIZE_MAX } };
	struct table_decoder *dec = &tool->dec;
	uint64_t kind = cursor__u64(&dec->cur), id = cursor__u64(&dec->cur), scale = 0;
	struct emit_value value;

	if (kind == TOOL_UPDATE_SCALE)
		scale = cursor__u64(&dec->cur);
	if (!table_decoder__check(dec, dec->too_short))
		return;
	emit__unsigned(dec->emit, "id", id);
	emit__named(dec->emit, "update", kind, update_kinds);
	if (kind == TOOL_UPDATE_SCALE)
		emit_scale(tool, scale);
	if (kind == TOOL_UPDATE_UNIT || kind == TOOL_UPDATE_NAME) {
		value = table_decoder__member(dec, text);
		emit__value(dec->emit, kind == TOOL_UPDATE_UNIT ? "unit" : "name", &value);
	}
	if (kind != TOOL_UPDATE_CPUS)
		return;
	dec->too_short = "the set of CPUs is cut";
	if (!emit_cpus(dec)) {
		emit__begin(dec->emit, "cpus", true);
		emit__end(dec->emit, true);
	}
}

static const struct member id_entry[] = {
	{ MEMBER_U64, .name = "id" },  { MEMBER_U64, .name = "index" },
	{ MEMBER_I64, .name = "cpu" }, { MEMBER_I64, .name = "tid" },
	{ .kind = MEMBER_END },
};

static const struct member guest_entry[] = {
	{ MEMBER_I64, .name = "machine_pid" },
	{ MEMBER_I64, .name = "vcpu" },
	{ .kind = MEMBER_END },
};

/* All entries, then, if there are guests, the second halves of all entries. */
static void emit_id_index(struct tool_decoder *tool)
{
	struct table_decoder *dec = &tool->dec, guests;
	uint64_t count = cursor__u64(&dec->cur), whole;
	bool has_guests;

	if (!table_decoder__check(dec, dec->too_short))
		return;
	whole = cursor__left(&dec->cur) / ID_ENTRY_BYTES;
	whole = whole < count ? whole : count;
	guests = *dec;
	cursor__bytes(&guests.cur, whole * ID_ENTRY_BYTES);
	has_guests = whole == count && cursor__left(&guests.cur) / GUEST_ENTRY_BYTES >= count;
	emit__begin(dec->emit, "entries", true);
	for (uint64_t i = 0; i < whole; i++) {
		emit__begin(dec->emit, NULL, false);
		emit_members(tool, id_entry);
		if (has_guests)
			table_decoder__members(&guests, &(struct shape){ guest_entry, NULL });
		emit__end(dec->emit, false);
	}
	emit__end(dec->emit, true);
	if (whole < count)
		table_decoder__fail(dec, TOO_FEW);
}

/* ---- machines and files ---------------------------------------------------------------------- */

static void emit_build_id(struct tool_decoder *tool)
{
	struct emit *emit = tool->dec.emit;
	struct tool_build_id id;

	if (tool_record__build_id(tool->rec, false, &id)) {
		table_decoder__fail(&tool->dec, tool->dec.too_short);
		return;
	}
	emit__signed(emit, "pid", id.pid);
	emit__bytes(emit, "build_id", id.id, id.id_bytes);
	emit_text(emit, "filename", id.filename, id.filename_bytes);
}

/* Since Linux 5.10. */
static void emit_cycles(struct tool_decoder *tool)
{
	if (cursor__left(&tool->dec.cur) >= CYCLES_BYTES)
		emit_members(tool, MEMBERS({ MEMBER_U64, .name = "time_cycles" },
					   { MEMBER_HEX64, .name = "time_mask" },
					   { MEMBER_BOOL, .name = "cap_user_time_zero" },
					   { MEMBER_BOOL, .name = "cap_user_time_short" }));
}

static void emit_feature(struct tool_decoder *tool)
{
	struct table_decoder *dec = &tool->dec;
	struct tool_feature feature;
	const char *why;

	if (tool_record__feature(tool->rec, &feature)) {
		table_decoder__fail(dec, dec->too_short);
	} else if (feature.end) {
		emit__unsigned(dec->emit, "id", feature.id);
		emit__bool(dec->emit, "end", true);
	} else if (features__emit_members(tool->features, feature.id, feature.data, feature.bytes,
					  dec->emit, &why)) {
		table_decoder__fail(dec, why);
	}
}

/* True if entries follow a name of this length, and only ids follow the entries. */
static bool metadata_fits(const struct tool_record *rec, size_t name_bytes)
{
	size_t rest = rec->bytes - name_bytes - sizeof(uint64_t);
	uint64_t count;

	if (rec->bytes < name_bytes + sizeof(count))
		return false;
	count = load_u64(rec->body + name_bytes, rec->swapped);
	return count && count <= rest / METADATA_BYTES &&
	       rest - count * METADATA_BYTES <= IDS_BYTES_MAX;
}

static const struct list metadata = {
	.name = "entries",
	.shape = { .members = MEMBERS({ MEMBER_TEXT, .name = "key", .room = 64 },
				      { MEMBER_TEXT, .name = "value", .room = 256 }) },
	.wide = true,
};

static void emit_bpf_metadata(struct tool_decoder *tool)
{
	bool old = !metadata_fits(tool->rec, PROGRAM_BYTES) &&
		   metadata_fits(tool->rec, PROGRAM_BYTES_OLD);
	size_t name_bytes = old ? PROGRAM_BYTES_OLD : PROGRAM_BYTES;
	const char *name = cursor__bytes(&tool->dec.cur, name_bytes);

	if (!name || cursor__left(&tool->dec.cur) < sizeof(uint64_t)) {
		table_decoder__fail(&tool->dec, tool->dec.too_short);
		return;
	}
	emit_text(tool->dec.emit, "program", name, strnlen(name, name_bytes));
	table_decoder__list(&tool->dec, &metadata);
}

/* ---- data ------------------------------------------------------------------------------------ */

static void emit_private(struct tool_decoder *tool)
{
	struct table_decoder *dec = &tool->dec;

	emit__begin(dec->emit, "private", true);
	while (cursor__left(&dec->cur) >= sizeof(uint64_t))
		emit__hex(dec->emit, NULL, cursor__u64(&dec->cur));
	emit__end(dec->emit, true);
}

static const struct member error_time = { .kind = MEMBER_U64 };

static const struct member error_message[] = {
	{ MEMBER_LAST, .name = "message", .room = 64 },
	{ .kind = MEMBER_END },
};

static const struct member error_head[] = {
	NAMED(MEMBER_U32, "kind", error_kinds),
	{ MEMBER_U32, .name = "code" },
	{ MEMBER_I32, .name = "cpu" },
	{ MEMBER_I32, .name = "pid" },
	{ MEMBER_I32, .name = "tid" },
	{ MEMBER_SKIPPED, .name = "format" }, /* 0: no time; 2: of a guest */
	{ MEMBER_HEX64, .name = "ip" },
	{ .kind = MEMBER_END },
};

/* The message may be shorter than its room; then nothing follows it. */
static void emit_auxtrace_error(struct tool_decoder *tool)
{
	struct emit_value head[TABLE_DECODER_MEMBERS_MAX], time = { 0 };
	struct table_decoder *dec = &tool->dec;
	bool has_guest;

	if (!table_decoder__read(dec, error_head, head))
		return;
	if (head[5].number)
		time = table_decoder__member(dec, &error_time);
	if (!table_decoder__check(dec, dec->too_short))
		return;
	table_decoder__emit(dec, error_head, head);
	if (head[5].number)
		emit__value(dec->emit, "time_ns", &time);
	emit_members(tool, error_message);
	if (head[5].number < 2)
		return;
	has_guest = cursor__left(&dec->cur) >= 2 * sizeof(uint32_t);
	emit__unsigned(dec->emit, "machine_pid", has_guest ? cursor__u32(&dec->cur) : 0);
	emit__unsigned(dec->emit, "vcpu", has_guest ? cursor__u32(&dec->cur) : 0);
}

static void emit_compressed(struct tool_decoder *tool)
{
	emit__unsigned(tool->dec.emit, "bytes", tool->rec->bytes);
}

static void emit_compressed2(struct tool_decoder *tool)
{
	struct table_decoder *dec = &tool->dec;
	uint64_t bytes = cursor__u64(&dec->cur), left = cursor__left(&dec->cur);

	if (!table_decoder__check(dec, dec->too_short))
		return;
	emit__unsigned(dec->emit, "bytes", bytes < left ? bytes : left);
	if (bytes > left)
		table_decoder__fail(dec, TOO_FEW);
}

/* ---- the scheduler's counters: see Documentation/scheduler/sched-stats.rst in Linux -----------
 */

#define CPU_SMALL 6 /* u32; the others are u64 */

static const char *const cpu_counters[] = {
	"yld_count",  "array_exp",   "sched_count", "sched_goidle", "ttwu_count",
	"ttwu_local", "rq_cpu_time", "run_delay",   "pcount",	    NULL,
};

/* Once for each of three states of a CPU. */
static const char *const balance_counters[] = {
	"lb_count",	 "lb_balanced", "lb_failed",  "lb_imbalance", "lb_gained",
	"lb_hot_gained", "lb_nobusyq",	"lb_nobusyg", NULL,
};

static const char *const balance_counters_17[] = {
	"lb_count",	     "lb_balanced",	  "lb_failed",		 "lb_imbalance_load",
	"lb_imbalance_util", "lb_imbalance_task", "lb_imbalance_misfit", "lb_gained",
	"lb_hot_gained",     "lb_nobusyq",	  "lb_nobusyg",		 NULL,
};

static const char *const domain_counters[] = {
	"alb_count",	    "alb_failed",	 "alb_pushed",	 "sbe_count",  "sbe_balanced",
	"sbe_pushed",	    "sbf_count",	 "sbf_balanced", "sbf_pushed", "ttwu_wake_remote",
	"ttwu_move_affine", "ttwu_move_balance", NULL,
};

/* Emits the counters that are there, named like "idle_lb_count". */
static void emit_counters(struct emit *emit, struct cursor *cur, const char *state,
			  const char *const *names, size_t small)
{
	char name[64];

	for (size_t i = 0; names[i]; i++) {
		uint64_t number = i < small ? cursor__u32(cur) : cursor__u64(cur);

		if (cur->bad)
			return;
		stpcpy(stpcpy(name, state), names[i]); /* both are of this file */
		emit__unsigned(emit, name, number);
	}
}

/* Version 15 began with the idle ones, later ones begin with the busy ones. */
static void emit_domain(struct emit *emit, struct cursor *cur, uint16_t version)
{
	const char *const *names = version < 17 ? balance_counters : balance_counters_17;
	bool idle_first = version == 15;

	emit_counters(emit, cur, idle_first ? "idle_" : "busy_", names, SIZE_MAX);
	emit_counters(emit, cur, idle_first ? "busy_" : "idle_", names, SIZE_MAX);
	emit_counters(emit, cur, "newidle_", names, SIZE_MAX);
	emit_counters(emit, cur, "", domain_counters, SIZE_MAX);
}

static void emit_schedstat(struct tool_decoder *tool)
{
	bool is_domain = tool->rec->type == TOOL_SCHEDSTAT_DOMAIN;
	struct table_decoder *dec = &tool->dec;
	uint64_t timestamp = cursor__u64(&dec->cur);
	uint32_t cpu = cursor__u32(&dec->cur);
	uint16_t version = cursor__u16(&dec->cur), domain = cursor__u16(&dec->cur);
	struct cursor counters = dec->cur;

	if (!table_decoder__check(dec, dec->too_short))
		return;
	emit__unsigned(dec->emit, "timestamp", timestamp);
	emit__unsigned(dec->emit, "cpu", cpu);
	emit__unsigned(dec->emit, "version", version);
	if (is_domain)
		emit__unsigned(dec->emit, "domain", domain);
	if (version < 15 || version > 17)
		emit__unsigned(dec->emit, "bytes", cursor__left(&counters));
	else if (is_domain)
		emit_domain(dec->emit, &counters, version);
	else
		emit_counters(dec->emit, &counters, "", cpu_counters, CPU_SMALL);
}

/* ---- the table ------------------------------------------------------------------------------- */

static const struct list threads = {
	.name = "threads",
	.shape = { .members = MEMBERS({ MEMBER_I64, .name = "pid" }, /* in fact a tid; -1: any */
				      { MEMBER_TEXT, .name = "comm", .room = 16 }) },
	.wide = true,
};

static const struct list config = {
	.name = "config",
	.shape = { .members = MEMBERS(NAMED(MEMBER_U64, "tag", config_tags),
				      { MEMBER_U64, .name = "value" }) },
	.wide = true,
};

#define LAYOUT(type) [TOOL_##type - TOOL_HEADER_ATTR]

static const struct layout layouts[] = {
	LAYOUT(HEADER_ATTR) = { .emit = emit_attr },
	LAYOUT(EVENT_TYPE) = { .emit = emit_event_type },
	LAYOUT(TRACING_DATA) = { .members = MEMBERS({ MEMBER_U32, .name = "bytes" }) },
	LAYOUT(BUILD_ID) = { .emit = emit_build_id },
	LAYOUT(FINISHED_ROUND) = { 0 },
	LAYOUT(ID_INDEX) = { .emit = emit_id_index },
	LAYOUT(AUXTRACE_INFO) = { .members = MEMBERS(NAMED(MEMBER_U32, "kind", auxtrace_kinds),
						     { .kind = MEMBER_SKIPPED }),
				  .emit = emit_private },
	LAYOUT(AUXTRACE) = { .members = MEMBERS({ MEMBER_U64, .name = "bytes" },
						{ MEMBER_U64, .name = "offset" },
						{ MEMBER_HEX64, .name = "reference" },
						{ MEMBER_U32, .name = "index" },
						{ MEMBER_I32, .name = "tid" },
						{ MEMBER_I32, .name = "cpu" }) },
	LAYOUT(AUXTRACE_ERROR) = { .emit = emit_auxtrace_error },
	LAYOUT(THREAD_MAP) = { .list = &threads },
	LAYOUT(CPU_MAP) = { .emit = emit_cpu_map },
	LAYOUT(STAT_CONFIG) = { .list = &config },
	LAYOUT(STAT) = { .members = MEMBERS(
				 { MEMBER_U64, .name = "id" }, { MEMBER_I32, .name = "cpu" },
				 { MEMBER_U32, .name = "thread" }, { MEMBER_U64, .name = "value" },
				 { MEMBER_U64, .name = "time_enabled_ns" },
				 { MEMBER_U64, .name = "time_running_ns" }) },
	LAYOUT(STAT_ROUND) = { .members = MEMBERS(NAMED(MEMBER_U64, "kind", round_kinds),
						  { MEMBER_U64, .name = "time_ns" }) },
	LAYOUT(EVENT_UPDATE) = { .emit = emit_event_update },
	LAYOUT(TIME_CONV) = { .members = MEMBERS({ MEMBER_U64, .name = "time_shift" },
						 { MEMBER_U64, .name = "time_mult" },
						 { MEMBER_U64, .name = "time_zero" }),
			      .emit = emit_cycles },
	LAYOUT(FEATURE) = { .emit = emit_feature },
	LAYOUT(COMPRESSED) = { .emit = emit_compressed },
	LAYOUT(FINISHED_INIT) = { 0 },
	LAYOUT(COMPRESSED2) = { .emit = emit_compressed2 },
	LAYOUT(BPF_METADATA) = { .emit = emit_bpf_metadata },
	LAYOUT(SCHEDSTAT_CPU) = { .emit = emit_schedstat },
	LAYOUT(SCHEDSTAT_DOMAIN) = { .emit = emit_schedstat },
};

static void emit_layout(struct tool_decoder *tool, const struct layout *layout)
{
	if (layout->members)
		emit_members(tool, layout->members);
	if (layout->list && !tool->dec.why)
		table_decoder__list(&tool->dec, layout->list);
	if (layout->emit && !tool->dec.why)
		layout->emit(tool);
}

int tool_records__emit_members(const struct tool_record *rec, struct perf_features *features,
			       struct emit *emit)
{
	struct tool_decoder tool = { .rec = rec, .features = features };

	table_decoder__init(&tool.dec, rec->body, rec->bytes, rec->swapped, emit);
	tool.dec.too_short = TOOL_RECORD_TOO_SHORT;
	tool.dec.too_few = TOO_FEW;
	if (tool_record__name(rec->type))
		emit_layout(&tool, &layouts[rec->type - TOOL_HEADER_ATTR]);
	else
		emit__unsigned(emit, "bytes", rec->bytes);
	if (!tool.dec.why)
		return 0;
	emit__text(emit, "damaged", tool.dec.why);
	return -EBADMSG;
}

const char *tool_records__name(const struct tool_record *rec)
{
	struct note note;

	return note__read(rec, &note) ? "NOTE" : tool_record__name(rec->type);
}
