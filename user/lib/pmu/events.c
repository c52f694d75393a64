// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* pmu/events.c: perf events by name, into attrs. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <linux/hw_breakpoint.h>

#include "base/log.h"
#include "base/place.h"
#include "base/suggestion.h"
#include "pmu/events.h"
#include "pmu/maker.h"
#include "pmu/modifiers.h"
#include "pmu/names.h"
#include "pmu/parse.h"
#include "pmu/sysfs.h"
#include "pmu/terms.h"

/* ---- generic events, numbers and breakpoints ------------------------------------------------- */

static int add_number(struct maker *m, const struct pmu_generic *generic)
{
	struct pmu_event *event = maker__add_event(m);
	int err;

	if (!event)
		return -ENOMEM;
	event->attr.type = generic->type;
	event->attr.config = generic->config;
	err = pmu_terms__apply(event, NULL, &m->list, m->text, m->item);
	return err ? err : maker__finish_event(m, event);
}

/* As perf does: 4 bytes of data, or the size of an instruction pointer. */
static uint64_t default_length(uint32_t access)
{
	return access == HW_BREAKPOINT_X ? sizeof(long) : HW_BREAKPOINT_LEN_4;
}

static int add_breakpoint(struct maker *m)
{
	const struct pmu_item *item = m->item;
	struct pmu_event *event = maker__add_event(m);

	if (!event)
		return -ENOMEM;
	event->attr.type = PERF_TYPE_BREAKPOINT;
	event->attr.bp_type = item->access ? item->access : HW_BREAKPOINT_RW;
	event->attr.bp_addr = item->numbers[0];
	event->attr.bp_len =
		item->numbers[1] ? item->numbers[1] : default_length(event->attr.bp_type);
	return maker__finish_event(m, event);
}

static bool is_hardware(uint32_t type)
{
	return type == PERF_TYPE_HARDWARE || type == PERF_TYPE_HW_CACHE || type == PERF_TYPE_RAW;
}

static int add_generic(struct maker *m, const struct pmu_generic *generic)
{
	if (is_hardware(generic->type) && maker__is_hybrid(m))
		return maker__make_hybrid(m, generic);
	return add_number(m, generic);
}

/* ---- names ----------------------------------------------------------------------------------- */

/* Times that perf stat measures itself. */
static bool is_of_perf(const char *name)
{
	return !strcmp(name, "duration_time") || !strcmp(name, "user_time") ||
	       !strcmp(name, "system_time");
}

static int refuse_name(struct maker *m, const char *name)
{
	struct suggestion suggestion = { .wanted = name };
	char text[192];

	if (maker__has_pmu(m, name))
		return maker__refuse(m, m->item->name.at, -ENOENT,
				     "%s is a PMU, not an event: write %s/EVENT/", name, name);
	if (is_of_perf(name))
		return maker__refuse(m, m->item->name.at, -ENOENT,
				     "%s is measured by perf, not by the kernel: remove it", name);
	pmu_generic__suggest(&suggestion);
	return maker__refuse(m, m->item->name.at, -ENOENT,
			     "no event %s%speat list --events lists events", name,
			     suggestion__text(&suggestion, text));
}

/* NAME:LETTERS may be a tracepoint, which has the name of modifiers. */
static int try_tracepoint(struct maker *m)
{
	const struct pmu_item *item = m->item;
	struct pmu_item tracepoint = *item;
	int err;

	if (item->has_slashes || !item->modifiers.bytes ||
	    maker__open_tracepoints(m, item->name.at)) {
		*m->list.error = '\0';
		return -ENOENT;
	}
	tracepoint.modifiers.bytes = 0;
	m->item = &tracepoint;
	err = maker__add_tracepoints(m, item->name, item->modifiers);
	m->item = item;
	return err;
}

/* A name without terms that is no generic event. */
static int make_alias(struct maker *m)
{
	int err = maker__make_aliases(m);
	char *name;

	if (err == -ENOENT)
		err = try_tracepoint(m);
	if (err != -ENOENT)
		return err;
	name = maker__copy(m, m->item->name);
	if (!name)
		return -ENOMEM;
	err = refuse_name(m, name);
	free(name);
	return err;
}

