/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef PEAT_SESSION_FUNCTION_PROGRAMS_H
#define PEAT_SESSION_FUNCTION_PROGRAMS_H

struct bpf_program;

/*
 * For a program of fentry, fexit, fmod_ret or lsm that the kernel refused with EPERM: tries to load
 * an empty program for the same function, and one of tp_btf.  A text if the kernel refuses the
 * first and loads the second; NULL otherwise.
 */
const char *function_programs__remedy(const struct bpf_program *program);

#endif /* PEAT_SESSION_FUNCTION_PROGRAMS_H */
