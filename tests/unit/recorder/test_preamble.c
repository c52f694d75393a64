// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_preamble.c: records and features that precede the first event of a recording. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>
#include <bpf/btf.h>

#include <peat/log.h>

#include "event/source.h"
#include "perf_data/features.h"
#include "perf_data/read/file.h"
#include "perf_data/tool_record.h"
#include "perf_data/write/feature_encode.h"
#include "recorder/host_info.h"
#include "recorder/preamble.h"
#include "support/machine/harness.h"
#include "sys/kallsyms.h"
#include "unit/fail_alloc.h"
#include "unit/suite.h"

#define COMM "preamble-test"

static struct event_formats formats;
static struct perf_writer *writer;
static struct strbuf out;
static int fd;
static long blocks;
static unsigned warnings;

static void count_warning(enum peat_log_level level, const char *text)
{
	warnings += level == PEAT_LOG_WARN && strstr(text, "cannot read /proc");
}

static void setup(void)
{
	peat_set_print(count_warning);
	blocks = fail_alloc__blocks();
	formats = (struct event_formats){ 0 };
	out = (struct strbuf){ 0 };
	fd = memfd_create("recording", MFD_CLOEXEC);
	writer = perf_writer__new(dup(fd));
	ck_assert_ptr_nonnull(writer);
	ck_assert_int_eq(prctl(PR_SET_NAME, COMM), 0);
}

static void teardown(void)
{
	strbuf__free(&out);
	event_formats__free(&formats);
	perf_writer__free(writer);
	close(fd);
	ck_assert_int_eq(fail_alloc__blocks(), blocks);
}

static void make_formats(uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		const struct reader_type type = { .type = i, .name = i ? "second" : "first" };

		ck_assert_int_eq(event_formats__add_types(&formats, writer, &type, 1), 0);
	}
	ck_assert_int_eq(event_formats__finish(&formats, writer), 0);
}

/* ---- records --------------------------------------------------------------------------------- */

struct header {
	uint32_t type;
	uint16_t misc, size;
};

/* The record at the offset, which is moved behind it; false: the end. */
static bool next_record(size_t *at, struct header *header, const unsigned char **bytes)
{
	*bytes = (const unsigned char *)out.bytes + *at;
	if (*at == out.count)
		return false;
	ck_assert_uint_le(*at + sizeof(*header), out.count);
	memcpy(header, *bytes, sizeof(*header));
	ck_assert_uint_ge(header->size, sizeof(*header));
	*at += header->size;
	return true;
}

/* The first record maps these many ids, 1 and so on, to events, on any CPU. */
static void check_id_index(uint64_t count)
{
	const unsigned char *bytes;
	struct header header;
	uint64_t words[3];
	size_t at = 0;

	ck_assert(next_record(&at, &header, &bytes));
	ck_assert_uint_eq(header.type, TOOL_ID_INDEX);
	memcpy(words, bytes + sizeof(header), sizeof(*words));
	ck_assert_uint_eq(words[0], count);
	for (uint64_t i = 0; i < count; i++) {
		struct tool_id_entry entry;

		memcpy(&entry, bytes + 16 + i * sizeof(entry), sizeof(entry));
		ck_assert_uint_eq(entry.id, i + 1);
		ck_assert_uint_eq(entry.index, i);
		ck_assert_int_eq(entry.cpu, -1);
		ck_assert_int_eq(entry.tid, -1);
	}
}

static void check_kernel_map(const struct peat_record *record)
{
	uint64_t address;
	const char *name;

	ck_assert(kallsyms__text(&name, &address));
	ck_assert_uint_eq(record->misc & PEAT_MISC_CPUMODE_MASK, PEAT_MISC_KERNEL);
	ck_assert_uint_eq(record->mmap.addr, address);
	ck_assert_uint_eq(record->mmap.pgoff, address);
	ck_assert_uint_eq(record->mmap.pid, UINT32_MAX);
	ck_assert_int_eq(strncmp(record->mmap.filename, "[kernel.kallsyms]_", 18), 0);
	ck_assert_str_eq(record->mmap.filename + 17, name);
}

