/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* batch/own_alert.h: an alert of the agent about itself: an event of the type `alert`. */
#ifndef PEAT_BATCH_OWN_ALERT_H
#define PEAT_BATCH_OWN_ALERT_H

#include <peat/batch.h>

struct own_alert {
	char kind[16]; /* "lost", "dropped", "failing", "working", "triggered", "reload" */
	char name[64]; /* of the source or the output */
	uint64_t count;
	char message[304];
};

/* Copies the alert into a batch of its own type.  0, -ENOSPC or -ENOMEM. */
int own_alert__add(struct peat_batch *batch, const struct own_alert *alert);

/* The message of an alert; NULL: the event is no alert. */
const char *own_alert__message(const struct peat_event *event);

#endif /* PEAT_BATCH_OWN_ALERT_H */
