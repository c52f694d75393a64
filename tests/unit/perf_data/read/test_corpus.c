// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_corpus.c: perf.data that other projects wrote, read record by record.
 *
 * They are in $PEAT_CORPUS, or in shared/corpus beside this tree, and not in it.
 */
#include <stdio.h>
#include <unistd.h>

#include "perf_data/read/file.h"

#include "support/machine/harness.h"
#include "support/perf/perf_types.h"
#include "unit/suite.h"

#define EVENTS_MAX 32

/* As stock perf 6.1 and 7.2 counted them. */
static const struct recording {
	const char *name;
	const char *types;   /* records by type */
	const char *samples; /* of each event, in the order of the events */
	enum perf_file_mode mode;
	const char *why; /* it is not whole, or something is behind it */
} recordings[] = {
	{ "linux-perf-data__sleep.compressed.data",
	  "BPF_EVENT:14 COMM:2 COMPRESSED:1 CPU_MAP:1 EXIT:1 FINISHED_INIT:1 FINISHED_ROUND:1 "
	  "ID_INDEX:1 KSYMBOL:15 MMAP:45 MMAP2:4 SAMPLE:8 THREAD_MAP:1 TIME_CONV:1",
	  "8", PERF_FILE_SECTIONS, NULL },
	{ "linux-perf-data__sleep.compressed2.pipe.data",
	  "COMM:2 COMPRESSED2:1 CPU_MAP:1 EVENT_UPDATE:2 EXIT:1 FINISHED_INIT:1 FINISHED_ROUND:1 "
	  "HEADER_ATTR:1 HEADER_FEATURE:21 ID_INDEX:1 MMAP:165 MMAP2:4 SAMPLE:7 THREAD_MAP:1 "
	  "TIME_CONV:1",
	  "7", PERF_FILE_PIPE, "text follows" },
	{ "linux-perf-data__sleep.data",
	  "COMM:2 CPU_MAP:1 EVENT_UPDATE:1 EXIT:1 FINISHED_INIT:1 FINISHED_ROUND:1 ID_INDEX:1 "
	  "MMAP2:4 SAMPLE:7 THREAD_MAP:1",
	  "7", PERF_FILE_SECTIONS, NULL },
	{ "ms-tracepoints__pipe.data",
	  "BPF_EVENT:6 COMM:36 CPU_MAP:1 EVENT_UPDATE:11 EXIT:1 FINISHED_INIT:1 FINISHED_ROUND:2 "
	  "FORK:37 HEADER_ATTR:11 HEADER_FEATURE:20 ID_INDEX:1 KSYMBOL:6 MMAP:1 MMAP2:371 "
	  "SAMPLE:551 THREAD_MAP:1 TRACING_DATA:1",
	  "1 1 1 109 2 1 1 136 2 297 0", PERF_FILE_PIPE, NULL },
	{ "quipper__perf.data.ctx_switch_namespaces-4.14",
	  "COMM:3 EXIT:1 FINISHED_ROUND:1 MMAP:21 MMAP2:10 NAMESPACES:1 SAMPLE:2 SWITCH:2 "
	  "TIME_CONV:1",
	  "2", PERF_FILE_SECTIONS, NULL },
	{ "quipper__perf.data.lost_samples-4.4",
	  "COMM:3 EXIT:1 FINISHED_ROUND:1 LOST_SAMPLES:2 MMAP:39 MMAP2:6 SAMPLE:191", "97 80 14",
	  PERF_FILE_SECTIONS, NULL },
	{ "quipper__perf.data.group_desc-4.14",
	  "COMM:3 EXIT:1 FINISHED_ROUND:1 MMAP:21 MMAP2:10 SAMPLE:13 TIME_CONV:1", "7 6",
	  PERF_FILE_SECTIONS, NULL },
	{ "quipper__perf.data.intel_pt-4.14",
	  "AUX:10 AUXTRACE:2 AUXTRACE_INFO:1 COMM:3 EXIT:1 FINISHED_ROUND:4 ITRACE_START:2 MMAP:56 "
	  "MMAP2:10 SAMPLE:15 SWITCH_CPU_WIDE:152 TIME_CONV:1",
	  "0 15 0 0", PERF_FILE_SECTIONS, NULL },
	{ "quipper__perf.data.raw-3.4", "COMM:225 EXIT:4 FORK:2 MMAP:1645 SAMPLE:441", "441",
	  PERF_FILE_SECTIONS, NULL },
	{ "quipper__perf.data.piped.corrupted.zero_size_sample-3.2",
	  "COMM:100 EVENT_TYPE:1 HEADER_ATTR:1 MMAP:468", "0", PERF_FILE_PIPE,
	  "shorter than its header" },
	{ "quipper__perf.data.piped.header_features_aligned-6.12",
	  "COMM:2 CPU_MAP:1 EVENT_UPDATE:2 EXIT:1 FINISHED_INIT:1 FINISHED_ROUND:1 HEADER_ATTR:1 "
	  "HEADER_FEATURE:20 ID_INDEX:1 MMAP2:4 SAMPLE:9 THREAD_MAP:1 TIME_CONV:1",
	  "9", PERF_FILE_PIPE, NULL },
	{ "quipper__perf.data.piped.no_attr_ids-4.14",
	  "COMM:3 EXIT:1 FINISHED_ROUND:1 HEADER_ATTR:1 HEADER_FEATURE:12 MMAP:21 MMAP2:10 "
	  "SAMPLE:7 TIME_CONV:1",
	  "7", PERF_FILE_PIPE, NULL },
	{ "quipper__perf.data.i686-3.4", "COMM:204 EXIT:6 FORK:2 MMAP:1584 SAMPLE:703",
	  "147 155 116 89 95 101", PERF_FILE_SECTIONS, NULL },
	{ "quipper__perf.data.hybrid_topology",
	  "COMM:3 CPU_MAP:1 EVENT_UPDATE:2 EXIT:1 FINISHED_ROUND:1 MMAP:100 MMAP2:7 SAMPLE:7 "
	  "THREAD_MAP:1 TIME_CONV:1",
	  "7 0 0", PERF_FILE_SECTIONS, NULL },
	{ "autofdo__ro_sample.perf",
	  "COMM:2 EXIT:1 FINISHED_ROUND:1 MMAP2:5 SAMPLE:13 THREAD_MAP:1 TIME_CONV:1", "13",
	  PERF_FILE_SECTIONS, NULL },
};

