/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* options_stat.h: peat stat. */
#ifndef CLI_OPTIONS_STAT_H
#define CLI_OPTIONS_STAT_H

#include "cli/options/option_row.h"

struct stat_options {
	bool per_cpu, no_inherit;
	int details;	       /* times that --detailed is given */
	const char *separator; /* of fields; NULL: text or JSON */
};

extern const struct option_row options_stat__rows[];

#endif /* CLI_OPTIONS_STAT_H */
