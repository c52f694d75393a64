// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_encode.c: records and attrs, encoded and decoded again. */
#include <errno.h>
#include <stdlib.h>

#include "record/attr_encode.h"
#include "base/cursor.h"
#include "record/encode.h"
#include "support/machine/harness.h"
#include "unit/suite.h"

static const uint64_t sample_types[] = {
	0,
	PEAT_SAMPLE_RAW,
	PEAT_SAMPLE_IDENTIFIER | PEAT_SAMPLE_TID | PEAT_SAMPLE_TIME | PEAT_SAMPLE_CPU |
		PEAT_SAMPLE_RAW,
	PEAT_SAMPLE_ID | PEAT_SAMPLE_TIME | PEAT_SAMPLE_PERIOD,
	ENCODE_SAMPLE,
};

#define TYPES (sizeof(sample_types) / sizeof(*sample_types))

/* Every field has a value of its own. */
static struct peat_record record(uint32_t type)
{
	return (struct peat_record){ .type = type,
				     .misc = PEAT_MISC_USER,
				     .time_ns = 0x1111111122222222,
				     .id = 0x3333333344444444,
				     .stream_id = 0x5555555566666666,
				     .pid = 0x77777777,
				     .tid = 0x88888888,
				     .cpu = 0x99999999 };
}

static struct peat_record decode(const struct strbuf *out, const struct peat_layout *layout)
{
	struct peat_record rec = { .sz = sizeof(rec) };
	uint8_t *copy = malloc(out->count);

	/* What it points to is in `out`, which is as large. */
	memcpy(copy, out->bytes, out->count);
	ck_assert_int_eq(peat_record__decode(layout, copy, out->count, &rec), 1);
	free(copy);
	ck_assert_int_eq(peat_record__decode(layout, out->bytes, out->count, &rec), 1);
	ck_assert_uint_eq(rec.size, out->count);
	ck_assert_uint_eq(rec.size % 8, 0);
	return rec;
}

static void check_ids(const struct peat_record *rec, const struct peat_record *put, uint64_t has)
{
	bool id = has & (PEAT_SAMPLE_ID | PEAT_SAMPLE_IDENTIFIER);

	ck_assert_uint_eq(rec->type, put->type);
	ck_assert_uint_eq(rec->misc, put->misc);
	ck_assert_uint_eq(rec->time_ns, has & PEAT_SAMPLE_TIME ? put->time_ns : 0);
	ck_assert_uint_eq(rec->id, id ? put->id : 0);
	ck_assert_uint_eq(rec->stream_id, has & PEAT_SAMPLE_STREAM_ID ? put->stream_id : 0);
	ck_assert_uint_eq(rec->pid, has & PEAT_SAMPLE_TID ? put->pid : 0);
	ck_assert_uint_eq(rec->tid, has & PEAT_SAMPLE_TID ? put->tid : 0);
	ck_assert_uint_eq(rec->cpu, has & PEAT_SAMPLE_CPU ? put->cpu : 0);
}

/* ---- the kernel's records -------------------------------------------------------------------- */

static void check_sample(uint64_t sample_type, uint32_t raw_bytes)
{
	struct peat_layout layout = { .sample_type = sample_type, .sample_id_all = true };
	struct peat_record put = record(PEAT_RECORD_SAMPLE), rec;
	struct strbuf out = { 0 };
	char raw[64];

	memset(raw, 0xa5, sizeof(raw));
	put.sample.raw = raw;
	put.sample.raw_bytes = raw_bytes;
	put.sample.ip = 0x1234;
	put.sample.addr = 0x5678;
	put.sample.period = 0x9abc;
	ck_assert_int_eq(encode__record(&out, &layout, &put), 0);
	rec = decode(&out, &layout);
	check_ids(&rec, &put, sample_type);
	if (sample_type & PEAT_SAMPLE_RAW) {
		ck_assert_uint_eq(rec.sample.raw_bytes, raw_bytes);
		ck_assert(!memcmp(rec.sample.raw, raw, raw_bytes));
		for (const char *at = (const char *)rec.sample.raw + raw_bytes;
		     at < out.bytes + out.count; at++)
			ck_assert_int_eq(*at, 0);
	}
	if (sample_type & PEAT_SAMPLE_IP)
		ck_assert(rec.sample.ip == 0x1234 && rec.sample.addr == 0x5678);
	if (sample_type & PEAT_SAMPLE_PERIOD)
		ck_assert_uint_eq(rec.sample.period, 0x9abc);
	strbuf__free(&out);
}

