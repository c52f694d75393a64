// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_tool_record.c: each record of perf itself, as a perf of either byte order would write it. */
#include <errno.h>
#include <stdio.h>

#include "support/machine/harness.h"
#include "unit/print/json_check.h"
#include "support/recording/sections.h"
#include "support/recording/tool_object.h"
#include "unit/suite.h"
#include "tool_bytes.h"

/* ---- what it means --------------------------------------------------------------------------- */

struct sample {
	uint32_t type;
	uint16_t misc;
	void (*build)(struct bytes *b);
	const char *name;
	const char *json; /* behind the type */
	size_t least;	  /* bytes of a body that is no damage; more of them may say more */
};

#define ENTRY_1 "{\"id\":100,\"index\":0,\"cpu\":3,\"tid\":-1"
#define ENTRY_2 "{\"id\":101,\"index\":1,\"cpu\":-1,\"tid\":77"
#define ERROR	"\"kind\":\"ITRACE\",\"code\":5,\"cpu\":2,\"pid\":10,\"tid\":11,\"ip\":4660"

static const struct sample samples[] = {
	{ TOOL_HEADER_ATTR, 0, build_attr, "ATTR",
	  "\"attr\":{\"type\":1,\"size\":64,\"config\":9},\"ids\":[41,42]", 0 },
	{ TOOL_EVENT_TYPE, 0, build_event_type, "EVENT_TYPE", "\"id\":3,\"name\":\"cycles\"", 8 },
	{ TOOL_TRACING_DATA, 0, build_tracing_data_record, "TRACING_DATA", "\"bytes\":4096", 4 },
	{ TOOL_BUILD_ID, 1, build_build_id, "BUILD_ID",
	  "\"pid\":-1,\"build_id\":\"000102030405060708090a0b0c0d0e0f10111213\","
	  "\"filename\":\"[kernel.kallsyms]\"",
	  28 },
	{ TOOL_FINISHED_ROUND, 0, build_nothing_record, "FINISHED_ROUND", "", 0 },
	{ TOOL_ID_INDEX, 0, build_id_index, "ID_INDEX", "\"entries\":[" ENTRY_1 "}," ENTRY_2 "}]",
	  72 },
	{ TOOL_ID_INDEX, 0, build_id_index_of_guests, "ID_INDEX",
	  "\"entries\":[" ENTRY_1 ",\"machine_pid\":5,\"vcpu\":0}," ENTRY_2
	  ",\"machine_pid\":6,\"vcpu\":1}]",
	  72 },
	{ TOOL_AUXTRACE_INFO, 0, build_auxtrace_info, "AUXTRACE_INFO",
	  "\"kind\":\"INTEL_PT\",\"private\":[16,17]", 8 },
	{ TOOL_AUXTRACE, 0, build_auxtrace_record, "AUXTRACE",
	  "\"bytes\":18446744073709551615,\"offset\":4096,\"reference\":255,\"index\":2,"
	  "\"tid\":-1,\"cpu\":3",
	  36 },
	{ TOOL_AUXTRACE_ERROR, 0, build_error_without_time, "AUXTRACE_ERROR",
	  ERROR ",\"message\":\"Overflow\"", 32 },
	{ TOOL_AUXTRACE_ERROR, 0, build_error, "AUXTRACE_ERROR",
	  ERROR ",\"time_ns\":999,\"message\":\"Overflow\"", 40 },
	{ TOOL_AUXTRACE_ERROR, 0, build_error_of_guest, "AUXTRACE_ERROR",
	  ERROR ",\"time_ns\":999,\"message\":\"Overflow\",\"machine_pid\":20,\"vcpu\":1", 40 },
	{ TOOL_THREAD_MAP, 0, build_thread_map, "THREAD_MAP",
	  "\"threads\":[{\"pid\":-1,\"comm\":\"\"},{\"pid\":77,\"comm\":\"sixteen letters!\"}]",
	  56 },
	{ TOOL_CPU_MAP, 0, build_cpu_list, "CPU_MAP", "\"cpus\":[0,300,-1]", 10 },
	{ TOOL_CPU_MAP, 0, build_cpu_mask_32, "CPU_MAP", "\"cpus\":[0,31,33]", 14 },
	{ TOOL_CPU_MAP, 0, build_cpu_mask_64, "CPU_MAP", "\"cpus\":[0,63,65]", 26 },
	{ TOOL_CPU_MAP, 0, build_cpu_range, "CPU_MAP", "\"cpus\":[-1,3,4,5]", 8 },
	{ TOOL_STAT_CONFIG, 0, build_stat_config, "STAT_CONFIG",
	  "\"config\":[{\"tag\":\"interval\",\"value\":1000},{\"tag\":9,\"value\":7}]", 40 },
	{ TOOL_STAT, 0, build_stat, "STAT",
	  "\"id\":61336,\"cpu\":-1,\"thread\":1,\"value\":18446744073709551615,"
	  "\"time_enabled_ns\":200,\"time_running_ns\":201",
	  40 },
	{ TOOL_STAT_ROUND, 0, build_stat_round, "STAT_ROUND",
	  "\"kind\":\"FINAL\",\"time_ns\":12345", 16 },
	{ TOOL_EVENT_UPDATE, 0, build_update_unit, "EVENT_UPDATE",
	  "\"id\":88,\"update\":\"UNIT\",\"unit\":\"msec\"", 16 },
	{ TOOL_EVENT_UPDATE, 0, build_update_scale, "EVENT_UPDATE",
	  "\"id\":88,\"update\":\"SCALE\",\"scale\":1e-06", 24 },
	{ TOOL_EVENT_UPDATE, 0, build_update_name, "EVENT_UPDATE",
	  "\"id\":88,\"update\":\"NAME\",\"name\":\"cpu-clock:u\"", 16 },
	{ TOOL_EVENT_UPDATE, 0, build_update_cpus, "EVENT_UPDATE",
	  "\"id\":88,\"update\":\"CPUS\",\"cpus\":[-1,3,4,5]", 24 },
	{ TOOL_EVENT_UPDATE, 0, build_update_unknown, "EVENT_UPDATE", "\"id\":88,\"update\":9",
	  16 },
	{ TOOL_TIME_CONV, 0, build_old_time_conv, "TIME_CONV",
	  "\"time_shift\":31,\"time_mult\":32,\"time_zero\":33", 24 },
	{ TOOL_TIME_CONV, 0, build_time_conv, "TIME_CONV",
	  "\"time_shift\":31,\"time_mult\":32,\"time_zero\":33,\"time_cycles\":34,"
	  "\"time_mask\":35,\"cap_user_time_zero\":true,\"cap_user_time_short\":false",
	  24 },
	{ TOOL_FEATURE, 0, build_feature, "FEATURE",
	  "\"feature\":\"HOSTNAME\",\"id\":3,\"hostname\":\"example\"", 20 },
	{ TOOL_FEATURE, 0, build_end_of_features, "FEATURE", "\"id\":32,\"end\":true", 8 },
	{ TOOL_COMPRESSED, 0, build_compressed_record, "COMPRESSED", "\"bytes\":11", 0 },
	{ TOOL_FINISHED_INIT, 0, build_nothing_record, "FINISHED_INIT", "", 0 },
	{ TOOL_COMPRESSED2, 0, build_compressed2, "COMPRESSED2", "\"bytes\":11", 19 },
	{ TOOL_BPF_METADATA, 0, build_metadata, "BPF_METADATA",
	  "\"program\":\"bpf_prog_1122_on_exec\","
	  "\"entries\":[{\"key\":\"version\",\"value\":\"1.2\"}]",
	  512 + 8 + 320 },
	{ TOOL_SCHEDSTAT_CPU, 0, build_schedstat_cpu, "SCHEDSTAT_CPU",
	  "\"timestamp\":4294900000,\"cpu\":1,\"version\":17,\"yld_count\":0,\"array_exp\":1,"
	  "\"sched_count\":2,\"sched_goidle\":3,\"ttwu_count\":4,\"ttwu_local\":5,"
	  "\"rq_cpu_time\":6,\"run_delay\":7,\"pcount\":8",
	  16 },
	{ TOOL_SCHEDSTAT_CPU, 0, build_schedstat_unknown, "SCHEDSTAT_CPU",
	  "\"timestamp\":4294900000,\"cpu\":1,\"version\":99,\"bytes\":4", 16 },
};

