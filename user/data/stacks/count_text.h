/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* stacks/count_text.h: prints counts and weights for people. */
#ifndef PEAT_STACKS_COUNT_TEXT_H
#define PEAT_STACKS_COUNT_TEXT_H

#include <peat/schema.h>

#include "base/strbuf.h"

/* "1,234,567" */
void count_text__put_grouped(struct strbuf *out, uint64_t number);

/* "1 sample", "12,345 samples" */
void count_text__put_samples(struct strbuf *out, uint64_t count);

/* "1.5ms", "4.0K" or "1,234", by the kind of `unit`. */
void count_text__put_weight(struct strbuf *out, const struct peat_field *unit, uint64_t weight);

#endif /* PEAT_STACKS_COUNT_TEXT_H */
