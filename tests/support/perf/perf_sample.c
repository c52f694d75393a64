// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* perf_sample.c: compares a sample printed by peat with the same one printed by perf. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <peat/record.h>

#include "support/machine/harness.h"
#include "perf_sample.h"
#include "support/machine/kallsyms.h"
#include "support/machine/json_event.h"

/* Addresses of the running kernel have a symbol, too. */
static void check_code(const char *event, const char *path, uint64_t address)
{
	char name[512], member[64];
	uint64_t offset;

	snprintf(member, sizeof(member), "%s.address", path);
	json_event__check(event, member, address);
	snprintf(member, sizeof(member), "%s.symbol", path);
	if (!json_event__has(event, member) || !(address >> 63))
		return;
	snprintf(name, sizeof(name), "%s", json_event__text(event, member));
	if (!strncmp(name, "bpf_prog_", strlen("bpf_prog_"))) /* named by records: gone since */
		return;
	snprintf(member, sizeof(member), "%s.offset", path);
	offset = json_event__number(event, member);
	ck_assert_msg(kallsyms__is_at(name, address - offset), "%s is not at %llx, in %s", path,
		      (unsigned long long)address, event);
}

/* ---- samples: the lines of perf script -D ---------------------------------------------------- */

/*
 * " ... thread: ls:17"; perf prints no name of idle tasks, and the id of tasks without a name.
 * perf 6.12 forgets a task at its EXIT, though the task still runs in the kernel; peat names it.
 */
static void check_comm(const struct dumped *sample, const char *event)
{
	const char *thread = perf_dump__line(sample, " ... thread: "), *end;
	char wanted[64], comm[64];

	ck_assert_ptr_nonnull(thread);
	end = strrchr(thread, ':');
	snprintf(wanted, sizeof(wanted), "%.*s", (int)(end - thread), thread);
	snprintf(comm, sizeof(comm), "%s", json_event__text(event, "comm"));
	if (!strcmp(wanted, "swapper"))
		comm[strcspn(comm, "/")] = '\0';
	if (*wanted == ':' && sample->is_after_exit && *comm)
		return;
	if (*wanted == ':')
		*wanted = '\0';
	ck_assert_msg(!strcmp(comm, wanted), "comm should be '%s' in %s", wanted, event);
}

/* The kernel has no pid for a task that is exiting. */
static void check_task(const char *event, const char *path, unsigned number)
{
	if (number == UINT32_MAX)
		ck_assert_msg(json_lines__is(event, path, "null"), "no %s is in %s", path, event);
	else
		json_event__check(event, path, number);
}

/* "(IP, 0x1): 17/17: 0xffffffff8141 period: 1 addr: 0" */
static void check_head(const struct dumped *sample, const char *event)
{
	unsigned long long ip, period, addr;
	unsigned misc, pid, tid;

	ck_assert_msg(sscanf(sample->rest, "(IP, 0x%x): %u/%u: %llx period: %llu addr: %llx", &misc,
			     &pid, &tid, &ip, &period, &addr) == 6,
		      "no sample: %s", sample->rest);
	check_task(event, "pid", pid);
	check_task(event, "tid", tid);
	if (json_event__has(event, "ip"))
		check_code(event, "ip", ip);
	if (json_event__has(event, "period"))
		json_event__check(event, "period", period);
	if (json_event__has(event, "addr"))
		json_event__check(event, "addr.address", addr);
}

/* The number after this beginning of a line. */
static const struct {
	const char *line, *path;
	int base;
} numbers[] = {
	{ "... weight: ", "weight", 10 },
	{ " . data_src: ", "data_src.value", 16 },
	{ " .. phys_addr: ", "phys_addr", 16 },
	{ "...... time enabled ", "read.time_enabled_ns", 16 },
	{ "...... time running ", "read.time_running_ns", 16 },
};

static void check_numbers(const struct dumped *sample, const char *event)
{
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		const char *says = perf_dump__line(sample, numbers[i].line);

		ck_assert_msg(!says == !json_event__has(event, numbers[i].path), "%s in %s",
			      numbers[i].path, event);
		if (says)
			json_event__check(event, numbers[i].path,
					  strtoull(says, NULL, numbers[i].base));
	}
}

/* The line with this beginning and the following ones; `lines`: their number. */
static char **find_lines(const struct dumped *sample, const char *beginning, size_t *lines)
{
	for (size_t i = 0; i < sample->line_count; i++)
		if (!strncmp(sample->lines[i], beginning, strlen(beginning))) {
			*lines = sample->line_count - i;
			return sample->lines + i;
		}
	*lines = 0;
	return NULL;
}

/* Frames of user space follow those of the callchain. */
static bool is_unwound(const struct dumped *sample)
{
	size_t lines;

	return find_lines(sample, "... user regs:", &lines) != NULL;
}

/* Lines "..... 12: ffffffff8141", including context markers. */
static void check_callchain(const struct dumped *sample, const char *event)
{
	size_t lines, entries = 0;
	char **chain = find_lines(sample, "... FP chain: nr:", &lines), path[32];

	for (size_t i = 1; i < lines; i++) {
		unsigned long long address;
		unsigned at;

		if (sscanf(chain[i], "..... %u: %llx", &at, &address) != 2)
			break;
		if (address >= PEAT_CONTEXT_MAX)
			continue;
		sprintf(path, "stack[%zu]", entries++);
		check_code(event, path, address);
	}
	sprintf(path, "stack[%zu]", entries);
	ck_assert_msg(!json_event__has(event, path) || is_unwound(sample),
		      "%zu should be all in the stack of %s", entries, event);
}

