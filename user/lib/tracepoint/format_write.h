/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * format_text.h: the text that tells perf what is in a payload, as tracefs has it for the kernel's
 * own tracepoints (events/SYSTEM/EVENT/format).
 *
 * Fields that perf 6.1 and 7.2 both read, and print as peat does where they can:
 *
 *	u32 X, s32 X		numbers; a duration is printed in microseconds too
 *	bool X, s32 X		by name: booleans, enums, flags, signals, results
 *	void * X		a number in hexadecimal
 *	u64 X			an address in the kernel, printed as a symbol; the bits of a float
 *	uint8_t X[N]		bytes; an address of IPv4, IPv6, Ethernet.  u8 would make it a
 *				string
 *	u32 X[N]		a row of numbers
 *	__data_loc char[] X	a string
 *	__data_loc u32[] X	a row of as many as the event has: X_count.  perf data convert
 *				--to-ctf takes no file that has such a field
 *
 * perf report looks for a field's value behind the first word that begins like its name: so what
 * stands first is numbers, what stands last is text, and "pid" stands before "pid_ns".
 */
#ifndef FORMAT_TEXT_H
#define FORMAT_TEXT_H

#include "tracepoint/flatten.h"

#define FORMAT_TEXT_NAME_MAX 200

/*
 * Appends it, with its places from leaf->at.  `event` may be anything: so many bytes of it count,
 * and each that is no letter, digit or _ becomes _.
 */
void format_text__append(struct out *text, const struct leaves *leaves, const char *event,
			 uint32_t id);

#endif /* FORMAT_TEXT_H */
