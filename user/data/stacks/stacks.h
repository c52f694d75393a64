/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* stacks/stacks.h: the sink that counts stacks, for the conversion of a recording. */
#ifndef PEAT_STACKS_STACKS_H
#define PEAT_STACKS_STACKS_H

#include <peat/stacks.h>

/* For a sink made by peat_sink__new_stacks(): what is known only after the events were read. */
void stacks__set_wall_clock(struct peat_sink *sink, int64_t wall_clock_ns);

/*
 * The stacks of the other sink, which is not finished, are those before: a flame graph is coloured
 * by the change.  The other sink has to live as long.  0; -EINVAL: it counted several events.
 */
int stacks__compare(struct peat_sink *sink, const struct peat_sink *before);

#endif /* PEAT_STACKS_STACKS_H */
