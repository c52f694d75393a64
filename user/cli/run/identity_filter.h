/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef CLI_IDENTITY_FILTER_H
#define CLI_IDENTITY_FILTER_H

#include <peat/peat.h>

#include "cli/options/options.h"

/* identity_filter.h: --container, --pod and --unit, as a part of the expression of --where. */

/* Parses --where together with them.  `where` is NULL if none is given.  0 or an exit status. */
int identity_filter__parse(const struct options *options, struct peat_where **where);

/*
 * Whether events have an identity that these options need, of a session before its start.  0 or an
 * exit status.
 */
int identity_filter__check(const struct options *options, struct peat_session *session);

/* Likewise --identity, of any reader.  0 or a negative errno. */
int identity_filter__check_output(const struct options *options, struct peat_reader *reader);

#define IDENTITY_FILTER_NO_RECORD "this recording has no cgroups: record with --identity"

#endif /* CLI_IDENTITY_FILTER_H */
