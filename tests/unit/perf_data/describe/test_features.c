// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_features.c: each header feature, as a perf of either byte order would write it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "feature_bytes.h"
#include "support/machine/harness.h"
#include "support/recording/json_check.h"
#include "perf_data/describe/features.h"
#include "support/recording/sections.h"
#include "unit/suite.h"

/* ---- what it means --------------------------------------------------------------------------- */

struct sample {
	uint64_t id;
	void (*build)(struct bytes *b);
	const char *json; /* behind the id */
	const char *lines;
	unsigned int sound; /* how many of its beginnings are whole features as well */
};

#define ID_BYTES "a0a1a2a3a4a5a6a7a8a9aaabacadaeafb0b1b2b3"
#define PT_CAPS                                                                                    \
	"[{\"name\":\"branches\",\"value\":\"32\"},{\"name\":\"pmu_name\",\"value\":\"skylake\"}]"
static const struct sample samples[] = {
	{ FEATURE_TRACING_DATA, build_tracing_data, "\"bytes\":8", "# tracing data : 8 bytes\n",
	  8 },
	{ FEATURE_BUILD_ID, build_build_ids,
	  "\"build_ids\":[{\"pid\":-1,\"build_id\":\"" ID_BYTES "\",\"filename\":\"/bin/true\"},"
	  "{\"pid\":7,\"build_id\":\"a0a1a2a3a4a5a6a7\",\"filename\":\"/bin/false\"}]",
	  "# build id : " ID_BYTES " /bin/true\n# build id : a0a1a2a3a4a5a6a7 /bin/false\n", 2 },
	{ FEATURE_BUILD_ID, build_old_build_ids,
	  "\"build_ids\":[{\"pid\":-1,\"build_id\":\"" ID_BYTES
	  "\",\"filename\":\"[kernel.kallsyms]\"}]",
	  "# build id : " ID_BYTES " [kernel.kallsyms]\n", 1 },
	{ FEATURE_HOSTNAME, build_string, "\"hostname\":\"one \\\"two\\\"\"",
	  "# hostname : one \"two\"\n", 0 },
	{ FEATURE_OSRELEASE, build_short_string, "\"os_release\":\"6.1\"", "# os release : 6.1\n",
	  0 },
	{ FEATURE_VERSION, build_short_string, "\"perf_version\":\"6.1\"", "# perf version : 6.1\n",
	  0 },
	{ FEATURE_ARCH, build_string, "\"arch\":\"one \\\"two\\\"\"", "# arch : one \"two\"\n", 0 },
	{ FEATURE_NRCPUS, build_nrcpus, "\"available\":8,\"online\":6",
	  "# nrcpus online : 6\n# nrcpus avail : 8\n", 0 },
	{ FEATURE_CPUDESC, build_hostile_string, "\"cpudesc\":{\"hex\":\"611b5b33316dff\"}",
	  "# cpudesc : a\\x1b[31m\\xff\n", 0 },
	{ FEATURE_CPUID, build_string, "\"cpuid\":\"one \\\"two\\\"\"", "# cpuid : one \"two\"\n",
	  0 },
	{ FEATURE_TOTAL_MEM, build_total_mem, "\"total_kb\":18446744073709551615",
	  "# total memory : 18446744073709551615 kB\n", 0 },
	{ FEATURE_CMDLINE, build_cmdline, "\"args\":[\"/usr/bin/perf\",\"record\",\"it's\"]",
	  "# cmdline : /usr/bin/perf record it\\'s \n", 0 },
	{ FEATURE_EVENT_DESC, build_event_desc,
	  "\"events\":[{\"name\":\"cycles:pp\",\"ids\":[50,51],\"attr\":{\"type\":0,\"size\":136,"
	  "\"config\":0,\"sample_freq\":4000,\"sample_type\":65539,\"read_format\":20,"
	  "\"disabled\":1,\"freq\":1,\"precise_ip\":2,\"sample_id_all\":1,\"wakeup_events\":7,"
	  "\"config1\":4096,\"branch_sample_type\":1073741832,\"clockid\":-1}},"
	  "{\"name\":\"mem:0x1000\",\"ids\":[],\"attr\":{\"type\":5,\"size\":136,\"config\":2748,"
	  "\"sample_period\":4000,\"sample_type\":65539,\"read_format\":20,\"sigtrap\":1,"
	  "\"wakeup_events\":7,\"bp_addr\":4096,\"branch_sample_type\":1073741832,"
	  "\"clockid\":-1}}]",
	  "# event : name = cycles:pp, , id = { 50, 51 }, size = 136, { sample_period, "
	  "sample_freq } = 4000, sample_type = IP|TID|IDENTIFIER, read_format = ID|LOST, "
	  "disabled = 1, freq = 1, precise_ip = 2, sample_id_all = 1, { wakeup_events, "
	  "wakeup_watermark } = 7, { bp_addr, config1 } = 0x1000, branch_sample_type = "
	  "ANY|0x40000000, clockid = -1\n"
	  "# event : name = mem:0x1000, , type = 5, size = 136, config = 0xabc, { sample_period, "
	  "sample_freq } = 4000, sample_type = IP|TID|IDENTIFIER, read_format = ID|LOST, "
	  "sigtrap = 1, { wakeup_events, wakeup_watermark } = 7, { bp_addr, config1 } = 0x1000, "
	  "branch_sample_type = ANY|0x40000000, clockid = -1\n",
	  0 },
	{ FEATURE_EVENT_DESC, build_old_event_desc,
	  "\"events\":[{\"name\":\"cycles\",\"ids\":[],\"attr\":{\"type\":0,\"size\":64,\"config\":"
	  "1,"
	  "\"sample_period\":4000,\"sample_type\":65539,\"read_format\":20,\"exclude_user\":1,"
	  "\"wakeup_events\":7,\"config1\":4096}}]",
	  "# event : name = cycles, , size = 64, config = 0x1, { sample_period, sample_freq } = "
	  "4000, sample_type = IP|TID|IDENTIFIER, read_format = ID|LOST, exclude_user = 1, "
	  "{ wakeup_events, wakeup_watermark } = 7, { bp_addr, config1 } = 0x1000\n",
	  0 },
	{ FEATURE_CPU_TOPOLOGY, build_string, "\"bytes\":68", "# CPU_TOPOLOGY : 68 bytes\n", 68 },
	{ FEATURE_NUMA_TOPOLOGY, build_numa,
	  "\"nodes\":[{\"node\":0,\"total_kb\":1000,\"free_kb\":900,\"cpus\":\"0-1\"},"
	  "{\"node\":1,\"total_kb\":2000,\"free_kb\":1900,\"cpus\":\"2-3\"}]",
	  "# node0 meminfo  : total = 1000 kB, free = 900 kB\n# node0 cpu list : 0-1\n"
	  "# node1 meminfo  : total = 2000 kB, free = 1900 kB\n# node1 cpu list : 2-3\n",
	  0 },
	{ FEATURE_BRANCH_STACK, build_nothing, "", "# contains samples with branch stack\n", 0 },
	{ FEATURE_PMU_MAPPINGS, build_pmus,
	  "\"pmus\":[{\"type\":4,\"name\":\"cpu\"},{\"type\":4294901760,\"name\":\"hwmon\"}]",
	  "# pmu mappings: cpu = 4, hwmon = 4294901760\n", 0 },
	{ FEATURE_PMU_MAPPINGS, build_zero, "\"pmus\":[]", "# pmu mappings: not available\n", 0 },
	{ FEATURE_GROUP_DESC, build_groups,
	  "\"groups\":[{\"name\":\"mine\",\"leader\":0,\"events\":2}]",
	  "# group: mine{cycles:pp,mem:0x1000}\n", 0 },
	{ FEATURE_GROUP_DESC, build_anonymous_group,
	  "\"groups\":[{\"name\":\"{anon_group}\",\"leader\":0,\"events\":2}]",
	  "# group: {cycles:pp,mem:0x1000}\n", 0 },
	{ FEATURE_AUXTRACE, build_auxtrace, "\"auxtraces\":[{\"file_offset\":744,\"bytes\":12240}]",
	  "# contains AUX area data (e.g. instruction trace)\n", 0 },
	{ FEATURE_STAT, build_nothing, "", "# contains stat data\n", 0 },
	{ FEATURE_CACHE, build_cache,
	  "\"version\":1,\"caches\":[{\"level\":2,\"line_bytes\":64,\"sets\":1024,\"ways\":8,"
	  "\"type\":\"Unified\",\"size\":\"512K\",\"cpus\":\"0-1\"}]",
	  "# CPU cache info:\n#  L2 Unified             512K [0-1]\n", 0 },
	{ FEATURE_SAMPLE_TIME, build_sample_time,
	  "\"first_ns\":101132490999,\"last_ns\":101132592499",
	  "# time of first sample : 101.132490\n# time of last sample : 101.132592\n"
	  "# sample duration :      0.102 ms\n",
	  0 },
	{ FEATURE_MEM_TOPOLOGY, build_string, "\"bytes\":68", "# MEM_TOPOLOGY : 68 bytes\n", 68 },
	{ FEATURE_CLOCKID, build_clockid, "\"resolution_ns\":4", "# clockid frequency: 4000 MHz\n",
	  0 },
	{ FEATURE_DIR_FORMAT, build_dir_format, "\"version\":1", "# directory data version : 1\n",
	  0 },
	{ FEATURE_BPF_PROG_INFO, build_string, "\"bytes\":68", "# BPF_PROG_INFO : 68 bytes\n", 68 },
	{ FEATURE_BPF_BTF, build_btf, "\"btfs\":[{\"id\":99,\"bytes\":5}]", "# btf info of id 99\n",
	  0 },
	{ FEATURE_COMPRESSED, build_compressed,
	  "\"version\":0,\"compression\":1,\"level\":1,\"ratio\":3,\"mmap_bytes\":528384",
	  "# compressed : Zstd, level = 1, ratio = 3\n", 0 },
	{ FEATURE_CPU_PMU_CAPS, build_cpu_caps, "\"caps\":" PT_CAPS,
	  "# cpu pmu capabilities: branches=32, pmu_name=skylake\n", 0 },
	{ FEATURE_CPU_PMU_CAPS, build_zero, "\"caps\":[]",
	  "# cpu pmu capabilities: not available\n", 0 },
	{ FEATURE_CLOCK_DATA, build_clock_data,
	  "\"version\":1,\"clockid\":1,\"wall_clock_ns\":1711586729335160123,"
	  "\"clock_ns\":12799249383892",
	  "# clockid: monotonic (1)\n# reference time: 2024-03-28 00:45:29.335160 = "
	  "1711586729.335160 (TOD) = 12799.249383892 (monotonic)\n",
	  0 },
	{ FEATURE_HYBRID_TOPOLOGY, build_hybrid,
	  "\"pmus\":[{\"name\":\"cpu_core\",\"cpus\":\"0-3\"},{\"name\":\"cpu_atom\",\"cpus\":\"4-"
	  "11\"}]",
	  "# hybrid cpu system:\n# cpu_core cpu list : 0-3\n# cpu_atom cpu list : 4-11\n", 0 },
	{ FEATURE_PMU_CAPS, build_pmu_caps,
	  "\"pmus\":[{\"pmu\":\"intel_pt\",\"caps\":" PT_CAPS "},{\"pmu\":\"msr\",\"caps\":[]}]",
	  "# intel_pt pmu capabilities: branches=32, pmu_name=skylake\n"
	  "# msr pmu capabilities: not available\n",
	  0 },
	{ FEATURE_CPU_DOMAIN_INFO, build_string, "\"bytes\":68", "# CPU_DOMAIN_INFO : 68 bytes\n",
	  68 },
	{ FEATURE_E_MACHINE, build_e_machine, "\"e_machine\":62,\"e_flags\":5",
	  "# e_machine : 62\n# e_flags : 0x5\n", 0 },
	{ FEATURE_CLN_SIZE, build_line_size, "\"cacheline_bytes\":64", "# cacheline size : 64\n",
	  0 },
	{ 200, build_e_machine, "\"bytes\":8", "# feature 200 : 8 bytes\n", 8 },
};

