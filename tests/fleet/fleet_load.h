/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * fleet_load.h: a process that emits events of bpf/flood.bpf.c at a rate, on all CPUs in turn.  A
 * failure here fails the test.
 */
#ifndef TESTS_FLEET_FLEET_LOAD_H
#define TESTS_FLEET_FLEET_LOAD_H

#include <stdint.h>
#include <sys/types.h>

#define FLEET_LOAD_EACH 10 /* events of a call */

/* It begins paused.  Events a second: a busy machine may make fewer. */
pid_t fleet_load__start(uint64_t rate);
void fleet_load__resume(void);

/* The number of calls so far.  All have returned. */
uint64_t fleet_load__pause(void);
void fleet_load__end(void);

#endif /* TESTS_FLEET_FLEET_LOAD_H */