START_TEST(test_encodes_samples)
{
	for (size_t i = 0; i < TYPES; i++)
		for (uint32_t raw_bytes = 0; raw_bytes < 20; raw_bytes++)
			check_sample(sample_types[i], raw_bytes);
}
END_TEST

/* As many bytes as fit behind the fields, and not one more. */
static void check_largest(uint64_t sample_type, uint32_t most)
{
	struct peat_layout layout = { .sample_type = sample_type };
	struct peat_record put = record(PEAT_RECORD_SAMPLE);
	void *raw = calloc(1, most + 100);
	struct strbuf out = { 0 };

	put.sample.raw = raw;
	put.sample.raw_bytes = most;
	ck_assert_int_eq(encode__record(&out, &layout, &put), 0);
	ck_assert_uint_eq(decode(&out, &layout).sample.raw_bytes, most);
	ck_assert_uint_eq(encode__raw_most(&layout), most);
	ck_assert_uint_eq(out.count, ENCODE_RECORD_MOST);
	for (uint32_t more = 1; more < 100; more++) {
		put.sample.raw_bytes = most + more;
		ck_assert_int_eq(encode__record(&out, &layout, &put), -E2BIG);
	}
	put.sample.raw_bytes = UINT32_MAX;
	ck_assert_int_eq(encode__record(&out, &layout, &put), -E2BIG);
	ck_assert_uint_eq(out.count, ENCODE_RECORD_MOST);
	strbuf__free(&out);
	free(raw);
}

START_TEST(test_large_samples)
{
	check_largest(PEAT_SAMPLE_RAW, 65516);
	check_largest(PEAT_SAMPLE_RAW | PEAT_SAMPLE_IDENTIFIER | PEAT_SAMPLE_CPU, 65500);
	check_largest(ENCODE_SAMPLE, 65444);
}
END_TEST

START_TEST(test_unknown_records_are_refused)
{
	static const uint64_t fields[] = { PEAT_SAMPLE_READ, PEAT_SAMPLE_CALLCHAIN,
					   PEAT_SAMPLE_REGS_USER, PEAT_SAMPLE_AUX, 1ULL << 40 };
	struct peat_layout layout = { .sample_type = PEAT_SAMPLE_TIME };
	static const uint32_t types[] = { 0,
					  PEAT_RECORD_READ,
					  PEAT_RECORD_CALLCHAIN_DEFERRED,
					  PEAT_RECORD_CALLCHAIN_DEFERRED + 1,
					  64,
					  UINT32_MAX };
	struct peat_record put = record(0);
	struct strbuf out = { 0 };

	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++) {
		put.type = types[i];
		ck_assert_int_eq(encode__record(&out, &layout, &put), -ENOTSUP);
	}
	put.type = PEAT_RECORD_SAMPLE;
	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++) {
		layout.sample_type = PEAT_SAMPLE_TIME | fields[i];
		ck_assert_int_eq(encode__record(&out, &layout, &put), -ENOTSUP);
	}
	ck_assert_uint_eq(out.count, 0);
	strbuf__free(&out);
}
END_TEST

/* With every trailer, and none. */
static void check_other(const struct peat_record *put,
			void (*check)(const struct peat_record *rec, const struct peat_record *put))
{
	for (size_t i = 0; i < 2 * TYPES; i++) {
		struct peat_layout layout = { .sample_type = sample_types[i / 2],
					      .sample_id_all = i % 2 };
		struct strbuf out = { 0 };
		struct peat_record rec = { .sz = sizeof(rec) };

		ck_assert_int_eq(encode__record(&out, &layout, put), 0);
		rec = decode(&out, &layout);
		check_ids(&rec, put, layout.sample_id_all ? layout.sample_type : 0);
		check(&rec, put);
		strbuf__free(&out);
	}
}

static void check_comm(const struct peat_record *rec, const struct peat_record *put)
{
	ck_assert(rec->comm.pid == 1 && rec->comm.tid == 2);
	ck_assert_str_eq(rec->comm.comm, put->comm.comm);
	ck_assert_int_eq(rec->comm.exec, (put->misc & PEAT_MISC_COMM_EXEC) != 0);
}

