// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* attach.c: the programs of a session, attached to what their sections name. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <linux/btf.h>
#include <bpf/libbpf.h>

#include "attach.h"
#include "caps.h"
#include "internal.h"
#include "parts.h"

/* PEAT_OPTIONAL: the kernel need not have what the program is attached to. */
static bool is_optional(const struct part *part, const struct bpf_program *program)
{
	return parts__is_tagged(part->object, BTF_KIND_FUNC, bpf_program__name(program),
				"optional");
}

static const char *remedy(int err)
{
	if (err == -EPERM || err == -EACCES)
		return caps__explain();
	if (err == -ENOENT && access("/sys/kernel/tracing/events", R_OK) &&
	    access("/sys/kernel/debug/tracing/events", R_OK))
		return "tracefs is not there: mount -t tracefs none /sys/kernel/tracing";
	return NULL;
}

static int attach_one(struct peat_session *session, const struct part *part,
		      const struct bpf_program *program)
{
	struct bpf_link *link = bpf_program__attach(program);
	const char *advice;
	int err;

	if (link) {
		session->links[session->link_count++] = link;
		return 0;
	}
	err = -errno;
	advice = remedy(err);
	if (err == -ENOENT && !advice && is_optional(part, program)) {
		log__info("%s: this kernel has no %s", part->name,
			  bpf_program__section_name(program));
		return 0;
	}
	log__error("cannot attach %s of %s to %s: %s%s%s", bpf_program__name(program), part->name,
		   bpf_program__section_name(program), strerror(-err), advice ? ": " : "",
		   advice ? advice : "");
	return err;
}

static int attach_part(struct peat_session *session, const struct part *part)
{
	struct bpf_program *program;
	int err = 0;

	bpf_object__for_each_program(program, part->object)
	{
		if (!err && bpf_program__autoload(program))
			err = attach_one(session, part, program);
	}
	return err;
}

int attach__all(struct peat_session *session)
{
	struct bpf_program *program;
	size_t count = 0;
	int err = 0;

	for (size_t i = 0; i < session->part_count; i++) {
		bpf_object__for_each_program(program, session->parts[i].object) count++;
	}
	session->links = calloc(count + 1, sizeof(struct bpf_link *));
	if (!session->links)
		return -ENOMEM;
	for (size_t i = 0; !err && i < session->part_count; i++)
		err = attach_part(session, &session->parts[i]);
	return err;
}
