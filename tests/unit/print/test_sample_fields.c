// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_sample_fields.c: each field of a sample in text and in JSON, with its stack. */
#include <stdio.h>
#include <stdlib.h>

#include "record/data_src.h"
#include "support/machine/harness.h"
#include "support/recording/json_check.h"
#include "replay/recorded.h"
#include "record/regs.h"
#include "unit/record/sample_shape.h"
#include "record/sample_regs.h"
#include "print/sample_fields.h"
#include "sink_output.h"
#include "unit/suite.h"

static struct perf_attrs attrs;
static struct peat_recorded recorded = { .names = &replay_names, .attrs = &attrs };

/* Two events, one with a name. */
static void setup(void)
{
	struct perf_attr attr = { .type = 0, .config = 1 };

	recorded.arch = "x86_64";
	recorded.same_kernel = false;
	perf_attrs__init(&attrs, false);
	ck_assert_int_eq(perf_attrs__add(&attrs, &attr), 0);
	ck_assert_int_eq(perf_attrs__add_id(&attrs, attrs.at[0], 2000), 0);
	ck_assert_int_eq(perf_attrs__add(&attrs, &attr), 0);
	ck_assert_int_eq(perf_attrs__add_id(&attrs, attrs.at[1], 2001), 0);
	ck_assert_int_eq(perf_attrs__name(attrs.at[1], "a b", 3), 0);
}

static void teardown(void)
{
	perf_attrs__clear(&attrs);
}

/* Before each frame of a callchain in text. */
#define FRAME "\n        "

static void check_out(struct strbuf *out, const char *wanted)
{
	strbuf__char(out, 0);
	ck_assert(!out->failed);
	ck_assert_str_eq(out->bytes, wanted);
	strbuf__cut(out, 0);
}

/* An address without a symbol in JSON. */
#define AT(hex) "{\"address\":\"" hex "\"}"

/* `text` and `json` are without the separator before them. */
static void check_event(const struct peat_event *event, const char *text, const char *json)
{
	struct address_names names = frames__names(event, false, NULL);
	struct strbuf out = { 0 }, wanted = { 0 };

	sample_fields__text(&out, event, &names);
	frames__append_stack(&out, event, &names);
	strbuf__text(&wanted, *text && *text != '\n' ? " " : "");
	strbuf__text(&wanted, text);
	strbuf__char(&wanted, 0);
	check_out(&out, wanted.bytes);
	strbuf__text(&out, "{\"a\":1");
	sample_fields__json(&out, event, &names);
	frames__append_json_stack(&out, event, &names);
	strbuf__text(&out, "}\n");
	strbuf__cut(&wanted, 0);
	strbuf__text(&wanted, *json ? "{\"a\":1," : "{\"a\":1");
	strbuf__text(&wanted, json);
	strbuf__text(&wanted, "}\n");
	strbuf__char(&wanted, 0);
	check_out(&out, wanted.bytes);
	ck_assert_msg(json_lines(wanted.bytes), "no JSON: %s", wanted.bytes);
	strbuf__free(&out);
	strbuf__free(&wanted);
}

/* A recorded event. */
static void check_record(const struct peat_record *record, const char *text, const char *json)
{
	struct peat_event event = { .kind = PEAT_EVENT_DATA,
				    .record = record,
				    .recorded = &recorded };

	check_event(&event, text, json);
}

static struct peat_record a_sample(uint64_t has)
{
	return (struct peat_record){ .type = PEAT_RECORD_SAMPLE, .has = has };
}

static struct peat_words words_of(const uint64_t *words, uint64_t count)
{
	return (struct peat_words){ .data = words, .count = count };
}

/* ---- all of them, decoded -------------------------------------------------------------------- */

struct field {
	uint64_t has;
	const char *text, *json;
};

#define BRANCH(i)                                                                                  \
	"{from=0xf00" #i " to=0x700" #i " predicted=true in_tx=true cycles=39516 type=RET "        \
	"spec=SPEC_WRONG_PATH priv=5 counters=0xc00" #i "}"