static int make_name(struct maker *m)
{
	const struct pmu_item *item = m->item;
	struct pmu_generic generic;

	if (pmu_generic__find(&generic, m->text + item->name.at, item->name.bytes))
		return add_generic(m, &generic);
	return item->has_slashes ? maker__make_pmu_events(m) : make_alias(m);
}

static int make_item(struct maker *m)
{
	const struct pmu_item *item = m->item;
	struct pmu_generic numbers = { (uint32_t)item->numbers[0], item->numbers[1] };

	switch (item->form) {
	case PMU_FORM_TRACEPOINT:
		return maker__make_tracepoints(m);
	case PMU_FORM_BREAKPOINT:
		return add_breakpoint(m);
	case PMU_FORM_NUMBERS:
		return add_generic(m, &numbers);
	case PMU_FORM_NAME:
		break;
	}
	return make_name(m);
}

/* ---- groups ---------------------------------------------------------------------------------- */

/*
 * Events of several instances of a PMU cannot be in one group: {imc/read/,imc/write/} becomes a
 * group for each instance.  New groups are numbered from *next.
 */
static void split_group(struct pmu_events *events, uint32_t group, uint32_t *next)
{
	const uint32_t first_new = *next;
	const char *first_pmu = NULL;

	for (uint32_t i = 0; i < events->count; i++) {
		struct pmu_event *event = &events->at[i];
		uint32_t j = 0;

		if (event->group != group || !event->pmu)
			continue;
		if (!first_pmu)
			first_pmu = event->pmu;
		if (!strcmp(first_pmu, event->pmu))
			continue;
		while (j < i && (events->at[j].group < first_new || !events->at[j].pmu ||
				 events->at[j].group == PMU_NO_GROUP ||
				 strcmp(events->at[j].pmu, event->pmu)))
			j++;
		event->group = j < i ? events->at[j].group : (*next)++;
	}
}

/* Whether an item of the group has become events of several PMUs. */
static bool is_spread(const struct maker *m, uint32_t group, uint32_t first)
{
	for (uint32_t i = 0; i < m->list.count; first += m->event_counts[i++])
		if (m->list.items[i].group == group && m->event_counts[i] > 1 &&
		    m->events->at[first].pmu)
			return true;
	return false;
}

static void set_leaders(struct pmu_events *events, uint32_t first)
{
	for (uint32_t i = first; i < events->count; i++) {
		struct pmu_event *event = &events->at[i];
		uint32_t j = first;

		while (j < i && events->at[j].group != event->group)
			j++;
		event->is_leader = event->group != PMU_NO_GROUP && j == i;
	}
}

/* Adds the modifiers of the group that item `n` is in to events of the item. */
static int add_group_modifiers(struct maker *m, uint32_t n, uint32_t first, uint32_t end)
{
	const struct pmu_item *item = &m->list.items[n];
	const struct pmu_span *letters;

	if (item->group == PMU_NO_GROUP)
		return 0;
	letters = &m->list.groups[item->group];
	for (uint32_t i = first; i < end; i++)
		if (pmu_modifiers__add(&m->events->at[i], m->text + letters->at, letters->bytes))
			return maker__refuse(
				m, letters->at, -EINVAL,
				"with the modifiers of the event, this is more than :ppp");
	return 0;
}

static int finish_groups(struct maker *m, uint32_t first)
{
	uint32_t next = m->groups + m->list.group_count, end = first;
	int err = 0;

	for (uint32_t group = 0; group < m->list.group_count; group++)
		if (is_spread(m, group, first))
			split_group(m->events, m->groups + group, &next);
	set_leaders(m->events, first);
	for (uint32_t i = 0; !err && i < m->list.count; i++) {
		first = end;
		end += m->event_counts[i];
		err = add_group_modifiers(m, i, first, end);
	}
	return err;
}

/* ---- lists ----------------------------------------------------------------------------------- */

