/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef LIBBPF_LOG_H
#define LIBBPF_LOG_H

/* From here on libbpf's words go to the log: its warnings as INFO, the others as DEBUG. */
void libbpf_log__forward_all(void);

/* Says why `name` could not be opened as an object, given libbpf's errno; returns a negative one.
 */
int libbpf_log__explain_open(const char *name, int number);

#endif /* LIBBPF_LOG_H */