/* Lines ".... AX    0x0000000000000017" */
static void check_regs(const struct dumped *sample, const char *event, const char *line,
		       const char *member)
{
	size_t lines;
	char **regs = find_lines(sample, line, &lines);

	ck_assert_int_eq(!regs, !json_event__has(event, member));
	for (size_t i = 1; i < lines; i++) {
		char name[16], path[64];
		unsigned long long value;

		if (sscanf(regs[i], ".... %15s 0x%llx", name, &value) != 2)
			break;
		for (char *c = name; *c; c++)
			*c = (char)tolower(*c);
		snprintf(path, sizeof(path), "%s.%s", member, name);
		json_event__check(event, path, value);
	}
}

static void check_stack(const struct dumped *sample, const char *event)
{
	const char *says = perf_dump__line(sample, "... ustack: size ");

	ck_assert_int_eq(!says, !json_event__has(event, "stack_user"));
	if (says)
		ck_assert_uint_eq(strlen(json_event__text(event, "stack_user")),
				  2 * strtoul(says, NULL, 10));
}

/* Lines "..... id 0000000000000910, value 0000000000000134, lost 0" */
static void check_read(const struct dumped *sample, const char *event)
{
	size_t lines, values = 0;
	char **read = find_lines(sample, "... sample_read:", &lines), path[64];

	ck_assert_int_eq(!read, !json_event__has(event, "read"));
	for (size_t i = 1; i < lines; i++) {
		unsigned long long id, value, lost;
		int parts =
			sscanf(read[i], "..... id %llx, value %llx, lost %llu", &id, &value, &lost);

		if (parts < 2)
			continue;
		sprintf(path, "read.values[%zu].id", values);
		json_event__check(event, path, id);
		sprintf(path, "read.values[%zu].value", values);
		json_event__check(event, path, value);
		sprintf(path, "read.values[%zu].lost", values++);
		if (parts == 3)
			json_event__check(event, path, lost);
	}
	sprintf(path, "read.values[%zu]", values);
	ck_assert(!json_event__has(event, path));
}

/* ---- samples: the fields of tracepoints ------------------------------------------------------ */

/* The start of the next field: " next_pid=17" or " ==> next_pid=17". */
static size_t value_bytes(const char *value)
{
	const char *at = value;

	for (; *at; at++) {
		const char *name = at + 1;

		if (*at != ' ')
			continue;
		if (!strncmp(name, "==> ", 4))
			break;
		name += strspn(name, "abcdefghijklmnopqrstuvwxyz_0123456789");
		if (name > at + 1 && *name == '=')
			break;
	}
	return (size_t)(at - value);
}

/*
 * A number in one output and a name in the other are not compared.  peat appends "_" to the name of
 * a field if every event has a member of that name.
 */
static unsigned check_printed(const char *event, const char *name, const char *value)
{
	enum json_kind kind;
	char own[402], *end;
	long long wanted = strtoll(value, &end, 0);

	snprintf(own, sizeof(own), "%s_", name);
	if (json_event__has(event, own))
		name = own;
	kind = json_lines__kind(event, name);
	if (kind == JSON_STRING && *end) {
		ck_assert_msg(!strcmp(json_event__text(event, name), value),
			      "%s should be '%s' in %s", name, value, event);
		return 1;
	}
	if (kind != JSON_NUMBER || *end)
		return 0;
	ck_assert_msg(json_lines__number(event, name) == wanted, "%s should be %s in %s", name,
		      value, event);
	return 1;
}

/* "prev_comm=ls prev_pid=17 ==> next_comm=...": the number of fields in both outputs. */
static unsigned check_fields(const char *event, const char *printed)
{
	unsigned checked = 0;

	for (const char *equals; (equals = strchr(printed, '='));) {
		const char *name = equals;
		char pair[400], *value;

		if (equals[1] == '=') {
			printed = equals + 2;
			continue;
		}
		while (name > printed && (isalnum(name[-1]) || name[-1] == '_'))
			name--;
		printed = equals + 1 + value_bytes(equals + 1);
		snprintf(pair, sizeof(pair), "%.*s", (int)(printed - name), name);
		value = strchr(pair, '=');
		*value++ = '\0';
		checked += check_printed(event, pair, value);
	}
	return checked;
}

/* "sched:sched_switch: prev_comm=ls ..." */
static void check_event(const struct dumped *sample, const char *event)
{
	const char *type = json_event__text(event, "type"), *line = perf_dump__script(sample);
	size_t bytes = strlen(type);

	ck_assert_msg(line, "perf script has no line about %s%s: %s", sample->type, sample->rest,
		      event);
	ck_assert_msg(!strncmp(line, type, bytes) && line[bytes] == ':' && line[bytes + 1] == ' ',
		      "no '%s' is %s", line, event);
	if (strchr(type, ':'))
		ck_assert_msg(check_fields(event, line + bytes + 2) ||
				      !strchr(line + bytes + 2, '='),
			      "nothing of '%s' is in %s", line, event);
}

void perf_sample__check(const struct dumped *sample, const char *event)
{
	check_event(sample, event);
	check_comm(sample, event);
	check_head(sample, event);
	check_numbers(sample, event);
	check_callchain(sample, event);
	check_regs(sample, event, "... user regs:", "regs_user");
	check_regs(sample, event, "... intr regs:", "regs_intr");
	check_stack(sample, event);
	check_read(sample, event);
}