START_TEST(test_encodes_comm)
{
	static const char *const names[] = { "", "sh", "seven77", "eight888", "kworker/u4:12-e" };
	struct peat_record put = record(PEAT_RECORD_COMM);

	put.comm.pid = 1;
	put.comm.tid = 2;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		put.comm.comm = names[i];
		put.misc = i % 2 ? PEAT_MISC_COMM_EXEC : 0;
		check_other(&put, check_comm);
	}
}
END_TEST

static void check_task(const struct peat_record *rec, const struct peat_record *put)
{
	ck_assert_mem_eq(&rec->task, &put->task, sizeof(put->task));
}

START_TEST(test_tasks_begin_and_end)
{
	struct peat_record put = record(PEAT_RECORD_FORK);

	put.task = (struct peat_task){ 1, 2, 3, 4, 5 };
	check_other(&put, check_task);
	put.type = PEAT_RECORD_EXIT;
	check_other(&put, check_task);
}
END_TEST

static void check_mmap(const struct peat_record *rec, const struct peat_record *put)
{
	const struct peat_mmap *a = &rec->mmap, *b = &put->mmap;

	ck_assert(a->pid == b->pid && a->tid == b->tid && a->addr == b->addr);
	ck_assert(a->len == b->len && a->pgoff == b->pgoff);
	ck_assert_str_eq(a->filename, b->filename);
	if (put->type == PEAT_RECORD_MMAP)
		return;
	ck_assert(a->prot == b->prot && a->flags == b->flags);
	if (put->misc & PEAT_MISC_MMAP_BUILD_ID) {
		ck_assert_uint_eq(a->build_id_bytes, b->build_id_bytes);
		ck_assert_mem_eq(a->build_id, b->build_id, b->build_id_bytes);
	} else {
		ck_assert(a->maj == b->maj && a->min == b->min && a->ino == b->ino);
		ck_assert_uint_eq(a->ino_generation, b->ino_generation);
	}
}

START_TEST(test_encodes_mmap)
{
	struct peat_record put = record(PEAT_RECORD_MMAP2);
	struct peat_mmap *m = &put.mmap;

	*m = (struct peat_mmap){ .pid = 1,
				 .tid = 2,
				 .addr = 3,
				 .len = 4,
				 .pgoff = 5,
				 .maj = 6,
				 .min = 7,
				 .ino = 8,
				 .ino_generation = 9,
				 .prot = 10,
				 .flags = 11,
				 .filename = "/usr/lib/libc.so.6" };
	check_other(&put, check_mmap);
	put.misc = PEAT_MISC_MMAP_BUILD_ID;
	m->build_id = (const uint8_t *)"twenty bytes of them";
	m->build_id_bytes = 20;
	check_other(&put, check_mmap);
	m->build_id_bytes = 8;
	check_other(&put, check_mmap);
	put = (struct peat_record){ .type = PEAT_RECORD_MMAP, .mmap = *m };
	check_other(&put, check_mmap);
}
END_TEST

START_TEST(test_too_long)
{
	struct peat_layout layout = { .sample_type = PEAT_SAMPLE_TID, .sample_id_all = true };
	struct peat_record put = record(PEAT_RECORD_MMAP2);
	char *name = malloc(65600);
	struct strbuf out = { 0 };

	memset(name, 'x', 65600);
	name[65599] = '\0';
	put.mmap = (struct peat_mmap){ .filename = name };
	strbuf__text(&out, "before");
	ck_assert_int_eq(encode__record(&out, &layout, &put), -E2BIG);
	ck_assert_uint_eq(out.count, 6);
	strbuf__free(&out);
	free(name);
}
END_TEST

static void check_lost(const struct peat_record *rec, const struct peat_record *put)
{
	ck_assert(rec->lost.id == put->lost.id && rec->lost.lost == put->lost.lost);
}

static void check_lost_samples(const struct peat_record *rec, const struct peat_record *put)
{
	ck_assert_uint_eq(rec->lost_samples.lost, put->lost_samples.lost);
}