struct found {
	unsigned own_names, maps, others;
	uint32_t last_type;
};

static struct found find_records(void)
{
	struct found found = { 0 };
	const unsigned char *bytes;
	struct header header;
	size_t at = 0;

	while (next_record(&at, &header, &bytes)) {
		struct peat_record record = { .sz = sizeof(record) };

		found.last_type = header.type;
		if (header.type >= TOOL_HEADER_ATTR)
			continue; /* not a kernel's */
		ck_assert_int_eq(peat_record__decode(&formats.side, bytes, header.size, &record),
				 1);
		ck_assert_uint_eq(record.time_ns, 0);
		if (record.type == PEAT_RECORD_MMAP) {
			found.maps++;
			check_kernel_map(&record);
		} else if (record.type == PEAT_RECORD_COMM &&
			   record.comm.tid == (uint32_t)getpid()) {
			found.own_names++;
			ck_assert_uint_eq(record.comm.pid, (uint32_t)getpid());
			ck_assert_str_eq(record.comm.comm, COMM);
		} else {
			ck_assert_uint_eq(record.type, PEAT_RECORD_COMM);
			found.others++;
		}
	}
	return found;
}

static void check_records(uint32_t types, uint64_t ids)
{
	struct found found;
	uint64_t address;
	const char *name;

	make_formats(types);
	ck_assert_int_eq(preamble__records(&out, &formats), 0);
	check_id_index(ids);
	found = find_records();
	ck_assert_uint_eq(found.own_names, 1);
	ck_assert_uint_eq(found.maps, kallsyms__text(&name, &address));
	ck_assert_uint_ge(found.others, 1);
	ck_assert_uint_eq(found.last_type, TOOL_FINISHED_INIT);
}

START_TEST(test_records_before_events)
{
	check_records(2, 2);
}
END_TEST

/* The ids of so many events do not fit into one record. */
START_TEST(test_too_many_ids)
{
	make_formats(2100);
	ck_assert_int_eq(preamble__records(&out, &formats), -E2BIG);
}
END_TEST

/* Without /proc the recording has no names of tasks, and a warning tells so. */
START_TEST(test_no_proc)
{
	int root = open("/", O_PATH | O_CLOEXEC), err;
	struct found found;

	make_formats(1);
	ck_assert_int_eq(preamble__records(&out, &formats), 0);
	ck_assert_uint_eq(warnings, 0);
	strbuf__free(&out);
	if (chroot("/proc/self/fdinfo"))
		return; /* needs root */
	err = preamble__records(&out, &formats);
	ck_assert(!fchdir(root) && !chroot("."));
	close(root);
	ck_assert_int_eq(err, 0);
	ck_assert_uint_eq(warnings, 1);
	found = find_records();
	ck_assert_uint_eq(found.own_names + found.others, 0);
	ck_assert_uint_eq(found.last_type, TOOL_FINISHED_INIT);
}
END_TEST

/* The event of the other records has an id, too. */
START_TEST(test_records_without_types)
{
	check_records(0, 1);
}
END_TEST

/* Any allocation may fail; those of /proc cost only the names. */
START_TEST(test_no_memory_for_records)
{
	unsigned errors = 0;
	bool failed = true;

	make_formats(2);
	for (unsigned nth = 1; failed; nth++) {
		int err;

		fail_alloc__begin(nth);
		err = preamble__records(&out, &formats);
		failed = fail_alloc__end();
		ck_assert(!err || (err == -ENOMEM && failed));
		if (failed && nth <= 2) /* those of the index of ids */
			ck_assert_int_eq(err, -ENOMEM);
		errors += err != 0;
		strbuf__free(&out);
		if (nth > 50)
			break; /* /proc takes some for each process */
	}
	ck_assert(!failed || errors >= 2);
}
END_TEST

/* ---- features -------------------------------------------------------------------------------- */

static struct btf *btfs[2];

