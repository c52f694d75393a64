/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* options_objects.h: BPF objects: how they are compiled and loaded, and the types of their events.
 */
#ifndef CLI_OPTIONS_OBJECTS_H
#define CLI_OPTIONS_OBJECTS_H

#include "cli/options/option_row.h"

struct object_options {
	struct option_words includes;	/* directories of headers */
	struct option_words sets;	/* NAME=VALUE */
	struct option_words map_sizes;	/* MAP=ENTRIES */
	struct option_words types;	/* [MAP=]TYPE, [EVENT=]TYPE */
	struct option_words left_out;	/* programs */
	struct option_words attached;	/* PROGRAM=TARGET */
	struct option_words interfaces; /* each one or more names, separated by commas */
	const char *btf; /* file with those types; live: with the kernel's types; NULL: none */
	bool best_effort, min_btf;
};

extern const struct option_row options_objects__rows[];

#endif /* CLI_OPTIONS_OBJECTS_H */
