/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * file_run.h: an output to files with numbered events, and the numbers in the files.  A failure
 * here fails the running test.
 */
#ifndef TESTS_SUPPORT_AGENT_FILE_RUN_H
#define TESTS_SUPPORT_AGENT_FILE_RUN_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <peat/output.h>

#include "field/fields.h"
#include "file/file.h"
#include "support/machine/harness.h"

#define FILE_RUN_SETTINGS 12

struct file_run {
	struct peat_output_opts opts;
	struct peat_setting settings[FILE_RUN_SETTINGS];
	struct peat_output *output;	   /* NULL: refused */
	uint64_t next;			   /* the number of the next event */
	uint64_t batches, events, refused; /* settled */
	const char *why;
};

struct file_run_event {
	uint64_t number;
	char text[56];
};

#define FILE_RUN_FIELD(member, of_kind)                                                            \
	{                                                                                          \
		.name = #member, .kind = (of_kind), .span = 1,                                     \
		.offset = offsetof(struct file_run_event, member),                                 \
		.bytes = sizeof(((struct file_run_event *)0)->member)                              \
	}

static struct peat_field file_run_fields[] = {
	FILE_RUN_FIELD(number, PEAT_FIELD_UNSIGNED),
	FILE_RUN_FIELD(text, PEAT_FIELD_STRING),
};

static const struct peat_schema file_run_schema = { .name = "numbered",
						    .fields = file_run_fields,
						    .count = 2,
						    .bytes = sizeof(struct file_run_event),
						    .stacks_fd = -1 };

/* A batch of events from number `first` on, 64 bytes each. */
static inline struct peat_batch *file_run__batch(uint64_t first, unsigned events)
{
	const struct peat_batch_opts opts = { .sz = sizeof(opts),
					      .source = "test",
					      .bytes = UINT64_MAX,
					      .wall_clock_ns = 1700000000000000000 };
	struct peat_batch *batch = peat_batch__new(&opts);

	ck_assert_ptr_nonnull(batch);
	for (uint64_t i = first; i < first + events; i++) {
		struct file_run_event numbered = { .number = i };
		struct peat_event event = { .kind = PEAT_EVENT_DATA,
					    .cpu = i % 4,
					    .time_ns = 4684104235064 + i * 1001,
					    .pid = (uint32_t)(19000 + i % 100),
					    .tid = (uint32_t)(19001 + i % 100),
					    .size = sizeof(numbered),
					    .data = &numbered,
					    .schema = &file_run_schema,
					    .comm = "cc1plus" };

		snprintf(numbered.text, sizeof(numbered.text), "/usr/lib/lib%llu.so",
			 (unsigned long long)(i * 2654435761 % 100000));
		ck_assert_int_eq(peat_batch__add(batch, &event), 0);
	}
	return batch;
}

static inline void file_run__settled(void *arg, struct peat_batch *batch, uint64_t refused,
				     const char *why)
{
	struct file_run *run = arg;

	run->batches++;
	run->events += peat_batch__events(batch) + peat_batch__points(batch) - refused;
	run->refused += refused;
	run->why = why;
}

/* Names and values of settings, which end with NULL. */
static inline void file_run__set(struct file_run *run, const char *const *pairs)
{
	uint32_t count = 0;

	for (; *pairs; pairs += 2) {
		ck_assert_uint_lt(count, FILE_RUN_SETTINGS);
		run->settings[count] = (struct peat_setting){ pairs[0], pairs[1], count + 1, 1 };
		count++;
	}
	run->opts = (struct peat_output_opts){ .sz = sizeof(run->opts),
					       .name = "out",
					       .file = "test.yaml",
					       .settings = run->settings,
					       .setting_count = count,
					       .wake_fd = -1,
					       .settled = file_run__settled,
					       .arg = run };
}

/* Opens the output: its numbers go on. */
static inline void file_run__open(struct file_run *run, const char *const *pairs)
{
	file_run__set(run, pairs);
	run->output = file_output.open(&run->opts);
}

static inline void file_run__close(struct file_run *run)
{
	file_output.close(run->output);
	run->output = NULL;
}

/* Writes a batch of so many events.  What write() returned. */
static inline int file_run__write(struct file_run *run, unsigned events)
{
	struct peat_batch *batch = file_run__batch(run->next, events);
	int err = file_output.write(run->output, batch);

	run->next += err ? 0 : events;
	peat_batch__unref(batch);
	return err;
}

static inline bool file_run__next_number(FILE *lines, uint64_t *number)
{
	char line[1024];
	const char *at;

	if (!fgets(line, sizeof(line), lines))
		return false;
	ck_assert_msg(!strncmp(line, "{\"type\":\"numbered\"", 18), "%s", line);
	ck_assert_msg(!strcmp(line + strlen(line) - 2, "}\n"), "%s", line);
	at = strstr(line, "\"number\":");
	ck_assert_ptr_nonnull(at);
	*number = strtoull(at + 9, NULL, 10);
	return true;
}

static inline FILE *file_run__start(const char *command)
{
	FILE *lines = popen(command, "re");

	ck_assert_ptr_nonnull(lines);
	return lines;
}

/*
 * Reads the lines that a shell command prints, whose numbers have to follow each other from `first`
 * on, and returns the number after the last one.
 */
static inline uint64_t file_run__check(uint64_t first, const char *command)
{
	FILE *lines = file_run__start(command);
	uint64_t number;

	while (file_run__next_number(lines, &number)) {
		ck_assert_uint_eq(number, first);
		first++;
	}
	ck_assert_msg(!pclose(lines), "%s failed, after %llu", command, (unsigned long long)first);
	return first;
}

/* The first number that it prints; UINT64_MAX: none. */
static inline uint64_t file_run__first(const char *command)
{
	FILE *lines = file_run__start(command);
	uint64_t first = UINT64_MAX, number;

	if (file_run__next_number(lines, &first))
		while (file_run__next_number(lines, &number))
			;
	pclose(lines);
	return first;
}

#endif /* TESTS_SUPPORT_AGENT_FILE_RUN_H */
