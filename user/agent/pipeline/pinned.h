/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* pipeline/pinned.h: reads the events of programs that a former agent has pinned. */
#ifndef PEAT_PIPELINE_PINNED_H
#define PEAT_PIPELINE_PINNED_H

#include <peat/ledger.h>
#include <peat/session.h>

struct config_pipeline;

/* A number that changes with the settings, with this version of peat, and with object files. */
uint64_t pinned__hash(const struct config_pipeline *config,
		      bool (*find_probe)(const char *name, const void **object, size_t *bytes));

/*
 * A session of the programs that are pinned in a directory, not started.  NULL and errno, with the
 * reason in the log: EBUSY: another process reads them.
 */
struct peat_session *pinned__open(const char *directory, const struct peat_session_opts *opts);

/* Reads the ledger of the programs since their load.  0 or a negative errno, which is logged. */
int pinned__count(const char *directory, struct peat_ledger *ledger);

#endif /* PEAT_PIPELINE_PINNED_H */
