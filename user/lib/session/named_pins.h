/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * session/named_pins.h: maps that an object pins by their name (LIBBPF_PIN_BY_NAME).
 *
 *	named_pins__prepare()	all objects; none is loaded yet
 *	for each object:
 *		named_pins__share()
 *		load it
 *		named_pins__pin()
 *	named_pins__remove()	at the end, and after a failure
 *	named_pins__free()
 *
 * libbpf would use a map that is pinned there already, whoever made it, and would leave its own
 * pins behind.  So the session makes the pins itself, and libbpf sees only paths that it may use.
 *
 * Nothing is pinned without a BPF file system: objects of the session share the maps.
 */
#ifndef PEAT_SESSION_NAMED_PINS_H
#define PEAT_SESSION_NAMED_PINS_H

struct bpf_object;
struct part;
struct peat_session;

/*
 * -EBUSY: another program has pinned a map at one of the paths, and opts.steal is not set; logged.
 * Nothing has been changed then.
 */
int named_pins__prepare(struct peat_session *session);

/* Makes the object use maps that earlier objects of the session have pinned.  0 or -ENOMEM. */
int named_pins__share(struct peat_session *session, struct bpf_object *object);

/* Pins the maps of a loaded object.  A negative errno is logged; -EBUSY as above. */
int named_pins__pin(struct peat_session *session, const struct part *part);

/* Removes all pins that the session made, if they still are of the same maps. */
void named_pins__remove(struct peat_session *session);

void named_pins__free(struct peat_session *session);

#endif /* PEAT_SESSION_NAMED_PINS_H */
