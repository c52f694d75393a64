// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* traced.c: a shared library with a function and a USDT, for traced_library.c. */

long traced_library_call(long number);

/* It neither begins nor ends with a branch, which an emulated s390x would not leave. */
__attribute__((visibility("default"))) long traced_library_call(long number)
{
	__asm__ volatile("990: nop\n"
			 ".pushsection .note.stapsdt,\"\",\"note\"\n"
			 ".balign 4\n"
			 ".4byte 992f-991f, 994f-993f, 3\n"
			 "991: .asciz \"stapsdt\"\n"
			 "992: .balign 4\n"
			 "993: .8byte 990b, 0, 0\n"
			 ".asciz \"peat_tests\"\n"
			 ".asciz \"library_call\"\n"
			 ".asciz \"8@%0\"\n"
			 "994: .balign 4\n"
			 ".popsection\n" ::"r"(number));
	return number + 1;
}
