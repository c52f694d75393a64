/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* session/parts/session.h: the private parts of a session. */
#ifndef PEAT_SESSION_PARTS_SESSION_H
#define PEAT_SESSION_PARTS_SESSION_H

#include <signal.h>

#include <peat/session.h>

#include "channel/map_counters.h"
#include "channel/program_events.h"
#include "object/core_btf.h"
#include "object/declared_table.h"
#include "object/program_slots.h"
#include "live/inputs.h"

struct bpf_link;
struct bpf_map;
struct bpf_object;
struct bpf_program;
struct btf;
struct descendants;
struct function_probe;
struct network;
struct new_files;
struct sampling;
struct used_files;

/* The type of a variable of an object, by the variable's id in the BTF. */
struct variable_schema {
	uint32_t id;
	struct peat_schema *schema;
};

/* A BPF object of the session. */
struct part {
	char *name;
	struct bpf_object *object;
	void *bytes; /* of the ELF file; NULL: it is the file `name`, or is not opened again */
	size_t byte_count;
	struct core_btf btf; /* until the object is loaded */
	struct program_slots slots;
	struct variable_schema *variables; /* of variables that were used so far */
	size_t variable_count;
	bool library_attached;		  /* a program of a library is attached */
	struct function_probe *functions; /* peat_session__add_functions(); NULL: an object */
};

/* A perf event array of an object without peat.bpf.h, or of another program. */
struct array {
	const struct bpf_map *map; /* NULL: of another program */
	size_t part;	 /* index of its object; of another program: a number of its own */
	char *base_name; /* "events" */
	char *name;	 /* the same, or "object.events" if other objects have such a map */
	char *type_name; /* of the schema, likewise; NULL: the struct's */
	char *as;	 /* the type of its events, named by the user; NULL: inferred */
	struct peat_schema *schema;
	char *why;	  /* the reason for the type, or for none */
	bool is_guess;	  /* the schema can be wrong */
	struct btf *btf;  /* of pinned types; NULL: none */
	uint32_t type_id; /* in it; 0: unknown */
	/* Only if the array is another program's: */
	int fd; /* owned by struct external_maps */
	uint32_t id;
	char map_name[16];
};

/* A map of an object that is a table. */
struct session_table {
	struct declared_table declared;
	size_t part;		  /* index of its object */
	char *name;		  /* of the map, or "object.map" */
	struct peat_table *table; /* NULL: not loaded yet */
};

struct external_maps {
	int fds[INPUTS_MAPS]; /* own duplicates, of maps read raw */
	uint32_t count;
	bool is_channel; /* the session's channel belongs to other programs */
	char *pin_path;	 /* the directory of pins; NULL: none */
};

/* A map that the session pins by its name. */
struct named_pin {
	const struct bpf_map *map;
	char *path;
	uint32_t id;	 /* of the pinned map; 0: it is not pinned, or by another object */
	bool is_private; /* there is no BPF file system, so it is shared without a pin */
};

struct named_pins {
	struct named_pin *at;
	size_t count;
	bool any_stolen; /* maps that were pinned before are used */
};

/* A target that the user chose for a program. */
struct chosen_target {
	const struct bpf_program *program;
	char *section; /* that the program would have */
};

/* A link of a program. */
struct session_link {
	struct bpf_link *link; /* NULL: libbpf does not know it */
	int fd;
};

struct peat_session {
	struct peat_session_opts opts; /* with copies of its strings */
	struct peat_channel_opts channel_opts;
	char *btf; /* path of the file of opts.btf; NULL: none */
	struct part *parts;
	size_t part_count;
	struct array *arrays;
	uint32_t array_count;
	struct session_table *tables;
	size_t table_count;
	struct map_counters counters; /* of objects without peat.bpf.h */
	size_t counters_before;	      /* of the object added last */
	struct external_maps maps;
	struct named_pins pins;
	struct chosen_target *chosen_targets;
	size_t chosen_target_count;
	struct session_link *links; /* of programs whose sections name the target */
	uint32_t link_count;
	struct used_files *files;	      /* of names; NULL: none */
	struct new_files *new_files;	      /* that appear; NULL: not followed */
	struct program_events program_events; /* of programs of perf_event */
	struct network *network;	      /* of tc and XDP programs; NULL: no interfaces */
	bool is_attached;		      /* also in part: peat_session__stop() detaches */
	int attached;			      /* number of programs */
	bool chosen;			      /* the user left programs out */
	volatile sig_atomic_t is_cancelled;
	struct peat_channel *channel; /* NULL: raw mode, or no object yet */
	struct sampling *sampling;    /* of peat_session__add_events(); NULL: none */
	struct peat_reader *reader;
	struct descendants *descendants; /* NULL: not needed so far */
	int measure_fd;			 /* run time statistics are on while it is open; -1: off */
};

/* The name of the map of an array, as the kernel or its object has it, and its fd. */
const char *parts__map_name(const struct array *array);
int parts__map_fd(const struct array *array);

/* Sets an option that the object has, as peat_session__set_variable() does. */
int variables__set_option(struct part *part, const char *name, const char *text);

/* Frees the types of the variables of an object. */
void variables__free(struct part *part);

/* 0, or -ECHILD in a child of the process that started the session; logged. */
int parts__check_process(const struct peat_session *session);

/* 0; -EBUSY after peat_session__start(); or as parts__check_process().  Logged. */
int parts__check_not_started(const struct peat_session *session);

/* -ENOENT: no object has the program; logged. */
int parts__log_unknown_program(const struct peat_session *session, const char *name);

#endif /* PEAT_SESSION_PARTS_SESSION_H */
