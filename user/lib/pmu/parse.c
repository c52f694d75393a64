// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* pmu/parse.c: lists of events, as text, into items and terms. */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/hw_breakpoint.h>

#include "base/array.h"
#include "pmu/modifiers.h"
#include "pmu/names.h"
#include "pmu/parse.h"

#define LIST_BYTES_MAX (1u << 20)

/* The text, and the place that is parsed next. */
struct parser {
	struct pmu_list *list;
	const char *text;
	uint32_t at;
	uint32_t group; /* that the next item is in */
};

int pmu_list__refuse(struct pmu_list *list, uint32_t at, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(list->error, sizeof(list->error), format, args);
	va_end(args);
	list->error_at = at;
	return -EINVAL;
}

#define refuse(p, at, ...) pmu_list__refuse((p)->list, at, __VA_ARGS__)

static char next_char(const struct parser *p)
{
	return p->text[p->at];
}

static void skip_blanks(struct parser *p)
{
	while (isspace((unsigned char)next_char(p)))
		p->at++;
}

/* Up to one of these characters, a blank or the end. */
static struct pmu_span read_until(struct parser *p, const char *stop)
{
	struct pmu_span span = { .at = p->at };

	while (next_char(p) && !strchr(stop, next_char(p)) && !isspace((unsigned char)next_char(p)))
		p->at++;
	span.bytes = p->at - span.at;
	return span;
}

bool pmu_span__is(struct pmu_span span, const char *text, const char *string)
{
	return span.bytes == strlen(string) && !memcmp(text + span.at, string, span.bytes);
}

/* ---- numbers --------------------------------------------------------------------------------- */

static int digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 'a' ^ 'A';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 16;
}

static int parse_digits(const char *text, size_t bytes, uint64_t base, uint64_t *value)
{
	*value = 0;
	if (!bytes)
		return -EINVAL;
	for (size_t i = 0; i < bytes; i++)
		if ((uint64_t)digit_of(text[i]) >= base)
			return -EINVAL;
	for (size_t i = 0; i < bytes; i++) {
		uint64_t digit = (uint64_t)digit_of(text[i]);

		if (*value > (UINT64_MAX - digit) / base)
			return -ERANGE;
		*value = *value * base + digit;
	}
	return 0;
}

static bool has_hex_prefix(const char *text, size_t bytes)
{
	return bytes > 1 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
}

int pmu_number__parse(const char *text, size_t bytes, uint64_t *value)
{
	if (has_hex_prefix(text, bytes))
		return parse_digits(text + 2, bytes - 2, 16, value);
	return parse_digits(text, bytes, 10, value);
}

static int read_number(struct parser *p, struct pmu_span span, const char *what, uint64_t *value)
{
	int err = pmu_number__parse(p->text + span.at, span.bytes, value);

	if (err == -ERANGE)
		return refuse(p, span.at, "%s has more than 64 bits", what);
	if (err)
		return refuse(p, span.at, "%s is not a number: write 4096 or 0x1000", what);
	return 0;
}

int pmu_raw__parse(const char *name, size_t bytes, uint64_t *config)
{
	if (!bytes || *name != 'r')
		return -EINVAL;
	if (has_hex_prefix(name + 1, bytes - 1))
		return parse_digits(name + 3, bytes - 3, 16, config);
	return parse_digits(name + 1, bytes - 1, 16, config);
}

/* ---- terms ----------------------------------------------------------------------------------- */

static int read_value(struct parser *p, struct pmu_term *term)
{
	const char *quote = p->text + p->at + 1, *end;

	term->has_value = true;
	if (next_char(p) != '\'') {
		term->value = read_until(p, ",/");
		if (!term->value.bytes)
			return refuse(p, p->at, "a value is missing after '='");
		return 0;
	}
	end = strchr(quote, '\'');
	if (!end)
		return refuse(p, p->at, "the quote has no end: close it with '");
	term->value.at = p->at + 1;
	term->value.bytes = (uint32_t)(end - quote);
	p->at = term->value.at + term->value.bytes + 1;
	return 0;
}