#define SAMPLES_COUNT (sizeof(samples) / sizeof(*samples))

/* ---- tests ----------------------------------------------------------------------------------- */

static void build(const struct sample *s, bool swapped, struct bytes *b)
{
	b->len = 0;
	b->swapped = swapped;
	s->build(b);
}

/* The events of build_event_desc(), as another feature would tell them. */
static struct perf_features context(bool swapped)
{
	static struct bytes desc;
	struct perf_features features = { .swapped = swapped };

	desc.len = 0;
	desc.swapped = swapped;
	build_event_desc(&desc);
	features.event_desc = desc.at;
	features.event_desc_bytes = desc.len;
	return features;
}

/* Tells the first `len` bytes, which end where their memory does. */
static int tell(const struct sample *s, const struct bytes *b, size_t len, struct emit emit)
{
	struct perf_features features = context(b->swapped);
	struct placed p = place(b, len, 0);
	const char *why;
	int err = features__emit(&features, s->id, p.at, len, &emit, &why);

	ck_assert(err == 0 || err == -EBADMSG);
	ck_assert(!err == !why);
	ck_assert_uint_eq(emit.depth, 0);
	free(p.mem);
	return err;
}

static void check_text(struct strbuf *out, const char *wanted)
{
	strbuf__char(out, 0);
	ck_assert_str_eq(out->bytes, wanted);
	strbuf__cut(out, 0);
}

