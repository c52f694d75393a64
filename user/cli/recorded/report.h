/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef REPORT_H
#define REPORT_H

#include "cli/options/options.h"

/* Writes a recording as a page, as the options of peat report say.  The exit status. */
int report__write(const struct options *options);

#endif /* REPORT_H */