#define SAMPLES_COUNT (sizeof(samples) / sizeof(*samples))

/* ---- tests ----------------------------------------------------------------------------------- */

static void build(const struct sample *s, bool swapped, struct bytes *b)
{
	put_header(b, s->type, s->misc, swapped);
	s->build(b);
	end_record(b);
}

/* Decodes and prints the first `len` bytes, which end where their memory does. */
static int tell(const struct bytes *b, size_t len, struct emit emit)
{
	struct perf_features features = { .swapped = b->swapped };
	struct placed p = place(b, len, 3);
	struct tool_record rec;
	int err;

	ck_assert_int_eq(tool_record__parse(p.at, len, b->swapped, &rec), 0);
	err = tool_object__emit(&rec, &features, &emit);
	ck_assert(err == 0 || err == -EBADMSG);
	ck_assert_uint_eq(emit.depth, 0);
	free(p.mem);
	return err;
}

static void check_json(const struct bytes *b, size_t len, int err, const char *json)
{
	struct strbuf out = { 0 };

	ck_assert_int_eq(tell(b, len, emit__json(&out)), err);
	strbuf__char(&out, 0);
	ck_assert_str_eq(out.bytes, json);
	strbuf__free(&out);
}

START_TEST(test_meaning_of_each_record)
{
	const struct sample *s = &samples[_i / 2];
	struct strbuf out = { 0 };
	char json[2048];
	struct bytes b;

	build(s, _i % 2, &b);
	snprintf(json, sizeof(json), "{\"type\":\"%s\"%s%s}", s->name, *s->json ? "," : "",
		 s->json);
	ck_assert_str_eq(tool_record__name(s->type), s->name);
	ck_assert_int_eq(tell(&b, b.len, emit__json(&out)), 0);
	strbuf__char(&out, 0);
	ck_assert_str_eq(out.bytes, json);
	strbuf__free(&out);
}
END_TEST

