/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * soaked_agent.h: configurations of the agent that the soak runs, and its use of the machine.  A
 * failure here fails the test.
 */
#ifndef TESTS_SOAK_SOAKED_AGENT_H
#define TESTS_SOAK_SOAKED_AGENT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Names of files in the scratch directory. */
#define SOAK_JOURNAL "journal"
#define SOAK_PAGES   "pages"
#define SOAK_DISK    "disk"

/* The most memory of the agent with this configuration: user/doc/agent.md has the sum. */
uint64_t soaked_agent__most_bytes(void);

/* The settings of the source `flood`, of the process `producer`. */
void soaked_agent__set_producer(pid_t producer, unsigned each);

/* Writes a configuration: 0 is the one of the start, others differ from it; or a wrong one. */
void soaked_agent__configure(unsigned variant);
void soaked_agent__configure_wrongly(void);

/* Its resident memory, now and at most so far. */
uint64_t soaked_agent__resident_bytes(void);
uint64_t soaked_agent__peak_bytes(void);

/* Its fds but for sockets, and those of BPF programs, maps and links. */
unsigned soaked_agent__fds(void);
unsigned soaked_agent__bpf_fds(void);

#endif /* TESTS_SOAK_SOAKED_AGENT_H */
