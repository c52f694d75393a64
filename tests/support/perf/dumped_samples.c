// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* dumped_samples.c: parses the samples that perf script -D --ns prints. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "support/machine/harness.h"
#include "dumped_samples.h"

/* Context markers between addresses: kernel, user. */
#define CONTEXT_MAX ((uint64_t)-4095)

static char *next_line(struct dumped_samples *dump)
{
	char *line = dump->rest, *end;

	if (!line || !*line)
		return NULL;
	end = strchr(line, '\n');
	if (end)
		*end = '\0';
	dump->rest = end ? end + 1 : NULL;
	return line;
}

void dumped_samples__begin(struct dumped_samples *dump, char *text)
{
	*dump = (struct dumped_samples){ .text = text, .rest = text };
}

/* "CPU TIME AT [SIZE]: PERF_RECORD_..."; for samples without a CPU "TIME AT [SIZE]: ...". */
static bool is_head(const char *line)
{
	return isdigit((unsigned char)*line) && strstr(line, "]: PERF_RECORD_");
}

static bool is_sample(const char *line)
{
	return is_head(line) && strstr(line, "]: PERF_RECORD_SAMPLE(");
}

static void read_head(const char *line, struct dumped_sample *sample)
{
	const char *rest = strstr(line, "]: PERF_RECORD_SAMPLE(");
	int64_t at;

	sample->has_cpu = sscanf(line, "%" SCNu32 " %" SCNu64 " %" SCNi64 " [", &sample->cpu,
				 &sample->time_ns, &at) == 3;
	if (!sample->has_cpu)
		ck_assert_int_eq(sscanf(line, "%" SCNu64 " %" SCNi64, &sample->time_ns, &at), 2);
	ck_assert_msg(sscanf(rest,
			     "]: PERF_RECORD_SAMPLE(%*[^)]): %" SCNu32 "/%" SCNu32 ": %" SCNx64
			     " period: %" SCNu64 " addr: %" SCNx64,
			     &sample->pid, &sample->tid, &sample->ip, &sample->period,
			     &sample->addr) == 5,
		      "%s", line);
}

static void add_address(struct dumped_sample *sample, uint64_t address)
{
	ck_assert_uint_lt(sample->chain_count, DUMP_CHAIN_MAX);
	if (address < CONTEXT_MAX)
		sample->chain[sample->chain_count++] = address;
}

static void add_read(struct dumped_sample *sample, uint64_t id, uint64_t value, uint64_t lost)
{
	size_t i = sample->read_count++;

	ck_assert_uint_lt(i, DUMP_READS_MAX);
	sample->reads[i].id = id;
	sample->reads[i].value = value;
	sample->reads[i].lost = lost;
}

static void add_register(struct dumped_sample *sample, const char *name, uint64_t value)
{
	size_t i = sample->reg_count++;

	ck_assert_uint_lt(i, DUMP_REGS_MAX);
	for (size_t at = 0; name[at]; at++)
		sample->regs[i].name[at] = (char)tolower((unsigned char)name[at]);
	sample->regs[i].value = value;
}

/* Lines that begin with dots. */
static void read_detail(char *line, struct dumped_sample *sample)
{
	uint64_t a, b, c;
	char name[sizeof(sample->regs->name)];

	if (sscanf(line, "..... id %" SCNx64 ", value %" SCNx64 ", lost %" SCNu64, &a, &b, &c) == 3)
		add_read(sample, a, b, c);
	else if (sscanf(line, "..... %*u: %" SCNx64, &a) == 1)
		add_address(sample, a);
	else if (sscanf(line, ".... %7s 0x%" SCNx64, name, &a) == 2)
		add_register(sample, name, a);
	else if (sscanf(line, "... ustack: size %" SCNu64, &a) == 1)
		sample->stack_bytes = a;
	else if (!strncmp(line, " ... thread: ", 13)) {
		sample->comm = line + 13;
		*strrchr(line, ':') = '\0'; /* remove its id */
	}
}

/* "COMM TID [CPU] TIME: PERIOD EVENT: TRACE"; all but time and event are optional. */
static void read_line(char *line, struct dumped_sample *sample)
{
	char time[40], *at;

	snprintf(time, sizeof(time), " %" PRIu64 ".%09" PRIu64 ": ", sample->time_ns / 1000000000,
		 sample->time_ns % 1000000000);
	at = strstr(line, time);
	if (!at)
		return;
	at += strlen(time);
	at += strspn(at, " ");
	if (strspn(at, "0123456789") == strcspn(at, " ")) {
		at += strcspn(at, " ");
		at += strspn(at, " ");
	}
	sample->event = at;
	at += strcspn(at, " ");
	ck_assert_msg(at > sample->event && at[-1] == ':', "%s", line);
	at[-1] = '\0';
	sample->trace = at + strspn(at, " ");
}

/*
 * Whether the last of the task's records so far is an EXIT: "]: PERF_RECORD_EXIT(17:17):(1:1)".
 * Lines that were read end with a null character.
 */
static bool has_exited(const struct dumped_samples *dump, const char *end, uint32_t tid)
{
	bool exited = false;

	for (const char *line = dump->text; line < end; line += strlen(line) + 1) {
		const char *record = strstr(line, "]: PERF_RECORD_");
		char type[5];
		uint32_t its;

		if (record &&
		    sscanf(record, "]: PERF_RECORD_%4[A-Z](%*u:%" SCNu32 ")", type, &its) == 2 &&
		    its == tid)
			exited = !strcmp(type, "EXIT");
	}
	return exited;
}

bool dumped_samples__next(struct dumped_samples *dump, struct dumped_sample *sample)
{
	char *line = dump->sample;

	*sample = (struct dumped_sample){ .trace = "" };
	while (!line || !is_sample(line)) {
		line = next_line(dump);
		if (!line)
			return false;
	}
	read_head(line, sample);
	while ((line = next_line(dump)) && !is_head(line))
		if (*line == '.' || !strncmp(line, " ...", 4))
			read_detail(line, sample);
		else if (!sample->event)
			read_line(line, sample);
	dump->sample = line;
	ck_assert_ptr_nonnull(sample->comm);
	ck_assert_ptr_nonnull(sample->event);
	sample->is_after_exit = *sample->comm == ':' && has_exited(dump, sample->comm, sample->tid);
	return true;
}
