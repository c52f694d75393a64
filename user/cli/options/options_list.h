/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* options_list.h: peat list. */
#ifndef CLI_OPTIONS_LIST_H
#define CLI_OPTIONS_LIST_H

#include "cli/options/option_row.h"

struct list_options {
	bool attached, maps, events;
	const char *search; /* NULL: list all sources */
};

extern const struct option_row options_list__rows[];

#endif /* CLI_OPTIONS_LIST_H */
