// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* pmu/make_pmu.c: events of PMUs, into attrs. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggestion.h"
#include "pmu/maker.h"
#include "pmu/sysfs.h"
#include "pmu/terms.h"

int maker__read_pmus(struct maker *m)
{
	int err = 0;

	if (!m->pmus.count && m->dirs->devices >= 0)
		err = pmu_entries__read(&m->pmus, m->dirs->devices, ".");
	return err == -ENOENT ? 0 : err;
}

bool maker__has_pmu(const struct maker *m, const char *name)
{
	for (uint32_t i = 0; i < m->pmus.count; i++)
		if (!strcmp(m->pmus.at[i], name))
			return true;
	return false;
}

static int copy_cpus(struct cpus *to, const struct cpus *from)
{
	int err = 0;

	for_each_cpu (cpu, from)
		if (!err)
			err = cpus__add(to, cpu);
	return err;
}

/* An event of a PMU, without terms. */
static struct pmu_event *begin_pmu_event(struct maker *m, const struct pmu *pmu)
{
	struct pmu_event *event = maker__add_event(m);

	if (!event)
		return NULL;
	event->attr.type = pmu->type;
	event->is_system_wide = pmu->is_system_wide;
	event->pmu = strdup(pmu->name);
	return event->pmu && !copy_cpus(&event->cpus, &pmu->cpus) ? event : NULL;
}

/* NAME/TERMS/ of one PMU.  -ENOENT: it has no such event. */
static int add_pmu_terms(struct maker *m, const struct pmu *pmu)
{
	struct pmu_event *event = begin_pmu_event(m, pmu);
	int err = event ? pmu_terms__apply(event, pmu, &m->list, m->text, m->item) : -ENOMEM;

	return err ? err : maker__finish_event(m, event);
}

/* The event that a PMU has this name for. */
static int add_pmu_alias(struct maker *m, const struct pmu *pmu)
{
	struct pmu_event *event = begin_pmu_event(m, pmu);
	char *name = maker__copy(m, m->item->name);
	int err = -ENOMEM;

	if (event && name)
		err = pmu_terms__apply_alias(event, pmu, &m->list, m->item->name.at, name);
	free(name);
	return err ? err : maker__finish_event(m, event);
}

/* Adds an event of a PMU by `add`; removes it if the PMU does not have it. */
static int try_pmu(struct maker *m, const char *name,
		   int (*add)(struct maker *m, const struct pmu *pmu))
{
	uint32_t count = m->events->count;
	struct pmu pmu;
	int err = pmu__read(&pmu, m->dirs->devices, name);

	if (err)
		return err;
	err = add(m, &pmu);
	while (err == -ENOENT && m->events->count > count)
		maker__remove_last(m->events);
	pmu__free(&pmu);
	return err;
}

/* Each PMU that `name` stands for; NULL: each PMU of all.  -ENOENT: none has the event. */
static int try_pmus(struct maker *m, const char *name,
		    int (*add)(struct maker *m, const struct pmu *pmu))
{
	int result = -ENOENT;

	if (name && maker__has_pmu(m, name))
		return try_pmu(m, name, add);
	for (uint32_t i = 0; i < m->pmus.count; i++) {
		int err;

		if (name && !pmu__matches(m->pmus.at[i], name))
			continue;
		err = try_pmu(m, m->pmus.at[i], add);
		if (err && err != -ENOENT)
			return err;
		result = err ? result : 0;
	}
	if (!result)
		*m->list.error = '\0';
	return result;
}

static void suggest_pmus(struct maker *m, const char *name)
{
	struct suggestion suggestion = { .wanted = name };
	char text[192];

	for (uint32_t i = 0; i < m->pmus.count; i++)
		suggestion__try(&suggestion, m->pmus.at[i]);
	maker__refuse(m, m->item->name.at, 0,
		      "this machine has no PMU %s%speat list --events lists events", name,
		      suggestion__text(&suggestion, text));
}

int maker__make_pmu_events(struct maker *m)
{
	char *name = maker__copy(m, m->item->name);
	int err = name ? try_pmus(m, name, add_pmu_terms) : -ENOMEM;

	if (err == -ENOENT && !*m->list.error)
		suggest_pmus(m, name);
	free(name);
	return err;
}

int maker__make_aliases(struct maker *m)
{
	return try_pmus(m, NULL, add_pmu_alias);
}

/* ---- hybrid machines ------------------------------------------------------------------------- */

static const char *const hybrid[] = { "cpu_core", "cpu_atom" };

#define HYBRID (sizeof(hybrid) / sizeof(*hybrid))

/* Intel's machines with two kinds of cores have a PMU of each kind, and no PMU "cpu". */
bool maker__is_hybrid(const struct maker *m)
{
	return maker__has_pmu(m, hybrid[0]) && maker__has_pmu(m, hybrid[1]) &&
	       !maker__has_pmu(m, "cpu");
}

/* cpu_core/cycles/u */
static char *hybrid_name(const struct maker *m, const char *pmu)
{
	const struct pmu_item *item = m->item;
	char *name;

	if (asprintf(&name, "%s/%.*s/%.*s", pmu, (int)item->name.bytes, m->text + item->name.at,
		     (int)item->modifiers.bytes, m->text + item->modifiers.at) < 0)
		return NULL;
	return name;
}

/* A generic event of one of the PMUs; a raw event has the PMU's own type. */
static int add_hybrid(struct maker *m, const struct pmu *pmu, const struct pmu_generic *generic)
{
	struct pmu_event *event = begin_pmu_event(m, pmu);
	int err;

	if (!event)
		return -ENOMEM;
	event->attr.config = generic->config;
	if (generic->type != PERF_TYPE_RAW) {
		event->attr.type = generic->type;
		event->attr.config |= (uint64_t)pmu->type << PERF_PMU_TYPE_SHIFT;
	}
	err = pmu_terms__apply(event, NULL, &m->list, m->text, m->item);
	if (!err && !event->name && !(event->name = hybrid_name(m, pmu->name)))
		err = -ENOMEM;
	return err ? err : maker__finish_event(m, event);
}

int maker__make_hybrid(struct maker *m, const struct pmu_generic *generic)
{
	int err = 0;

	for (size_t i = 0; !err && i < HYBRID; i++) {
		struct pmu pmu;

		err = pmu__read(&pmu, m->dirs->devices, hybrid[i]);
		if (err)
			break;
		err = add_hybrid(m, &pmu, generic);
		pmu__free(&pmu);
	}
	return err;
}
