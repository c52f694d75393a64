// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* page/losses.c: the losses of a page. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_value.h"
#include "page/losses.h"

static struct page_loss *next_loss(struct page_losses *losses)
{
	uint32_t room = losses->room ? 2 * losses->room : 16;
	struct page_loss *at;

	if (losses->count < losses->room)
		return &losses->at[losses->count++];
	at = realloc(losses->at, room * sizeof(*at));
	if (!at)
		return NULL;
	losses->at = at;
	losses->room = room;
	return &at[losses->count++];
}

/* The cause; in a recording, the record that reports the loss. */
static void print_reason(struct page_loss *loss, const struct peat_event *event)
{
	const char *name = event->record ? peat_record__name(event->record->type)
					 : peat_lost_cause__name(event->cause);

	snprintf(loss->reason, sizeof(loss->reason), "%s", name ? name : "unknown");
}

int page_losses__add(struct page_losses *losses, const struct peat_event *event)
{
	struct page_loss *loss;

	if (losses->count == PAGE_LOSSES_MAX) {
		losses->at[losses->count - 1].events += event->lost;
		return 0;
	}
	loss = next_loss(losses);
	if (!loss)
		return -ENOMEM;
	*loss = (struct page_loss){
		.time_ns = event->time_ns,
		.events = event->lost,
		.cpu = event->cpu,
	};
	print_reason(loss, event);
	return 0;
}

static void put_loss(const struct page_loss *loss, uint64_t first_ns, struct strbuf *out)
{
	strbuf__char(out, '[');
	strbuf__signed(out, loss->time_ns ? (int64_t)(loss->time_ns - first_ns) : 0);
	strbuf__char(out, ',');
	if (loss->cpu == PEAT_NO_CPU)
		strbuf__text(out, "null");
	else
		strbuf__unsigned(out, loss->cpu);
	strbuf__char(out, ',');
	strbuf__unsigned(out, loss->events);
	strbuf__char(out, ',');
	json_value__name(out, loss->reason);
	strbuf__char(out, ']');
}

void page_losses__put(const struct page_losses *losses, uint64_t first_ns, struct strbuf *out)
{
	strbuf__char(out, '[');
	for (uint32_t i = 0; i < losses->count; i++) {
		if (i)
			strbuf__char(out, ',');
		put_loss(&losses->at[i], first_ns, out);
	}
	strbuf__char(out, ']');
}

void page_losses__free(struct page_losses *losses)
{
	free(losses->at);
	*losses = (struct page_losses){ 0 };
}
