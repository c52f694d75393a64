/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * data.h: what libpeat-data has: recordings, names of addresses, stacks as flame graphs and
 * profiles, packets for Wireshark, names of containers, and the types of objects that only their
 * DWARF has.
 *
 * Link with `pkg-config --libs libpeat-data`.  Some of its functions are declared elsewhere:
 * peat_reader__open() in reader.h, and peat_sink__new_perf() and peat_sink__perf_*() in sink.h.
 */
#ifndef PEAT_DATA_H
#define PEAT_DATA_H

#include <peat/page.h>
#include <peat/pcapng.h>
#include <peat/perfetto.h>
#include <peat/recording.h>
#include <peat/runtimes.h>
#include <peat/stacks.h>
#include <peat/symbols.h>

#endif /* PEAT_DATA_H */