static int read_term(struct parser *p)
{
	struct pmu_term term = { 0 };
	int err = 0;

	skip_blanks(p);
	term.name = read_until(p, ",/=");
	if (!term.name.bytes)
		return refuse(p, p->at, "a term is missing: write NAME or NAME=VALUE");
	if (next_char(p) == '=') {
		p->at++;
		err = read_value(p, &term);
	}
	skip_blanks(p);
	if (err)
		return err;
	if (!ARRAY_RESERVE_NEXT(p->list->terms, p->list->term_count))
		return -ENOMEM;
	p->list->terms[p->list->term_count++] = term;
	return 0;
}

/* Terms up to `end`, '/' or NUL, which is left for the caller. */
static int read_terms(struct parser *p, char end)
{
	int err;

	skip_blanks(p);
	if (next_char(p) == end)
		return 0;
	for (;;) {
		err = read_term(p);
		if (err || next_char(p) == end)
			return err;
		if (!next_char(p))
			return refuse(p, p->at, "the terms have no end: close them with '/'");
		if (next_char(p) != ',')
			return refuse(p, p->at, "a comma is missing between two terms");
		p->at++;
	}
}

/* Terms between slashes. */
static int read_slashes(struct parser *p, struct pmu_item *item)
{
	int err;

	p->at++;
	item->has_slashes = true;
	item->first_term = p->list->term_count;
	err = read_terms(p, '/');
	item->term_count = p->list->term_count - item->first_term;
	p->at += !err;
	return err;
}

int pmu_list__parse_terms(struct pmu_list *list, const char *text)
{
	struct parser p = { .list = list, .text = text };

	*list = (struct pmu_list){ 0 };
	if (strlen(text) > LIST_BYTES_MAX)
		return refuse(&p, 0, "these terms are too long");
	return read_terms(&p, '\0');
}

/* ---- modifiers ------------------------------------------------------------------------------- */

static int check_modifiers(struct parser *p, struct pmu_span letters)
{
	uint32_t at;
	const char *why = pmu_modifiers__check(p->text + letters.at, letters.bytes, &at);

	return why ? refuse(p, letters.at + at, "%s", why) : 0;
}

/* Letters after a colon, or directly after a slash or brace. */
static int read_modifiers(struct parser *p, struct pmu_span *modifiers)
{
	bool has_colon = next_char(p) == ':';

	p->at += has_colon;
	*modifiers = read_until(p, ",{}/:");
	return has_colon || modifiers->bytes ? check_modifiers(p, *modifiers) : 0;
}

/* ---- breakpoints ----------------------------------------------------------------------------- */

static bool parse_access(const char *letters, size_t bytes, uint32_t *access)
{
	for (*access = 0; bytes; bytes--, letters++) {
		uint32_t bit = *letters == 'r'	 ? HW_BREAKPOINT_R
			       : *letters == 'w' ? HW_BREAKPOINT_W
			       : *letters == 'x' ? HW_BREAKPOINT_X
						 : 0;

		if (!bit || *access & bit)
			return false;
		*access |= bit;
	}
	return *access;
}

static int read_access(struct parser *p, struct pmu_item *item)
{
	struct pmu_span letters;

	p->at++;
	letters = read_until(p, ",{}/:");
	if (parse_access(p->text + letters.at, letters.bytes, &item->access))
		return next_char(p) == ':' ? read_modifiers(p, &item->modifiers) : 0;
	item->access = 0;
	item->modifiers = letters;
	if (pmu_modifiers__may_be(p->text + letters.at, letters.bytes))
		return check_modifiers(p, letters);
	return refuse(p, letters.at, "not an access of a breakpoint: use r, w, rw or x");
}

