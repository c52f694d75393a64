// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* pmu/list.c: the events of a machine, by kind. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/errors.h"
#include "base/log.h"
#include "base/strbuf.h"
#include "pmu/list.h"
#include "pmu/names.h"
#include "pmu/sysfs.h"
#include "pmu/tracepoints.h"
#include "sys/tracefs.h"

struct lister {
	struct pmu_dirs *dirs;
	const char *part;
	int (*visit)(void *arg, const struct peat_event_name *event);
	void *arg;
	int result; /* of the last visit */
};

static int list(struct lister *l, const char *kind, const char *name, const char *text)
{
	struct peat_event_name event = { sizeof(event), name, kind, text };

	if (l->part && !strcasestr(name, l->part) && !(text && strcasestr(text, l->part)))
		return 0;
	return l->result = l->visit(l->arg, &event);
}

/* ---- generic events -------------------------------------------------------------------------- */

static int list_generic(struct lister *l, uint32_t type, const char *kind)
{
	struct pmu_generic event;
	const char *name, *also;
	int err = 0;

	for (uint32_t n = 0; !err && (name = pmu_generic__name(n, &event, &also)); n++) {
		char text[64];

		if (also)
			snprintf(text, sizeof(text), "also %s", also);
		if (event.type == type)
			err = list(l, kind, name, also ? text : NULL);
	}
	return err;
}

static int list_caches(struct lister *l)
{
	char name[32];
	int err = 0;

	for (uint32_t n = 0; !err && pmu_generic__cache_name(n, name); n++)
		err = list(l, "cache", name, NULL);
	return err;
}

/* Whether one of the PMUs is a CPU's own. */
static bool has_core(struct lister *l, const struct pmu_entries *pmus)
{
	bool found = false;

	for (uint32_t i = 0; !found && i < pmus->count; i++) {
		struct pmu pmu;

		if (pmu__read(&pmu, l->dirs->devices, pmus->at[i]))
			continue;
		found = pmu.is_core;
		pmu__free(&pmu);
	}
	return found;
}

static int list_core(struct lister *l)
{
	int err = list_generic(l, PERF_TYPE_HARDWARE, "hardware");

	if (!err)
		err = list(l, "hardware", "rCONFIG", "a raw event, in hexadecimal digits");
	return err ? err : list_caches(l);
}

/* ---- PMUs ------------------------------------------------------------------------------------ */

static int list_alias(struct lister *l, const struct pmu *pmu, const char *name)
{
	struct strbuf full = { 0 }, text = { 0 };
	struct pmu_alias alias;
	int err = pmu__read_alias(pmu, &alias, name);

	if (err)
		return err == -ENOMEM ? err : 0;
	strbuf__text(&full, pmu->name);
	strbuf__char(&full, '/');
	strbuf__text(&full, name);
	strbuf__bytes(&full, "/", 2);
	strbuf__text(&text, alias.terms);
	strbuf__text(&text, alias.unit ? ", in " : "");
	strbuf__text(&text, alias.unit ? alias.unit : "");
	strbuf__char(&text, '\0');
	err = full.failed || text.failed ? -ENOMEM : list(l, "pmu", full.bytes, text.bytes);
	strbuf__free(&full);
	strbuf__free(&text);
	pmu_alias__free(&alias);
	return err;
}

/* cpu/TERM=NUMBER,.../ */
static int list_terms(struct lister *l, const struct pmu *pmu)
{
	struct strbuf form = { 0 }, text = { 0 };
	int err;

	if (!pmu->format_count)
		return 0;
	strbuf__text(&form, pmu->name);
	strbuf__bytes(&form, "/TERM=NUMBER,.../", sizeof("/TERM=NUMBER,.../"));
	strbuf__text(&text, "terms: ");
	for (uint32_t i = 0; i < pmu->format_count; i++) {
		strbuf__text(&text, i ? ", " : "");
		strbuf__text(&text, pmu->formats[i].name);
	}
	strbuf__char(&text, '\0');
	err = form.failed || text.failed ? -ENOMEM : list(l, "pmu", form.bytes, text.bytes);
	strbuf__free(&form);
	strbuf__free(&text);
	return err;
}

