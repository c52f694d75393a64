// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* pmu/sysfs.c: PMUs as /sys/bus/event_source/devices describes them. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <linux/perf_event.h>

#include "base/log.h"
#include "base/text.h"
#include "pmu/sysfs.h"

static int report(const struct pmu *pmu, const char *file, int err)
{
	if (err && err != -ENOMEM && err != -ENOENT)
		log__error("PMU %s: cannot use %s/%s/%s: %s", pmu->name, PMU_DEVICES, pmu->name,
			   file, strerror(-err));
	return err;
}

/* ---- terms ----------------------------------------------------------------------------------- */

/* A bit's number; moves the text past it. */
static bool read_bit(const char **text, uint32_t *bit)
{
	if (!isdigit((unsigned char)**text))
		return false;
	for (*bit = 0; isdigit((unsigned char)**text); ++*text) {
		*bit = *bit * 10 + (uint32_t)(**text - '0');
		if (*bit > 63)
			return false;
	}
	return true;
}

/* BIT or FIRST-LAST. */
static bool read_bits(const char **text, uint64_t *bits)
{
	uint32_t first, last;

	if (!read_bit(text, &first))
		return false;
	last = first;
	if (**text == '-') {
		++*text;
		if (!read_bit(text, &last) || last < first)
			return false;
	}
	*bits |= (UINT64_MAX >> (63 - (last - first))) << first;
	return true;
}

int pmu_format__parse(struct pmu_format *format, const char *text)
{
	if (!begins_with(text, "config"))
		return -EINVAL;
	text += strlen("config");
	format->word = 0;
	format->bits = 0;
	if (*text >= '1' && *text <= '9')
		format->word = (uint32_t)(*text++ - '0');
	if (*text != ':')
		return -EINVAL;
	do {
		text++;
		if (!read_bits(&text, &format->bits))
			return -EINVAL;
	} while (*text == ',');
	return *text ? -EINVAL : 0;
}

uint64_t pmu_format__max(const struct pmu_format *format)
{
	int count = __builtin_popcountll(format->bits);

	return count ? UINT64_MAX >> (64 - count) : 0;
}

void pmu_format__store(const struct pmu_format *format, uint64_t value, uint64_t *word)
{
	*word &= ~format->bits;
	for (uint64_t left = format->bits; left; left &= left - 1, value >>= 1)
		if (value & 1)
			*word |= left & -left;
}

const struct pmu_format *pmu__find_format(const struct pmu *pmu, const char *name, size_t bytes)
{
	for (uint32_t i = 0; i < pmu->format_count; i++)
		if (strlen(pmu->formats[i].name) == bytes &&
		    !memcmp(pmu->formats[i].name, name, bytes))
			return &pmu->formats[i];
	return NULL;
}

/* Terms of a form that a newer kernel may have are left out. */
static int read_format(struct pmu *pmu, struct pmu_entries *entries, uint32_t i)
{
	struct pmu_format *format = &pmu->formats[pmu->format_count];
	char text[PMU_FILE_BYTES];
	int err = pmu_file__read_in(pmu->dir, "format", entries->at[i], text);

	if (err == -ENOENT)
		return 0;
	if (err)
		return report(pmu, "format", err);
	if (pmu_format__parse(format, text)) {
		log__debug("PMU %s: unknown format of the term %s: %s", pmu->name, entries->at[i],
			   text);
		return 0;
	}
	format->name = entries->at[i];
	entries->at[i] = NULL;
	pmu->format_count++;
	return 0;
}

static int read_formats(struct pmu *pmu)
{
	struct pmu_entries entries;
	int err = pmu_entries__read(&entries, pmu->dir, "format");

	if (err)
		return err == -ENOENT ? 0 : report(pmu, "format", err);
	if (entries.count)
		pmu->formats = calloc(entries.count, sizeof(*pmu->formats));
	if (entries.count && !pmu->formats)
		err = -ENOMEM;
	for (uint32_t i = 0; !err && i < entries.count; i++)
		err = read_format(pmu, &entries, i);
	pmu_entries__free(&entries);
	return err;
}

/* ---- a PMU ----------------------------------------------------------------------------------- */

static int read_type(struct pmu *pmu)
{
	char text[PMU_FILE_BYTES], *end;
	int err = pmu_file__read(pmu->dir, "type", text);
	unsigned long type;

	if (err)
		return report(pmu, "type", err);
	errno = 0;
	type = strtoul(text, &end, 10);
	if (errno || !isdigit((unsigned char)*text) || *end || type > UINT32_MAX)
		return report(pmu, "type", -EBADMSG);
	pmu->type = (uint32_t)type;
	return 0;
}

/* -ENOENT: the PMU has no such file. */
static int read_cpus(struct pmu *pmu, const char *file)
{
	char text[PMU_FILE_BYTES];
	int err = pmu_file__read(pmu->dir, file, text);

	if (err)
		return report(pmu, file, err);
	err = cpus__parse(&pmu->cpus, text);
	return err ? report(pmu, file, err == -ENOMEM ? err : -EBADMSG) : 0;
}

/* A core PMU of all CPUs is opened on all of them. */
static int forget_all_cpus(struct pmu *pmu)
{
	struct cpus present;
	int err = cpus__read(&present, "present");

	if (err)
		return err == -ENOMEM ? err : 0;
	for_each_cpu (cpu, &present) {
		if (cpus__has(&pmu->cpus, cpu))
			continue;
		cpus__free(&present);
		return 0;
	}
	cpus__free(&present);
	cpus__free(&pmu->cpus);
	return 0;
}

