// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* perf_data/describe/features.c: decodes and emits the header features of a perf.data. */
#include <errno.h>

#include "perf_data/describe/feature_parts.h"
#include "perf_data/describe/features.h"
#include "perf_data/tool_record.h"

/* Members, then a list; or a function, if a table is not enough; or none: its size is emitted. */
struct layout {
	const char *name;
	struct shape shape; /* members NULL: none */
	const struct list *list;
	void (*emit)(struct table_decoder *dec, const struct perf_features *features);
};

#define STRING_FEATURE(id, member_name, said)                                                      \
	[FEATURE_##id] = {                                                                         \
		#id,                                                                               \
		.shape = { MEMBERS({ MEMBER_STRING, .name = member_name }), "# " said " : $0\n" }, \
	}

/* ---- features that need a function ----------------------------------------------------------- */

static void emit_build_id(struct table_decoder *dec, const struct tool_build_id *id)
{
	struct emit_value values[] = {
		{ .kind = EMIT_BYTES, .bytes = id->id, .count = id->id_bytes },
		{ .kind = EMIT_TEXT, .bytes = id->filename, .count = id->filename_bytes },
	};

	emit__begin(dec->emit, NULL, false);
	emit__signed(dec->emit, "pid", id->pid);
	emit__value(dec->emit, "build_id", &values[0]);
	emit__value(dec->emit, "filename", &values[1]);
	emit__end(dec->emit, false);
	emit__print_filled(dec->emit, "# build id : $0 $1\n", values);
}

static bool read_build_id(struct table_decoder *dec, bool old)
{
	struct tool_build_id id;
	const char *why = tool_record__next_build_id(&dec->cur, old, &id);

	if (why)
		return table_decoder__fail(dec, why);
	emit_build_id(dec, &id);
	return true;
}

static void emit_build_ids(struct table_decoder *dec, const struct perf_features *features)
{
	bool old = tool_record__build_ids_are_old(&dec->cur);

	(void)features;
	emit__begin(dec->emit, "build_ids", true);
	while (cursor__left(&dec->cur) && read_build_id(dec, old))
		;
	emit__end(dec->emit, true);
}

static void emit_tracing_data(struct table_decoder *dec, const struct perf_features *features)
{
	struct emit_value bytes = { .number = cursor__left(&dec->cur) };

	(void)features;
	emit__value(dec->emit, "bytes", &bytes);
	emit__print_filled(dec->emit, "# tracing data : $0 bytes\n", &bytes);
}

static const struct member sample_time[] = {
	{ MEMBER_SECONDS, .name = "first_ns" },
	{ MEMBER_SECONDS, .name = "last_ns" },
	{ .kind = MEMBER_END },
};

static void emit_sample_time(struct table_decoder *dec, const struct perf_features *features)
{
	struct emit_value values[3] = { { 0 } };

	(void)features;
	if (!table_decoder__read(dec, sample_time, values))
		return;
	table_decoder__emit(dec, sample_time, values);
	values[2].kind = EMIT_MILLISECONDS;
	values[2].number = values[1].number - values[0].number;
	values[2].width = 10;
	emit__print_filled(dec->emit,
			   "# time of first sample : $0\n# time of last sample : $1\n"
			   "# sample duration : $2 ms\n",
			   values);
}

/* Like perf, prints 1000 times the resolution as MHz, though it is no frequency. */
static void emit_clockid(struct table_decoder *dec, const struct perf_features *features)
{
	struct emit_value resolution = { .number = cursor__u64(&dec->cur) };

	(void)features;
	if (!table_decoder__check(dec, "it ends early"))
		return;
	emit__value(dec->emit, "resolution_ns", &resolution);
	resolution.number *= 1000;
	emit__print_filled(dec->emit, "# clockid frequency: $0 MHz\n", &resolution);
}

static const struct emit_name clocks[] = {
	{ 0, "realtime" },
	{ 1, "monotonic" },
	{ 2, "process_cputime_id" },
	{ 3, "thread_cputime_id" },
	{ 4, "monotonic_raw" },
	{ 5, "realtime_coarse" },
	{ 6, "monotonic_coarse" },
	{ 7, "boottime" },
	{ 11, "tai" },
	{ 0, NULL },
};

