/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * attack.h: a process of another user whose files attack peat, and root's peat that meets it.
 *
 *	static int attack(void *arg)
 *	{
 *		attack__write_code("lure");
 *		return attack__spin(attack__map("lure", 0));
 *	}
 *
 *	pid_t attacker = attack__start(attack, NULL);
 *
 *	attack__watch(victim);
 *	attack__meet(attacker, "lure");
 *	attack__check_unopened();
 *	attack__stop(attacker);
 *
 * The attacker has an id that no other process has, and writes to a directory of its own.  Both
 * fixtures are needed:
 *
 *	tcase_add_unchecked_fixture(tests, attack__setup_all, attack__teardown_all);
 *	tcase_add_checked_fixture(tests, attack__setup, attack__teardown);
 *
 * Whatever happens to the tests, another process ends the attackers and removes their files: any
 * recording of the whole machine would meet them.  A failure here fails the running test.
 */
#ifndef TESTS_SUPPORT_MACHINE_ATTACK_H
#define TESTS_SUPPORT_MACHINE_ATTACK_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "support/machine/command.h"

void attack__setup_all(void);
void attack__teardown_all(void);

/* A test runs in a temporary directory of root, the directory of recorded_run.h. */
void attack__setup(void);
void attack__teardown(void);

uid_t attack__uid(void);

/* The directory of the attacker, and the path of a file in it: valid until the fourth call. */
const char *attack__dir(void);
const char *attack__path(const char *name);

/* ---- the attacker ---------------------------------------------------------------------------- */

/* The name of its task. */
#define ATTACK_TASK "peat-attacker"

/*
 * Starts a process without rights that runs the function in its directory, and waits until that
 * calls attack__spin().  0: the function returned instead, as this kernel does not allow the
 * attack.
 */
pid_t attack__start(int (*function)(void *), void *arg);
void attack__stop(pid_t attacker);

typedef void (*attack_code)(void);

/* Machine code that runs forever, wherever it is: ATTACK_CODE_BYTES of it. */
#define ATTACK_CODE_BYTES 4096
const void *attack__code(void);

/* Likewise, at many addresses, on machines whose code is known here. */
const void *attack__sled(void);

/* Makes a program of that code alone, which is no ELF file. */
void attack__write_code(const char *path);

/* Maps the code that a file has at an offset; NULL: anonymous memory, as JIT compilers use. */
attack_code attack__map(const char *path, size_t offset);

/* Makes the attacker root of a user namespace, who may mount.  False: this kernel forbids it. */
bool attack__enter_namespaces(void);

/* Reports that the attack is ready, and runs the code. */
int attack__spin(attack_code code);

/* ---- the victim ------------------------------------------------------------------------------ */

/* From now on, notes whether any process opens the file.  At most 8 files. */
void attack__watch(const char *path);
void attack__check_unopened(void);

/* Runs peat, which has to succeed, and not to take long. */
void attack__run(struct command *peat, const char *const *argv);

/*
 * Runs peat profile, trace, record, and replay and convert of the recording.  Each has to succeed,
 * and all but convert have to print frames of `module`.  The file "recording" stays.
 */
void attack__meet(pid_t attacker, const char *module);

/* Likewise, but peat unwinds copies of the stack. */
void attack__meet_unwinding(pid_t attacker, const char *module);

/* Runs replay and convert of a recording. */
void attack__replay(const char *recording, const char *module);

#endif /* TESTS_SUPPORT_MACHINE_ATTACK_H */
