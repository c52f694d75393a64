/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* parts.h: the inside of a session, and the objects that it is made of. */
#ifndef PARTS_H
#define PARTS_H

#include <peat/session.h>

#include "object/core_btf.h"
#include "live/inputs.h"

struct bpf_link;
struct bpf_map;
struct bpf_object;
struct network;

struct part {
	char *name;
	struct bpf_object *object;
	void *bytes; /* what it was made of; NULL: the file `name`, or it is not needed again */
	size_t byte_count;
	struct core_btf btf; /* until it is loaded */
};

/* A perf event array of an object that knows nothing of peat. */
struct array {
	const struct bpf_map *map;
	size_t part; /* whose it is */
	char *as;    /* the type of its events, in the user's words; NULL: to be found out */
	struct peat_schema *schema;
	char *why; /* that, or not */
};

struct session_maps {
	int fds[LIVE_MAPS]; /* of others, read raw: ours, of the caller's files */
	uint32_t count;
	bool is_channel; /* the session's channel is others' */
	char *pin_path;	 /* a directory for what is to outlive the session; NULL: nothing is */
};

struct peat_session {
	struct peat_session_opts opts; /* its strings are the session's */
	struct peat_channel_opts channel_opts;
	struct part *parts;
	size_t part_count;
	struct array *arrays;
	uint32_t array_count;
	struct session_maps maps;
	struct bpf_link **links; /* of the programs whose sections say where they go; */
	int link_count;
	struct network *network;      /* where the others are; NULL: nowhere */
	int attached;		      /* programs */
	bool chosen;		      /* programs were left out */
	struct peat_channel *channel; /* NULL: raw mode, or no object yet */
	struct peat_reader *reader;
	int measure_fd; /* the kernel measures programs while it is open */
};

/* -EBUSY, with a word in the log, when peat_session__start() was called. */
int parts__check_not_started(const struct peat_session *session);

/* Whether the variable or function (`kind` of BTF) `name` has a tag that begins with `start`. */
bool parts__is_tagged(const struct bpf_object *object, uint32_t kind, const char *name,
		      const char *start);

#endif /* PARTS_H */
