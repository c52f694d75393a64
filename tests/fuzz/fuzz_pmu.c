// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * fuzz_pmu.c: any list of events, as text, and any terms of an alias.
 *
 * All parts of an item are in the text, and the text of an item is a list of this item alone.
 */
#include <stdlib.h>
#include <string.h>

#include "pmu/modifiers.h"
#include "pmu/parse.h"
#include "pmu/sysfs.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_span(struct pmu_span span, size_t bytes)
{
	if (span.at > bytes || span.bytes > bytes - span.at)
		abort();
}

static void check_item(const struct pmu_list *list, const struct pmu_item *item, size_t bytes)
{
	check_span(item->text, bytes);
	check_span(item->name, bytes);
	check_span(item->event, bytes);
	check_span(item->modifiers, bytes);
	check_span(item->filter, bytes);
	if (item->first_term > list->term_count ||
	    item->term_count > list->term_count - item->first_term)
		abort();
	if (item->group != PMU_NO_GROUP && item->group >= list->group_count)
		abort();
	if (!item->text.bytes || !item->name.bytes)
		abort();
}

static void check_alone(const char *text, const struct pmu_item *item)
{
	char *alone = strndup(text + item->text.at, item->text.bytes);
	struct pmu_list list;

	if (!alone || pmu_list__parse(&list, alone) || list.count != 1 ||
	    list.items[0].form != item->form ||
	    list.items[0].modifiers.bytes != item->modifiers.bytes ||
	    list.items[0].term_count != item->term_count ||
	    memcmp(list.items[0].numbers, item->numbers, sizeof(item->numbers)))
		abort();
	pmu_list__free(&list);
	free(alone);
}

static void check_list(const char *text)
{
	struct pmu_list list;
	int err = pmu_list__parse(&list, text);

	if (!err != !*list.error || list.error_at > strlen(text) || (!err && !list.count))
		abort();
	for (uint32_t i = 0; !err && i < list.count; i++) {
		check_item(&list, &list.items[i], strlen(text));
		check_alone(text, &list.items[i]);
	}
	pmu_list__free(&list);
}

static void check_terms(const char *text)
{
	struct pmu_list list;
	int err = pmu_list__parse_terms(&list, text);

	for (uint32_t i = 0; !err && i < list.term_count; i++) {
		check_span(list.terms[i].name, strlen(text));
		check_span(list.terms[i].value, strlen(text));
	}
	pmu_list__free(&list);
}

static void check_format(const char *text)
{
	struct pmu_format format = { 0 };
	uint64_t word = 0;

	if (pmu_format__parse(&format, text))
		return;
	pmu_format__store(&format, pmu_format__max(&format), &word);
	if (!format.bits || word != format.bits)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	if (!text)
		abort();
	memcpy(text, data, size);
	text[size] = '\0';
	check_list(text);
	check_terms(text);
	check_format(text);
	free(text);
	return 0;
}