static const struct member clock_data[] = {
	{ MEMBER_U32, .name = "version" },
	{ MEMBER_U32, .name = "clockid" },
	{ MEMBER_SECONDS, .name = "wall_clock_ns" },
	{ MEMBER_SECONDS, .name = "clock_ns" },
	{ .kind = MEMBER_END },
};

static void emit_clock_data(struct table_decoder *dec, const struct perf_features *features)
{
	struct emit_value values[6];

	(void)features;
	if (!table_decoder__read(dec, clock_data, values))
		return;
	table_decoder__emit(dec, clock_data, values);
	if (values[0].number != 1) {
		table_decoder__fail(dec, "its version is not known");
		return;
	}
	values[3].count = 9;
	values[4] = values[1];
	values[4].kind = EMIT_NAMED;
	values[4].names = clocks;
	values[5] = values[2];
	values[5].kind = EMIT_DATE;
	emit__print_filled(dec->emit,
			   "# clockid: $4 ($1)\n# reference time: $5 = $2 (TOD) = $3 ($4)\n",
			   values);
}

/* ---- capabilities of PMUs -------------------------------------------------------------------- */

static const struct member cap[] = {
	{ MEMBER_STRING, .name = "name" },
	{ MEMBER_STRING, .name = "value" },
	{ .kind = MEMBER_END },
};

/* The name follows the capabilities, but is printed first. */
static bool emit_caps_of_pmu(struct table_decoder *dec)
{
	struct list caps = {
		.name = "caps",
		.shape = { cap, "$0=$1" },
		.between = ", ",
		.none = "not available",
	};
	struct emit_value values[2], name;
	struct table_decoder again = *dec;
	uint32_t count = cursor__u32(&dec->cur);

	for (uint32_t i = 0; i < count && table_decoder__read(dec, cap, values); i++)
		;
	name = table_decoder__string(dec);
	if (!table_decoder__check(dec, "the list of a PMU is cut"))
		return false;
	emit__begin(dec->emit, NULL, false);
	emit__value(dec->emit, "pmu", &name);
	emit__print_filled(dec->emit, "# $0 pmu capabilities: ", &name);
	table_decoder__list(&again, &caps);
	emit__end(dec->emit, false);
	emit__print(dec->emit, "\n");
	return true;
}

static void emit_pmu_caps(struct table_decoder *dec, const struct perf_features *features)
{
	uint32_t count = cursor__u32(&dec->cur);

	(void)features;
	if (!table_decoder__check(dec, "it ends early"))
		return;
	emit__begin(dec->emit, "pmus", true);
	for (uint32_t i = 0; i < count && emit_caps_of_pmu(dec); i++)
		;
	emit__end(dec->emit, true);
}

/* ---- lists ----------------------------------------------------------------------------------- */

static const struct list arguments = {
	.name = "args",
	.shape = { MEMBERS({ MEMBER_STRING, .quote = '\'' }), "$0 " },
	.before = "# cmdline : ",
	.after = "\n",
};

static const struct list nodes = {
	.name = "nodes",
	.shape = { MEMBERS({ MEMBER_U32, .name = "node" }, { MEMBER_U64, .name = "total_kb" },
			   { MEMBER_U64, .name = "free_kb" }, { MEMBER_STRING, .name = "cpus" }),
		   "# node$0 meminfo  : total = $1 kB, free = $2 kB\n"
		   "# node$0 cpu list : $3\n" },
};

static const struct list pmus = {
	.name = "pmus",
	.shape = { MEMBERS({ MEMBER_U32, .name = "type" }, { MEMBER_STRING, .name = "name" }),
		   "$1 = $0" },
	.before = "# pmu mappings: ",
	.between = ", ",
	.after = "\n",
	.none = "# pmu mappings: not available\n",
};

static const struct list auxtraces = {
	.name = "auxtraces",
	.shape = { MEMBERS({ MEMBER_U64, .name = "file_offset" }, { MEMBER_U64, .name = "bytes" }),
		   NULL },
	.wide = true,
};

static const struct list caches = {
	.name = "caches",
	.shape = { MEMBERS({ MEMBER_U32, .name = "level" }, { MEMBER_U32, .name = "line_bytes" },
			   { MEMBER_U32, .name = "sets" }, { MEMBER_U32, .name = "ways" },
			   { MEMBER_STRING, .name = "type", .width = -15 },
			   { MEMBER_STRING, .name = "size", .width = 8 },
			   { MEMBER_STRING, .name = "cpus" }),
		   "#  L$0 $4 $5 [$6]\n" },
	.before = "# CPU cache info:\n",
	.none = "# CPU cache info:\n",
};