static const char *name_of(const struct sample *s)
{
	const char *name = features__name(s->id);

	return name ? name : "unknown";
}

START_TEST(test_meaning_of_each_feature)
{
	const struct sample *s = &samples[_i / 2];
	struct strbuf out = { 0 };
	char json[4096];
	struct bytes b;

	setenv("TZ", "UTC", 1); /* of the reference time */
	build(s, _i % 2, &b);
	snprintf(json, sizeof(json), "{\"feature\":\"%s\",\"id\":%d%s%s}", name_of(s), (int)s->id,
		 *s->json ? "," : "", s->json);
	ck_assert_int_eq(tell(s, &b, b.len, emit__json(&out)), 0);
	check_text(&out, json);
	ck_assert_int_eq(tell(s, &b, b.len, emit__lines(&out)), 0);
	check_text(&out, s->lines);
	ck_assert_int_eq(tell(s, &b, b.len, emit__pairs(&out)), 0);
	strbuf__free(&out);
}
END_TEST

/* Cut anywhere: it is said, and all that was said is whole JSON, and whole lines. */
static void check_cut(const struct sample *s, const struct bytes *b, size_t len, int err)
{
	struct strbuf out = { 0 };
	size_t shown;

	ck_assert_int_eq(tell(s, b, len, emit__json(&out)), err);
	strbuf__text(&out, "\n");
	strbuf__char(&out, 0);
	ck_assert_msg(json_lines(out.bytes), "%s of %zu bytes: %s", name_of(s), len, out.bytes);
	ck_assert_msg(!strstr(out.bytes, ",\"damaged\":\"") == !err, "%s", out.bytes);
	strbuf__cut(&out, 0);
	ck_assert_int_eq(tell(s, b, len, emit__lines(&out)), err);
	shown = out.count;
	strbuf__char(&out, 0);
	ck_assert(shown ? out.bytes[shown - 1] == '\n' : !err);
	ck_assert_msg(!strstr(out.bytes, " is damaged: ") == !err, "%s", out.bytes);
	strbuf__free(&out);
}