START_TEST(test_encodes_losses)
{
	struct peat_record put = record(PEAT_RECORD_LOST);

	put.lost = (struct peat_lost){ 12, 34 };
	check_other(&put, check_lost);
	put = record(PEAT_RECORD_LOST_SAMPLES);
	put.lost_samples.lost = 56;
	check_other(&put, check_lost_samples);
}
END_TEST

/* What has fields of one size, and nothing between them. */
#define CHECK_PLAIN(of_type, member, ...)                                                          \
	do {                                                                                       \
		struct peat_record plain = record(of_type);                                        \
                                                                                                   \
		plain.member = (typeof(plain.member)){ __VA_ARGS__ };                              \
		check_other(&plain, check_##member);                                               \
	} while (0)

static void check_throttle(const struct peat_record *rec, const struct peat_record *put)
{
	ck_assert_mem_eq(&rec->throttle, &put->throttle, sizeof(put->throttle));
}

static void check_aux(const struct peat_record *rec, const struct peat_record *put)
{
	ck_assert_mem_eq(&rec->aux, &put->aux, sizeof(put->aux));
}

static void check_itrace_start(const struct peat_record *rec, const struct peat_record *put)
{
	ck_assert_mem_eq(&rec->itrace_start, &put->itrace_start, sizeof(put->itrace_start));
}

static void check_hw_id(const struct peat_record *rec, const struct peat_record *put)
{
	ck_assert_uint_eq(rec->hw_id.hw_id, put->hw_id.hw_id);
}

START_TEST(test_plain_records)
{
	CHECK_PLAIN(PEAT_RECORD_THROTTLE, throttle, 1, 2, 3);
	CHECK_PLAIN(PEAT_RECORD_UNTHROTTLE, throttle, 1ULL << 63, 2, 3);
	CHECK_PLAIN(PEAT_RECORD_AUX, aux, 1, 2, PEAT_AUX_TRUNCATED);
	CHECK_PLAIN(PEAT_RECORD_ITRACE_START, itrace_start, 1, 2);
	CHECK_PLAIN(PEAT_RECORD_AUX_OUTPUT_HW_ID, hw_id, 1ULL << 63 | 1);
}
END_TEST

static void check_switch(const struct peat_record *rec, const struct peat_record *put)
{
	const struct peat_context_switch *a = &rec->context_switch, *b = &put->context_switch;
	bool cpu_wide = put->type == PEAT_RECORD_SWITCH_CPU_WIDE;

	ck_assert_int_eq(a->out, (put->misc & PEAT_MISC_SWITCH_OUT) != 0);
	ck_assert_int_eq(a->preempted, (put->misc & PEAT_MISC_SWITCH_OUT_PREEMPT) != 0);
	ck_assert_uint_eq(a->next_prev_pid, cpu_wide ? b->next_prev_pid : 0);
	ck_assert_uint_eq(a->next_prev_tid, cpu_wide ? b->next_prev_tid : 0);
}

START_TEST(test_encodes_switches)
{
	static const uint16_t misc[] = { 0, PEAT_MISC_SWITCH_OUT,
					 PEAT_MISC_SWITCH_OUT | PEAT_MISC_SWITCH_OUT_PREEMPT };
	struct peat_record put = record(PEAT_RECORD_SWITCH);

	put.context_switch.next_prev_pid = 11;
	put.context_switch.next_prev_tid = 12;
	for (size_t i = 0; i < sizeof(misc) / sizeof(*misc); i++) {
		put.misc = misc[i];
		put.type = PEAT_RECORD_SWITCH;
		check_other(&put, check_switch);
		put.type = PEAT_RECORD_SWITCH_CPU_WIDE;
		check_other(&put, check_switch);
	}
}
END_TEST

static void check_namespaces(const struct peat_record *rec, const struct peat_record *put)
{
	const struct peat_namespaces *a = &rec->namespaces, *b = &put->namespaces;

	ck_assert(a->pid == b->pid && a->tid == b->tid && a->nr == b->nr);
	ck_assert_uint_eq(a->links.count, 2 * a->nr);
	for (uint64_t i = 0; i < 2 * a->nr; i++)
		ck_assert_uint_eq(peat_words__at(&a->links, i), i + 1);
}

/* Of a recording that another machine wrote, at no place that u64s stand at. */
START_TEST(test_encodes_namespaces)
{
	struct peat_record put = record(PEAT_RECORD_NAMESPACES);
	char bytes[14 * 8 + 1];

	for (int swapped = 0; swapped < 2; swapped++) {
		for (uint64_t i = 0, word; i < 14; i++) {
			word = swapped ? __builtin_bswap64(i + 1) : i + 1;
			memcpy(bytes + 1 + 8 * i, &word, sizeof(word));
		}
		for (uint64_t nr = 0; nr <= 7; nr++) {
			put.namespaces = (struct peat_namespaces){
				1, 2, nr, { bytes + 1, 2 * nr, swapped }
			};
			check_other(&put, check_namespaces);
		}
	}
}
END_TEST

START_TEST(test_too_many_namespaces)
{
	static const uint64_t counts[] = { 4095, 1ULL << 32, 1ULL << 63, UINT64_MAX };
	struct peat_layout layout = { .sample_type = PEAT_SAMPLE_TID };
	struct peat_record put = record(PEAT_RECORD_NAMESPACES);
	struct strbuf out = { 0 };

	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
		put.namespaces = (struct peat_namespaces){ .nr = counts[i] };
		ck_assert_int_eq(encode__record(&out, &layout, &put), -E2BIG);
	}
	ck_assert_uint_lt(out.room, 1 << 20);
	ck_assert_uint_eq(out.count, 0);
	strbuf__free(&out);
}
END_TEST

