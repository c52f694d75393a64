/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* beside.h: programs beside this one, such as peat-agent. */
#ifndef PEAT_CLI_BESIDE_H
#define PEAT_CLI_BESIDE_H

/*
 * Becomes the program of this name, with these arguments: the one beside this program, which has
 * its version, or else the one of PATH.  Returns only if it cannot, and prints why.
 */
void beside__become(const char *name, char *const *argv);

#endif /* PEAT_CLI_BESIDE_H */
