// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* stat_rows.c: values of counters, and ratios between them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/stat/row_groups.h"
#include "cli/stat/stat_rows.h"

/* ---- names ----------------------------------------------------------------------------------- */

/* A name without PMU and modifiers: "cycles" of "cycles:u" and of "armv8_pmuv3_0/cycles/u". */
struct base_name {
	const char *text, *modifiers;
	size_t length;
};

static struct base_name base_name(const char *name)
{
	const char *slash = strchr(name, '/'), *end;
	struct base_name base = { .text = slash ? slash + 1 : name };

	base.length = strcspn(base.text, slash ? "/" : ":");
	end = base.text + base.length;
	base.modifiers = *end ? end + 1 : end;
	return base;
}

static bool is_base_name(const struct base_name *base, const char *name)
{
	return strlen(name) == base->length && !strncmp(name, base->text, base->length);
}

/* An event has one of two names, such as "branches" and "branch-instructions". */
struct names {
	const char *name, *alias;
};

static bool has_name(const struct stat_row *row, const struct names *names)
{
	struct base_name base = base_name(row->value.name);

	return is_base_name(&base, names->name) ||
	       (names->alias && is_base_name(&base, names->alias));
}

/* ---- ratios ---------------------------------------------------------------------------------- */

#define CYCLES                                                                                     \
	{                                                                                          \
		"cycles", "cpu-cycles"                                                             \
	}

/* perf prints the same. */
static const struct {
	struct names event, by;
	const char *unit;
	bool is_percent;
} ratios[] = {
	{ { "instructions", NULL }, CYCLES, "insn per cycle", false },
	{ { "branch-misses", NULL },
	  { "branches", "branch-instructions" },
	  "of all branches",
	  true },
	{ { "cache-misses", NULL }, { "cache-references", NULL }, "of all cache refs", true },
	{ { "stalled-cycles-frontend", "idle-cycles-frontend" },
	  CYCLES,
	  "frontend cycles idle",
	  true },
	{ { "stalled-cycles-backend", "idle-cycles-backend" },
	  CYCLES,
	  "backend cycles idle",
	  true },
	{ { "L1-dcache-load-misses", NULL },
	  { "L1-dcache-loads", NULL },
	  "of all L1-dcache accesses",
	  true },
	{ { "L1-icache-load-misses", NULL },
	  { "L1-icache-loads", NULL },
	  "of all L1-icache accesses",
	  true },
	{ { "LLC-load-misses", NULL }, { "LLC-loads", NULL }, "of all LL-cache accesses", true },
	{ { "dTLB-load-misses", NULL },
	  { "dTLB-loads", NULL },
	  "of all dTLB cache accesses",
	  true },
	{ { "iTLB-load-misses", NULL },
	  { "iTLB-loads", NULL },
	  "of all iTLB cache accesses",
	  true },
};

static const struct names clocks = { "task-clock", "cpu-clock" };

/* Rows that others are divided by: few of those of many tracepoints. */
struct divisors {
	const struct stat_row **at;
	size_t count;
};

static bool is_divisor(const struct stat_row *row)
{
	bool is = has_name(row, &clocks);

	for (size_t i = 0; !is && i < sizeof(ratios) / sizeof(*ratios); i++)
		is = has_name(row, &ratios[i].by);
	return is && row->value.status == PEAT_COUNTER_COUNTED && row->value.scaled;
}

static int find_divisors(struct divisors *divisors, const struct stat_rows *rows)
{
	*divisors = (struct divisors){ calloc(rows->count + 1, sizeof(*divisors->at)), 0 };
	for (size_t i = 0; divisors->at && i < rows->count; i++)
		if (is_divisor(&rows->at[i]))
			divisors->at[divisors->count++] = &rows->at[i];
	return divisors->at ? 0 : -ENOMEM;
}

bool stat_rows__is_same_place(const struct stat_row *one, const struct stat_row *other)
{
	return one->value.cpu == other->value.cpu && one->value.tid == other->value.tid &&
	       !cpu_topology__compare(&one->place, &other->place);
}

/* A row of the same CPU, for example, with one of these names; preferably with the same modifiers.
 */
static const struct stat_row *find_divisor(const struct divisors *divisors,
					   const struct stat_row *like, const struct names *names)
{
	struct base_name wanted = base_name(like->value.name);
	const struct stat_row *other = NULL;

	for (size_t i = 0; i < divisors->count; i++) {
		const struct stat_row *row = divisors->at[i];

		if (!stat_rows__is_same_place(row, like) || !has_name(row, names))
			continue;
		if (!strcmp(base_name(row->value.name).modifiers, wanted.modifiers))
			return row;
		other = other ?: row;
	}
	return other;
}

