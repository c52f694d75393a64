// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* session/parts/parts.c: checks of a session's objects. */
#include <errno.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "base/log.h"
#include "base/name_list.h"
#include "reader/types.h"
#include "session/parts/session.h"
#include "schema/btf_tags.h"

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

bool parts__is_tagged(const struct bpf_object *object, uint32_t kind, const char *name,
		      const char *start)
{
	const struct btf *btf = bpf_object__btf(object);
	int id = btf ? btf__find_by_name_kind(btf, name, kind) : -ENOENT;
	struct btf_tags tags;
	bool found;

	if (id <= 0 || btf_tags__read(&tags, btf))
		return false;
	found = btf_tags__find(&tags, (uint32_t)id, TAGS_WHOLE, start);
	btf_tags__free(&tags);
	return found;
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