static void check_ksymbol(const struct peat_record *rec, const struct peat_record *put)
{
	const struct peat_ksymbol *a = &rec->ksymbol, *b = &put->ksymbol;

	ck_assert(a->addr == b->addr && a->len == b->len);
	ck_assert(a->ksym_type == b->ksym_type && a->flags == b->flags);
	ck_assert_str_eq(a->name, b->name);
}

static void check_bpf(const struct peat_record *rec, const struct peat_record *put)
{
	const struct peat_bpf *a = &rec->bpf, *b = &put->bpf;

	ck_assert(a->event == b->event && a->flags == b->flags && a->id == b->id);
	ck_assert_mem_eq(a->tag, b->tag, 8);
}

static void check_cgroup(const struct peat_record *rec, const struct peat_record *put)
{
	ck_assert_uint_eq(rec->cgroup.id, put->cgroup.id);
	ck_assert_str_eq(rec->cgroup.path, put->cgroup.path);
}

START_TEST(test_what_has_names)
{
	CHECK_PLAIN(PEAT_RECORD_KSYMBOL, ksymbol, 0xffffffffc0001234, 56, PEAT_KSYMBOL_TYPE_OOL,
		    PEAT_KSYMBOL_UNREGISTER, "bpf_prog_0123456789abcdef_name");
	CHECK_PLAIN(PEAT_RECORD_KSYMBOL, ksymbol, 1, 2, PEAT_KSYMBOL_TYPE_BPF, 0, "seven77");
	CHECK_PLAIN(PEAT_RECORD_BPF_EVENT, bpf, PEAT_BPF_PROG_UNLOAD, 2, 3,
		    (const uint8_t *)"8 bytes\xff");
	CHECK_PLAIN(PEAT_RECORD_CGROUP, cgroup, 1ULL << 40, "/system.slice/a.service");
	CHECK_PLAIN(PEAT_RECORD_CGROUP, cgroup, 1, "/");
}
END_TEST

static void check_text_poke(const struct peat_record *rec, const struct peat_record *put)
{
	const struct peat_text_poke *a = &rec->text_poke, *b = &put->text_poke;

	ck_assert(a->addr == b->addr);
	ck_assert(a->old_bytes == b->old_bytes && a->new_bytes == b->new_bytes);
	ck_assert(!memcmp(a->old_text, b->old_text, b->old_bytes));
	ck_assert(!memcmp(a->new_text, b->new_text, b->new_bytes));
}

START_TEST(test_text_poke)
{
	static const uint8_t before[] = "123456789", after[] = "abcdefghi";

	for (uint16_t i = 0; i < 10; i++)
		for (uint16_t j = 0; j < 10; j++)
			CHECK_PLAIN(PEAT_RECORD_TEXT_POKE, text_poke, 0xffffffff81000000, i, j,
				    before, after);
}
END_TEST

/* ---- attrs ----------------------------------------------------------------------------------- */

