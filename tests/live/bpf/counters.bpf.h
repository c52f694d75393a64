/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* counters.bpf.h: the readings of counters.bpf.c and counters_plain.bpf.c. */
#ifndef COUNTERS_BPF_H
#define COUNTERS_BPF_H

#define COUNTERS_CPUS 64

enum counters_number { FAULTS, SWITCHES, CLOCK, CHANGED, ABSENT, COUNTERS };

struct counters_reading {
	unsigned long long value, enabled_ns, running_ns;
	long long result;
};

/* The last readings of a CPU. */
struct counters_readings {
	unsigned long long calls;
	struct counters_reading of[COUNTERS];
};

#endif /* COUNTERS_BPF_H */