#define JSON_BRANCH(i, counter)                                                                    \
	"{\"from\":" AT("0xf00" #i) ",\"to\":" AT(                                                 \
		"0x700" #i) ",\"predicted\":true,\"in_tx\":true,"                                  \
			    "\"cycles\":39516,\"type\":\"RET\",\"spec\":\"SPEC_WRONG_PATH\","      \
			    "\"priv\":5,"                                                          \
			    "\"counters\":" #counter "}"

/* Samples built by sample_shape.h. */
static const struct field fields[] = {
	{ PEAT_SAMPLE_TID | PEAT_SAMPLE_TIME | PEAT_SAMPLE_CPU | PEAT_SAMPLE_RAW, "", "" },
	{ PEAT_SAMPLE_IP, "ip=0xffffffff81000001", "\"ip\":" AT("0xffffffff81000001") },
	{ PEAT_SAMPLE_ADDR, "addr=0xaddaddaddaddadd1", "\"addr\":" AT("0xaddaddaddaddadd1") },
	{ PEAT_SAMPLE_ID, "", "\"id\":2097865011815776257" },
	{ PEAT_SAMPLE_IDENTIFIER, "", "\"id\":2097865011815776257" },
	{ PEAT_SAMPLE_ID | PEAT_SAMPLE_IDENTIFIER, "", "\"id\":2097865011815776257" },
	{ PEAT_SAMPLE_STREAM_ID, "", "\"stream_id\":92203549" },
	{ PEAT_SAMPLE_PERIOD, "period=5116368", "\"period\":5116368" },
	{ PEAT_SAMPLE_READ, "read={values=[{value=1000}]}",
	  "\"read\":{\"values\":[{\"value\":1000}]}" },
	{ PEAT_SAMPLE_CALLCHAIN, "", "" }, /* of no frame: see test_prints_callchain */
	{ PEAT_SAMPLE_BRANCH_STACK, "branch_hw_idx=31 branch_stack=[" BRANCH(0) " " BRANCH(1) "]",
	  "\"branch_hw_idx\":31,\"branch_stack\":[" JSON_BRANCH(0, 49152) "," JSON_BRANCH(
		  1, 49153) "]" },
	{ PEAT_SAMPLE_REGS_USER, "regs_user={ax=0x11e65 sp=0x11e66 xmm15_high=0x11e67}",
	  "\"regs_user\":{\"ax\":\"0x11e65\",\"sp\":\"0x11e66\",\"xmm15_high\":\"0x11e67\"}" },
	{ PEAT_SAMPLE_REGS_INTR,
	  "regs_intr_abi=32 regs_intr={si=0x12e65 di=0x12e66 bp=0x12e67 sp=0x12e68 ip=0x12e69 "
	  "flags=0x12e6a cs=0x12e6b ss=0x12e6c}",
	  "\"regs_intr_abi\":32,\"regs_intr\":{\"si\":\"0x12e65\",\"di\":\"0x12e66\","
	  "\"bp\":\"0x12e67\",\"sp\":\"0x12e68\",\"ip\":\"0x12e69\",\"flags\":\"0x12e6a\","
	  "\"cs\":\"0x12e6b\",\"ss\":\"0x12e6c\"}" },
	{ PEAT_SAMPLE_STACK_USER,
	  "stack_user="
	  "808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9fa0a1a2a3a4a5a6a7",
	  "\"stack_user\":\"808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f"
	  "a0a1a2a3a4a5a6a7\"" },
	{ PEAT_SAMPLE_WEIGHT, "weight=12297848147757817309", "\"weight\":12297848147757817309" },
	{ PEAT_SAMPLE_WEIGHT_STRUCT, "weight=3435978205 ins_lat=48059 retire_lat=43690",
	  "\"weight\":3435978205,\"ins_lat\":48059,\"retire_lat\":43690" },
	{ PEAT_SAMPLE_DATA_SRC,
	  "data_src={value=0x68100142 op=LOAD lvl=\"L1 hit\" snoop=None tlb=\"L1 or L2 hit\" "
	  "lock=No "
	  "blk=N/A}",
	  "\"data_src\":{\"value\":1745879362,\"op\":\"LOAD\",\"lvl\":\"L1 "
	  "hit\",\"snoop\":\"None\","
	  "\"tlb\":\"L1 or L2 hit\",\"lock\":\"No\",\"blk\":\"N/A\"}" },
	{ PEAT_SAMPLE_TRANSACTION, "transaction={flags=TX abort_code=0x7a}",
	  "\"transaction\":{\"flags\":\"TX\",\"abort_code\":122}" },
	{ PEAT_SAMPLE_PHYS_ADDR, "phys_addr=0x98badd", "\"phys_addr\":\"0x98badd\"" },
	{ PEAT_SAMPLE_AUX, "aux={size=24 bytes=a0a1a2a3a4a5a6a7a8a9aaabacadaeafb0b1b2b3b4b5b6b7}",
	  "\"aux\":{\"size\":24,\"bytes\":\"a0a1a2a3a4a5a6a7a8a9aaabacadaeafb0b1b2b3b4b5b6b7\"}" },
	{ PEAT_SAMPLE_CGROUP, "cgroup=201", "\"cgroup\":201" },
	{ PEAT_SAMPLE_DATA_PAGE_SIZE, "data_page_size=2097152", "\"data_page_size\":2097152" },
	{ PEAT_SAMPLE_CODE_PAGE_SIZE, "code_page_size=4096", "\"code_page_size\":4096" },
	{ PEAT_SAMPLE_IP | PEAT_SAMPLE_CALLCHAIN | PEAT_SAMPLE_CGROUP | PEAT_SAMPLE_RAW,
	  "ip=0xffffffff81000001 cgroup=201",
	  "\"ip\":" AT("0xffffffff81000001") ",\"cgroup\":201" },
};

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* Written in both byte orders. */
START_TEST(test_prints_each_field)
{
	const struct field *field = &fields[_i];

	for (int swapped = 0; swapped < 2; swapped++) {
		struct sample_shape shape = usual(field->has, swapped);
		struct peat_record record = { .sz = sizeof(record) };
		struct bytes bytes;
		struct placed placed;

		build_sample(&bytes, &shape);
		placed = place(&bytes, bytes.len, 0);
		ck_assert_int_eq(peat_record__decode(&shape.layout, placed.at, placed.len, &record),
				 1);
		check_record(&record, field->text, field->json);
		free(placed.mem);
	}
}
END_TEST

/* Every bit of sample_type is printed here or elsewhere. */
START_TEST(test_every_field_is_printed)
{
	uint64_t told = 0;

	for (size_t i = 0; i < COUNT(fields); i++)
		told |= fields[i].has;
	ck_assert_uint_eq(told, PEAT_SAMPLE_ALL);
}
END_TEST

START_TEST(test_untyped_events)
{
	struct peat_record record = a_sample(PEAT_SAMPLE_TID | PEAT_SAMPLE_TIME | PEAT_SAMPLE_RAW);
	struct peat_event event = { .kind = PEAT_EVENT_TOOL, .recorded = &recorded };

	check_record(&record, "", "");
	check_event(&event, "", "");
	record.type = PEAT_RECORD_MMAP;
	record.has = PEAT_SAMPLE_ID | PEAT_SAMPLE_IDENTIFIER | PEAT_SAMPLE_STREAM_ID;
	check_record(&record, "", "");
}
END_TEST

/* Live ids belong to the reader's own rings. */
START_TEST(test_live_ids_are_left_out)
{
	struct peat_record record = a_sample(PEAT_SAMPLE_ALL & PEAT_SAMPLE_IDS);
	struct peat_event event = { .kind = PEAT_EVENT_DATA, .record = &record };

	check_event(&event, "", "");
	record.has |= PEAT_SAMPLE_CGROUP;
	record.sample.cgroup = UINT64_MAX;
	check_event(&event, "cgroup=18446744073709551615", "\"cgroup\":18446744073709551615");
}
END_TEST

START_TEST(test_prints_period_unless_1)
{
	struct peat_record record = a_sample(PEAT_SAMPLE_PERIOD);

	check_record(&record, "period=0", "\"period\":0");
	record.sample.period = 1;
	check_record(&record, "", "\"period\":1");
}
END_TEST

START_TEST(test_name_clash)
{
	struct peat_field own[] = {
		{ .name = "from", .kind = PEAT_FIELD_STRUCT, .span = 2, .bytes = 8 },
		{ .name = "addr", .kind = PEAT_FIELD_UNSIGNED, .span = 1, .bytes = 8 },
		{ .name = "id", .kind = PEAT_FIELD_UNSIGNED, .span = 1, .bytes = 8 },
		{ .name = "branch_hw_idx", .kind = PEAT_FIELD_UNSIGNED, .span = 1, .bytes = 8 },
	};
	struct peat_schema schema = SCHEMA("sys_enter", own);
	struct peat_record record = a_sample(PEAT_SAMPLE_ID | PEAT_SAMPLE_ADDR |
					     PEAT_SAMPLE_PERIOD | PEAT_SAMPLE_BRANCH_STACK);
	struct peat_event event = {
		.kind = PEAT_EVENT_DATA, .schema = &schema, .record = &record, .recorded = &recorded
	};

	check_event(
		&event, "addr=0x0 period=0 sample_branch_hw_idx=0 branch_stack=[]",
		"\"addr\":" AT("0x0") ",\"sample_id\":0,\"period\":0,\"sample_branch_hw_idx\":0,"
				      "\"branch_stack\":[]");
}
END_TEST

/* ---- addresses ------------------------------------------------------------------------------- */

#define KERNEL	   UINT64_C(0xffffffff81000010)
#define KERNEL_HEX "0xffffffff81000010"

START_TEST(test_prints_callchain)
{
	const uint64_t chain[] = {
		PEAT_CONTEXT_KERNEL,	    KERNEL,  PEAT_CONTEXT_USER, 0x1000, 0x1001,
		PEAT_CONTEXT_USER_DEFERRED, 0xc00c1e
	};
	struct peat_record record = a_sample(PEAT_SAMPLE_CALLCHAIN);

	record.sample.callchain = words_of(chain, 7);
	check_record(&record,
		     "callchain_cookie=0xc00c1e" FRAME KERNEL_HEX FRAME "0x1000" FRAME "0x1001",
		     "\"callchain_cookie\":12586014,\"stack\":[" AT(KERNEL_HEX) "," AT(
			     "0x1000") "," AT("0x1001") "]");
	/* The cookie is missing. */
	record.sample.callchain.count = 6;
	check_record(&record, FRAME KERNEL_HEX FRAME "0x1000" FRAME "0x1001",
		     "\"stack\":[" AT(KERNEL_HEX) "," AT("0x1000") "," AT("0x1001") "]");
	record.sample.callchain.count = 0;
	check_record(&record, "", "");
}
END_TEST

/* ---- branches -------------------------------------------------------------------------------- */

struct branch {
	const char *arch;
	uint32_t type, new_type, spec, priv;
	const char *text, *json; /* after the addresses */
};

static const struct branch branches[] = {
	{ "x86_64", 0, 5, 0, 0, "", "" },
	{ NULL, 1, 5, 2, 1, " type=COND spec=NON_SPEC_CORRECT_PATH priv=user",
	  ",\"type\":\"COND\",\"spec\":\"NON_SPEC_CORRECT_PATH\",\"priv\":\"user\"" },
	{ "x86_64", 14, 0, 3, 2, " type=NO_TX spec=SPEC_CORRECT_PATH priv=kernel",
	  ",\"type\":\"NO_TX\",\"spec\":\"SPEC_CORRECT_PATH\",\"priv\":\"kernel\"" },
	{ "x86_64", 15, 3, 0, 3, " type=ARCH_1 priv=hv", ",\"type\":\"ARCH_1\",\"priv\":\"hv\"" },
	{ NULL, 15, 0, 0, 0, " type=FAULT_ALGN", ",\"type\":\"FAULT_ALGN\"" },
	{ "aarch64", 15, 3, 0, 0, " type=ARM64_FIQ", ",\"type\":\"ARM64_FIQ\"" },
	{ "aarch64", 15, 11, 0, 4, " type=11 priv=4", ",\"type\":11,\"priv\":4" },
};

START_TEST(test_prints_branches)
{
	const struct branch *branch = &branches[_i];
	uint64_t flags = (uint64_t)branch->type << 20 | (uint64_t)branch->spec << 24 |
			 (uint64_t)branch->new_type << 26 | (uint64_t)branch->priv << 30;
	uint64_t entry[] = { KERNEL, 0x7000, flags };
	struct peat_record record = a_sample(PEAT_SAMPLE_BRANCH_STACK);
	char text[256], json[256];

	recorded.arch = branch->arch;
	record.sample.branches = (struct peat_branches){ .nr = 1,
							 .hw_idx = UINT64_MAX,
							 .entries = words_of(entry, 3) };
	snprintf(text, sizeof(text), "branch_stack=[{from=" KERNEL_HEX " to=0x7000%s}]",
		 branch->text);
	snprintf(json, sizeof(json),
		 "\"branch_stack\":[{\"from\":" AT(KERNEL_HEX) ",\"to\":" AT("0x7000") "%s}]",
		 branch->json);
	check_record(&record, text, json);
}
END_TEST

START_TEST(test_branch_flags)
{
	uint64_t entry[] = { 0, 0, 1 | 8 | UINT64_C(0xffff) << 4 };
	struct peat_record record = a_sample(PEAT_SAMPLE_BRANCH_STACK);

	record.sample.branches = (struct peat_branches){ .nr = 1,
							 .hw_idx = UINT64_MAX,
							 .entries = words_of(entry, 3) };
	check_record(&record,
		     "branch_stack=[{from=0x0 to=0x0 mispred=true abort=true cycles=65535}]",
		     "\"branch_stack\":[{\"from\":" AT("0x0") ",\"to\":" AT(
			     "0x0") ",\"mispred\":true,"
				    "\"abort\":true,\"cycles\":65535}]");
	record.sample.branches.nr = 0;
	check_record(&record, "branch_stack=[]", "\"branch_stack\":[]");
	record.sample.branches.hw_idx = 0;
	check_record(&record, "branch_hw_idx=0 branch_stack=[]",
		     "\"branch_hw_idx\":0,\"branch_stack\":[]");
}
END_TEST

/* ---- counters -------------------------------------------------------------------------------- */

struct counters {
	uint64_t format;
	unsigned int group;
	const char *text, *json;
};

#define TIMES "time_enabled_ns=16204482402681480935 time_running_ns=15047039637272254167 "
#define JSON_TIMES                                                                                 \
	"\"time_enabled_ns\":16204482402681480935,\"time_running_ns\":15047039637272254167,"

static const struct counters counters[] = {
	{ PEAT_READ_ID, 1, "{values=[{event=instructions value=1000}]}",
	  "{\"values\":[{\"event\":\"instructions\",\"id\":2000,\"value\":1000}]}" },
	{ PEAT_READ_TOTAL_TIME_ENABLED | PEAT_READ_TOTAL_TIME_RUNNING | PEAT_READ_LOST, 1,
	  "{" TIMES "values=[{value=1000 lost=3000}]}",
	  "{" JSON_TIMES "\"values\":[{\"value\":1000,\"lost\":3000}]}" },
	{ PEAT_READ_GROUP, 2, "{values=[{value=1000} {value=1001}]}",
	  "{\"values\":[{\"value\":1000},{\"value\":1001}]}" },
	{ PEAT_READ_GROUP, 0, "{values=[]}", "{\"values\":[]}" },
	{ PEAT_READ_ALL, 3,
	  "{" TIMES "values=[{event=instructions value=1000 lost=3000} "
	  "{event=\"a b\" value=1001 lost=3001} {id=2002 value=1002 lost=3002}]}",
	  "{" JSON_TIMES
	  "\"values\":[{\"event\":\"instructions\",\"id\":2000,\"value\":1000,\"lost\":3000},"
	  "{\"event\":\"a b\",\"id\":2001,\"value\":1001,\"lost\":3001},"
	  "{\"id\":2002,\"value\":1002,\"lost\":3002}]}" },
};

START_TEST(test_prints_counters_of_read)
{
	const struct counters *c = &counters[_i / 2];
	struct sample_shape shape = usual(PEAT_SAMPLE_READ, _i % 2);
	char text[512], json[512];
	struct peat_record record = { .sz = sizeof(record) };
	struct bytes bytes;

	shape.layout.read_format = c->format;
	shape.group = c->group;
	build_sample(&bytes, &shape);
	ck_assert_int_eq(peat_record__decode(&shape.layout, bytes.at, bytes.len, &record), 1);
	snprintf(text, sizeof(text), "read=%s", c->text);
	snprintf(json, sizeof(json), "\"read\":%s", c->json);
	check_record(&record, text, json);
}
END_TEST

/* ---- hardware -------------------------------------------------------------------------------- */

static const struct {
	uint64_t value;
	const char *words;
} sources[] = {
	{ 0, "op=No lvl=N/A snoop=N/A tlb=N/A lock=No blk=N/A" },
	/* Everything is not available. */
	{ 1 | 1 << 5 | 1 << 19 | 1 << 24 | 1 << 26 | UINT64_C(15) << 33 | UINT64_C(1) << 40,
	  "op=N/A lvl=N/A snoop=N/A tlb=N/A lock=N/A blk=N/A" },
	{ 4 | 4 << 5, "op=STORE lvl=N/A snoop=N/A tlb=N/A lock=No blk=N/A" },
	{ 8 | (UINT64_C(0x3fff) & ~UINT64_C(3)) << 5,
	  "op=PFETCH lvl=\"L1 or LFB/MAB or L2 or L3 or Local RAM or Remote RAM (1 hop) or "
	  "Remote RAM (2 hops) or Remote Cache (1 hop) or Remote Cache (2 hops) or I/O or "
	  "Uncached miss\" snoop=N/A tlb=N/A lock=No blk=N/A" },
	{ 16 | 2 << 24 | (UINT64_C(2) | 32 | 64) << 26,
	  "op=EXEC lvl=N/A snoop=N/A tlb=\"Walker or Fault hit\" lock=Yes blk=N/A" },
	{ 2 | (2 | 8) << 5 | 16 << 19 | UINT64_C(2) << 33 | UINT64_C(3) << 38 | UINT64_C(6) << 40,
	  "op=LOAD lvl=\"L2 hit\" snoop=\"HitM or Fwd or Peer\" tlb=N/A lock=No blk=\"Data "
	  "Addr\"" },
	{ 2 | 2 << 5 | UINT64_C(13) << 33 | UINT64_C(1) << 37 | UINT64_C(4) << 43,
	  "op=LOAD lvl=\"Remote board RAM hit\" snoop=N/A tlb=N/A lock=No blk=N/A" },
	{ 2 | 4 << 5 | UINT64_C(6) << 33 | UINT64_C(1) << 37 | UINT64_C(7) << 43,
	  "op=LOAD lvl=\"Remote hops 7 Memory-side Cache miss\" snoop=N/A tlb=N/A lock=No "
	  "blk=N/A" },
};

START_TEST(test_data_src)
{
	struct strbuf out = { 0 };
	struct emit emit = emit__pairs(&out);
	char wanted[512];

	emit__begin(&emit, NULL, false);
	data_src__emit(&emit, "d", sources[_i].value);
	emit__end(&emit, false);
	snprintf(wanted, sizeof(wanted), "d={value=0x%llx %s}",
		 (unsigned long long)sources[_i].value, sources[_i].words);
	check_out(&out, wanted);
	/* All values of all fields: none exceeds its table of names. */
	for (unsigned int bit = 0; bit < 64; bit++)
		data_src__emit(&emit, NULL, UINT64_MAX >> bit);
	strbuf__free(&out);
}
END_TEST

START_TEST(test_prints_transaction)
{
	struct peat_record record = a_sample(PEAT_SAMPLE_TRANSACTION);

	check_record(&record, "transaction={flags=0}", "\"transaction\":{\"flags\":\"0\"}");
	record.sample.transaction = 0x80000000000001ff;
	check_record(&record,
		     "transaction={flags=EL|TX|SYNC|ASYNC|RETRY|CON|CAP-WRITE|CAP-READ|0x100 "
		     "abort_code=0x80000000}",
		     "\"transaction\":{\"flags\":\"EL|TX|SYNC|ASYNC|RETRY|CON|CAP-WRITE|CAP-READ|"
		     "0x100\","
		     "\"abort_code\":2147483648}");
}
END_TEST

START_TEST(test_prints_weights)
{
	struct peat_record record = a_sample(PEAT_SAMPLE_WEIGHT_STRUCT);

	record.sample.weight = UINT64_C(3) << 48 | UINT64_C(2) << 32 | 1;
	check_record(&record, "weight=1 ins_lat=2 retire_lat=3",
		     "\"weight\":1,\"ins_lat\":2,\"retire_lat\":3");
	recorded.arch = "ppc64le";
	check_record(&record, "weight=1 ins_lat=2 p_stage_cyc=3",
		     "\"weight\":1,\"ins_lat\":2,\"p_stage_cyc\":3");
}
END_TEST

/* ---- registers ------------------------------------------------------------------------------- */

static const struct {
	const char *arch;
	uint32_t reg;
	const char *name;
} registers[] = {
	{ "x86_64", 0, "ax" },
	{ "x86_64", 15, "gs" },
	{ "x86_64", 23, "r15" },
	{ "x86_64", 24, "r24" },
	{ "x86_64", 32, "xmm0_low" },
	{ "x86_64", 33, "xmm0_high" },
	{ "i686", 8, "ip" },
	{ "i386", 63, "xmm15_high" },
	{ "aarch64", 29, "x29" },
	{ "aarch64", 30, "lr" },
	{ "aarch64", 31, "sp" },
	{ "aarch64_be", 32, "pc" },
	{ "aarch64", 33, "r33" },
	{ "arm64", 46, "vg" },
	{ "armv7l", 10, "r10" },
	{ "armv7l", 11, "fp" },
	{ "armv8l", 15, "pc" },
	{ "s390x", 15, "r15" },
	{ "s390x", 16, "fp0" },
	{ "s390x", 31, "fp15" },
	{ "s390x", 32, "mask" },
	{ "s390", 33, "pc" },
	{ "ppc64le", 31, "r31" },
	{ "ppc64", 32, "nip" },
	{ "ppc", 40, "trap" },
	{ "ppc64le", 44, "mmcra" },
	{ "ppc64le", 51, "pmc1" },
	{ "ppc64le", 58, "siar" },
	{ "ppc64le", 59, "r59" },
	{ "riscv64", 0, "pc" },
	{ "riscv64", 10, "a0" },
	{ "riscv32", 31, "t6" },
	{ "loongarch64", 0, "pc" },
	{ "loongarch64", 4, "r4" },
	{ "mips64", 0, "pc" },
	{ "mips", 31, "r31" },
	{ "csky", 0, "tls" },
	{ "csky", 37, "dcsr" },
	{ "sparc64", 0, "r0" },
	{ "", 63, "r63" },
	{ NULL, 1, "r1" },
};

START_TEST(test_register_names)
{
	for (size_t i = 0; i < COUNT(registers); i++) {
		char room[REG_NAME_BYTES];

		ck_assert_str_eq(
			reg_names__at(reg_names__of(registers[i].arch), registers[i].reg, room),
			registers[i].name);
	}
}
END_TEST

/* Each field that live events can sample has a name of its own. */
START_TEST(test_registers_here)
{
	const struct reg_names *names = reg_names__of(reg_names__here);
	char room[REG_NAME_BYTES], other[REG_NAME_BYTES];

	ck_assert(!SAMPLE_REGS_USER || names);
	for (uint32_t i = 0; i < 64; i++)
		for (uint32_t j = 0; j < i; j++)
			ck_assert_str_ne(reg_names__at(names, i, room),
					 reg_names__at(names, j, other));
}
END_TEST

/* A kernel thread has no user registers. */
START_TEST(test_prints_registers_by_name)
{
	const uint64_t values[] = { 1, UINT64_MAX };
	struct peat_record record = a_sample(PEAT_SAMPLE_REGS_USER | PEAT_SAMPLE_REGS_INTR);

	recorded.arch = "aarch64";
	record.sample.regs_user = (struct peat_regs){ .abi = PEAT_REGS_ABI_NONE, .mask = 3 };
	record.sample.regs_intr = (struct peat_regs){ .abi = PEAT_REGS_ABI_64,
						      .mask = UINT64_C(1) << 30 | UINT64_C(1) << 63,
						      .values = words_of(values, 2) };
	check_record(
		&record, "regs_user={} regs_intr={lr=0x1 r63=0xffffffffffffffff}",
		"\"regs_user\":{},\"regs_intr\":{\"lr\":\"0x1\",\"r63\":\"0xffffffffffffffff\"}");
}
END_TEST

START_TEST(test_empty_memory)
{
	struct peat_record record = a_sample(PEAT_SAMPLE_STACK_USER | PEAT_SAMPLE_AUX);

	check_record(&record, "stack_user= aux={size=0 bytes=}",
		     "\"stack_user\":\"\",\"aux\":{\"size\":0,\"bytes\":\"\"}");
	/* A size larger than the record, as a forged record may have. */
	record.sample.stack_user = "ab";
	record.sample.stack_user_bytes = 1;
	record.sample.stack_user_dyn_bytes = 2;
	check_record(&record, "stack_user=61 aux={size=0 bytes=}",
		     "\"stack_user\":\"61\",\"aux\":{\"size\":0,\"bytes\":\"\"}");
}
END_TEST

/* ---- in the sinks ---------------------------------------------------------------------------- */

START_TEST(test_sinks_print_sample_fields)
{
	const uint64_t chain[] = { PEAT_CONTEXT_USER, 0x1000, 0x2000 };
	struct peat_record record =
		a_sample(PEAT_SAMPLE_IP | PEAT_SAMPLE_CALLCHAIN | PEAT_SAMPLE_RAW);
	struct peat_event event = an_event(NULL, "\x01\xff", 2);
	int fd = new_output();
	struct peat_sink *sink = peat_sink__new_json(fd, NULL);

	event.record = &record;
	record.sample.ip = 0x1000;
	record.sample.callchain = words_of(chain, 3);
	ck_assert_int_eq(peat_sink__write(sink, &event), 0);
	ck_assert_str_eq(output(sink, fd),
			 "{\"type\":\"raw\",\"time_ns\":1000000007,\"cpu\":3,\"pid\":41,\"tid\":41,"
			 "\"comm\":\"bash\",\"size\":2,\"bytes\":\"01ff\",\"ip\":" AT(
				 "0x1000") ","
					   "\"stack\":[" AT("0x1000") "," AT("0x2000") "]}\n");
	peat_sink__free(sink);
	sink = peat_sink__new_text(fd,
				   &(struct peat_sink_opts){ .sz = sizeof(struct peat_sink_opts),
							     .no_heading = true });
	ck_assert_int_eq(peat_sink__write(sink, &event), 0);
	ck_assert_str_eq(output(sink, fd),
			 "raw           41 bash            [003] size=2 bytes=01ff |..| ip=0x1000\n"
			 "        0x1000\n        0x2000\n");
	peat_sink__free(sink);
	close(fd);
}
END_TEST

SUITE(20)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_loop_test(tests, test_prints_each_field, 0, COUNT(fields));
	tcase_add_test(tests, test_every_field_is_printed);
	tcase_add_test(tests, test_untyped_events);
	tcase_add_test(tests, test_live_ids_are_left_out);
	tcase_add_test(tests, test_prints_period_unless_1);
	tcase_add_test(tests, test_name_clash);
	tcase_add_test(tests, test_prints_callchain);
	tcase_add_loop_test(tests, test_prints_branches, 0, COUNT(branches));
	tcase_add_test(tests, test_branch_flags);
	tcase_add_loop_test(tests, test_prints_counters_of_read, 0, 2 * COUNT(counters));
	tcase_add_loop_test(tests, test_data_src, 0, COUNT(sources));
	tcase_add_test(tests, test_prints_transaction);
	tcase_add_test(tests, test_prints_weights);
	tcase_add_test(tests, test_register_names);
	tcase_add_test(tests, test_registers_here);
	tcase_add_test(tests, test_prints_registers_by_name);
	tcase_add_test(tests, test_empty_memory);
	tcase_add_test(tests, test_sinks_print_sample_fields);
}
