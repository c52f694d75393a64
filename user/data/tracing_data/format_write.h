/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * tracing_data/format_write.h: writes the format text that describes a payload to perf, like the
 * text that tracefs has for the kernel's tracepoints (events/SYSTEM/EVENT/format).
 *
 * Uses only fields that perf 6.1 and 7.2 can read, and prints them as peat does if perf can:
 *
 *	u32 X, s32 X		numbers; durations also in microseconds
 *	bool X, s32 X		by name: booleans, enums, flags, signals, results
 *	void * X		a number in hexadecimal
 *	u64 X			a kernel address, printed as a symbol; the bits of a float
 *	uint8_t X[N]		bytes; an IPv4, IPv6 or Ethernet address.  perf takes u8 for a
 *				string
 *	u32 X[N]		an array of numbers
 *	__data_loc char[] X	a string
 *	__data_loc u32[] X	an array of X_count elements.  perf data convert --to-ctf refuses
 *				files with such a field
 *
 * perf report finds a field's value after the first word that begins like its name.  So numbers are
 * printed first and text last, and "pid" before "pid_ns".
 */
#ifndef PEAT_TRACING_DATA_FORMAT_WRITE_H
#define PEAT_TRACING_DATA_FORMAT_WRITE_H

#include "tracing_data/flatten.h"

#define FORMAT_WRITE_NAME_MAX 200

/*
 * Appends the format of the leaves, with offsets from leaf->at.  Uses the first
 * FORMAT_WRITE_NAME_MAX bytes of `event`; characters other than letters, digits and '_' become '_'.
 */
void format_write__append(struct strbuf *text, const struct leaves *leaves, const char *event,
			  uint32_t id);

#endif /* PEAT_TRACING_DATA_FORMAT_WRITE_H */