START_TEST(test_cut_anywhere)
{
	const struct sample *s = &samples[_i / 2];
	unsigned int sound = 0;
	struct bytes b;

	build(s, _i % 2, &b);
	for (size_t len = 0; len < b.len; len++) {
		struct strbuf out = { 0 };
		int err = tell(s, &b, len, emit__pairs(&out));

		sound += !err;
		strbuf__free(&out);
		check_cut(s, &b, len, err);
	}
	ck_assert_uint_eq(sound, s->sound);
}
END_TEST

/* What follows is not looked at: in pipes it is padding, and newer versions may add to it. */
START_TEST(test_more_behind)
{
	const struct sample *s = &samples[_i];
	struct strbuf out = { 0 };
	struct bytes b;

	build(s, false, &b);
	if (s->id == FEATURE_BUILD_ID || (b.len && s->sound == b.len)) /* its size is shown */
		return;
	put_text(&b, "", 7);
	ck_assert_int_eq(tell(s, &b, b.len, emit__lines(&out)), 0);
	check_text(&out, s->lines);
	strbuf__free(&out);
}
END_TEST

START_TEST(test_all_have_samples)
{
	for (uint64_t id = FEATURE_TRACING_DATA; id <= FEATURE_CLN_SIZE; id++) {
		size_t i = 0;

		while (i < SAMPLES_COUNT && samples[i].id != id)
			i++;
		ck_assert_msg(i < SAMPLES_COUNT, "no sample of %d", (int)id);
		ck_assert_ptr_nonnull(features__name(id));
	}
	ck_assert_ptr_null(features__name(0));
	ck_assert_ptr_null(features__name(35));
	ck_assert_ptr_null(features__name(UINT64_MAX));
	ck_assert_str_eq(features__name(1), "TRACING_DATA");
	ck_assert_str_eq(features__name(20), "CACHE");
	ck_assert_str_eq(features__name(34), "CLN_SIZE");
}
END_TEST

static void check_damaged(uint64_t id, const struct bytes *b, const char *lines)
{
	struct perf_features features = context(b->swapped);
	struct strbuf out = { 0 };
	struct emit emit = emit__lines(&out);
	const char *why;

	ck_assert_int_eq(features__emit(&features, id, b->at, b->len, &emit, &why), -EBADMSG);
	check_text(&out, lines);
	strbuf__free(&out);
}

START_TEST(test_what_is_whole_is_told)
{
	struct bytes b = { .len = 0 };

	build_cmdline(&b);
	b.len -= 1;
	check_damaged(FEATURE_CMDLINE, &b,
		      "# cmdline : /usr/bin/perf record \n"
		      "# CMDLINE is damaged: a string is longer than what holds it\n");
	b.len = 0;
	build_numa(&b);
	b.len -= 1;
	check_damaged(FEATURE_NUMA_TOPOLOGY, &b,
		      "# node0 meminfo  : total = 1000 kB, free = 900 kB\n# node0 cpu list : 0-1\n"
		      "# NUMA_TOPOLOGY is damaged: a string is longer than what holds it\n");
}
END_TEST