static int list_pmu(struct lister *l, const struct pmu *pmu)
{
	struct pmu_entries aliases = { 0 };
	int err = list_terms(l, pmu);

	if (!err)
		err = pmu__read_alias_names(pmu, &aliases);
	for (uint32_t i = 0; !err && i < aliases.count; i++)
		if (!pmu_alias__is_part(aliases.at[i]))
			err = list_alias(l, pmu, aliases.at[i]);
	pmu_entries__free(&aliases);
	return err;
}

static int list_pmus(struct lister *l, const struct pmu_entries *pmus)
{
	int err = 0;

	for (uint32_t i = 0; !err && i < pmus->count; i++) {
		struct pmu pmu;

		err = pmu__read(&pmu, l->dirs->devices, pmus->at[i]);
		if (err) {
			err = err == -ENOMEM ? err : 0;
			continue;
		}
		err = list_pmu(l, &pmu);
		pmu__free(&pmu);
	}
	return err;
}

/* ---- tracepoints ----------------------------------------------------------------------------- */

static int list_tracepoint(void *arg, const struct pmu_tracepoint *tracepoint)
{
	struct lister *l = arg;
	char name[512];

	snprintf(name, sizeof(name), "%s:%s", tracepoint->system, tracepoint->event);
	return list(l, "tracepoint", name, NULL);
}

static int list_tracepoints(struct lister *l)
{
	int err;

	if (l->dirs->tracepoints == PMU_DIR_UNOPENED)
		l->dirs->tracepoints = tracefs__open("events");
	err = l->dirs->tracepoints;
	if (err >= 0)
		err = pmu_tracepoints__visit(err, "*", "*", list_tracepoint, l);
	if (err >= 0 || l->result || err == -ENOMEM)
		return err;
	if (err != -ENOENT)
		log__warn("not all tracepoints are listed: %s", pmu_tracepoints__why(err));
	return 0;
}

/* ---- all of them ----------------------------------------------------------------------------- */

int pmu_names__list(struct pmu_dirs *dirs, const char *part,
		    int (*visit)(void *arg, const struct peat_event_name *event), void *arg)
{
	struct lister l = { dirs, part, visit, arg, 0 };
	struct pmu_entries pmus = { 0 };
	int err = dirs->devices < 0 ? 0 : pmu_entries__read(&pmus, dirs->devices, ".");

	if (err) {
		log__error("cannot read %s: %s", PMU_DEVICES, strerror(-err));
		return err;
	}
	if (has_core(&l, &pmus))
		err = list_core(&l);
	if (!err)
		err = list_generic(&l, PERF_TYPE_SOFTWARE, "software");
	if (!err)
		err = list_pmus(&l, &pmus);
	if (!err)
		err = list_tracepoints(&l);
	if (!err)
		err = list(&l, "breakpoint", "mem:ADDRESS[/LENGTH][:rwx]",
			   "accesses of 1 to 8 bytes at an address");
	pmu_entries__free(&pmus);
	return err;
}

int peat_event_names__list(const char *part,
			   int (*visit)(void *arg, const struct peat_event_name *event), void *arg)
{
	struct pmu_dirs dirs = { .tracepoints = PMU_DIR_UNOPENED };
	int result;

	dirs.devices = open(PMU_DEVICES, O_PATH | O_DIRECTORY | O_CLOEXEC);
	result = pmu_names__list(&dirs, part, visit, arg);
	if (dirs.devices >= 0)
		close(dirs.devices);
	if (dirs.tracepoints >= 0)
		close(dirs.tracepoints);
	return result < 0 ? fail(result) : result;
}
