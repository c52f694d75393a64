// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* pmu/terms.c: terms between slashes, into an attr. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggestion.h"
#include "pmu/names.h"
#include "pmu/terms.h"

/* The terms being applied. */
struct terms {
	struct pmu_event *event;
	const struct pmu *pmu; /* NULL: a generic event */
	struct pmu_list *list; /* gets the error */
	const char *text;
	const struct pmu_term *at;
	uint32_t count;
};

#define refuse(t, term, ...) pmu_list__refuse((t)->list, (term)->name.at, __VA_ARGS__)

static const char *name_in(const struct terms *t, const struct pmu_term *term)
{
	return t->text + term->name.at;
}

static bool is_term_name(const struct terms *t, const struct pmu_term *term, const char *name)
{
	return pmu_span__is(term->name, t->text, name);
}

#define NAME_OF(t, term) (int)(term)->name.bytes, name_in(t, term)

static int read_number(const struct terms *t, const struct pmu_term *term, uint64_t *value)
{
	int err = pmu_number__parse(t->text + term->value.at, term->value.bytes, value);

	if (err == -ERANGE)
		return refuse(t, term, "the value of %.*s has more than 64 bits", NAME_OF(t, term));
	if (err)
		return refuse(t, term, "%.*s needs a number: write %.*s=1 or %.*s=0x1",
			      NAME_OF(t, term), NAME_OF(t, term), NAME_OF(t, term));
	return 0;
}

/* The words config, config1, ... that struct perf_event_attr of this build has. */
#ifdef PERF_ATTR_SIZE_VER8
#define WORDS 4
#else
#define WORDS 3
#endif

static uint64_t get_word(const struct perf_event_attr *attr, uint32_t word)
{
#ifdef PERF_ATTR_SIZE_VER8
	if (word == 3)
		return attr->config3;
#endif
	return word == 2 ? attr->config2 : word == 1 ? attr->config1 : attr->config;
}

static void set_word(struct perf_event_attr *attr, uint32_t word, uint64_t value)
{
	if (word == 0)
		attr->config = value;
	else if (word == 1)
		attr->config1 = value;
	else if (word == 2)
		attr->config2 = value;
#ifdef PERF_ATTR_SIZE_VER8
	else
		attr->config3 = value;
#endif
}

/* ---- terms of perf --------------------------------------------------------------------------- */

static int set_period(const struct terms *t, const struct pmu_term *term)
{
	struct perf_event_attr *attr = &t->event->attr;
	uint64_t value;
	int err = read_number(t, term, &value);

	if (err)
		return err;
	if (!value || value > INT64_MAX)
		return refuse(t, term, "a period is 1 to %" PRId64, INT64_MAX);
	if (attr->freq)
		return refuse(t, term, "period and freq exclude each other: remove one");
	attr->sample_period = value;
	return 0;
}

static int set_frequency(const struct terms *t, const struct pmu_term *term)
{
	struct perf_event_attr *attr = &t->event->attr;
	uint64_t value;
	int err = read_number(t, term, &value);

	if (err)
		return err;
	if (!value || value > UINT32_MAX)
		return refuse(t, term, "a frequency is 1 to %" PRIu32 " samples per second",
			      UINT32_MAX);
	if (attr->sample_period)
		return refuse(t, term, "period and freq exclude each other: remove one");
	attr->sample_freq = value;
	attr->freq = 1;
	return 0;
}

static int set_name(const struct terms *t, const struct pmu_term *term)
{
	char *name;

	if (!term->has_value || !term->value.bytes)
		return refuse(t, term, "name needs a text: write name=TEXT");
	name = strndup(t->text + term->value.at, term->value.bytes);
	if (!name)
		return -ENOMEM;
	free(t->event->name);
	t->event->name = name;
	return 0;
}

