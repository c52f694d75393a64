// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* perf_compare.c: compares peat replay -j with perf script -D. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/machine/harness.h"
#include "perf_compare.h"
#include "perf_sample.h"
#include "perf_types.h"
#include "support/machine/json_event.h"

/* ---- other records, in the format of perf ---------------------------------------------------- */

#define N(path) json_event__number(event, path)

static char *as_comm(const char *event)
{
	char *says;

	ck_assert_int_gt(asprintf(&says, "%s: %s:%lld/%lld",
				  json_event__is_true(event, "exec") ? " exec" : "",
				  json_event__text(event, "name"), N("process"), N("thread")),
			 0);
	return says;
}

static char *as_fork(const char *event)
{
	char *says;

	ck_assert_int_gt(asprintf(&says, "(%lld:%lld):(%lld:%lld)", N("child"), N("child_tid"),
				  N("parent"), N("parent_tid")),
			 0);
	return says;
}

static char *as_exit(const char *event)
{
	char *says;

	ck_assert_int_gt(asprintf(&says, "(%lld:%lld):(%lld:%lld)", N("process"), N("thread"),
				  N("ppid"), N("ptid")),
			 0);
	return says;
}

static void write_place(const char *event, char *place, size_t room)
{
	snprintf(place, room, " %d/%d: [%#llx(%#llx) @ %#llx", (int)N("process"), (int)N("thread"),
		 N("addr"), N("size"), N("offset"));
}

static char *as_mmap(const char *event)
{
	char *says, place[100];

	write_place(event, place, sizeof(place));
	ck_assert_int_gt(asprintf(&says, "%s]: %c %s", place,
				  json_event__is_true(event, "data") ? 'r' : 'x',
				  json_event__text(event, "filename")),
			 0);
	return says;
}

/* The file is identified by its build id or its inode. */
static void write_file(const char *event, char *file, size_t room)
{
	const char *build_id = json_event__text(event, "build_id");

	if (strspn(build_id, "0") < strlen(build_id))
		snprintf(file, room, "<%s>", build_id);
	else
		snprintf(file, room, "%02llx:%02llx %llu %llu", N("maj"), N("min"), N("ino"),
			 N("ino_generation"));
}

static char flag(const char *event, const char *path, const char *name, char if_set, char if_not)
{
	return strstr(json_event__text(event, path), name) ? if_set : if_not;
}

static char *as_mmap2(const char *event)
{
	const char access[] = {
		flag(event, "prot", "PROT_READ", 'r', '-'),
		flag(event, "prot", "PROT_WRITE", 'w', '-'),
		flag(event, "prot", "PROT_EXEC", 'x', '-'),
		flag(event, "flags", "MAP_SHARED", 's', 'p'),
		'\0',
	};
	char *says, place[100], file[100];

	write_place(event, place, sizeof(place));
	write_file(event, file, sizeof(file));
	ck_assert_int_gt(asprintf(&says, "%s %s]: %s %s", place, file, access,
				  json_event__text(event, "filename")),
			 0);
	return says;
}

/* The first line; the links are on the following lines. */
static char *as_namespaces(const char *event)
{
	char *says;

	ck_assert_int_gt(
		asprintf(&says, " %lld/%lld - nr_namespaces: 7", N("process"), N("thread")), 0);
	return says;
}

static char *as_cgroup(const char *event)
{
	char *says;

	ck_assert_int_gt(
		asprintf(&says, " cgroup: %llu %s", N("id"), json_event__text(event, "path")), 0);
	return says;
}

static char *as_switch(const char *event)
{
	bool out = !strcmp(json_event__text(event, "direction"), "out");
	char *says;

	ck_assert_int_gt(asprintf(&says, "%s",
				  !out					    ? " IN         "
				  : json_event__is_true(event, "preempted") ? " OUT preempt"
									    : " OUT        "),
			 0);
	return says;
}

/* The id of a task that has ended is 0xffffffff, which perf prints as -1. */
static long long as_id(long long id)
{
	return (int)id;
}

static char *as_wide_switch(const char *event)
{
	bool out = !strcmp(json_event__text(event, "direction"), "out");
	char *says, *narrow = as_switch(event);

	ck_assert_int_gt(asprintf(&says, "%s  %s pid/tid: %5lld/%-5lld", narrow,
				  out ? "next" : "prev", as_id(N("next_prev_pid")),
				  as_id(N("next_prev_tid"))),
			 0);
	free(narrow);
	return says;
}