/* A FEATURE that ends after its id means something else. */
static bool is_end_mark(const struct sample *s, size_t len)
{
	return s->type == TOOL_FEATURE && len == 8 + 8;
}

START_TEST(test_cut_anywhere)
{
	const struct sample *s = &samples[_i / 2];
	struct bytes b;

	build(s, _i % 2, &b);
	for (size_t len = 8; len <= b.len; len++) {
		struct strbuf out = { 0 };
		int err = tell(&b, len, emit__json(&out));

		ck_assert_msg(!err == (len >= 8 + s->least || is_end_mark(s, len)),
			      "%s of %zu bytes: %d", s->name, len, err);
		strbuf__text(&out, "\n");
		strbuf__char(&out, 0);
		ck_assert_msg(json_lines(out.bytes), "%s of %zu bytes: %s", s->name, len,
			      out.bytes);
		ck_assert(!err == !strstr(out.bytes, "\"damaged\":\""));
		strbuf__free(&out);
	}
}
END_TEST

START_TEST(test_shorter_than_a_header)
{
	struct tool_record rec;
	struct bytes b;

	put_header(&b, TOOL_STAT, 0, false);
	for (size_t len = 0; len < 8; len++) {
		struct placed p = place(&b, len, 0);

		ck_assert_int_eq(tool_record__parse(p.at, len, false, &rec), -EBADMSG);
		ck_assert_uint_eq(rec.bytes, 0);
		free(p.mem);
	}
}
END_TEST

START_TEST(test_old_metadata)
{
	struct bytes b;

	put_header(&b, TOOL_BPF_METADATA, 0, false);
	build_old_metadata(&b);
	check_json(&b, b.len, 0,
		   "{\"type\":\"BPF_METADATA\",\"program\":\"bpf_prog_1122_on_exec\","
		   "\"entries\":[{\"key\":\"version\",\"value\":\"1.2\"}]}");
}
END_TEST

