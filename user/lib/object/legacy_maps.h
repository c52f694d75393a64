/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * object/legacy_maps.h: makes maps of libbpf 1.0 and newer of those that older loaders defined.
 *
 *	libbpf before 1.0, iproute2	struct bpf_map_def counts SEC("maps") = { ... }
 *	gobpf, bcc's loader		struct bpf_map_def SEC("maps/counts") counts = { ... }
 *
 * The copy of the file has a section .maps in the place of the first section, BTF that defines the
 * maps (object/map_btf.h), and symbols that lead there.  Relocations refer to symbols, so they stay
 * as they are.  A relocation to the section itself, as clang makes it for a static map, gets the
 * symbol of the map.  Symbols of functions that have no type, as those of old clang, get one.
 */
#ifndef PEAT_OBJECT_LEGACY_MAPS_H
#define PEAT_OBJECT_LEGACY_MAPS_H

#include <stddef.h>

/*
 * Makes a copy, for free(), of the ELF file of `bytes` bytes at `elf`, which is 8-byte aligned, and
 * returns the number of maps that it replaced.  `name` is for messages.  0: there are none, or the
 * file is not one of BPF programs of this machine's byte order; `copy` is NULL then, as after an
 * error.
 *
 *	-EINVAL	a definition or the file is invalid; logged
 *	-ENOMEM
 */
int legacy_maps__use(const char *name, const void *elf, size_t bytes, void **copy,
		     size_t *copy_bytes);

#endif /* PEAT_OBJECT_LEGACY_MAPS_H */
