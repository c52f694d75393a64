// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* perf_dump.c: parses the output of `perf script -D`. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/machine/harness.h"
#include "perf_dump.h"
#include "stock_perf.h"

#define RECORD "]: PERF_RECORD_"

/* "1 2340653925776 0x99298 [0x208]": CPU and time are -1 or missing if they were not sampled. */
static void parse_when(struct dumped *dumped, const char *line)
{
	long long numbers[2];
	int count = 0;
	char *end;

	while (count < 2 && strncmp(line, "0x", 2)) {
		numbers[count++] = strtoll(line, &end, 10);
		ck_assert_msg(*end == ' ', "neither CPU nor time: %s", line);
		line = end + 1;
	}
	dumped->cpu = count == 2 && numbers[0] >= 0 ? (uint32_t)numbers[0] : UINT32_MAX;
	dumped->time_ns = count && numbers[count - 1] > 0 ? (uint64_t)numbers[count - 1] : 0;
}

/* "PERF_RECORD_COMM: ls:1/1", "PERF_RECORD_SAMPLE(IP, 0x1): 1/1: ..." */
static void parse_record(struct dumped *dumped, const char *line, const char *record)
{
	size_t bytes;

	parse_when(dumped, line);
	record += strlen(RECORD);
	bytes = strspn(record, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
	dumped->type = strndup(record, bytes);
	dumped->rest = record + bytes;
	ck_assert_ptr_nonnull(dumped->type);
}

/* The beginning of a line shows whether it is the first one of a record. */
static const char *find_record(const char *line)
{
	return *line && strchr("-0123456789", *line) ? strstr(line, RECORD) : NULL;
}

/* Between records there are also lines with the offset of the following bytes. */
static bool is_mark(const char *line)
{
	return !*line || !strcmp(line, ".") ||
	       (!strncmp(line, "0x", 2) && strstr(line, "]: event: "));
}

static void parse_line(struct perf_dump *dump, char *line, char ***next)
{
	struct dumped *last = &dump->at[dump->count - !!dump->count];
	const char *record = find_record(line);

	if (record) {
		last = &dump->at[dump->count++];
		last->lines = *next;
		parse_record(last, line, record);
	} else if (dump->count && !is_mark(line)) {
		*(*next)++ = line;
		last->line_count++;
	}
}

static size_t count_lines(const char *text)
{
	size_t count = 1;

	while ((text = strchr(text, '\n'))) {
		count++;
		text++;
	}
	return count;
}

/* Whether the last of the task's records before `end` is an EXIT. */
static bool has_exited(const struct dumped *begin, const struct dumped *end, const char *tid)
{
	while (end-- > begin) {
		const char *says = strchr(end->rest, ':');

		if (strcmp(end->type, "EXIT") && strcmp(end->type, "FORK"))
			continue;
		if (says && strtoul(says + 1, NULL, 10) == strtoul(tid, NULL, 10))
			return !strcmp(end->type, "EXIT");
	}
	return false;
}

/* perf prints " ... thread: :17:17" for a task whose name it does not have. */
static void find_exits(struct perf_dump *dump)
{
	for (size_t i = 0; i < dump->count; i++) {
		const char *tid = perf_dump__line(&dump->at[i], " ... thread: :");

		dump->at[i].is_after_exit = tid && has_exited(dump->at, &dump->at[i], tid);
	}
}

void perf_dump__read(struct perf_dump *dump, const char *path, const char *fields)
{
	char line[400], *text, **next;
	size_t room;

	snprintf(line, sizeof(line), "perf script -D -F %s -i '%s' 2>/dev/null | grep -av '^\\. '",
		 fields, path);
	text = stock_perf__shell(line);
	room = count_lines(text);
	*dump = (struct perf_dump){
		.text = text,
		.lines = calloc(room, sizeof(*dump->lines)),
		.at = calloc(room, sizeof(*dump->at)),
	};
	ck_assert(dump->lines && dump->at);
	next = dump->lines;
	for (char *at; (at = strsep(&text, "\n"));)
		parse_line(dump, at, &next);
	find_exits(dump);
}

void perf_dump__free(struct perf_dump *dump)
{
	for (size_t i = 0; i < dump->count; i++)
		free((char *)dump->at[i].type);
	free(dump->at);
	free(dump->lines);
	free(dump->text);
	*dump = (struct perf_dump){ 0 };
}

const char *perf_dump__line(const struct dumped *dumped, const char *beginning)
{
	size_t bytes = strlen(beginning);

	for (size_t i = 0; i < dumped->line_count; i++)
		if (!strncmp(dumped->lines[i], beginning, bytes))
			return dumped->lines[i] + bytes;
	return NULL;
}

/* The dump of a record ends with the lines for its task and its code. */
const char *perf_dump__script(const struct dumped *sample)
{
	size_t i = 0;

	while (i < sample->line_count && strncmp(sample->lines[i], " ... thread: ", 13))
		i++;
	i++;
	if (i < sample->line_count && !strncmp(sample->lines[i], " ...... dso: ", 13))
		i++;
	return i < sample->line_count ? sample->lines[i] + strspn(sample->lines[i], " ") : NULL;
}
