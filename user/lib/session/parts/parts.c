// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* session/parts/parts.c: checks of a session's objects. */
#include <errno.h>
#include <bpf/libbpf.h>

#include "base/log.h"
#include "base/name_list.h"
#include "reader/types.h"
#include "session/parts/session.h"

const char *parts__map_name(const struct array *array)
{
	return array->map ? bpf_map__name(array->map) : array->map_name;
}

int parts__map_fd(const struct array *array)
{
	return array->map ? bpf_map__fd(array->map) : array->fd;
}

int parts__check_process(const struct peat_session *session)
{
	return reader__check_process(session->reader);
}

int parts__check_not_started(const struct peat_session *session)
{
	int err = parts__check_process(session);

	if (err || !session->reader)
		return err;
	log__error("the session was started already");
	return -EBUSY;
}

int parts__log_unknown_program(const struct peat_session *session, const char *name)
{
	char list[600] = "";
	struct bpf_program *program;

	for (size_t i = 0; i < session->part_count; i++)
		bpf_object__for_each_program(program, session->parts[i].object)
			name_list__append(list, sizeof(list), bpf_program__name(program));
	log__error("no program '%s': the objects have %s", name, *list ? list : "none");
	return -ENOENT;
}
