/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* page/losses.h: the losses of a page, by time, CPU and reason. */
#ifndef PEAT_PAGE_LOSSES_H
#define PEAT_PAGE_LOSSES_H

#include <peat/reader.h>

#include "base/strbuf.h"

/* Losses that are kept one by one; later ones are added to the last one. */
#define PAGE_LOSSES_MAX 65536

struct page_loss {
	uint64_t time_ns, events;
	uint32_t cpu;
	char reason[40];
};

/* All zero: none. */
struct page_losses {
	struct page_loss *at;
	uint32_t count, room;
};

int page_losses__add(struct page_losses *losses, const struct peat_event *event); /* 0, -ENOMEM */

/* Appends a JSON array of [ns after `first_ns`, CPU or null, events, reason]. */
void page_losses__put(const struct page_losses *losses, uint64_t first_ns, struct strbuf *out);

void page_losses__free(struct page_losses *losses);

#endif /* PEAT_PAGE_LOSSES_H */
