// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* loading.c: the objects of a session, handed to the kernel. */
#include <string.h>
#include <unistd.h>
#include <bpf/libbpf.h>

#include "caps.h"
#include "internal.h"
#include "loading.h"
#include "parts.h"

static int explain_load(const char *name, int err)
{
	if (err == -EPERM || err == -EACCES)
		log__error("cannot load the BPF programs of %s: %s: %s", name, strerror(-err),
			   caps__explain());
	else if (access("/sys/kernel/btf/vmlinux", R_OK))
		log__error("cannot load the BPF programs of %s: this kernel has no BTF "
			   "(/sys/kernel/btf/vmlinux): it needs CONFIG_DEBUG_INFO_BTF",
			   name);
	else
		log__error("cannot load the BPF programs of %s: %s (libbpf and the verifier say "
			   "why: -v)",
			   name, strerror(-err));
	return err;
}

int loading__load(const struct peat_session *session)
{
	for (size_t i = 0; i < session->part_count; i++) {
		const struct part *part = &session->parts[i];
		int err = bpf_object__load(part->object);

		if (err)
			return explain_load(part->name, err);
	}
	return 0;
}