static const char *corpus(void)
{
	const char *path = getenv("PEAT_CORPUS");

	return path ? path : "../shared/corpus";
}

static char *path_of(const struct recording *recording)
{
	char *path;

	ck_assert_int_gt(asprintf(&path, "%s/%s", corpus(), recording->name), 0);
	return path;
}

struct counts {
	unsigned long types[PERF_TYPES], samples[EVENTS_MAX];
	unsigned long nobodys, undecoded;
};

static void count(struct counts *counts, const struct perf_entry *entry)
{
	struct peat_record rec = { .sz = sizeof(rec) };

	ck_assert_uint_lt(entry->type, PERF_TYPES);
	counts->types[entry->type]++;
	if (entry->type >= 64)
		return;
	if (!entry->layout ||
	    peat_record__decode(entry->layout, entry->bytes, entry->size, &rec) != 1)
		counts->undecoded++;
	if (entry->type != PEAT_RECORD_SAMPLE)
		return;
	if (entry->attr)
		counts->samples[entry->attr->index]++;
	else
		counts->nobodys++;
}

static void check_samples(const struct recording *recording, const struct counts *counts,
			  uint32_t events)
{
	char text[400] = "";

	ck_assert_uint_le(events, EVENTS_MAX);
	for (uint32_t i = 0; i < events; i++)
		sprintf(text + strlen(text), "%s%lu", i ? " " : "", counts->samples[i]);
	ck_assert_msg(!strcmp(text, recording->samples), "%s: samples %s", recording->name, text);
}