#define TOO_FEW "\"damaged\":\"there are fewer entries than it says\"}"

/* Entries that are whole are there, though there should be more. */
START_TEST(test_fewer_entries)
{
	struct bytes b;

	put_header(&b, TOOL_ID_INDEX, 0, false);
	build_id_index(&b);
	check_json(&b, b.len - 1, -EBADMSG,
		   "{\"type\":\"ID_INDEX\",\"entries\":[" ENTRY_1 "}]," TOO_FEW);
	put_header(&b, TOOL_CPU_MAP, 0, false);
	build_cpu_mask_64(&b);
	check_json(&b, b.len - 1, -EBADMSG, "{\"type\":\"CPU_MAP\",\"cpus\":[0,63]," TOO_FEW);
}
END_TEST

static void check_damaged(struct bytes *b, const char *reason)
{
	struct strbuf out = { 0 };
	char wanted[256];

	snprintf(wanted, sizeof(wanted), "\"damaged\":\"%s\"}", reason);
	ck_assert_int_eq(tell(b, b->len, emit__json(&out)), -EBADMSG);
	strbuf__char(&out, 0);
	ck_assert_msg(strstr(out.bytes, wanted), "no %s in: %s", wanted, out.bytes);
	strbuf__free(&out);
}

START_TEST(test_lies_are_damage)
{
	struct bytes b;

	put_header(&b, TOOL_THREAD_MAP, 0, false);
	put_u64(&b, UINT64_MAX);
	check_damaged(&b, "there are fewer entries than it says");
	put_header(&b, TOOL_COMPRESSED2, 0, false);
	put_u64(&b, 1);
	check_damaged(&b, "there are fewer entries than it says");
	put_header(&b, TOOL_CPU_MAP, 0, false);
	put_u16(&b, 7);
	check_damaged(&b, "a set of CPUs in an encoding that is not known");
	put_header(&b, TOOL_CPU_MAP, 0, false);
	put_u16(&b, 1);
	put_u16(&b, 1);
	put_u16(&b, 0);
	check_damaged(&b, "a mask of CPUs has words of neither 4 nor 8 bytes");
	put_header(&b, TOOL_EVENT_UPDATE, 0, true);
	put_update(&b, TOOL_UPDATE_CPUS);
	put_u16(&b, 2);
	put_u16(&b, 0);
	put_u16(&b, 9);
	put_u16(&b, 3);
	check_damaged(&b, "a range of CPUs ends before it begins");
}
END_TEST

static void check_domain(uint16_t version, const char *const *parts)
{
	struct strbuf out = { 0 };
	struct bytes b;

	put_header(&b, TOOL_SCHEDSTAT_DOMAIN, 0, false);
	build_schedstat_domain(&b, version);
	ck_assert_int_eq(tell(&b, b.len, emit__pairs(&out)), 0);
	strbuf__char(&out, 0);
	for (; *parts; parts++)
		ck_assert_msg(strstr(out.bytes, *parts), "no '%s' in: %s", *parts, out.bytes);
	strbuf__free(&out);
}

#define PARTS(...)                                                                                 \
	(const char *const[])                                                                      \
	{                                                                                          \
		__VA_ARGS__, NULL                                                                  \
	}

START_TEST(test_domain_counters)
{
	check_domain(15, PARTS(" domain=2 idle_lb_count=0 ", " busy_lb_count=8 "));
	check_domain(16, PARTS(" domain=2 busy_lb_count=0 busy_lb_balanced=1 ", " idle_lb_count=8 ",
			       " newidle_lb_nobusyg=23 alb_count=24 ", " ttwu_move_balance=35"));
	check_domain(17, PARTS(" busy_lb_imbalance_misfit=6 busy_lb_gained=7 ",
			       " newidle_lb_nobusyg=32 alb_count=33 ", " ttwu_move_balance=44"));
}
END_TEST