START_TEST(test_lies_are_damage)
{
	struct bytes b = { .len = 0 };

	put_u32(&b, UINT32_MAX); /* that many events, of no bytes */
	put_u32(&b, 0);
	check_damaged(FEATURE_EVENT_DESC, &b,
		      "# EVENT_DESC is damaged: the description of an event is cut\n");
	b.len = 0;
	put_u32(&b, 2);
	put_name(&b, "a");
	put_u32(&b, 0);
	put_u32(&b, UINT32_MAX);
	put_name(&b, "b");
	put_u32(&b, 1);
	put_u32(&b, 1);
	check_damaged(
		FEATURE_GROUP_DESC, &b,
		"# group: a{cycles:pp,mem:0x1000}\n# GROUP_DESC is damaged: groups overlap\n");
	b.len = 0;
	put_build_id(&b, true, "x");
	b.at[8 + 4 + 20] = 21;
	check_damaged(FEATURE_BUILD_ID, &b, "# BUILD_ID is damaged: a build id is cut\n");
}
END_TEST

static void drain(struct emit *emit)
{
	size_t *total = emit->arg;

	*total += emit->out->count;
	strbuf__cut(emit->out, 0);
}

/* However much is told, memory is bounded when somebody takes it away. */
START_TEST(test_drained_output_is_bounded)
{
	struct perf_features features = { 0 };
	const size_t size = 1 << 20;
	uint8_t *bytes = calloc(1, size);
	struct strbuf out = { 0 };
	struct emit emit = emit__json(&out);
	const uint64_t count = (size - 8) / 16;
	size_t total = 0;
	const char *why;

	ck_assert_ptr_nonnull(bytes);
	for (size_t i = 8; i + 16 <= size; i += 16)
		bytes[i] = (uint8_t)i;
	memcpy(bytes, &count, sizeof(count));
	emit.full = drain;
	emit.arg = &total;
	ck_assert_int_eq(features__emit(&features, FEATURE_AUXTRACE, bytes, size, &emit, &why), 0);
	ck_assert_uint_gt(total, size);
	ck_assert_uint_le(out.room, 256 << 10);
	strbuf__free(&out);
	free(bytes);
}
END_TEST

/* ---- what other projects' files have --------------------------------------------------------- */

struct tally {
	struct perf_features features;
	const char *file;
	unsigned int count;
};

static void check_section(uint64_t id, const uint8_t *at, size_t bytes, void *arg)
{
	struct tally *tally = arg;
	struct strbuf out = { 0 };
	struct emit emit = emit__json(&out);
	const char *why;
	int err = features__emit(&tally->features, id, at, bytes, &emit, &why);

	ck_assert_msg(!err, "%s: feature %d: %s", tally->file, (int)id, why);
	strbuf__text(&out, "\n");
	strbuf__char(&out, 0);
	ck_assert_msg(json_lines(out.bytes), "%s: feature %d: %s", tally->file, (int)id, out.bytes);
	strbuf__free(&out);
	tally->count++;
}

static void check_file(const struct sections *file, const char *name, void *arg)
{
	unsigned int *count = arg;
	struct tally tally = { .file = name };

	sections__each_feature(file, check_section, &tally);
	*count += tally.count;
}

/* There is none that does not parse. */
START_TEST(test_corpus_is_understood)
{
	unsigned int count = 0, files = sections__each_file(check_file, &count);

	if (!files)
		skip("no corpus: set PEAT_CORPUS to a directory of perf.data files");
	printf("perf_features: %u features of %u files of the corpus\n", count, files);
	ck_assert_uint_gt(count, 0);
}
END_TEST

SUITE(60)
{
	tcase_add_loop_test(tests, test_meaning_of_each_feature, 0, 2 * SAMPLES_COUNT);
	tcase_add_loop_test(tests, test_cut_anywhere, 0, 2 * SAMPLES_COUNT);
	tcase_add_loop_test(tests, test_more_behind, 0, SAMPLES_COUNT);
	tcase_add_test(tests, test_all_have_samples);
	tcase_add_test(tests, test_what_is_whole_is_told);
	tcase_add_test(tests, test_lies_are_damage);
	tcase_add_test(tests, test_drained_output_is_bounded);
	tcase_add_test(tests, test_corpus_is_understood);
}
