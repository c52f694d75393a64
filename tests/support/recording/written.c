// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* written.c: a recording of two events. */
#include <stdio.h>
#include <string.h>

#include "record/attr_encode.h"
#include "record/encode.h"
#include "perf_data/write/feature_encode.h"
#include "support/machine/harness.h"
#include "recorder/host_info.h"
#include "perf_data/note.h"
#include "perf_data/describe/features.h"
#include "base/store.h"
#include "written.h"

#define EXEC_NUMBER 40000
#define FIRST_NS    1000000000
#define EACH_NS	    1000
#define PID	    100

static const char header_page[] = "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
				  "\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
				  "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
				  "\tfield: char data;\toffset:16;\tsize:4080;\tsigned:0;\n";

static const char header_event[] = "# compressed entry header\n"
				   "\ttype_len    :    5 bits\n"
				   "\ttime_delta  :   27 bits\n"
				   "\tarray       :   32 bits\n\n"
				   "\tpadding     : type == 29\n"
				   "\ttime_extend : type == 30\n"
				   "\ttime_stamp : type == 31\n"
				   "\tdata max type_len  == 28\n";

static const char exec_format[] =
	"name: exec\n"
	"ID: 40000\n"
	"format:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
	"\tfield:u32 ppid;\toffset:8;\tsize:4;\tsigned:0;\n"
	"\tfield:char filename[16];\toffset:12;\tsize:16;\tsigned:0;\n\n"
	"print fmt: \"ppid=%u filename=%s\", REC->ppid, REC->filename\n";

struct exec_payload {
	uint16_t common_type;
	uint8_t common_flags, common_preempt_count;
	int32_t common_pid;
	uint32_t ppid;
	char filename[16];
};

static void store_sized(struct strbuf *out, const char *text)
{
	store_u64(out, strlen(text));
	strbuf__text(out, text);
}

void written__tracing_data(struct strbuf *out)
{
	strbuf__bytes(out, "\x17\x08\x44tracing0.6", 14);
	strbuf__char(out, __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	strbuf__char(out, sizeof(long));
	store_u32(out, 4096);
	strbuf__bytes(out, "header_page", 12);
	store_sized(out, header_page);
	strbuf__bytes(out, "header_event", 13);
	store_sized(out, header_event);
	store_u32(out, 0); /* formats of ftrace */
	store_u32(out, 1); /* systems */
	strbuf__bytes(out, "peat", 5);
	store_u32(out, 1);
	store_sized(out, exec_format);
	store_u32(out, 0); /* kallsyms */
	store_u32(out, 0); /* printk */
	store_u64(out, 0); /* names of tasks */
}

void written__text(char text[WRITTEN_TEXT_BYTES], unsigned i)
{
	snprintf(text, WRITTEN_TEXT_BYTES, "sample %05u", i % 100000);
}

/* ---- header ---------------------------------------------------------------------------------- */

static void give(struct written *written, unsigned bit, struct strbuf *out)
{
	ck_assert(!out->failed);
	ck_assert_int_eq(perf_writer__feature(written->writer, bit, out->bytes, out->count), 0);
	strbuf__free(out);
}

static void add_events(struct written *written)
{
	written->raw_id = 11;
	written->exec_id = 12;
	written->raw = attr_encode__bpf_output();
	written->raw.name = (char *)"raw";
	written->raw.ids = &written->raw_id;
	written->raw.ids_count = 1;
	written->exec = attr_encode__tracepoint(EXEC_NUMBER);
	written->exec.name = (char *)"peat:exec";
	written->exec.ids = &written->exec_id;
	written->exec.ids_count = 1;
	ck_assert_int_eq(perf_writer__event(written->writer, &written->raw), 0);
	ck_assert_int_eq(perf_writer__event(written->writer, &written->exec), 0);
}

static struct strbuf *records_of(struct written *written)
{
	return written->deflate ? &written->plain : perf_writer__out(written->writer);
}

/* Passes all collected records to the writer. */
static int hand_over(struct written *written)
{
	if (written->deflate) {
		ck_assert_int_eq(deflate__records(written->deflate, written->plain.bytes,
						  written->plain.count,
						  perf_writer__out(written->writer)),
				 0);
		written->plain.count = 0;
	}
	return perf_writer__commit(written->writer);
}

static void put_name_of_task(struct written *written)
{
	struct peat_record rec = { .type = PEAT_RECORD_COMM, .pid = PID, .tid = PID };

	rec.comm.pid = PID;
	rec.comm.tid = PID;
	rec.comm.comm = "proc-a";
	ck_assert_int_eq(encode__record(records_of(written), &written->raw.layout, &rec), 0);
}

int written__begin(struct written *written, int fd, bool compressed)
{
	static const char *const args[] = { "peat", "record", "it's", NULL };
	struct strbuf out = { 0 };
	int err;

	*written = (struct written){ .writer = perf_writer__new(fd) };
	ck_assert_ptr_nonnull(written->writer);
	add_events(written);
	written__tracing_data(&out);
	give(written, FEATURE_TRACING_DATA, &out);
	ck_assert_int_eq(host_info__add(written->writer, args), 0);
	if (compressed) {
		written->deflate = deflate__new(1);
		ck_assert_ptr_nonnull(written->deflate);
		feature_encode__compressed(&out, 1, 1);
		give(written, FEATURE_COMPRESSED, &out);
	}
	err = perf_writer__begin(written->writer);
	if (!err)
		put_name_of_task(written);
	return err;
}

/* ---- records --------------------------------------------------------------------------------- */

static void put_exec(struct written *written, struct peat_record *rec)
{
	struct exec_payload payload = { .common_type = EXEC_NUMBER,
					.common_pid = PID,
					.ppid = written->count,
					.filename = "/bin/true" };

	rec->id = written->exec_id;
	rec->sample.raw = &payload;
	rec->sample.raw_bytes = sizeof(payload);
	ck_assert_int_eq(encode__record(records_of(written), &written->exec.layout, rec), 0);
}

static void put_sample(struct written *written)
{
	struct peat_record rec = { .type = PEAT_RECORD_SAMPLE,
				   .misc = PEAT_MISC_KERNEL,
				   .pid = PID,
				   .tid = PID,
				   .cpu = written->count % 2,
				   .time_ns = FIRST_NS + (uint64_t)written->count * EACH_NS };
	char text[WRITTEN_TEXT_BYTES];

	if (written->count % WRITTEN_EACH == 0)
		put_exec(written, &rec);
	written__text(text, written->count);
	rec.id = written->raw_id;
	rec.sample.raw = text;
	rec.sample.raw_bytes = sizeof(text);
	ck_assert_int_eq(encode__record(records_of(written), &written->raw.layout, &rec), 0);
}

int written__samples(struct written *written, unsigned count)
{
	unsigned end = written->count + count;
	int err = 0;

	while (written->count < end && !err) {
		put_sample(written);
		if (++written->count % WRITTEN_ROUND == 0) {
			err = hand_over(written);
			err = err ? err : perf_writer__round(written->writer);
		}
	}
	return err ? err : hand_over(written);
}

void written__end(struct written *written)
{
	struct strbuf out = { 0 };

	feature_encode__sample_time(&out, FIRST_NS,
				    FIRST_NS + (uint64_t)(written->count - 1) * EACH_NS);
	give(written, FEATURE_SAMPLE_TIME, &out);
	ck_assert_int_eq(note__put(perf_writer__out(written->writer), WRITTEN_NOTE, "a note", 6),
			 0);
}

void written__free(struct written *written)
{
	perf_writer__free(written->writer);
	deflate__free(written->deflate);
	strbuf__free(&written->plain);
}
