/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* stacks/main_mapping.h: the program that a profile is about.  Pure. */
#ifndef PEAT_STACKS_MAIN_MAPPING_H
#define PEAT_STACKS_MAIN_MAPPING_H

#include <profile.pb-c.h>

/*
 * Moves the mapping of the main program before the others: pprof names the profile after the first
 * mapping.  The main program is the file with the most samples in it or below it, libraries and
 * the dynamic linker left out.  Without such a file, the order stays.  Ids do not change.
 *
 * Locations and mappings have their places as ids, from 1 on.  0 or -ENOMEM.
 */
int main_mapping__put_first(Profile__Profile *profile);

#endif /* PEAT_STACKS_MAIN_MAPPING_H */
