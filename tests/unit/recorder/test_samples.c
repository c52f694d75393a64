// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_samples.c: samples of the kernel are copied with the id of their event in the recording. */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <linux/perf_event.h>

#include "recorder/samples.h"
#include "support/machine/harness.h"
#include "unit/suite.h"

#define SAMPLE_TYPE                                                                                \
	(PEAT_SAMPLE_IDENTIFIER | PEAT_SAMPLE_IP | PEAT_SAMPLE_TID | PEAT_SAMPLE_TIME |            \
	 PEAT_SAMPLE_CALLCHAIN)

static const char format[] = "name: sched_stub\nID: 300\nformat:\n"
			     "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
			     "\n\tfield:int next;\toffset:8;\tsize:4;\tsigned:1;\n\n"
			     "print fmt: \"next=%d\", REC->next\n";

static struct sampled_type sampled[3];
static struct event_formats formats;
static struct perf_writer *writer;

/* Two events of a tracepoint, and one of software. */
static void describe(void)
{
	struct reader_type types[3] = { 0 };

	for (uint32_t i = 0; i < 3; i++) {
		sampled[i] = (struct sampled_type){
			.attr = { .type = i < 2 ? 2 : 1,
				  .config = i < 2 ? 300 : 2,
				  .period = i + 1,
				  .flags = 1ULL << PERF_ATTR_SAMPLE_ID_ALL,
				  .layout = { .sample_type = SAMPLE_TYPE, .sample_id_all = true } },
			.system = i < 2 ? "sched" : NULL,
			.format = i < 2 ? format : NULL,
			.format_bytes = sizeof(format) - 1,
		};
		types[i] = (struct reader_type){ .type = i,
						 .name = i < 2 ? "sched:sched_stub" : "faults",
						 .sampled = &sampled[i] };
	}
	formats = (struct event_formats){ 0 };
	ck_assert_int_eq(event_formats__add_types(&formats, writer, types, 3), 0);
	ck_assert_int_eq(event_formats__finish(&formats, writer), 0);
}

START_TEST(test_append_replaces_id)
{
	struct {
		struct perf_event_header header;
		uint64_t id, ip, chain[3];
	} sample = { { PERF_RECORD_SAMPLE, 2, sizeof(sample) }, 99, 0x1000, { 2, 3, 4 } }, *copy;
	struct strbuf out = { 0 };

	strbuf__bytes(&out, "12345678", 8);
	ck_assert_int_eq(samples__append(&out, 7, &sample.header), 0);
	ck_assert_uint_eq(out.count, 8 + sizeof(sample));
	copy = (void *)(out.bytes + 8);
	ck_assert_uint_eq(copy->id, 7);
	copy->id = 99;
	ck_assert_mem_eq(copy, &sample, sizeof(sample));
	sample.header.size = sizeof(sample.header) + 4;
	ck_assert_int_eq(samples__append(&out, 7, &sample.header), -EBADMSG);
	ck_assert_uint_eq(out.count, 8 + sizeof(sample));
	strbuf__free(&out);
}
END_TEST

START_TEST(test_events_are_described)
{
	int fd = memfd_create("recording", MFD_CLOEXEC);
	struct peat_record record = { .type = PEAT_RECORD_THROTTLE };

	writer = perf_writer__new(fd);
	ck_assert_ptr_nonnull(writer);
	describe();
	ck_assert_int_eq(perf_writer__begin(writer), 0);
	ck_assert_uint_eq(formats.side_id, 1);
	ck_assert_uint_eq(formats.side.sample_type, SAMPLE_TYPE);
	ck_assert_ptr_eq(event_formats__find(&formats, 2)->sampled, &sampled[2]);
	samples__set_throttled(&formats, 2, &record);
	ck_assert_uint_eq(record.throttle.id, 3);
	ck_assert_uint_eq(record.throttle.stream_id, 3);
	record = (struct peat_record){ .type = PEAT_RECORD_COMM };
	samples__set_throttled(&formats, 2, &record);
	ck_assert_uint_eq(record.throttle.id, 0);
	ck_assert(samples__need_mappings(&formats));
	sampled[0].attr.flags |= 1ULL << PERF_ATTR_ENABLE_ON_EXEC;
	ck_assert(!samples__need_mappings(&formats));
	event_formats__free(&formats);
	ck_assert(!samples__need_mappings(&formats));
	perf_writer__free(writer);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_append_replaces_id);
	tcase_add_test(tests, test_events_are_described);
}
