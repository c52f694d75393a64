/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* usdt_probe.h: statically defined tracepoints of a test's program. */
#ifndef TESTS_SUPPORT_MACHINE_USDT_PROBE_H
#define TESTS_SUPPORT_MACHINE_USDT_PROBE_H

/*
 * A probe of the provider peat_tests, as by the macros of sys/sdt.h: an instruction, and a note
 * about it.  Arguments are a size, negative if the number is signed, and a register: "-4@%1", with
 * "r"(number) as the second operand.
 */
#define USDT_PROBE(name, arguments, ...)                                                           \
	__asm__ volatile("990: nop\n"                                                              \
			 ".pushsection .note.stapsdt,\"\",\"note\"\n"                              \
			 ".balign 4\n"                                                             \
			 ".4byte 992f-991f, 994f-993f, 3\n"                                        \
			 "991: .asciz \"stapsdt\"\n"                                               \
			 "992: .balign 4\n"                                                        \
			 "993: .8byte 990b, 0, 0\n"                                                \
			 ".asciz \"peat_tests\"\n"                                                 \
			 ".asciz \"" name "\"\n"                                                   \
			 ".asciz \"" arguments "\"\n"                                              \
			 "994: .balign 4\n"                                                        \
			 ".popsection\n" ::__VA_ARGS__)

#endif /* TESTS_SUPPORT_MACHINE_USDT_PROBE_H */
