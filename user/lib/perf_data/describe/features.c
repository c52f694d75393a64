// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* perf_features.c: the header features of a perf.data: what their bytes mean, and what is said of
 * them.
 */
#include <errno.h>

#include "perf_data/describe/features.h"
#include "perf_data/tool_record.h"

/* Members first, then a list; or a function where that is not all. */
struct layout {
	const char *name;
	struct shape shape; /* members NULL: none */
	const struct list *list;
	void (*tell)(struct walk *walk, const struct perf_features *features);
};

#define MEMBERS(...)                                                                               \
	(const struct member[])                                                                    \
	{                                                                                          \
		__VA_ARGS__,                                                                       \
		{                                                                                  \
			.kind = MEMBER_END                                                         \
		}                                                                                  \
	}

#define STRING_FEATURE(id, member_name, said)                                                      \
	[FEATURE_##id] = {                                                                         \
		#id,                                                                               \
		.shape = { MEMBERS({ MEMBER_STRING, .name = member_name }), "# " said " : $0\n" }, \
	}

/* ---- features that no table can say ---------------------------------------------------------- */

#define OLD_KERNEL_NAME	  "nel.kallsyms]" /* read four bytes too late */
#define BUILD_ID_HEADER	  8
#define BUILD_ID_WITH_PID 36

/* In Linux 2.6.34 and before there was no pid; the kernel comes first, and shows it. */
static bool build_ids_are_old(const struct walk *walk)
{
	size_t left = cursor__left(&walk->cur);

	return left >= BUILD_ID_WITH_PID + strlen(OLD_KERNEL_NAME) &&
	       !memcmp(walk->cur.at + BUILD_ID_WITH_PID, OLD_KERNEL_NAME, strlen(OLD_KERNEL_NAME));
}

static void tell_build_id(struct walk *walk, const struct tool_build_id *id)
{
	struct emit_value values[] = {
		{ .kind = EMIT_BYTES, .bytes = id->id, .count = id->id_bytes },
		{ .kind = EMIT_TEXT, .bytes = id->filename.at, .count = id->filename.bytes },
	};

	emit__begin(walk->emit, NULL, false);
	emit__signed(walk->emit, "pid", id->pid);
	emit__value(walk->emit, "build_id", &values[0]);
	emit__value(walk->emit, "filename", &values[1]);
	emit__end(walk->emit, false);
	emit__fill_in(walk->emit, "# build id : $0 $1\n", values);
}

/* A record, but that its type is 0. */
static bool take_build_id(struct walk *walk, bool old)
{
	struct tool_build_id id;
	const uint8_t *body;
	uint16_t misc, size;

	cursor__u32(&walk->cur);
	misc = cursor__u16(&walk->cur);
	size = cursor__u16(&walk->cur);
	if (!walk__good(walk, "it ends early"))
		return false;
	if (size < BUILD_ID_HEADER)
		return walk__fail(walk, "a build id is shorter than its header");
	size = (uint16_t)(size - BUILD_ID_HEADER);
	body = cursor__take(&walk->cur, size);
	if (!body || tool_build_id__read(body, size, misc, walk->cur.swapped, old, &id))
		return walk__fail(walk, "a build id is cut");
	tell_build_id(walk, &id);
	return true;
}

static void tell_build_ids(struct walk *walk, const struct perf_features *features)
{
	bool old = build_ids_are_old(walk);

	(void)features;
	emit__begin(walk->emit, "build_ids", true);
	while (cursor__left(&walk->cur) && take_build_id(walk, old))
		;
	emit__end(walk->emit, true);
}

static void tell_tracing_data(struct walk *walk, const struct perf_features *features)
{
	struct emit_value bytes = { .number = cursor__left(&walk->cur) };

	(void)features;
	emit__value(walk->emit, "bytes", &bytes);
	emit__fill_in(walk->emit, "# tracing data : $0 bytes\n", &bytes);
}

static const struct member sample_time[] = {
	{ MEMBER_SECONDS, .name = "first_ns" },
	{ MEMBER_SECONDS, .name = "last_ns" },
	{ .kind = MEMBER_END },
};

