/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* print/cell_text.h: how values look in columns and in lines alike. */
#ifndef PEAT_PRINT_CELL_TEXT_H
#define PEAT_PRINT_CELL_TEXT_H

#include <peat/reader.h>

#include "base/strbuf.h"
#include "print/chosen_fields.h"

/* Appends a process or thread id; "-" for PEAT_NO_TASK. */
void cell_text__append_id(struct strbuf *out, uint32_t id);

/* Appends a CPU as perf script prints it, "[002]"; "-" for PEAT_NO_CPU. */
void cell_text__append_cpu(struct strbuf *out, uint32_t cpu);

/* Appends a part of an event that is no field, except its time; "-" if it is unknown or empty. */
void cell_text__append_common(struct strbuf *out, const struct chosen_field *part,
			      const struct peat_event *event);

#define CELL_TEXT_CPU_WIDTH 5 /* characters of a CPU below 1000 */

/* Whether the field is a result that is a negative errno. */
bool cell_text__is_error(const struct peat_field *field, const void *data, uint32_t bytes);

/* Whether a member has nothing to say: it is PEAT_RARE, and 0, empty or not in the event. */
bool cell_text__is_nothing(const struct peat_field *field, const void *data, uint32_t bytes);

#endif /* PEAT_PRINT_CELL_TEXT_H */
