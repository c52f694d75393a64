/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* own_program.h: the program of the running test, which others trace. */
#ifndef TESTS_SUPPORT_MACHINE_OWN_PROGRAM_H
#define TESTS_SUPPORT_MACHINE_OWN_PROGRAM_H

const char *own_program__path(void);

/* "KIND:PATH:FUNCTION", until the next call. */
const char *own_program__source(const char *kind, const char *function);

#endif /* TESTS_SUPPORT_MACHINE_OWN_PROGRAM_H */