static const struct btf *btf_at(const struct peat_reader *reader, uint32_t i)
{
	(void)reader;
	return i < 2 ? btfs[i] : NULL;
}

static const struct source_ops ops = { .btf = btf_at };
static const struct peat_reader reader = { .ops = &ops };

static void make_btfs(void)
{
	for (uint32_t i = 0; i < 2; i++) {
		btfs[i] = btf__new_empty();
		ck_assert_int_gt(btf__add_int(btfs[i], i ? "second" : "first", 4, 0), 0);
	}
}

static void free_btfs(void)
{
	for (uint32_t i = 0; i < 2; i++) {
		btf__free(btfs[i]);
		btfs[i] = NULL;
	}
}

/* Whether the finished recording has these bytes. */
static bool file_has(const void *bytes, size_t count)
{
	size_t room = (size_t)lseek(fd, 0, SEEK_END);
	void *content = malloc(room);
	bool has;

	ck_assert_int_eq(pread(fd, content, room, 0), (ssize_t)room);
	has = memmem(content, room, bytes, count) != NULL;
	free(content);
	return has;
}

static void write_features(const char *const *args)
{
	make_formats(1);
	ck_assert_int_eq(preamble__features(writer, &reader, args), 0);
	ck_assert_int_eq(perf_writer__begin(writer), 0);
	ck_assert_int_eq(perf_writer__close(writer), 0);
}

static bool has_btf_feature(void)
{
	struct perf_feature feature = { 0 };
	struct perf_file *file;
	const char *why;
	bool has = false;

	ck_assert_int_eq(perf_file__open_fd(&file, fd, &why), 0);
	while (perf_file__next_feature(file, &feature) > 0)
		has |= feature.bit == FEATURE_BPF_BTF;
	perf_file__close(file);
	return has;
}

START_TEST(test_btfs_are_recorded)
{
	struct feature_btf wanted[2];

	make_btfs();
	for (uint32_t i = 0; i < 2; i++) {
		wanted[i].id = i + 1;
		wanted[i].bytes = btf__raw_data(btfs[i], &wanted[i].bytes_count);
	}
	write_features(NULL);
	feature_encode__bpf_btf(&out, wanted, 2);
	ck_assert(file_has(out.bytes, out.count));
	ck_assert(has_btf_feature());
	free_btfs();
}
END_TEST

START_TEST(test_arguments_are_recorded)
{
	static const char *const args[] = { "one-argument", "another", NULL };

	write_features(args);
	ck_assert(file_has("one-argument", 13));
	ck_assert(file_has("another", 8));
	ck_assert(!has_btf_feature());
}
END_TEST

/* Adds the features, or only those of the host, while the nth allocation fails.  False: none did.
 */
static bool add_features(unsigned nth, bool all, int *err)
{
	static const char *const none[] = { NULL };
	bool failed;

	make_btfs();
	fail_alloc__begin(nth);
	*err = all ? preamble__features(writer, &reader, NULL) : host_info__add(writer, none);
	failed = fail_alloc__end();
	free_btfs();
	return failed;
}

/* Some facts about the host are optional; the BTF is not. */
START_TEST(test_no_memory_for_features)
{
	unsigned nth, of_host = 1;
	int err;

	while (add_features(of_host, false, &err))
		of_host++;
	for (nth = 1; add_features(nth, true, &err); nth++)
		ck_assert(err == -ENOMEM || (!err && nth < of_host));
	ck_assert_int_eq(err, 0);
	ck_assert(nth == 1 || nth >= of_host + 4); /* the table, two times BTF, the feature */
}
END_TEST

SUITE(30)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_records_before_events);
	tcase_add_test(tests, test_records_without_types);
	tcase_add_test(tests, test_too_many_ids);
	tcase_add_test(tests, test_no_proc);
	tcase_add_test(tests, test_no_memory_for_records);
	tcase_add_test(tests, test_btfs_are_recorded);
	tcase_add_test(tests, test_arguments_are_recorded);
	tcase_add_test(tests, test_no_memory_for_features);
}