static int set_call_graph(const struct terms *t, const struct pmu_term *term)
{
	bool is_frame_pointers = pmu_span__is(term->value, t->text, "fp");

	if (!is_frame_pointers && !pmu_span__is(term->value, t->text, "no"))
		return refuse(t, term, "call-graph is fp or no: others are not supported");
	t->event->has_call_graph = is_frame_pointers;
	return 0;
}

static int set_config(const struct terms *t, const struct pmu_term *term)
{
	uint32_t word = term->name.bytes > 6 ? (uint32_t)(name_in(t, term)[6] - '0') : 0;
	uint64_t value;
	int err = read_number(t, term, &value);

	if (err)
		return err;
	if (word >= WORDS)
		return refuse(t, term, "config3 needs a build with headers of Linux 6.3");
	set_word(&t->event->attr, word, value);
	return 0;
}

static int refuse_term(const struct terms *t, const struct pmu_term *term)
{
	return refuse(t, term, "the term %.*s of perf is not supported: remove it",
		      NAME_OF(t, term));
}

static const struct {
	const char *name;
	int (*apply)(const struct terms *t, const struct pmu_term *term);
} perf_terms[] = {
	{ "config", set_config },
	{ "config1", set_config },
	{ "config2", set_config },
	{ "config3", set_config },
	{ "period", set_period },
	{ "freq", set_frequency },
	{ "name", set_name },
	{ "call-graph", set_call_graph },
	{ "stack-size", refuse_term },
	{ "max-stack", refuse_term },
	{ "nr", refuse_term },
	{ "time", refuse_term },
	{ "inherit", refuse_term },
	{ "no-inherit", refuse_term },
	{ "overwrite", refuse_term },
	{ "no-overwrite", refuse_term },
	{ "percore", refuse_term },
	{ "metric-id", refuse_term },
	{ "branch_type", refuse_term },
	{ "aux-output", refuse_term },
	{ "aux-action", refuse_term },
	{ "aux-sample-size", refuse_term },
	{ "driver-config", refuse_term },
	{ "ratio-to-prev", refuse_term },
};

#define PERF_TERMS (sizeof(perf_terms) / sizeof(*perf_terms))

/* ---- terms of a PMU -------------------------------------------------------------------------- */

static int set_format(const struct terms *t, const struct pmu_term *term,
		      const struct pmu_format *format)
{
	uint64_t value = 1, word;
	int err = term->has_value ? read_number(t, term, &value) : 0;

	if (err)
		return err;
	if (format->word >= WORDS)
		return refuse(t, term, "%s is in config%u, which this build does not have",
			      format->name, format->word);
	if (value > pmu_format__max(format))
		return refuse(t, term,
			      "%s=0x%" PRIx64 " is too large: %s has %d bits, 0 to 0x%" PRIx64,
			      format->name, value, format->name, __builtin_popcountll(format->bits),
			      pmu_format__max(format));
	word = get_word(&t->event->attr, format->word);
	pmu_format__store(format, value, &word);
	set_word(&t->event->attr, format->word, word);
	return 0;
}

static int report_unknown(const struct terms *t, const struct pmu_term *term)
{
	struct suggestion suggestion = { 0 };
	struct pmu_entries aliases = { 0 };
	char name[128], text[192];

	snprintf(name, sizeof(name), "%.*s", NAME_OF(t, term));
	suggestion.wanted = name;
	for (size_t i = 0; i < PERF_TERMS; i++)
		if (perf_terms[i].apply != refuse_term)
			suggestion__try(&suggestion, perf_terms[i].name);
	for (uint32_t i = 0; t->pmu && i < t->pmu->format_count; i++)
		suggestion__try(&suggestion, t->pmu->formats[i].name);
	if (t->pmu && !pmu__read_alias_names(t->pmu, &aliases)) {
		for (uint32_t i = 0; i < aliases.count; i++)
			if (!pmu_alias__is_part(aliases.at[i]))
				suggestion__try(&suggestion, aliases.at[i]);
		pmu_entries__free(&aliases);
	}
	suggestion__text(&suggestion, text);
	if (t->pmu)
		refuse(t, term,
		       "PMU %s has no event or term %s%speat list --events %s/ lists events",
		       t->pmu->name, name, text, t->pmu->name);
	else
		refuse(t, term, "no term %s%suse period, freq, name, call-graph or config", name,
		       text);
	return -ENOENT;
}

