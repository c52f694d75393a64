/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* tally_stacks.h: events counted by their stacks: --by stack. */
#ifndef CLI_TALLY_STACKS_H
#define CLI_TALLY_STACKS_H

#include "cli/table/tally.h"

/*
 * If "stack" is in --by, sets options->table.by_stack, and options->stacks.kinds unless the user or
 * a field of this name has chosen.  0 or an exit status, whose error has been printed.
 */
int tally_stacks__choose(struct options *options);

/* peat_table_opts.stack_id, with a struct tally: names the stack of the event, and numbers it. */
int tally_stacks__number(void *tally, const struct peat_event *event, uint64_t *id);

/* peat_rows_opts.stack, with a struct tally. */
int tally_stacks__frames(void *tally, uint64_t id, const struct peat_stack_frame **frames);

/* Warns if no event of the recording had a stack. */
void tally_stacks__check(const struct tally *tally);

#endif /* CLI_TALLY_STACKS_H */