static void tell_sample_time(struct walk *walk, const struct perf_features *features)
{
	struct emit_value values[3] = { { 0 } };

	(void)features;
	if (!walk__take(walk, sample_time, values))
		return;
	walk__tell(walk, sample_time, values);
	values[2].kind = EMIT_MILLISECONDS;
	values[2].number = values[1].number - values[0].number;
	values[2].width = 10;
	emit__fill_in(walk->emit,
		      "# time of first sample : $0\n# time of last sample : $1\n"
		      "# sample duration : $2 ms\n",
		      values);
}

/* What perf prints as MHz is 1000 times the resolution, whatever that means. */
static void tell_clockid(struct walk *walk, const struct perf_features *features)
{
	struct emit_value resolution = { .number = cursor__u64(&walk->cur) };

	(void)features;
	if (!walk__good(walk, "it ends early"))
		return;
	emit__value(walk->emit, "resolution_ns", &resolution);
	resolution.number *= 1000;
	emit__fill_in(walk->emit, "# clockid frequency: $0 MHz\n", &resolution);
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

static void tell_clock_data(struct walk *walk, const struct perf_features *features)
{
	struct emit_value values[6];

	(void)features;
	if (!walk__take(walk, clock_data, values))
		return;
	walk__tell(walk, clock_data, values);
	if (values[0].number != 1) {
		walk__fail(walk, "its version is not known");
		return;
	}
	values[3].count = 9;
	values[4] = values[1];
	values[4].kind = EMIT_NAMED;
	values[4].names = clocks;
	values[5] = values[2];
	values[5].kind = EMIT_DATE;
	emit__fill_in(walk->emit, "# clockid: $4 ($1)\n# reference time: $5 = $2 (TOD) = $3 ($4)\n",
		      values);
}

/* ---- what PMUs can do ------------------------------------------------------------------------ */

static const struct member cap[] = {
	{ MEMBER_STRING, .name = "name" },
	{ MEMBER_STRING, .name = "value" },
	{ .kind = MEMBER_END },
};

/* The name stands behind them, but is wanted first. */
static bool tell_caps_of_pmu(struct walk *walk)
{
	struct list caps = {
		.name = "caps",
		.shape = { cap, "$0=$1" },
		.between = ", ",
		.none = "not available",
	};
	struct emit_value values[2], name;
	struct walk again = *walk;
	uint32_t count = cursor__u32(&walk->cur);

	for (uint32_t i = 0; i < count && walk__take(walk, cap, values); i++)
		;
	name = walk__string(walk);
	if (!walk__good(walk, "the list of a PMU is cut"))
		return false;
	emit__begin(walk->emit, NULL, false);
	emit__value(walk->emit, "pmu", &name);
	emit__fill_in(walk->emit, "# $0 pmu capabilities: ", &name);
	walk__list(&again, &caps);
	emit__end(walk->emit, false);
	emit__say(walk->emit, "\n");
	return true;
}

static void tell_pmu_caps(struct walk *walk, const struct perf_features *features)
{
	uint32_t count = cursor__u32(&walk->cur);

	(void)features;
	if (!walk__good(walk, "it ends early"))
		return;
	emit__begin(walk->emit, "pmus", true);
	for (uint32_t i = 0; i < count && tell_caps_of_pmu(walk); i++)
		;
	emit__end(walk->emit, true);
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
	[FEATURE_TRACING_DATA] = { "TRACING_DATA", .tell = tell_tracing_data },
	[FEATURE_BUILD_ID] = { "BUILD_ID", .tell = tell_build_ids },
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
	[FEATURE_EVENT_DESC] = { "EVENT_DESC", .tell = feature_events__desc },
	[FEATURE_CPU_TOPOLOGY] = { "CPU_TOPOLOGY", .tell = feature_topology__cpus },
	[FEATURE_NUMA_TOPOLOGY] = { "NUMA_TOPOLOGY", .list = &nodes },
	[FEATURE_BRANCH_STACK] = { "BRANCH_STACK",
				   .shape = { NULL, "# contains samples with branch stack\n" } },
	[FEATURE_PMU_MAPPINGS] = { "PMU_MAPPINGS", .list = &pmus },
	[FEATURE_GROUP_DESC] = { "GROUP_DESC", .tell = feature_events__groups },
	[FEATURE_AUXTRACE] = { "AUXTRACE",
			       .shape = { NULL,
					  "# contains AUX area data (e.g. instruction trace)\n" },
			       .list = &auxtraces },
	[FEATURE_STAT] = { "STAT", .shape = { NULL, "# contains stat data\n" } },
	[FEATURE_CACHE] = { "CACHE", .shape = { MEMBERS({ MEMBER_U32, .name = "version" }), NULL },
			    .list = &caches },
	[FEATURE_SAMPLE_TIME] = { "SAMPLE_TIME", .tell = tell_sample_time },
	[FEATURE_MEM_TOPOLOGY] = { "MEM_TOPOLOGY", .tell = feature_topology__memory },
	[FEATURE_CLOCKID] = { "CLOCKID", .tell = tell_clockid },
	[FEATURE_DIR_FORMAT] = { "DIR_FORMAT",
				 .shape = { MEMBERS({ MEMBER_U64, .name = "version" }),
					    "# directory data version : $0\n" } },
	[FEATURE_BPF_PROG_INFO] = { "BPF_PROG_INFO", .tell = feature_bpf__programs },
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
	[FEATURE_CLOCK_DATA] = { "CLOCK_DATA", .tell = tell_clock_data },
	[FEATURE_HYBRID_TOPOLOGY] = { "HYBRID_TOPOLOGY", .list = &hybrids },
	[FEATURE_PMU_CAPS] = { "PMU_CAPS", .tell = tell_pmu_caps },
	[FEATURE_CPU_DOMAIN_INFO] = { "CPU_DOMAIN_INFO", .tell = feature_topology__domains },
	[FEATURE_E_MACHINE] = { "E_MACHINE",
				.shape = { MEMBERS({ MEMBER_U32, .name = "e_machine" },
						   { MEMBER_HEX32, .name = "e_flags" }),
					   "# e_machine : $0\n# e_flags : $1\n" } },
	[FEATURE_CLN_SIZE] = { "CLN_SIZE",
			       .shape = { MEMBERS({ MEMBER_U32, .name = "cacheline_bytes" }),
					  "# cacheline size : $0\n" } },
};

#define LAYOUTS_COUNT (sizeof(layouts) / sizeof(*layouts))

const char *perf_features__name(uint64_t id)
{
	return id < LAYOUTS_COUNT ? layouts[id].name : NULL;
}

static void tell_by_layout(struct walk *walk, const struct layout *layout)
{
	if (layout->shape.members && !walk__members(walk, &layout->shape))
		return;
	if (!layout->shape.members && layout->shape.text)
		emit__say(walk->emit, layout->shape.text);
	if (layout->list)
		walk__list(walk, layout->list);
}

static void tell_unknown(struct walk *walk, uint64_t id)
{
	struct emit_value values[] = {
		{ .number = id },
		{ .number = cursor__left(&walk->cur) },
	};

	emit__value(walk->emit, "bytes", &values[1]);
	emit__fill_in(walk->emit, "# feature $0 : $1 bytes\n", values);
}

int perf_features__tell(struct perf_features *features, uint64_t id, const void *bytes,
			size_t count, struct emit *emit, const char **why)
{
	const char *name = perf_features__name(id);
	struct walk walk;

	walk__init(&walk, bytes, count, features->swapped, emit);
	if (id == FEATURE_NRCPUS && count >= sizeof(uint32_t))
		features->cpus_available = load_u32(bytes, features->swapped);
	emit__text(emit, "feature", name ? name : "unknown");
	emit__unsigned(emit, "id", id);
	if (!name)
		tell_unknown(&walk, id);
	else if (layouts[id].tell)
		layouts[id].tell(&walk, features);
	else
		tell_by_layout(&walk, &layouts[id]);
	*why = walk.why;
	return walk.why ? -EBADMSG : 0;
}

int perf_features__walk(struct perf_features *features, uint64_t id, const void *bytes,
			size_t count, struct emit *emit, const char **why)
{
	int err;

	emit__begin(emit, NULL, false);
	err = perf_features__tell(features, id, bytes, count, emit, why);
	if (err) {
		emit__text(emit, "damaged", *why);
		emit__say(emit, emit->more ? "\n# " : "# ");
		emit__say(emit, perf_features__name(id));
		emit__say(emit, " is damaged: ");
		emit__say(emit, *why);
		emit__say(emit, "\n");
	}
	emit__end(emit, false);
	return err;
}
