// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_tracepoints.c: the formats of this kernel, and what perf records by them. */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <linux/perf_event.h>

#include <peat/record.h>

#include "field/fields.h"
#include "tracepoint/format_parse.h"
#include "tracing_data/tracing_data.h"

#include "support/machine/command.h"
#include "support/machine/harness.h"
#include "support/machine/mounts.h"
#include "support/perf/perf_magic.h"
#include "support/machine/process.h"
#include "support/perf/stock_perf.h"

#define EVENTS "/sys/kernel/tracing/events/"

/* ---- files ----------------------------------------------------------------------------------- */

/* Reads a whole file, for free(); NULL: no such file. */
static char *read_file(const char *path, size_t *bytes)
{
	FILE *file = fopen(path, "re");
	char *text = NULL;
	size_t room = 0, got;

	*bytes = 0;
	if (!file)
		return NULL;
	do {
		if (*bytes == room)
			text = realloc(text, room = 2 * room + 65536);
		got = fread(text + *bytes, 1, room - *bytes, file);
		*bytes += got;
	} while (got);
	fclose(file);
	return text;
}

static bool has_event(const char *name)
{
	char path[1024];

	snprintf(path, sizeof(path), EVENTS "%s/format", name);
	return !access(path, F_OK);
}

/* ---- formats --------------------------------------------------------------------------------- */

/* The number of field lines after the first blank line, except fields without a size. */
static uint32_t count_fields(const char *text)
{
	const char *blank = strstr(text, "\n\n");
	uint32_t count = 0;

	for (const char *at = blank; at && (at = strstr(at, "\tfield:")); at++) {
		const char *end = strchr(at, '\n');
		const char *nothing = memmem(at, (size_t)(end - at), "size:0;", 7);

		count += !nothing || memchr(at, '[', (size_t)(end - at));
	}
	return count;
}

static uint32_t count_members(const struct peat_schema *schema)
{
	uint32_t members = 0;

	for (uint32_t i = 0; i < schema->count; i += schema->fields[i].span)
		members++;
	return members;
}

static void check_format(const char *system, const char *event)
{
	char path[1024], *text, name[600];
	struct trace_format format;
	const char *why;
	size_t bytes;
	int err;

	snprintf(path, sizeof(path), EVENTS "%s/%s/format", system, event);
	text = read_file(path, &bytes);
	ck_assert_msg(text && bytes, "%s: %s", path, strerror(errno));
	err = format_parse__text(&format, system, text, bytes, sizeof(long), &why);
	ck_assert_msg(!err, "%s: %s", path, why);
	snprintf(name, sizeof(name), "%s:%s", system, event);
	ck_assert_str_eq(peat_schema__name(format.schema), name);
	text = realloc(text, bytes + 1);
	text[bytes] = '\0';
	ck_assert_msg(count_members(format.schema) == count_fields(text), "%s: %u fields in %s",
		      path, count_members(format.schema), text);
	format_parse__free(&format);
	free(text);
}

static uint32_t check_system(const char *system)
{
	char path[512];
	struct dirent *entry;
	uint32_t count = 0;
	DIR *dir;

	snprintf(path, sizeof(path), EVENTS "%s", system);
	dir = opendir(path);
	while (dir && (entry = readdir(dir))) {
		snprintf(path, sizeof(path), "%s/%s", system, entry->d_name);
		if (entry->d_name[0] == '.' || !has_event(path))
			continue;
		check_format(system, entry->d_name);
		count++;
	}
	if (dir)
		closedir(dir);
	return count;
}

START_TEST(test_all_formats)
{
	struct dirent *entry;
	uint32_t count = 0;
	DIR *dir;

	mounts__need_tracefs();
	dir = opendir(EVENTS);
	ck_assert_ptr_nonnull(dir);
	while ((entry = readdir(dir)))
		if (entry->d_name[0] != '.')
			count += check_system(entry->d_name);
	closedir(dir);
	ck_assert_uint_gt(count, 100);
}
END_TEST

/* ---- a recording ----------------------------------------------------------------------------- */

struct section {
	uint64_t at, bytes;
};

/* The header of a file that perf has just written on this machine. */
struct file_header {
	char magic[8];
	uint64_t bytes, attr_bytes;
	struct section attrs, data, event_types;
	uint64_t features[4];
};

#define FORMATS_MAX 64

struct recording {
	char *bytes;
	struct file_header *header;
	struct peat_layout layout;
	struct trace_format formats[FORMATS_MAX];
	uint32_t format_count;
};

struct sample {
	uint64_t time_ns;
	uint32_t cpu;
	const struct trace_format *format;
	const void *data;
	uint32_t bytes;
};

static uint64_t u64_at(const struct recording *recording, uint64_t at)
{
	uint64_t value;

	memcpy(&value, recording->bytes + at, sizeof(value));
	return value;
}

/*
 * Reads the sample_type and read_format that all tracepoints have.  Before them, an attr has type,
 * size, config and period.
 */