static void check_attr(const struct perf_attr *put)
{
	struct strbuf out = { 0 };
	struct perf_attr attr;

	attr_encode__put(&out, put);
	ck_assert_uint_eq(out.count, ATTR_ENCODE_BYTES);
	ck_assert_int_eq(perf_attr__parse(&attr, out.bytes, out.count, false), ATTR_ENCODE_BYTES);
	ck_assert_uint_eq(attr.type, put->type);
	ck_assert_uint_eq(attr.config, put->config);
	ck_assert_uint_eq(attr.config1, put->config1);
	ck_assert_uint_eq(attr.config2, put->config2);
	ck_assert_uint_eq(attr.period, put->period);
	ck_assert_uint_eq(attr.flags, put->flags);
	ck_assert_uint_eq(attr.precise_ip, put->precise_ip);
	ck_assert_uint_eq(attr.wakeup, put->wakeup);
	ck_assert_uint_eq(attr.bp_type, put->bp_type);
	ck_assert_int_eq(attr.clockid, put->clockid);
	ck_assert_uint_eq(attr.stack_user, put->stack_user);
	ck_assert_uint_eq(attr.aux_watermark, put->aux_watermark);
	ck_assert_uint_eq(attr.aux_sample_bytes, put->aux_sample_bytes);
	ck_assert_uint_eq(attr.max_stack, put->max_stack);
	ck_assert_uint_eq(attr.sig_data, put->sig_data);
	ck_assert_uint_eq(attr.aux_action, put->aux_action);
	ck_assert_uint_eq(attr.layout.sample_type, put->layout.sample_type);
	ck_assert_uint_eq(attr.layout.read_format, put->layout.read_format);
	ck_assert_uint_eq(attr.layout.branch_sample_type, put->layout.branch_sample_type);
	ck_assert_uint_eq(attr.layout.regs_user, put->layout.regs_user);
	ck_assert_uint_eq(attr.layout.regs_intr, put->layout.regs_intr);
	ck_assert(attr.layout.sample_id_all == put->layout.sample_id_all);
	strbuf__free(&out);
}

START_TEST(test_encodes_attrs)
{
	struct perf_attr attr = { .type = 0x01010101,
				  .config = 2,
				  .config1 = 3,
				  .config2 = 4,
				  .period = 5,
				  .precise_ip = 2,
				  .wakeup = 6,
				  .bp_type = 7,
				  .clockid = -8,
				  .stack_user = 9,
				  .aux_watermark = 10,
				  .aux_sample_bytes = 11,
				  .max_stack = 12,
				  .sig_data = 13,
				  .aux_action = 14 };

	attr.layout = (struct peat_layout){ .sample_type = 14,
					    .read_format = 15,
					    .branch_sample_type = 16,
					    .regs_user = 17,
					    .regs_intr = 18 };
	for (unsigned i = 0; i < 64; i++) {
		if (i == 15 || i == 16)
			continue;
		attr.flags = 1ULL << i;
		attr.layout.sample_id_all = i == PERF_ATTR_SAMPLE_ID_ALL;
		check_attr(&attr);
	}
	attr = attr_encode__tracepoint(65534);
	check_attr(&attr);
	ck_assert(attr.type == 2 && attr.config == 65534);
	attr = attr_encode__bpf_output();
	check_attr(&attr);
	ck_assert(attr.type == 1 && attr.config == 10 && attr.layout.sample_type & PEAT_SAMPLE_IP);
}
END_TEST

SUITE(30)
{
	tcase_add_test(tests, test_encodes_samples);
	tcase_add_test(tests, test_large_samples);
	tcase_add_test(tests, test_unknown_records_are_refused);
	tcase_add_test(tests, test_encodes_comm);
	tcase_add_test(tests, test_tasks_begin_and_end);
	tcase_add_test(tests, test_encodes_mmap);
	tcase_add_test(tests, test_too_long);
	tcase_add_test(tests, test_encodes_losses);
	tcase_add_test(tests, test_plain_records);
	tcase_add_test(tests, test_encodes_switches);
	tcase_add_test(tests, test_encodes_namespaces);
	tcase_add_test(tests, test_too_many_namespaces);
	tcase_add_test(tests, test_what_has_names);
	tcase_add_test(tests, test_text_poke);
	tcase_add_test(tests, test_encodes_attrs);
}
