/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* sys/own_ids.h: the ids that a task has in its own pid namespace.  BPF programs include it. */
#ifndef PEAT_SYS_OWN_IDS_H
#define PEAT_SYS_OWN_IDS_H

struct own_ids {
	unsigned int pid, tid; /* 0: unknown */
};

#endif /* PEAT_SYS_OWN_IDS_H */
