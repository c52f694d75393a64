/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * session/new_files.h: attaches the programs of a session to files that appear while it runs.
 *
 *	records of mappings ──▶ is it a name of the session? ──▶ is the file new? ──▶ attach
 *
 * The reader of the records wakes the session's reader, in whose thread the programs are attached.
 * Most records are of files that are known, which costs no system call.
 */
#ifndef PEAT_SESSION_NEW_FILES_H
#define PEAT_SESSION_NEW_FILES_H

struct peat_session;

/*
 * Finds the files that the session names (attach/used_files.h), and follows new ones if processes
 * are to be followed.  Nothing is done for a session without such names.  Without the records, the
 * log warns.  0 or -ENOMEM.
 */
int new_files__open(struct peat_session *session);

/* Before the programs are detached; also if it was not opened. */
void new_files__close(struct peat_session *session);

#endif /* PEAT_SESSION_NEW_FILES_H */
