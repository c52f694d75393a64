// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* session/attach/cgroup_programs.c: programs of cgroups: their packets, sockets and devices. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <bpf/libbpf.h>

#include "base/log.h"
#include "session/attach/cgroup_programs.h"
#include "session/attach/links.h"
#include "session/parts/session.h"
#include "sys/caps.h"
#include "sys/cgroup.h"

bool cgroup_programs__accepts(const struct bpf_program *program)
{
	switch (bpf_program__type(program)) {
	case BPF_PROG_TYPE_CGROUP_SKB:
	case BPF_PROG_TYPE_CGROUP_SOCK:
	case BPF_PROG_TYPE_CGROUP_SOCK_ADDR:
	case BPF_PROG_TYPE_CGROUP_SOCKOPT:
	case BPF_PROG_TYPE_CGROUP_DEVICE:
	case BPF_PROG_TYPE_CGROUP_SYSCTL:
	case BPF_PROG_TYPE_SOCK_OPS:
		return true;
	case BPF_PROG_TYPE_LSM:
		return bpf_program__expected_attach_type(program) == BPF_LSM_CGROUP;
	default:
		return false;
	}
}

bool cgroup_programs__has_any(const struct bpf_object *object)
{
	struct bpf_program *program;

	bpf_object__for_each_program(program, object)
	{
		if (cgroup_programs__accepts(program))
			return true;
	}
	return false;
}

bool cgroup_programs__has_any_left(const struct bpf_object *object)
{
	struct bpf_program *program;

	bpf_object__for_each_program(program, object)
	{
		if (bpf_program__autoload(program) && cgroup_programs__accepts(program))
			return true;
	}
	return false;
}

static const struct bpf_program *find_other(const struct bpf_object *object)
{
	struct bpf_program *program;

	bpf_object__for_each_program(program, object)
	{
		if (bpf_program__autoload(program) && !cgroup_programs__accepts(program))
			return program;
	}
	return NULL;
}

void cgroup_programs__warn_others(const struct peat_session *session)
{
	const char *cgroup = session->opts.cgroup;
	const struct bpf_program *other;

	for (size_t i = 0; cgroup && strcmp(cgroup, "/") && i < session->part_count; i++) {
		const struct part *part = &session->parts[i];

		other = cgroup_programs__has_any_left(part->object) ? find_other(part->object)
								    : NULL;
		if (other)
			log__warn("%s: its programs of cgroups see the cgroup '%s' alone, others, "
				  "such as %s, see all tasks",
				  part->name, cgroup, bpf_program__name(other));
	}
}

static const char *explain(int err)
{
	switch (err) {
	case -EPERM:
	case -EACCES:
		return caps__any_missing() ? caps__explain_network()
					   : "a program of another tool is attached to the cgroup, "
					     "or to one above it, and allows no second "
					     "(bpftool cgroup tree)";
	case -ENOENT:
		return "there is no such cgroup2";
	default:
		return strerror(-err);
	}
}

int cgroup_programs__attach(struct peat_session *session, const struct bpf_program *program,
			    char *why, size_t room)
{
	int cgroup = cgroup__open(session->opts.cgroup, O_RDONLY), err = cgroup;
	struct bpf_link *link;

	if (cgroup >= 0) {
		link = bpf_program__attach_cgroup(program, cgroup);
		err = link ? links__keep(session, link) : -errno;
		close(cgroup);
	}
	if (err < 0)
		snprintf(why, room, "%s: %s", session->opts.cgroup, explain(err));
	return err;
}