static const struct list btfs = {
	.name = "btfs",
	.shape = { MEMBERS({ MEMBER_U32, .name = "id" }, { MEMBER_BLOB, .name = "bytes" }),
		   "# btf info of id $0\n" },
	.none = "# btf info empty\n",
};

static const struct list cpu_caps = {
	.name = "caps",
	.shape = { cap, "$0=$1" },
	.before = "# cpu pmu capabilities: ",
	.between = ", ",
	.after = "\n",
	.none = "# cpu pmu capabilities: not available\n",
};

static const struct list hybrids = {
	.name = "pmus",
	.shape = { MEMBERS({ MEMBER_STRING, .name = "name" }, { MEMBER_STRING, .name = "cpus" }),
		   "# $0 cpu list : $1\n" },
	.before = "# hybrid cpu system:\n",
	.none = "# hybrid cpu system:\n",
};

static const struct emit_name compressions[] = { { 1, "Zstd" }, { 0, NULL } };

/* ---- all of them ----------------------------------------------------------------------------- */

static const struct layout layouts[] = {
	[FEATURE_TRACING_DATA] = { "TRACING_DATA", .emit = emit_tracing_data },
	[FEATURE_BUILD_ID] = { "BUILD_ID", .emit = emit_build_ids },
	STRING_FEATURE(HOSTNAME, "hostname", "hostname"),
	STRING_FEATURE(OSRELEASE, "os_release", "os release"),
	STRING_FEATURE(VERSION, "perf_version", "perf version"),
	STRING_FEATURE(ARCH, "arch", "arch"),
	[FEATURE_NRCPUS] = { "NRCPUS", .shape = { MEMBERS({ MEMBER_U32, .name = "available" },
							  { MEMBER_U32, .name = "online" }),
						  "# nrcpus online : $1\n# nrcpus avail : $0\n" } },
	STRING_FEATURE(CPUDESC, "cpudesc", "cpudesc"),
	STRING_FEATURE(CPUID, "cpuid", "cpuid"),
	[FEATURE_TOTAL_MEM] = { "TOTAL_MEM", .shape = { MEMBERS({ MEMBER_U64, .name = "total_kb" }),
							"# total memory : $0 kB\n" } },
	[FEATURE_CMDLINE] = { "CMDLINE", .list = &arguments },
	[FEATURE_EVENT_DESC] = { "EVENT_DESC", .emit = feature_events__desc },
	[FEATURE_CPU_TOPOLOGY] = { .name = "CPU_TOPOLOGY" },
	[FEATURE_NUMA_TOPOLOGY] = { "NUMA_TOPOLOGY", .list = &nodes },
	[FEATURE_BRANCH_STACK] = { "BRANCH_STACK",
				   .shape = { NULL, "# contains samples with branch stack\n" } },
	[FEATURE_PMU_MAPPINGS] = { "PMU_MAPPINGS", .list = &pmus },
	[FEATURE_GROUP_DESC] = { "GROUP_DESC", .emit = feature_events__groups },
	[FEATURE_AUXTRACE] = { "AUXTRACE",
			       .shape = { NULL,
					  "# contains AUX area data (e.g. instruction trace)\n" },
			       .list = &auxtraces },
	[FEATURE_STAT] = { "STAT", .shape = { NULL, "# contains stat data\n" } },
	[FEATURE_CACHE] = { "CACHE", .shape = { MEMBERS({ MEMBER_U32, .name = "version" }), NULL },
			    .list = &caches },
	[FEATURE_SAMPLE_TIME] = { "SAMPLE_TIME", .emit = emit_sample_time },
	[FEATURE_MEM_TOPOLOGY] = { .name = "MEM_TOPOLOGY" },
	[FEATURE_CLOCKID] = { "CLOCKID", .emit = emit_clockid },
	[FEATURE_DIR_FORMAT] = { "DIR_FORMAT",
				 .shape = { MEMBERS({ MEMBER_U64, .name = "version" }),
					    "# directory data version : $0\n" } },
	[FEATURE_BPF_PROG_INFO] = { .name = "BPF_PROG_INFO" },
	[FEATURE_BPF_BTF] = { "BPF_BTF", .list = &btfs },
	[FEATURE_COMPRESSED] = { "COMPRESSED",
				 .shape = { MEMBERS({ MEMBER_U32, .name = "version" },
						    { MEMBER_U32, .name = "compression",
						      .names = compressions },
						    { MEMBER_U32, .name = "level" },
						    { MEMBER_U32, .name = "ratio" },
						    { MEMBER_U32, .name = "mmap_bytes" }),
					    "# compressed : $1, level = $2, ratio = $3\n" } },
	[FEATURE_CPU_PMU_CAPS] = { "CPU_PMU_CAPS", .list = &cpu_caps },
	[FEATURE_CLOCK_DATA] = { "CLOCK_DATA", .emit = emit_clock_data },
	[FEATURE_HYBRID_TOPOLOGY] = { "HYBRID_TOPOLOGY", .list = &hybrids },
	[FEATURE_PMU_CAPS] = { "PMU_CAPS", .emit = emit_pmu_caps },
	[FEATURE_CPU_DOMAIN_INFO] = { .name = "CPU_DOMAIN_INFO" },
	[FEATURE_E_MACHINE] = { "E_MACHINE",
				.shape = { MEMBERS({ MEMBER_U32, .name = "e_machine" },
						   { MEMBER_HEX32, .name = "e_flags" }),
					   "# e_machine : $0\n# e_flags : $1\n" } },
	[FEATURE_CLN_SIZE] = { "CLN_SIZE",
			       .shape = { MEMBERS({ MEMBER_U32, .name = "cacheline_bytes" }),
					  "# cacheline size : $0\n" } },
};