static int read_place(struct pmu *pmu)
{
	int err = read_cpus(pmu, "cpumask");

	if (!err) {
		pmu->is_system_wide = pmu->cpus.limit;
		return 0;
	}
	if (err == -ENOENT)
		err = read_cpus(pmu, "cpus");
	pmu->is_core = !err || pmu->type == PERF_TYPE_RAW || !strcmp(pmu->name, "cpu");
	if (err)
		return err == -ENOENT ? 0 : err;
	return forget_all_cpus(pmu);
}

int pmu__read(struct pmu *pmu, int devices, const char *name)
{
	int err;

	*pmu = (struct pmu){ .dir = -1 };
	if (!*name || *name == '.' || strchr(name, '/'))
		return -ENOENT;
	pmu->name = strdup(name);
	if (!pmu->name)
		return -ENOMEM;
	pmu->dir = openat(devices, name, O_PATH | O_DIRECTORY | O_CLOEXEC);
	err = pmu->dir < 0 ? -errno : read_type(pmu);
	if (err == -ENOTDIR)
		err = -ENOENT;
	if (!err)
		err = read_formats(pmu);
	if (!err)
		err = read_place(pmu);
	if (err)
		pmu__free(pmu);
	return err;
}

void pmu__free(struct pmu *pmu)
{
	for (uint32_t i = 0; i < pmu->format_count; i++)
		free(pmu->formats[i].name);
	free(pmu->formats);
	free(pmu->name);
	cpus__free(&pmu->cpus);
	if (pmu->dir >= 0)
		close(pmu->dir);
	*pmu = (struct pmu){ .dir = -1 };
}

bool pmu__matches(const char *pmu, const char *name)
{
	char pattern[256];

	if (!strcmp(pmu, name))
		return true;
	if (snprintf(pattern, sizeof(pattern), "%s*", name) >= (int)sizeof(pattern))
		return false;
	if (begins_with(pmu, "uncore_") && !begins_with(name, "uncore_"))
		pmu += strlen("uncore_");
	return !fnmatch(pattern, pmu, 0);
}

/* ---- aliases --------------------------------------------------------------------------------- */

/* A number as the kernel writes it, whatever the locale. */
static int parse_scale(const char *text, double *scale)
{
	locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	char *end;

	if (!c)
		return -ENOMEM;
	*scale = strtod_l(text, &end, c);
	freelocale(c);
	return end == text || *end || !(*scale > 0 && *scale < 1e300) ? -EBADMSG : 0;
}

/* A file NAME.PART; `text` is empty if there is none. */
static int read_part(const struct pmu *pmu, const char *name, const char *part,
		     char text[PMU_FILE_BYTES])
{
	char file[256];
	int err;

	*text = '\0';
	if (snprintf(file, sizeof(file), "%s.%s", name, part) >= (int)sizeof(file))
		return -ENAMETOOLONG;
	err = pmu_file__read_in(pmu->dir, "events", file, text);
	return err == -ENOENT ? 0 : report(pmu, "events", err);
}

/* The files NAME.snapshot and NAME.per-pkg have a 1. */
static int read_flag(const struct pmu *pmu, const char *name, const char *part, bool *flag)
{
	char text[PMU_FILE_BYTES];
	int err = read_part(pmu, name, part, text);

	*flag = !strcmp(text, "1");
	return err;
}

static int read_parts(const struct pmu *pmu, struct pmu_alias *alias, const char *name)
{
	char text[PMU_FILE_BYTES];
	int err = read_part(pmu, name, "scale", text);

	if (!err && *text)
		err = report(pmu, "events", parse_scale(text, &alias->scale));
	if (!err)
		err = read_part(pmu, name, "unit", text);
	if (!err && *text && !(alias->unit = strdup(text)))
		err = -ENOMEM;
	if (!err)
		err = read_flag(pmu, name, "snapshot", &alias->is_snapshot);
	return err ? err : read_flag(pmu, name, "per-pkg", &alias->is_per_package);
}

int pmu__read_alias(const struct pmu *pmu, struct pmu_alias *alias, const char *name)
{
	char text[PMU_FILE_BYTES];
	int err;

	*alias = (struct pmu_alias){ .scale = 1 };
	if (!*name || *name == '.' || strchr(name, '/') || pmu_alias__is_part(name))
		return -ENOENT;
	err = pmu_file__read_in(pmu->dir, "events", name, text);
	if (err == -ENAMETOOLONG)
		err = -ENOENT;
	if (err)
		return report(pmu, "events", err);
	alias->terms = strdup(text);
	err = alias->terms ? read_parts(pmu, alias, name) : -ENOMEM;
	if (err)
		pmu_alias__free(alias);
	return err;
}

void pmu_alias__free(struct pmu_alias *alias)
{
	free(alias->terms);
	free(alias->unit);
	*alias = (struct pmu_alias){ 0 };
}

bool pmu_alias__is_part(const char *name)
{
	static const char *const parts[] = { ".unit", ".scale", ".per-pkg", ".snapshot" };
	size_t bytes = strlen(name);

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		if (bytes > strlen(parts[i]) && !strcmp(name + bytes - strlen(parts[i]), parts[i]))
			return true;
	return false;
}

int pmu__read_alias_names(const struct pmu *pmu, struct pmu_entries *entries)
{
	int err = pmu_entries__read(entries, pmu->dir, "events");

	return err == -ENOENT ? 0 : report(pmu, "events", err);
}
