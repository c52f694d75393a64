// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* list_events.c: peat list --events. */
#include <stdio.h>
#include <string.h>

#include <peat/peat.h>

#include "cli/cli.h"
#include "cli/base/json_text.h"
#include "cli/list/list_events.h"
#include "cli/base/messages.h"
#include "cli/base/terminal_text.h"

struct printer {
	const char *const *texts;
	size_t text_count;
	bool json;
	uint32_t count; /* printed events */
};

static bool contains(const struct peat_event_name *event, const char *text)
{
	return strcasestr(event->name, text) || (event->text && strcasestr(event->text, text));
}

static bool is_wanted_name(const struct printer *printer, const struct peat_event_name *event)
{
	for (size_t i = 0; i < printer->text_count; i++)
		if (contains(event, printer->texts[i]))
			return true;
	return !printer->text_count;
}

static void print_json_event(const struct peat_event_name *event)
{
	json_text__member("{", "name", event->name);
	json_text__member(",", "kind", event->kind);
	json_text__member(",", "text", event->text);
	putchar('}');
}

static int print_event(void *arg, const struct peat_event_name *event)
{
	struct printer *printer = arg;

	if (!is_wanted_name(printer, event))
		return 0;
	if (printer->json) {
		fputs(printer->count ? ",\n " : "[", stdout);
		print_json_event(event);
	} else {
		terminal_text__print(stdout, "%-44s %s%s%s\n", event->name, event->kind,
				     event->text ? ": " : "", event->text ? event->text : "");
	}
	printer->count++;
	return 0;
}

int list_events__print(const char *const *texts, size_t count, bool json)
{
	struct printer printer = { texts, count, json, 0 };

	if (peat_event_names__list(NULL, print_event, &printer) < 0)
		return EXIT_FAILED;
	if (json)
		puts(printer.count ? "]" : "[]");
	if (printer.count || !count)
		return 0;
	messages__print("no event of this machine has such a name: peat list --events lists all");
	return EXIT_FAILED;
}
