/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * pmu/parse.h: lists of events, as text, into items and terms.  Pure: does not ask the machine, so
 * a name may be a generic event, a PMU or an alias of one.
 */
#ifndef PEAT_PMU_PARSE_H
#define PEAT_PMU_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A part of the text. */
struct pmu_span {
	uint32_t at, bytes;
};

/* NAME or NAME=VALUE between slashes; a value without its quotes. */
struct pmu_term {
	struct pmu_span name, value;
	bool has_value;
};

enum pmu_form {
	PMU_FORM_NAME,	     /* NAME, or NAME/TERMS/ */
	PMU_FORM_TRACEPOINT, /* NAME:EVENT, NAME:EVENT/FILTER/ or NAME:EVENT/TERMS/ */
	PMU_FORM_BREAKPOINT, /* mem:ADDRESS[/LENGTH][:rwx] */
	PMU_FORM_NUMBERS,    /* TYPE:CONFIG, or rCONFIG */
};

struct pmu_item {
	enum pmu_form form;
	bool has_slashes, has_filter;
	struct pmu_span text; /* all of the item, with modifiers */
	struct pmu_span name, event, modifiers;
	struct pmu_span filter; /* \/ stands for a slash */
	uint32_t first_term, term_count;
	uint64_t numbers[2]; /* type and config; or address and length, which is 0 if not given */
	uint32_t access;     /* HW_BREAKPOINT_R, W, X; 0: not given */
	uint32_t group;	     /* or PMU_NO_GROUP */
};

struct pmu_list {
	struct pmu_item *items;
	struct pmu_term *terms;
	struct pmu_span *groups; /* the modifiers of each group */
	uint32_t count, term_count, group_count;
	uint32_t error_at; /* byte of the text */
	char error[256];   /* why, and what to do */
};

/*
 * Parses a list of events.  Call pmu_list__free() in any case.
 *
 *     -EINVAL   `error` and `error_at` are set
 *     -ENOMEM
 */
int pmu_list__parse(struct pmu_list *list, const char *text);

/* Parses terms alone, as a PMU's alias in sysfs has them: event=0x3c,umask=0x1. */
int pmu_list__parse_terms(struct pmu_list *list, const char *text);

void pmu_list__free(struct pmu_list *list);

/* Sets `error` and `error_at`, the place in the text.  -EINVAL. */
__attribute__((format(printf, 3, 4))) int pmu_list__refuse(struct pmu_list *list, uint32_t at,
							   const char *format, ...);

/* rHEX or r0xHEX.  -EINVAL: not such a name; -ERANGE: more than 64 bits. */
int pmu_raw__parse(const char *name, size_t bytes, uint64_t *config);

/* A decimal number, or a hexadecimal one after 0x.  -EINVAL; -ERANGE: more than 64 bits. */
int pmu_number__parse(const char *text, size_t bytes, uint64_t *value);

/* Whether a part of the text is this string. */
bool pmu_span__is(struct pmu_span span, const char *text, const char *string);

#endif /* PEAT_PMU_PARSE_H */
