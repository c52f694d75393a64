/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * session/program_arrays.h: program arrays that the object initializes, if programs are left out.
 *
 * libbpf fails to load an object if such an array names a program that is not loaded.  Here its
 * slot stays empty: a tail call to it returns to the caller, as to any empty slot.
 */
#ifndef PEAT_SESSION_PROGRAM_ARRAYS_H
#define PEAT_SESSION_PROGRAM_ARRAYS_H

struct part;

/* Before the load: replaces arrays that name a program left out.  0 or a negative errno. */
int program_arrays__replace(const struct part *part);

/* After the load: fills the arrays that were replaced.  0 or a negative errno, logged. */
int program_arrays__fill(const struct part *part);

#endif /* PEAT_SESSION_PROGRAM_ARRAYS_H */