static char *as_ksymbol(const char *event)
{
	const char *source = json_event__text(event, "source");
	char *says;

	ck_assert_int_gt(asprintf(&says, " addr %llx len %llu type %d flags 0x%x name %s",
				  N("addr"), N("size"),
				  !strcmp(source, "bpf")   ? 1
				  : !strcmp(source, "ool") ? 2
							   : 0,
				  !json_event__is_true(event, "registered"),
				  json_event__text(event, "name")),
			 0);
	return says;
}

static char *as_bpf(const char *event)
{
	const char *action = json_event__text(event, "action");
	char *says;

	ck_assert_int_gt(asprintf(&says, " type %d, flags 0, id %llu",
				  !strcmp(action, "load")     ? 1
				  : !strcmp(action, "unload") ? 2
							      : 0,
				  N("id")),
			 0);
	return says;
}

/* ": 17 17 task-clock 1381733"; only perf prints the event's name. */
static void check_counts(const struct dumped *record, const char *event)
{
	static const struct {
		const char *line, *path;
	} lines[] = {
		{ "... time enabled : ", "time_enabled_ns" },
		{ "... time running : ", "time_running_ns" },
		{ "... id           : ", "values[0].id" },
		{ "... lost         : ", "values[0].lost" },
	};
	unsigned long long process, thread;

	ck_assert_int_eq(sscanf(record->rest, ": %llu %llu", &process, &thread), 2);
	json_event__check(event, "process", process);
	json_event__check(event, "thread", thread);
	json_event__check(event, "values[0].value", strtoull(strrchr(record->rest, ' '), NULL, 10));
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		const char *says = perf_dump__line(record, lines[i].line);

		if (says)
			json_event__check(event, lines[i].path, strtoull(says, NULL, 10));
	}
}

/* ": id:17: lost:3", ": id:17: lost samples :3" */
static void check_loss(const struct dumped *record, const char *event)
{
	const char *colon = strrchr(record->rest, ':');

	ck_assert_ptr_nonnull(colon);
	json_event__check(event, "events", strtoull(colon + 1, NULL, 10));
}

/* "0/net: 4/0xeffffff9, 1/uts: ..." on two lines */
static void check_links(const struct dumped *record, const char *event)
{
	static const char *const names[] = { "net", "uts", "ipc", "pid_", "user", "mnt", "cgroup" };
	char path[32], wanted[64];

	for (size_t i = 0; i < 7; i++) {
		bool found = false;

		sprintf(path, "devices[%zu]", i);
		snprintf(wanted, sizeof(wanted), "%zu/%.*s: %llu/%#llx", i,
			 (int)strcspn(names[i], "_"), names[i], N(path), N(names[i]));
		for (size_t line = 0; line < record->line_count; line++)
			found |= !!strstr(record->lines[line], wanted);
		ck_assert_msg(found, "no %s in a record of perf's: %s", wanted, event);
	}
}

/* Names of a record in perf and in peat, and the function that compares them. */
static const struct kind {
	const char *perfs, *peats;
	char *(*as_perf)(const char *event);
	void (*check)(const struct dumped *record, const char *event);
} kinds[] = {
	{ "SAMPLE", NULL, NULL, perf_sample__check },
	{ "COMM", "@comm", as_comm, NULL },
	{ "FORK", "@fork", as_fork, NULL },
	{ "EXIT", "@exit", as_exit, NULL },
	{ "MMAP", "@mmap", as_mmap, NULL },
	{ "MMAP2", "@mmap", as_mmap2, NULL },
	{ "NAMESPACES", "@namespaces", as_namespaces, check_links },
	{ "CGROUP", "@cgroup", as_cgroup, NULL },
	{ "SWITCH", "@switch", as_switch, NULL },
	{ "SWITCH_CPU_WIDE", "@switch", as_wide_switch, NULL },
	{ "KSYMBOL", "@ksymbol", as_ksymbol, NULL },
	{ "BPF_EVENT", "@bpf", as_bpf, NULL },
	{ "READ", "@read", NULL, check_counts },
	{ "THROTTLE", "@throttle", NULL, NULL },
	{ "UNTHROTTLE", "@unthrottle", NULL, NULL },
	{ "LOST", "lost", NULL, check_loss },
	{ "LOST_SAMPLES", "lost", NULL, check_loss },
};

#define KINDS (sizeof(kinds) / sizeof(*kinds))

