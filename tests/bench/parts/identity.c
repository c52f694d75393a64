// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* identity.c: finding the identity of an event, by its cgroup and its task, among few and many. */
#include <stdio.h>

#include "event/task_names.h"
#include "identity/identities.h"
#include "parts.h"

#define EVENTS 10000
#define COUNTS 5

struct cgroups {
	struct identities identities;
	uint32_t count;
	uint64_t found;
};

struct threads {
	struct tasks *tasks;
	uint32_t count;
	uint64_t found;
};

static void fill(struct cgroups *cgroups, uint32_t count)
{
	char path[128];

	identities__init(&cgroups->identities, count);
	cgroups->count = count;
	for (uint32_t i = 0; i < count; i++) {
		snprintf(path, sizeof(path), "/kubepods.slice/cri-containerd-%064x.scope", i);
		if (identities__add(&cgroups->identities, 1000 + 7 * i, path))
			parts__fail("no memory");
	}
}

/* Visits the cgroups in an order that caches do not expect. */
static uint64_t find(void *context)
{
	struct cgroups *cgroups = context;
	uint32_t at = 0;

	for (uint32_t i = 0; i < EVENTS; i++) {
		at = (at + 7919) % cgroups->count;
		cgroups->found += identities__find(&cgroups->identities, 1000 + 7ull * at) != NULL;
	}
	return EVENTS;
}

/* ---- ids of tasks ---------------------------------------------------------------------------- */

static bool find_ids(void *arg, uint32_t tid, bool has_ended, struct own_ids *ids)
{
	(void)arg;
	(void)has_ended;
	*ids = (struct own_ids){ tid, tid };
	return true;
}

static struct tasks *fill_tasks(uint32_t count)
{
	struct tasks *tasks = tasks__new(count);

	if (!tasks)
		parts__fail("no memory");
	tasks__follow_ids(tasks, find_ids, NULL);
	for (uint32_t tid = 1; tid <= count; tid++)
		tasks__fork(tasks, tid, 0, tid);
	return tasks;
}

static uint64_t find_name(struct threads *threads, struct own_ids *ids)
{
	uint64_t since_ns, until_ns;
	uint32_t at = 0;

	for (uint32_t i = 0; i < EVENTS; i++) {
		at = (at + 7919) % threads->count;
		tasks__name_span(threads->tasks, 1 + at, UINT64_MAX, &since_ns, &until_ns, ids);
		threads->found += since_ns + (ids ? ids->pid : 0);
	}
	return EVENTS;
}

static uint64_t find_name_alone(void *threads)
{
	return find_name(threads, NULL);
}

static uint64_t find_both(void *threads)
{
	struct own_ids ids;

	return find_name(threads, &ids);
}

static void set_part(struct part *part, const char *name, uint64_t (*run)(void *context),
		     void *context)
{
	*part = (struct part){
		.name = name, .metric = "event", .unit = "ns", .run = run, .context = context
	};
}

void parts_identity__measure(struct bench_table *table)
{
	static const uint32_t counts[] = { 1, 100, 1000, 10000, 16000 };
	struct part parts[3 * COUNTS];
	struct cgroups cgroups[COUNTS] = { 0 };
	struct threads threads[COUNTS] = { 0 };

	for (size_t i = 0; i < COUNTS; i++) {
		fill(&cgroups[i], counts[i]);
		threads[i].count = counts[i];
		threads[i].tasks = fill_tasks(counts[i]);
		set_part(&parts[i], "container", find, &cgroups[i]);
		set_part(&parts[COUNTS + 2 * i], "name", find_name_alone, &threads[i]);
		set_part(&parts[COUNTS + 2 * i + 1], "name and nspid", find_both, &threads[i]);
		snprintf(parts[i].setting, sizeof(parts->setting), "%u cgroups", counts[i]);
		for (size_t k = 0; k < 2; k++)
			snprintf(parts[COUNTS + 2 * i + k].setting, sizeof(parts->setting),
				 "%u tasks", counts[i]);
	}
	parts__measure(table, "identity", parts, 3 * COUNTS);
	for (size_t i = 0; i < COUNTS; i++) {
		identities__free(&cgroups[i].identities);
		tasks__free(threads[i].tasks);
	}
}
