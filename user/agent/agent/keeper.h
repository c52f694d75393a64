/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * agent/keeper.h: keeps the ledger in the file of the setting `state`, in a thread of its own, and
 * continues that of former agents.  Without the setting, the functions do nothing.
 *
 *	keeper__begin()		reads the file; before outputs and pipelines start
 *	keeper__start()		writes the file, and starts the thread; after they have started
 *	keeper__stop()		ends the thread; before they end
 *	keeper__end()		writes the file; after they have ended
 */
#ifndef PEAT_AGENT_KEEPER_H
#define PEAT_AGENT_KEEPER_H

#include "agent/running.h"

/*
 * Continues the counts of rows that are there, and removes pinned programs that no pipeline wants.
 * 0 or a negative errno, which is logged.
 */
int keeper__begin(struct peat_agent *agent);

/* 0 or a negative errno, which is logged. */
int keeper__start(struct peat_agent *agent);

/* Continues the counts of the row, whose pipeline has adopted programs.  The lock is held. */
void keeper__continue(struct peat_agent *agent, struct source_row *row);

/* Notes the counts of the row, whose pipeline has stopped, for the next agent. */
void keeper__note(struct peat_agent *agent, const struct source_row *row, bool ends_programs);

/* Batches were acknowledged: writes the file soon.  Any thread; `agent` is a peat_agent. */
void keeper__hurry(void *agent);

void keeper__stop(struct peat_agent *agent);
void keeper__end(struct peat_agent *agent);

#endif /* PEAT_AGENT_KEEPER_H */
