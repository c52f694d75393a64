/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* scratch.h: a directory with files of one test.  A failure here fails the running test. */
#ifndef TESTS_SUPPORT_MACHINE_SCRATCH_H
#define TESTS_SUPPORT_MACHINE_SCRATCH_H

/* Makes the directory, and removes it with all that is in it: a fixture of libcheck. */
void scratch__make(void);
void scratch__remove(void);

/* Its path, without symbolic links. */
const char *scratch__dir(void);

/* The path of a file in it, valid until the fourth call from now. */
const char *scratch__path(const char *name);

/* Makes a file with this text.  Returns a file descriptor for reading and writing, at offset 0. */
int scratch__file(const char *name, const char *text);

/* Makes a file that only its owner can read, instead of one of this name.  Returns its path. */
__attribute__((format(printf, 2, 3))) const char *scratch__replace(const char *name,
								   const char *format, ...);

#endif /* TESTS_SUPPORT_MACHINE_SCRATCH_H */
