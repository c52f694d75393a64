// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* print/json_identity.c: prints the container, pod and unit of an event as JSON. */
#include <string.h>

#include <peat/identity.h>

#include "base/json_value.h"
#include "field/sampled.h"
#include "print/json_identity.h"

/* A field of the type comes first. */
static bool has_field(const struct peat_event *event, const char *name)
{
	return event->schema && peat_schema__find(event->schema, name, NULL);
}

static void append_id(struct strbuf *out, const struct peat_event *event)
{
	if (has_field(event, "nspid"))
		return;
	strbuf__text(out, ",\"nspid\":");
	if (event->nspid)
		strbuf__unsigned(out, event->nspid);
	else
		strbuf__text(out, "null");
}

static void append_member(struct strbuf *out, const struct peat_event *event, const char *name,
			  const char *text)
{
	if (has_field(event, name))
		return;
	strbuf__text(out, ",\"");
	strbuf__text(out, name);
	strbuf__text(out, "\":");
	json_value__string(out, text, strlen(text));
}

void json_identity__append(struct strbuf *out, const struct peat_event *event)
{
	if (!event->identity)
		return;
	if (event->has_owner)
		append_id(out, event);
	append_member(out, event, "container", event->identity->container);
	append_member(out, event, "pod", event->identity->pod);
	append_member(out, event, "unit", event->identity->unit);
}

void json_identity__append_part(struct strbuf *out, const struct chosen_field *part,
				const struct peat_event *event)
{
	const char *text = sampled__text(part->sampled, event);
	uint64_t id;

	if (sampled__read(part->sampled, event, &id) && id)
		strbuf__unsigned(out, id);
	else if (text)
		json_value__string(out, text, strlen(text));
	else
		strbuf__text(out, "null");
}