static void read_layout(struct recording *recording)
{
	const struct section *attrs = &recording->header->attrs;

	recording->layout.sample_type = u64_at(recording, attrs->at + 24);
	recording->layout.read_format = u64_at(recording, attrs->at + 32);
	for (uint64_t at = attrs->at; at < attrs->at + attrs->bytes;
	     at += recording->header->attr_bytes)
		if ((uint32_t)u64_at(recording, at) == PERF_TYPE_TRACEPOINT)
			ck_assert_uint_eq(u64_at(recording, at + 24),
					  recording->layout.sample_type);
}

static void read_formats(struct recording *recording)
{
	const struct section *data = &recording->header->data;
	struct tracing_format found;
	struct tracing_data tracing;
	const char *why;
	uint64_t section = data->at + data->bytes;

	ck_assert_uint_eq(recording->header->features[0] & 3, 2); /* TRACING_DATA is the first */
	ck_assert_int_eq(tracing_data__begin(&tracing,
					     recording->bytes + u64_at(recording, section),
					     u64_at(recording, section + 8)),
			 0);
	while (tracing_data__next(&tracing, &found) == 1) {
		struct trace_format *format = &recording->formats[recording->format_count++];

		ck_assert_uint_lt(recording->format_count, FORMATS_MAX);
		ck_assert_int_eq(format_parse__text(format, found.system, found.text.at,
						    found.text.bytes, tracing.long_bytes, &why),
				 0);
	}
	ck_assert_msg(!tracing.why, "%s at %" PRIu64, tracing.why, tracing.bad_at);
	ck_assert_uint_eq(tracing.long_bytes, sizeof(long));
	ck_assert(!tracing.swapped);
}

static void open_recording(struct recording *recording, const char *path)
{
	size_t bytes;

	*recording = (struct recording){ .bytes = read_file(path, &bytes) };
	ck_assert(recording->bytes && bytes > sizeof(*recording->header));
	recording->header = (struct file_header *)recording->bytes;
	ck_assert_mem_eq(recording->header->magic, &perf_magic, sizeof(perf_magic));
	read_layout(recording);
	read_formats(recording);
}

static void close_recording(struct recording *recording)
{
	for (uint32_t i = 0; i < recording->format_count; i++)
		format_parse__free(&recording->formats[i]);
	free(recording->bytes);
}

/* Each payload begins with the id of its event. */
static const struct trace_format *format_of(const struct recording *recording, const void *data)
{
	uint16_t id;

	memcpy(&id, data, sizeof(id));
	for (uint32_t i = 0; i < recording->format_count; i++)
		if (recording->formats[i].id == id)
			return &recording->formats[i];
	ck_abort_msg("no format %u", id);
	return NULL;
}

static int by_time(const void *one, const void *other)
{
	const struct sample *a = one, *b = other;

	if (a->time_ns != b->time_ns)
		return a->time_ns < b->time_ns ? -1 : 1;
	return a->data < b->data ? -1 : a->data > b->data;
}

/* The samples in the order of perf script: by time. */
static struct sample *read_samples(const struct recording *recording, uint32_t *count)
{
	const struct section *data = &recording->header->data;
	struct sample *samples = NULL;
	struct peat_record record = { .sz = sizeof(record) };

	*count = 0;
	for (uint64_t at = 0; at < data->bytes; at += record.size) {
		int ret = peat_record__decode(&recording->layout, recording->bytes + data->at + at,
					      data->bytes - at, &record);

		ck_assert_int_ge(ret, 0);
		if (record.type != PEAT_RECORD_SAMPLE)
			continue;
		samples = reallocarray(samples, *count + 1, sizeof(*samples));
		samples[(*count)++] =
			(struct sample){ record.time_ns, record.cpu,
					 format_of(recording, record.sample.raw), record.sample.raw,
					 (uint32_t)record.sample.raw_bytes };
	}
	if (*count)
		qsort(samples, *count, sizeof(*samples), by_time);
	return samples;
}

/* ---- as perf prints it ----------------------------------------------------------------------- */

static const struct peat_field *field_of(const struct sample *sample, const char *name)
{
	uint32_t offset;
	const struct peat_field *field = peat_schema__find(sample->format->schema, name, &offset);

	ck_assert_msg(field, "%s has no %s", sample->format->schema->name, name);
	return field;
}

static uint64_t number(const struct sample *sample, const char *name)
{
	uint64_t value;

	ck_assert(peat_field__number(field_of(sample, name), sample->data, sample->bytes, &value));
	return value;
}

/* Up to four results are valid at a time. */
static const char *text(const struct sample *sample, const char *name)
{
	static char texts[4][4096];
	static unsigned int next;
	uint32_t count;
	const struct peat_field *field = field_of(sample, name);
	const char *at = fields__bytes(field, sample->data, sample->bytes, &count);

	ck_assert(at && field->kind == PEAT_FIELD_STRING);
	next = (next + 1) % 4;
	snprintf(texts[next], sizeof(texts[next]), "%.*s", (int)strnlen(at, count), at);
	return texts[next];
}