/* A term other than an alias. */
static int apply_term(const struct terms *t, const struct pmu_term *term)
{
	const struct pmu_format *format =
		t->pmu ? pmu__find_format(t->pmu, name_in(t, term), term->name.bytes) : NULL;
	uint64_t raw;

	if (format)
		return set_format(t, term, format);
	for (size_t i = 0; i < PERF_TERMS; i++)
		if (is_term_name(t, term, perf_terms[i].name))
			return perf_terms[i].apply(t, term);
	if (term->has_value || pmu_raw__parse(name_in(t, term), term->name.bytes, &raw))
		return report_unknown(t, term);
	t->event->attr.config = raw;
	return 0;
}

static int check_twice(const struct terms *t, const struct pmu_term *term)
{
	for (const struct pmu_term *other = t->at; other < term; other++)
		if (other->name.bytes == term->name.bytes &&
		    !memcmp(name_in(t, other), name_in(t, term), term->name.bytes))
			return refuse(t, term, "%.*s is given twice: remove one", NAME_OF(t, term));
	return 0;
}

/* ---- aliases --------------------------------------------------------------------------------- */

/* A term "NAME=?" of an alias needs a value in the text. */
static int check_given(const struct terms *t, uint32_t at, const char *text,
		       const struct pmu_term *wanted)
{
	for (uint32_t i = 0; i < t->count; i++)
		if (t->at[i].name.bytes == wanted->name.bytes && t->at[i].has_value &&
		    !memcmp(name_in(t, &t->at[i]), text + wanted->name.at, wanted->name.bytes))
			return 0;
	return pmu_list__refuse(t->list, at, "this event needs %.*s: add ,%.*s=NUMBER",
				(int)wanted->name.bytes, text + wanted->name.at,
				(int)wanted->name.bytes, text + wanted->name.at);
}

/* Applies the terms of an alias, which sysfs has; errors are at the alias in the text. */
static int apply_alias_terms(const struct terms *t, uint32_t at, const char *text)
{
	struct pmu_list list;
	struct terms alias = { t->event, t->pmu, &list, text, NULL, 0 };
	int err = pmu_list__parse_terms(&list, text);

	for (uint32_t i = 0; !err && i < list.term_count; i++) {
		const struct pmu_term *term = &list.terms[i];

		if (pmu_span__is(term->value, text, "?")) {
			err = check_given(t, at, text, term);
			if (err)
				break;
			continue;
		}
		err = apply_term(&alias, term);
	}
	if (*list.error)
		err = pmu_list__refuse(t->list, at, "its terms in sysfs, %s, are wrong: %s", text,
				       list.error);
	pmu_list__free(&list);
	return err;
}

/* The name of a generic event, and the name that sysfs of x86 has for it. */
static int read_alias(const struct pmu *pmu, struct pmu_alias *alias, const char *name)
{
	int err = pmu__read_alias(pmu, alias, name);
	struct pmu_generic wanted, event;
	const char *other, *also;

	if (err != -ENOENT || !pmu_generic__find(&wanted, name, strlen(name)) ||
	    wanted.type != PERF_TYPE_HARDWARE)
		return err;
	for (uint32_t n = 0; (other = pmu_generic__name(n, &event, &also)); n++)
		if (event.type == wanted.type && event.config == wanted.config)
			return pmu__read_alias(pmu, alias, other);
	return -ENOENT;
}

