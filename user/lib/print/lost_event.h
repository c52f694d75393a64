/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * print/lost_event.h: prints which record of a recording reports a loss, and which event lost
 * samples; and the cause of a live loss.
 */
#ifndef PEAT_PRINT_LOST_EVENT_H
#define PEAT_PRINT_LOST_EVENT_H

#include <peat/reader.h>

#include "base/strbuf.h"

/* Appends " (LOST_SAMPLES of cycles)", " (LOST)", or ": ring_full". */
void lost_event__text(struct strbuf *out, const struct peat_event *event);

/* Appends ,"record":"LOST_SAMPLES","event":"cycles"; or ,"cause":"ring_full". */
void lost_event__json(struct strbuf *out, const struct peat_event *event);

#endif /* PEAT_PRINT_LOST_EVENT_H */