/* mem:ADDRESS[/LENGTH][:ACCESS][:MODIFIERS] */
static int read_breakpoint(struct parser *p, struct pmu_item *item)
{
	struct pmu_span number;
	int err;

	item->form = PMU_FORM_BREAKPOINT;
	p->at++;
	number = read_until(p, ",{}/:");
	err = read_number(p, number, "the address", &item->numbers[0]);
	if (!err && next_char(p) == '/') {
		p->at++;
		number = read_until(p, ",{}/:");
		err = read_number(p, number, "the length", &item->numbers[1]);
		if (!err && (item->numbers[1] < 1 || item->numbers[1] > 8))
			err = refuse(p, number.at, "a breakpoint has a length of 1 to 8 bytes");
	}
	return err || next_char(p) != ':' ? err : read_access(p, item);
}

/* ---- tracepoints ----------------------------------------------------------------------------- */

/* Whether the text between slashes has terms, not a filter: no filter has a single '='. */
static bool begins_with_term(const char *text)
{
	static const char *const names[] = { "period",	   "freq",	   "name",
					     "call-graph", "stack-size",   "max-stack",
					     "nr",	   "inherit",	   "no-inherit",
					     "overwrite",  "no-overwrite", "time" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		size_t bytes = strlen(names[i]);

		if (strncmp(text, names[i], bytes))
			continue;
		if (text[bytes] == ',' || text[bytes] == '/' ||
		    (text[bytes] == '=' && text[bytes + 1] != '='))
			return true;
	}
	return false;
}

static int read_filter(struct parser *p, struct pmu_item *item)
{
	uint32_t start = p->at++;

	item->has_slashes = item->has_filter = true;
	item->filter.at = p->at;
	while (next_char(p) && next_char(p) != '/')
		p->at += next_char(p) == '\\' && p->text[p->at + 1] == '/' ? 2 : 1;
	item->filter.bytes = p->at - item->filter.at;
	if (!next_char(p))
		return refuse(p, start, "the filter has no end: close it with '/'");
	if (!item->filter.bytes)
		return refuse(p, start,
			      "the filter is empty: write sched:sched_switch/prev_pid==1/");
	p->at++;
	return 0;
}

/* After SYSTEM:EVENT. */
static int finish_tracepoint(struct parser *p, struct pmu_item *item)
{
	int err = 0;

	item->form = PMU_FORM_TRACEPOINT;
	if (next_char(p) == '/' && begins_with_term(p->text + p->at + 1))
		err = read_slashes(p, item);
	else if (next_char(p) == '/')
		err = read_filter(p, item);
	return err ? err : read_modifiers(p, &item->modifiers);
}

/* ---- items ----------------------------------------------------------------------------------- */

/* After NAME. */
static int finish_name(struct parser *p, struct pmu_item *item)
{
	int err = next_char(p) == '/' ? read_slashes(p, item) : 0;

	return err ? err : read_modifiers(p, &item->modifiers);
}

/* After TYPE:CONFIG or rCONFIG. */
static int finish_numbers(struct parser *p, struct pmu_item *item)
{
	item->form = PMU_FORM_NUMBERS;
	return finish_name(p, item);
}

static int read_type_config(struct parser *p, struct pmu_item *item)
{
	int err = read_number(p, item->name, "the type", &item->numbers[0]);
	struct pmu_span config;

	p->at++;
	config = read_until(p, ",{}/:");
	if (!err && item->numbers[0] > UINT32_MAX)
		err = refuse(p, item->name.at, "the type has more than 32 bits");
	if (!err)
		err = read_number(p, config, "the config", &item->numbers[1]);
	return err ? err : finish_numbers(p, item);
}