/* A core PMU counts the generic events, even if sysfs has no name for them. */
static int apply_generic(const struct terms *t, const char *name)
{
	struct pmu_generic generic;

	if (!t->pmu->is_core || !pmu_generic__find(&generic, name, strlen(name)) ||
	    generic.type == PERF_TYPE_SOFTWARE)
		return -ENOENT;
	t->event->attr.type = generic.type;
	t->event->attr.config = (uint64_t)t->pmu->type << PERF_PMU_TYPE_SHIFT | generic.config;
	return 0;
}

/* Only PMUs that Linux no longer has are known to have such events (intel_cqm, before 4.14). */
static int check_kind(const struct terms *t, uint32_t at, const char *name,
		      const struct pmu_alias *alias)
{
	if (alias->is_snapshot)
		return pmu_list__refuse(
			t->list, at, "%s is a value at one time, not a count: not supported", name);
	if (alias->is_per_package && !t->pmu->is_system_wide)
		return pmu_list__refuse(t->list, at,
					"%s counts per package, and PMU %s has no cpumask: not "
					"supported",
					name, t->pmu->name);
	return 0;
}

static int apply_alias(const struct terms *t, uint32_t at, const char *name)
{
	struct pmu_alias alias;
	int err = read_alias(t->pmu, &alias, name);

	if (err == -ENOENT)
		return apply_generic(t, name);
	if (err)
		return err;
	err = check_kind(t, at, name, &alias);
	if (!err)
		err = apply_alias_terms(t, at, alias.terms);
	free(t->event->unit);
	t->event->unit = alias.unit;
	t->event->scale = alias.scale;
	alias.unit = NULL;
	pmu_alias__free(&alias);
	return err;
}

int pmu_terms__apply_alias(struct pmu_event *event, const struct pmu *pmu, struct pmu_list *list,
			   uint32_t at, const char *name)
{
	struct terms t = { event, pmu, list, name, NULL, 0 };

	return apply_alias(&t, at, name);
}

/* -ENOENT: the term is no alias. */
static int apply_if_alias(const struct terms *t, const struct pmu_term *term)
{
	char *name;
	int err;

	if (term->has_value)
		return -ENOENT;
	name = strndup(name_in(t, term), term->name.bytes);
	err = name ? apply_alias(t, term->name.at, name) : -ENOMEM;
	free(name);
	return err;
}

/* Refuses a term that is another event of the PMU. */
static int check_second(const struct terms *t, const struct pmu_term *term)
{
	struct pmu_alias alias = { 0 };
	char name[128];
	int err;

	if (!t->pmu || term->has_value || term->name.bytes >= sizeof(name))
		return 0;
	snprintf(name, sizeof(name), "%.*s", NAME_OF(t, term));
	err = pmu__read_alias(t->pmu, &alias, name);
	if (err)
		return err == -ENOENT ? 0 : err;
	pmu_alias__free(&alias);
	return refuse(t, term, "%s is another event: write it as %s/%s/", name, t->pmu->name, name);
}

/* Applies the alias among the terms, if there is one. */
static int find_alias(const struct terms *t, uint32_t *alias)
{
	int err = -ENOENT;

	*alias = t->count;
	for (uint32_t i = 0; err == -ENOENT && i < t->count; i++) {
		err = apply_if_alias(t, &t->at[i]);
		if (!err)
			*alias = i;
	}
	return err == -ENOENT ? 0 : err;
}

int pmu_terms__apply(struct pmu_event *event, const struct pmu *pmu, struct pmu_list *list,
		     const char *text, const struct pmu_item *item)
{
	struct terms t = { event, pmu, list, text, NULL, item->term_count };
	uint32_t alias = t.count;
	int err;

	if (!t.count)
		return 0;
	t.at = list->terms + item->first_term;
	err = pmu ? find_alias(&t, &alias) : 0;
	for (uint32_t i = 0; !err && i < t.count; i++) {
		if (i == alias)
			continue;
		err = check_twice(&t, &t.at[i]);
		if (!err)
			err = check_second(&t, &t.at[i]);
		if (!err)
			err = apply_term(&t, &t.at[i]);
	}
	return err;
}
