/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef MIN_BTF_H
#define MIN_BTF_H

/* min_btf.h: peat build --min-btf. */

struct options;

/*
 * Writes a BTF file with the types of a kernel that probes and objects need for CO-RE, by bpftool.
 * The types are those of --btf, by default of the running kernel.  0 or an exit status; errors have
 * been printed.
 */
int min_btf__write(const struct options *options);

#endif /* MIN_BTF_H */