static bool set_ratio(const struct divisors *divisors, struct stat_row *row)
{
	for (size_t i = 0; i < sizeof(ratios) / sizeof(*ratios); i++) {
		const struct stat_row *by;

		if (!has_name(row, &ratios[i].event))
			continue;
		by = find_divisor(divisors, row, &ratios[i].by);
		if (!by)
			return false;
		row->metric = (struct stat_metric){
			.unit = ratios[i].unit,
			.number = (double)row->value.scaled / (double)by->value.scaled *
				  (ratios[i].is_percent ? 100 : 1),
			.is_percent = ratios[i].is_percent,
		};
		return true;
	}
	return false;
}

/* Events per second of task-clock; of cycles, the frequency. */
static void set_rate(const struct divisors *divisors, struct stat_row *row)
{
	static const struct names cycles = CYCLES;
	const struct stat_row *clock = find_divisor(divisors, row, &clocks);

	if (!clock || row->value.unit)
		return;
	if (has_name(row, &cycles))
		row->metric = (struct stat_metric){
			.unit = "GHz",
			.number = (double)row->value.scaled / (double)clock->value.scaled,
		};
	else
		row->metric = (struct stat_metric){
			.unit = "/sec",
			.number = (double)row->value.scaled * 1e9 / (double)clock->value.scaled,
			.is_rate = true,
		};
}

bool stat_rows__is_clock(const struct stat_row *row)
{
	return has_name(row, &clocks);
}

static void compute(const struct divisors *divisors, struct stat_row *row, uint64_t elapsed_ns)
{
	row->metric = (struct stat_metric){ 0 };
	if (row->value.status != PEAT_COUNTER_COUNTED)
		return;
	if (stat_rows__is_clock(row) && elapsed_ns)
		row->metric = (struct stat_metric){
			.unit = "CPUs utilized",
			.number = (double)row->value.scaled / (double)elapsed_ns,
		};
	else if (!set_ratio(divisors, row))
		set_rate(divisors, row);
}

int stat_rows__compute(struct stat_rows *rows, uint64_t elapsed_ns)
{
	struct divisors divisors;
	int err = find_divisors(&divisors, rows);

	for (size_t i = 0; !err && i < rows->count; i++)
		compute(&divisors, &rows->at[i], elapsed_ns);
	free(divisors.at);
	return err;
}

double stat_rows__percent(const struct stat_row *row)
{
	const struct peat_counter_value *value = &row->value;

	if (!value->enabled_ns || value->running_ns >= value->enabled_ns)
		return value->running_ns ? 100 : 0;
	return 100 * (double)value->running_ns / (double)value->enabled_ns;
}

/* ---- rows ------------------------------------------------------------------------------------ */

int stat_rows__add(struct stat_rows *rows, const struct stat_row *row)
{
	struct stat_row *at = realloc(rows->at, (rows->count + 1) * sizeof(*at));

	if (!at)
		return -ENOMEM;
	rows->at = at;
	at[rows->count++] = *row;
	return 0;
}

/* `part`: -1 for the sum of all. */
static int add_row(struct stat_rows *rows, const struct peat_counters *counters, uint32_t event,
		   int part)
{
	struct stat_row row = { .value.sz = sizeof(row.value),
				.event = event,
				.place = CPU_PLACE_NONE };
	int err = part < 0 ? peat_counters__value(counters, event, &row.value)
			   : peat_counters__part(counters, event, (uint32_t)part, &row.value);

	return err ?: stat_rows__add(rows, &row);
}

/* An event without parts is not supported. */
static int add_event_rows(struct stat_rows *rows, const struct peat_counters *counters,
			  uint32_t event, enum stat_by by)
{
	uint32_t parts = by == STAT_BY_EVENT ? 0 : peat_counters__parts(counters, event);
	int err = parts ? 0 : add_row(rows, counters, event, -1);

	for (uint32_t i = 0; !err && i < parts; i++)
		err = add_row(rows, counters, event, (int)i);
	return err;
}

/* The core and socket of each row's CPU. */
static int find_places(const struct stat_rows *rows, struct cpu_topology *topology)
{
	int err = 0;

	for (size_t i = 0; !err && i < rows->count; i++) {
		struct stat_row *row = &rows->at[i];

		if (row->value.cpu >= 0)
			err = cpu_topology__find(topology, (uint32_t)row->value.cpu, &row->place);
		row->cpus = row->value.cpu >= 0;
	}
	return err;
}

int stat_rows__read(struct stat_rows *rows, const struct peat_counters *counters, enum stat_by by,
		    struct cpu_topology *topology)
{
	int err = 0;

	*rows = (struct stat_rows){ 0 };
	for (uint32_t i = 0; !err && i < peat_counters__count(counters); i++)
		err = add_event_rows(rows, counters, i, by);
	if (!err && (by == STAT_BY_CORE || by == STAT_BY_SOCKET))
		err = find_places(rows, topology);
	if (err)
		stat_rows__free(rows);
	else
		row_groups__merge(rows, by);
	return err;
}

void stat_rows__free(struct stat_rows *rows)
{
	free(rows->at);
	*rows = (struct stat_rows){ 0 };
}
