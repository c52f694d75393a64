/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef TESTS_SUPPORT_MACHINE_CPU_SWITCH_H
#define TESTS_SUPPORT_MACHINE_CPU_SWITCH_H

#include <stdbool.h>
#include <stdint.h>

/* The name of guard processes: they act a moment after the process that they guard has ended. */
#define CPU_SWITCH_GUARD "cpu-guard"

/*
 * Switches a CPU on ("1") or off ("0").  0 or a negative errno: not every CPU of every machine can
 * be switched off.
 *
 * When this process ends, by whatever means, the CPUs that it switched off come back: a guard
 * process of its own session sees to that.  A guard never switches a CPU off, as it cannot know
 * whether another test did so and has yet to bring it back.  If the parent is a process of the same
 * program (libcheck's runner), this process ends with it.
 */
int cpu_switch__set(uint32_t cpu, const char *state);

/* Whether the CPU is online; CPUs without a switch always are. */
bool cpu_switch__is_on(uint32_t cpu);

#endif /* TESTS_SUPPORT_MACHINE_CPU_SWITCH_H */