/* The kernel refuses members of a group that are pinned or exclusive. */
static int check_member(struct maker *m, uint32_t n, uint32_t first)
{
	const struct pmu_item *item = &m->list.items[n];

	if (item->group == PMU_NO_GROUP || !n || item[-1].group != item->group)
		return 0;
	if (!m->events->at[first].attr.pinned && !m->events->at[first].attr.exclusive)
		return 0;
	return maker__refuse(
		m, item->modifiers.at, -EINVAL,
		"D and e are for the first event of a group: write them after the brace");
}

static int make_items(struct maker *m)
{
	uint32_t start = m->events->count;
	int err = maker__read_pmus(m);

	if (err)
		return maker__refuse(m, 0, err, "cannot read %s: %s", PMU_DEVICES, strerror(-err));
	for (uint32_t i = 0; i < m->list.count; i++) {
		uint32_t first = m->events->count;

		m->item = &m->list.items[i];
		err = make_item(m);
		if (!err)
			err = check_member(m, i, first);
		if (err)
			return err;
		m->event_counts[i] = m->events->count - first;
	}
	return finish_groups(m, start);
}

static void log_error(const struct maker *m, int err)
{
	struct strbuf out = { 0 };

	if (!*m->list.error) {
		log__error("events %s: %s", m->text, strerror(-err));
		return;
	}
	strbuf__text(&out, m->list.error);
	place__append(&out, m->text, m->list.error_at);
	if (out.failed)
		log__error("events: %s", m->list.error);
	else
		log__error("events: %.*s", (int)out.count, out.bytes);
	strbuf__free(&out);
}

static uint32_t count_groups(const struct pmu_events *events)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < events->count; i++)
		if (events->at[i].group != PMU_NO_GROUP && events->at[i].group >= count)
			count = events->at[i].group + 1;
	return count;
}

int pmu_events__parse_in(struct pmu_events *events, const char *list, struct pmu_dirs *dirs)
{
	struct maker m = { .text = list, .dirs = dirs, .events = events };
	uint32_t count = events->count;
	int err = pmu_list__parse(&m.list, list);

	m.groups = count_groups(events);
	if (!err) {
		m.event_counts = calloc(m.list.count, sizeof(*m.event_counts));
		err = m.event_counts ? make_items(&m) : -ENOMEM;
	}
	if (err)
		log_error(&m, err);
	while (err && events->count > count)
		maker__remove_last(events);
	if (!events->count)
		pmu_events__free(events);
	pmu_entries__free(&m.pmus);
	pmu_list__free(&m.list);
	free(m.event_counts);
	return err;
}

int pmu_events__parse(struct pmu_events *events, const char *list)
{
	struct pmu_dirs dirs = { .tracepoints = PMU_DIR_UNOPENED };
	int err;

	dirs.devices = open(PMU_DEVICES, O_PATH | O_DIRECTORY | O_CLOEXEC);
	err = pmu_events__parse_in(events, list, &dirs);
	if (dirs.devices >= 0)
		close(dirs.devices);
	if (dirs.tracepoints >= 0)
		close(dirs.tracepoints);
	return err;
}

/* ---- the event of a CPU ---------------------------------------------------------------------- */

const struct pmu_event *pmu_events__of_cpu(const struct pmu_events *events, uint32_t cpu)
{
	for (uint32_t i = 0; i < events->count; i++) {
		const struct pmu_event *event = &events->at[i];

		if (!event->cpus.limit || cpus__has(&event->cpus, cpu))
			return event;
	}
	return NULL;
}

static bool overlap(const struct pmu_event *a, const struct pmu_event *b)
{
	if (!a->cpus.limit || !b->cpus.limit)
		return true;
	for_each_cpu (cpu, &a->cpus)
		if (cpus__has(&b->cpus, cpu))
			return true;
	return false;
}

uint32_t pmu_events__find_overlap(const struct pmu_events *events)
{
	for (uint32_t i = 1; i < events->count; i++)
		if (overlap(&events->at[i - 1], &events->at[i]))
			return i;
	return 0;
}
