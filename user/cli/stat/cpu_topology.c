// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* cpu_topology.c: reads the numbers of a CPU's core, die and socket. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/messages.h"
#include "cli/stat/cpu_topology.h"

struct known_place {
	uint32_t cpu;
	struct cpu_place place;
};

/* ---- reading --------------------------------------------------------------------------------- */

#define PATH_BYTES 96

static const char *file_of(char path[PATH_BYTES], uint32_t cpu, const char *name)
{
	snprintf(path, PATH_BYTES, "/sys/devices/system/cpu/cpu%u/topology/%s", cpu, name);
	return path;
}

/* 0 or -errno.  -ENODATA: the kernel does not know it, or the file has no number. */
static int read_number(uint32_t cpu, const char *name, int *number)
{
	char path[PATH_BYTES];
	FILE *file = fopen(file_of(path, cpu, name), "re");
	int found;

	if (!file)
		return -errno;
	found = fscanf(file, "%d", number);
	fclose(file);
	return found == 1 && *number >= 0 ? 0 : -ENODATA;
}

/* 0 or -errno; *missing: the file that is not there. */
static int read_place(uint32_t cpu, struct cpu_place *place, const char **missing)
{
	int err = read_number(cpu, *missing = "physical_package_id", &place->socket);

	if (!err)
		err = read_number(cpu, *missing = "core_id", &place->core);
	if (err)
		return err;
	/* Linux 5.2 and later have it; before, all cores of a socket are in one die. */
	if (read_number(cpu, "die_id", &place->die))
		place->die = 0;
	return 0;
}

/* ---- known places ---------------------------------------------------------------------------- */

static const struct known_place *find_known(const struct cpu_topology *topology, uint32_t cpu)
{
	for (size_t i = 0; i < topology->count; i++)
		if (topology->at[i].cpu == cpu)
			return &topology->at[i];
	return NULL;
}

static int add_known(struct cpu_topology *topology, uint32_t cpu, const struct cpu_place *place)
{
	struct known_place *at = realloc(topology->at, (topology->count + 1) * sizeof(*at));

	if (!at)
		return -ENOMEM;
	topology->at = at;
	at[topology->count++] = (struct known_place){ cpu, *place };
	return 0;
}

int cpu_topology__find(struct cpu_topology *topology, uint32_t cpu, struct cpu_place *place)
{
	const struct known_place *known = find_known(topology, cpu);
	const char *missing;

	*place = known ? known->place : CPU_PLACE_NONE;
	if (known)
		return 0;
	if (!read_place(cpu, place, &missing))
		return add_known(topology, cpu, place);
	*place = CPU_PLACE_NONE;
	return 0;
}

static int read_counted(struct cpu_topology *topology, uint32_t cpu, const char *wanted)
{
	struct cpu_place place;
	char path[PATH_BYTES];
	const char *missing;
	int err = find_known(topology, cpu) ? -EEXIST : read_place(cpu, &place, &missing);

	if (err == -EEXIST)
		return 0;
	if (!err)
		return add_known(topology, cpu, &place);
	messages__print("%s is not possible: this machine does not name the core and socket of CPU "
			"%u: %s: %s: use -A for the counts of each CPU",
			wanted, cpu, file_of(path, cpu, missing), strerror(-err));
	return err;
}

int cpu_topology__read(struct cpu_topology *topology, const struct peat_counters *counters,
		       const char *wanted)
{
	struct peat_counter_value value = { .sz = sizeof(value) };
	int err = 0;

	for (uint32_t event = 0; event < peat_counters__count(counters); event++)
		for (uint32_t i = 0; !err && i < peat_counters__parts(counters, event); i++) {
			err = peat_counters__part(counters, event, i, &value);
			if (!err)
				err = read_counted(topology, (uint32_t)value.cpu, wanted);
		}
	return err;
}

void cpu_topology__free(struct cpu_topology *topology)
{
	free(topology->at);
	*topology = (struct cpu_topology){ 0 };
}

/* ---- order ----------------------------------------------------------------------------------- */

/* -1, unknown, is the largest. */
static int compare_numbers(int one, int other)
{
	return ((unsigned)one > (unsigned)other) - ((unsigned)one < (unsigned)other);
}

int cpu_topology__compare(const struct cpu_place *one, const struct cpu_place *other)
{
	return compare_numbers(one->socket, other->socket)
		       ?: compare_numbers(one->die, other->die)
				  ?: compare_numbers(one->core, other->core);
}
