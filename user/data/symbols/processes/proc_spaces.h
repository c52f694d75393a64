/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* symbols/processes/proc_spaces.h: mappings of running processes, from /proc/PID/maps. */
#ifndef PEAT_SYMBOLS_PROCESSES_PROC_SPACES_H
#define PEAT_SYMBOLS_PROCESSES_PROC_SPACES_H

#include "symbols/processes/processes.h"

/*
 * Reads the mappings of a process that began before its records, or whose newest mapping is
 * unknown: again and again, but rarely if it does not help.  With records, mappings are added to
 * unmapped addresses only; without, they replace the former ones.  True: something was read.
 */
bool proc_spaces__read(struct processes *processes, struct process *process);

/* Without records, mappings become outdated unnoticed: reads them again after a second. */
void proc_spaces__update(struct processes *processes, struct process *process);

#endif /* PEAT_SYMBOLS_PROCESSES_PROC_SPACES_H */