static void check(const struct recording *recording, struct perf_file *file)
{
	const struct perf_end *end = perf_file__end(file);
	struct counts counts = { 0 };
	struct perf_entry entry;
	char *types;

	while (perf_file__next(file, &entry) > 0)
		count(&counts, &entry);
	types = perf_types_text(counts.types);
	ck_assert_msg(!strcmp(types, recording->types), "%s: %s", recording->name, types);
	check_samples(recording, &counts, perf_file__attrs(file)->count);
	ck_assert_uint_eq(counts.nobodys, 0);
	ck_assert_msg(!counts.undecoded, "%s: %lu not decoded", recording->name, counts.undecoded);
	ck_assert_msg(!end->why == !recording->why &&
			      (!end->why || strstr(end->why, recording->why)),
		      "%s: %s", recording->name, end->why ?: "whole");
	free(types);
}

/* From a file, or through a pipe. */
static void check_all(bool piped)
{
	unsigned ran = 0;

	for (size_t i = 0; i < sizeof(recordings) / sizeof(*recordings); i++) {
		char *path = path_of(&recordings[i]), *command;
		struct perf_file *file;
		const char *why;
		FILE *pipe;

		ck_assert_int_gt(asprintf(&command, "cat %s", path), 0);
		if (!access(path, R_OK)) {
			pipe = piped ? popen(command, "r") : fopen(path, "re");
			ck_assert_ptr_nonnull(pipe);
			ck_assert_int_eq(perf_file__open_fd(&file, fileno(pipe), &why), 0);
			ck_assert_int_eq(perf_file__info(file)->mode, recordings[i].mode);
			check(&recordings[i], file);
			perf_file__close(file);
			ck_assert_int_eq(piped ? pclose(pipe) : fclose(pipe), 0);
			ran++;
		}
		free(command);
		free(path);
	}
	if (!ran)
		skip("no recordings of others in %s", corpus());
	ck_assert_uint_eq(ran, sizeof(recordings) / sizeof(*recordings));
}

START_TEST(test_reads_files)
{
	check_all(false);
}
END_TEST

START_TEST(test_reads_pipes)
{
	check_all(true);
}
END_TEST

static char *read_whole(const char *path, size_t *bytes)
{
	FILE *file = fopen(path, "re");
	char *text = malloc(1 << 20);

	if (!file || !text)
		abort();
	*bytes = fread(text, 1, 1 << 20, file);
	fclose(file);
	return realloc(text, *bytes + 1);
}

static unsigned long records_of(const char *bytes, size_t count, struct perf_end *end)
{
	struct perf_entry entry;
	struct perf_file *file;
	unsigned long records = 0;
	const char *why;

	ck_assert_int_eq(perf_file__open_memory(&file, bytes, count, true, &why), 0);
	while (perf_file__next(file, &entry) > 0)
		records++;
	*end = *perf_file__end(file);
	perf_file__close(file);
	return records;
}

/* Cut every 4 KiB: ever more records, and told to be cut unless in between two records of a pipe.
 */
START_TEST(test_reads_cut_files)
{
	unsigned ran = 0;

	for (size_t i = 0; i < sizeof(recordings) / sizeof(*recordings); i++) {
		char *path = path_of(&recordings[i]), *bytes;
		unsigned long before = 0, records;
		struct perf_end end;
		size_t count;

		if (!access(path, R_OK)) {
			bytes = read_whole(path, &count);
			for (size_t len = 512; len <= count; len += 4096) {
				records = records_of(bytes, len, &end);
				ck_assert_uint_ge(records, before);
				ck_assert(recordings[i].why || end.how != PERF_END_DAMAGED);
				before = records;
			}
			free(bytes);
			ran++;
		}
		free(path);
	}
	if (!ran)
		skip("no recordings of others in %s", corpus());
}
END_TEST

SUITE(60)
{
	tcase_add_test(tests, test_reads_files);
	tcase_add_test(tests, test_reads_pipes);
	tcase_add_test(tests, test_reads_cut_files);
}