static const char *state(uint64_t number)
{
	static const char names[] = "SDTtXZPI";
	static char shown[32];
	char *at = shown;

	for (unsigned int bit = 0; bit < 8; bit++)
		if (number >> bit & 1)
			at += sprintf(at, "%s%c", at == shown ? "" : "|", names[bit]);
	if (at == shown)
		*at++ = 'R';
	*at = '\0';
	return strcat(shown, number & 0x100 ? "+" : "");
}

static int print_fields(const struct sample *sample, char *line, size_t room)
{
	const char *name = peat_schema__name(sample->format->schema);

	if (!strcmp(name, "sched:sched_switch"))
		return snprintf(line, room,
				"prev_comm=%s prev_pid=%d prev_prio=%d prev_state=%s ==> "
				"next_comm=%s next_pid=%d next_prio=%d",
				text(sample, "prev_comm"), (int)number(sample, "prev_pid"),
				(int)number(sample, "prev_prio"),
				state(number(sample, "prev_state")), text(sample, "next_comm"),
				(int)number(sample, "next_pid"), (int)number(sample, "next_prio"));
	if (!strcmp(name, "sched:sched_process_exec"))
		return snprintf(line, room, "filename=%s pid=%d old_pid=%d",
				text(sample, "filename"), (int)number(sample, "pid_"),
				(int)number(sample, "old_pid"));
	return snprintf(line, room,
			"dfd: 0x%08" PRIx64 ", filename: 0x%08" PRIx64 ", flags: 0x%08" PRIx64
			", mode: 0x%08" PRIx64,
			number(sample, "dfd"), number(sample, "filename"), number(sample, "flags"),
			number(sample, "mode"));
}

/* Prints a line like "[001] 27063.123456789: sched:sched_switch: prev_comm=...". */
static void print_sample(const struct sample *sample, char *line, size_t room)
{
	int head = snprintf(line, room, "[%03u] %" PRIu64 ".%09" PRIu64 ": %s: ", sample->cpu,
			    sample->time_ns / 1000000000, sample->time_ns % 1000000000,
			    peat_schema__name(sample->format->schema));

	print_fields(sample, line + head, room - (size_t)head);
}

/* Removes the blanks that fill columns: at both ends, and after the name of the event. */
static void squeeze(char *line)
{
	char *to = line;

	for (char *at = line; *at; at++)
		if (*at != ' ' || (to > line && to[-1] != ' '))
			*to++ = *at;
	while (to > line && to[-1] == ' ')
		to--;
	*to = '\0';
}

/* Compares perf's lines with peat's.  Whether a sample has the start of `program`. */
static bool compare(const struct recording *recording, char *shown, const char *program)
{
	uint32_t count, lines = 0;
	struct sample *samples = read_samples(recording, &count);
	bool has_program = false;
	char ours[8192];

	for (char *line = strtok(shown, "\n"); line; line = strtok(NULL, "\n")) {
		ck_assert_msg(lines < count, "perf has more: %s", line);
		print_sample(&samples[lines++], ours, sizeof(ours));
		squeeze(ours);
		squeeze(line);
		ck_assert_msg(!strcmp(ours, line), "perf: %s\npeat: %s", line, ours);
		has_program |= strstr(line, "filename=") && strstr(line, program);
	}
	ck_assert_uint_eq(lines, count);
	ck_assert_uint_gt(count, 0);
	free(samples);
	return has_program;
}

static void perf_record(const char *path, const char *whose)
{
	char events[128];
	struct command perf;

	snprintf(events, sizeof(events), "sched:sched_switch,sched:sched_process_exec%s",
		 has_event("syscalls/sys_enter_openat") ? ",syscalls:sys_enter_openat" : "");
	command__run(&perf, ALL_CAPS,
		     ARGV("perf", "record", "-q", whose, "-e", events, "-o", path, "--", "sleep",
			  "0.2"));
	ck_assert_msg(!perf.status, "%s", perf.err_text);
	command__free(&perf);
}

static bool check_recording(const char *path, const char *program)
{
	struct recording recording;
	struct command perf;
	bool has_program;

	open_recording(&recording, path);
	command__run(&perf, ALL_CAPS,
		     ARGV("perf", "script", "-i", path, "-F", "cpu,time,event,trace", "--ns"));
	ck_assert_msg(!perf.status, "%s", perf.err_text);
	has_program = compare(&recording, perf.out_text, program);
	command__free(&perf);
	close_recording(&recording);
	return has_program;
}

/*
 * First all tasks, whose samples perf may lose; then a single task, which has too few to lose any.
 */
START_TEST(test_as_perf_prints)
{
	char path[] = "/tmp/peat-tracepoints-XXXXXX";

	need_perf();
	mounts__need_tracefs();
	close(mkstemp(path));
	unlink(path);
	perf_record(path, "-a");
	check_recording(path, "/sleep");
	unlink(path); /* otherwise perf renames the old file */
	perf_record(path, "--sample-cpu");
	ck_assert(check_recording(path, "/sleep"));
	unlink(path);
}
END_TEST

static Suite *tracepoints_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("tracepoints", 60, &tests);

	tcase_add_test(tests, test_all_formats);
	tcase_add_test(tests, test_as_perf_prints);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { tracepoints_suite };

	return harness__main(argc, argv, suites, 1);
}