#define LAYOUTS_COUNT (sizeof(layouts) / sizeof(*layouts))

const char *features__name(uint64_t id)
{
	return id < LAYOUTS_COUNT ? layouts[id].name : NULL;
}

static void emit_by_tables(struct table_decoder *dec, const struct layout *layout)
{
	if (layout->shape.members && !table_decoder__members(dec, &layout->shape))
		return;
	if (!layout->shape.members && layout->shape.text)
		emit__print(dec->emit, layout->shape.text);
	if (layout->list)
		table_decoder__list(dec, layout->list);
}

static void emit_size(struct table_decoder *dec, uint64_t id, const char *name)
{
	struct emit_value values[] = {
		{ .number = id },
		{ .number = cursor__left(&dec->cur) },
		{ .kind = EMIT_TEXT, .bytes = name, .count = name ? strlen(name) : 0 },
	};

	emit__value(dec->emit, "bytes", &values[1]);
	emit__print_filled(dec->emit, name ? "# $2 : $1 bytes\n" : "# feature $0 : $1 bytes\n",
			   values);
}

static void emit_by_layout(struct table_decoder *dec, uint64_t id,
			   const struct perf_features *features)
{
	const struct layout *layout = &layouts[id];

	if (layout->emit)
		layout->emit(dec, features);
	else if (layout->shape.members || layout->shape.text || layout->list)
		emit_by_tables(dec, layout);
	else
		emit_size(dec, id, layout->name);
}

static int emit_members(const struct perf_features *features, uint64_t id, const void *bytes,
			size_t count, struct emit *emit, const char **why)
{
	const char *name = features__name(id);
	struct table_decoder dec;

	table_decoder__init(&dec, bytes, count, features->swapped, emit);
	emit__text(emit, "feature", name ? name : "unknown");
	emit__unsigned(emit, "id", id);
	if (features->recording > 1)
		emit__unsigned(emit, "recording", features->recording);
	if (name)
		emit_by_layout(&dec, id, features);
	else
		emit_size(&dec, id, NULL);
	*why = dec.why;
	return dec.why ? -EBADMSG : 0;
}

int features__emit(struct perf_features *features, uint64_t id, const void *bytes, size_t count,
		   struct emit *emit, const char **why)
{
	int err;

	emit__begin(emit, NULL, false);
	err = emit_members(features, id, bytes, count, emit, why);
	if (err) {
		emit__text(emit, "damaged", *why);
		emit__print(emit, emit->more ? "\n# " : "# ");
		emit__print(emit, features__name(id));
		emit__print(emit, " is damaged: ");
		emit__print(emit, *why);
		emit__print(emit, "\n");
	}
	emit__end(emit, false);
	return err;
}