/* Records with a time in their body.  perf prints only the sampled time, which may be missing. */
static bool has_own_time(const struct dumped *record)
{
	return !strcmp(record->type, "FORK") || !strcmp(record->type, "EXIT") ||
	       !strcmp(record->type, "THROTTLE") || !strcmp(record->type, "UNTHROTTLE");
}

/* The record says CPU 0, and peat has the counter's CPU, by the ID_INDEX. */
static bool is_written_at_the_end(const struct dumped *record)
{
	return !record->time_ns && !strcmp(record->type, "LOST_SAMPLES");
}

static void check_cpu(const struct dumped *record, const char *event)
{
	if (is_written_at_the_end(record))
		return;
	if (record->cpu == UINT32_MAX || (!record->time_ns && !record->cpu))
		ck_assert_msg(json_lines__is(event, "cpu", "null"), "a CPU in %s", event);
	else
		json_event__check(event, "cpu", record->cpu);
}

static void check_kind(const struct kind *kind, const struct dumped *record, const char *event)
{
	char *says;

	if (kind->peats)
		ck_assert_msg(json_lines__text(event, "type") &&
				      !strcmp(json_lines__text(event, "type"), kind->peats),
			      "no %s%s at %llu is %s", record->type, record->rest,
			      (unsigned long long)record->time_ns, event);
	says = kind->as_perf ? kind->as_perf(event) : NULL;
	if (record->time_ns || !has_own_time(record))
		json_event__check(event, "time_ns", record->time_ns);
	check_cpu(record, event);
	if (says)
		ck_assert_msg(!strcmp(says, record->rest), "not '%s' but '%s' is %s", says,
			      record->rest, event);
	if (kind->check)
		kind->check(record, event);
	free(says);
}

/* ---- all records ----------------------------------------------------------------------------- */

/* Records of perf itself are not ordered by time. */
static bool is_kernels(const struct dumped *record)
{
	for (uint32_t type = 1; type < 64; type++)
		if (perf_type_name(type) && !strcmp(perf_type_name(type), record->type))
			return true;
	return false;
}

static const struct kind *kind_of(const struct dumped *record)
{
	for (size_t i = 0; i < KINDS; i++)
		if (!strcmp(kinds[i].perfs, record->type))
			return &kinds[i];
	ck_abort_msg("perf has a record %s", record->type);
}

/* Records of perf itself have the same name in lower case, "@id_index". */
static bool is_perfs(const char *event)
{
	const char *type = json_event__text(event, "type");

	for (size_t i = 0; i < KINDS; i++)
		if (kinds[i].peats && !strcmp(kinds[i].peats, type))
			return false;
	return *type == '@';
}

static const char *next_of_kernel(const struct json_lines *events, size_t *next)
{
	while (*next < events->count && is_perfs(events->lines[*next]))
		++*next;
	return *next < events->count ? events->lines[(*next)++] : NULL;
}

/* Each of the words has to be a member. */
static void check_members(const char *event, const char *members)
{
	char *words = strdup(members), *save = NULL;

	for (char *word = strtok_r(words, " ", &save); word; word = strtok_r(NULL, " ", &save))
		ck_assert_msg(json_event__has(event, word), "no %s in %s", word, event);
	free(words);
}

static void check_types(const size_t *counts, const char *types)
{
	char *words = strdup(types), *save = NULL;

	for (char *word = strtok_r(words, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
		const struct dumped record = { .type = word };

		ck_assert_msg(counts[kind_of(&record) - kinds], "no record %s", word);
	}
	free(words);
}

static size_t compare(const struct perf_dump *dump, const struct json_lines *events,
		      const char *members, const char *types)
{
	size_t counts[KINDS] = { 0 }, next = 0;
	const char *event;

	for (size_t i = 0; i < dump->count; i++) {
		const struct dumped *record = &dump->at[i];
		const struct kind *kind;

		if (!is_kernels(record))
			continue;
		kind = kind_of(record);
		event = next_of_kernel(events, &next);
		ck_assert_msg(event, "no event is the %s%s", record->type, record->rest);
		check_kind(kind, record, event);
		if (kind == kinds)
			check_members(event, members);
		counts[kind - kinds]++;
	}
	event = next_of_kernel(events, &next);
	ck_assert_msg(!event, "there is one more: %s", event);
	check_types(counts, types);
	return *counts;
}

size_t perf_compare__all(const struct json_lines *events, const char *path, const char *members,
			 const char *types)
{
	struct perf_dump dump;
	size_t samples;

	perf_dump__read(&dump, path, "event,trace");
	samples = compare(&dump, events, members, types);
	perf_dump__free(&dump);
	return samples;
}