/* NAME:SECOND is a tracepoint unless SECOND can only be modifiers. */
static int read_after_colon(struct parser *p, struct pmu_item *item)
{
	const char *name = p->text + item->name.at;
	struct pmu_generic generic;
	uint32_t colon = p->at++;
	bool is_modifiers;

	item->event = read_until(p, ",{}/:");
	is_modifiers = pmu_modifiers__may_be(p->text + item->event.at, item->event.bytes) &&
		       next_char(p) != ':' && next_char(p) != '/';
	if (is_modifiers || !item->event.bytes ||
	    pmu_generic__find(&generic, name, item->name.bytes)) {
		p->at = colon;
		item->event.bytes = 0;
		return finish_name(p, item);
	}
	return finish_tracepoint(p, item);
}

static int read_name(struct parser *p, struct pmu_item *item)
{
	const char *name = p->text + p->at;
	int err;

	item->name = read_until(p, ",{}/:");
	if (!item->name.bytes)
		return refuse(p, p->at, "an event is missing: write one, or remove the comma");
	if (next_char(p) == ':' && pmu_span__is(item->name, p->text, "mem"))
		return read_breakpoint(p, item);
	if (next_char(p) == ':' && isdigit((unsigned char)*name))
		return read_type_config(p, item);
	err = pmu_raw__parse(name, item->name.bytes, &item->numbers[1]);
	if (err == -ERANGE)
		return refuse(p, item->name.at, "a raw event has at most 16 digits");
	if (!err) {
		item->numbers[0] = PERF_TYPE_RAW;
		return finish_numbers(p, item);
	}
	return next_char(p) == ':' ? read_after_colon(p, item) : finish_name(p, item);
}

static int read_item(struct parser *p)
{
	struct pmu_item item = { .group = p->group, .text.at = p->at };
	int err = read_name(p, &item);

	if (err)
		return err;
	item.text.bytes = p->at - item.text.at;
	if (!ARRAY_RESERVE_NEXT(p->list->items, p->list->count))
		return -ENOMEM;
	p->list->items[p->list->count++] = item;
	return 0;
}

/* ---- lists ----------------------------------------------------------------------------------- */

static int end_group(struct parser *p)
{
	struct pmu_span *modifiers = &p->list->groups[p->group];

	p->at++;
	p->group = PMU_NO_GROUP;
	return read_modifiers(p, modifiers);
}

static int begin_group(struct parser *p)
{
	if (p->group != PMU_NO_GROUP)
		return refuse(p, p->at, "a group cannot contain a group: remove this brace");
	if (!ARRAY_RESERVE_NEXT(p->list->groups, p->list->group_count))
		return -ENOMEM;
	p->group = p->list->group_count++;
	p->list->groups[p->group] = (struct pmu_span){ 0 };
	p->at++;
	skip_blanks(p);
	return 0;
}

/* An item, with the brace before it and the brace after it. */
static int read_element(struct parser *p)
{
	int err = 0;

	skip_blanks(p);
	if (next_char(p) == '{')
		err = begin_group(p);
	if (!err)
		err = read_item(p);
	skip_blanks(p);
	if (!err && next_char(p) == '}' && p->group != PMU_NO_GROUP)
		err = end_group(p);
	skip_blanks(p);
	return err;
}

int pmu_list__parse(struct pmu_list *list, const char *text)
{
	struct parser p = { .list = list, .text = text, .group = PMU_NO_GROUP };
	int err;

	*list = (struct pmu_list){ 0 };
	if (strlen(text) > LIST_BYTES_MAX)
		return refuse(&p, 0, "this list is too long");
	for (;;) {
		err = read_element(&p);
		if (err || !next_char(&p))
			break;
		if (next_char(&p) != ',')
			return refuse(&p, p.at, "a comma belongs between two events");
		p.at++;
	}
	if (!err && p.group != PMU_NO_GROUP)
		return refuse(&p, p.at, "the group has no end: close it with '}'");
	return err;
}

void pmu_list__free(struct pmu_list *list)
{
	free(list->items);
	free(list->terms);
	free(list->groups);
	*list = (struct pmu_list){ 0 };
}