START_TEST(test_prints_pairs)
{
	struct strbuf out = { 0 };
	struct bytes b;

	put_header(&b, TOOL_THREAD_MAP, 0, false);
	build_thread_map(&b);
	ck_assert_int_eq(tell(&b, b.len, emit__pairs(&out)), 0);
	strbuf__char(&out, 0);
	ck_assert_str_eq(out.bytes, "type=THREAD_MAP threads=[{pid=-1 comm=\"\"} "
				    "{pid=77 comm=\"sixteen letters!\"}]");
	strbuf__free(&out);
}
END_TEST

START_TEST(test_names_of_types)
{
	for (uint32_t type = TOOL_HEADER_ATTR; type <= TOOL_SCHEDSTAT_DOMAIN; type++)
		ck_assert_ptr_nonnull(tool_record__name(type));
	ck_assert_ptr_null(tool_record__name(63));
	ck_assert_ptr_null(tool_record__name(87));
	ck_assert_ptr_null(tool_record__name(UINT32_MAX));
	ck_assert_str_eq(tool_record__name(TOOL_FEATURE), "FEATURE");
	ck_assert_str_eq(tool_record__name(TOOL_SCHEDSTAT_DOMAIN), "SCHEDSTAT_DOMAIN");
}
END_TEST

/* One that a later perf may have. */
START_TEST(test_unknown_type_has_bytes)
{
	struct strbuf out = { 0 };
	struct bytes b;

	put_header(&b, 200, 0, true);
	put_u64(&b, 1);
	ck_assert_int_eq(tell(&b, b.len, emit__json(&out)), 0);
	strbuf__char(&out, 0);
	ck_assert_str_eq(out.bytes, "{\"type\":200,\"bytes\":8}");
	strbuf__free(&out);
}
END_TEST

/* ---- what other projects' files have --------------------------------------------------------- */

struct tally {
	struct perf_features features;
	const char *file;
	unsigned int count;
};

static void check_record(const uint8_t *at, size_t bytes, void *arg)
{
	struct tally *tally = arg;
	struct strbuf out = { 0 };
	struct emit emit = emit__json(&out);
	struct tool_record rec;
	uint32_t type;

	memcpy(&type, at, sizeof(type));
	if (type < TOOL_HEADER_ATTR)
		return;
	ck_assert_int_eq(tool_record__parse(at, bytes, false, &rec), 0);
	ck_assert_msg(!tool_object__emit(&rec, &tally->features, &emit), "%s: record %u: %.*s",
		      tally->file, type, (int)out.count, out.bytes);
	strbuf__free(&out);
	ck_assert_ptr_nonnull(tool_record__name(type));
	tally->count++;
}

static void check_file(const struct sections *file, const char *name, void *arg)
{
	unsigned int *count = arg;
	struct tally tally = { .file = name };

	sections__each_record(file, check_record, &tally);
	*count += tally.count;
}

START_TEST(test_corpus_is_understood)
{
	unsigned int count = 0, files = sections__each_file(check_file, &count);

	if (!files)
		skip("no corpus: set PEAT_CORPUS to a directory of perf.data files");
	printf("tool_record: %u records of %u files of the corpus\n", count, files);
	ck_assert_uint_gt(count, 0);
}
END_TEST

SUITE(60)
{
	tcase_add_loop_test(tests, test_meaning_of_each_record, 0, 2 * SAMPLES_COUNT);
	tcase_add_loop_test(tests, test_cut_anywhere, 0, 2 * SAMPLES_COUNT);
	tcase_add_test(tests, test_shorter_than_a_header);
	tcase_add_test(tests, test_old_metadata);
	tcase_add_test(tests, test_fewer_entries);
	tcase_add_test(tests, test_lies_are_damage);
	tcase_add_test(tests, test_domain_counters);
	tcase_add_test(tests, test_prints_pairs);
	tcase_add_test(tests, test_names_of_types);
	tcase_add_test(tests, test_unknown_type_has_bytes);
	tcase_add_test(tests, test_corpus_is_understood);
}
