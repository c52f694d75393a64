// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* symbols/namer/namer_sandbox.c: gives up all rights of this process. */
#include <errno.h>
#include <grp.h>
#include <string.h>
#include <time.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/log.h"
#include "symbols/namer/namer_sandbox.h"

/*
 * No distribution and no container manager gives ids of this range to users.  A process of the
 * user nobody could be stopped or killed by all others of that user.
 */
#define OWN_IDS 0x70000000u
#define NOBODY	65534u

#define ADDRESSES_BYTES (16ULL << 30) /* files are mapped */

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HAS_SHADOW_MEMORY 1 /* of terabytes */
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HAS_SHADOW_MEMORY 1
#endif
#endif

/* ---- system calls ---------------------------------------------------------------------------- */

#if defined(__x86_64__)
#define ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCH AUDIT_ARCH_AARCH64
#elif defined(__s390x__)
#define ARCH AUDIT_ARCH_S390X
#endif

#define LOAD(field)  BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define RETURN(what) BPF_STMT(BPF_RET | BPF_K, (what))
#define IF_EQUAL(value, skip_then, skip_else)                                                      \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), (skip_then), (skip_else))
#define ALLOW(call) IF_EQUAL(__NR_##call, 0, 1), RETURN(SECCOMP_RET_ALLOW)

/* The low half of an argument. */
#define LOW(i)                                                                                     \
	(offsetof(struct seccomp_data, args[i]) +                                                  \
	 (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? sizeof(uint32_t) : 0))

/*
 * All other calls fail with EPERM: libraries try some, and do without.  sysinfo() is called by
 * qsort(), which sorts slowly without it.  s390x passes the arguments of mmap() in memory, where a
 * filter cannot see PROT_EXEC.
 */
static int filter_calls(void)
{
#ifdef ARCH
	static const struct sock_filter code[] = {
		LOAD(arch), IF_EQUAL(ARCH, 1, 0), RETURN(SECCOMP_RET_KILL_PROCESS), LOAD(nr),
#ifdef __x86_64__
		BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1), /* of x32 */
		RETURN(SECCOMP_RET_KILL_PROCESS),
#endif
		ALLOW(pread64), ALLOW(recvmsg), ALLOW(sendmsg), ALLOW(close), ALLOW(fstat),
		ALLOW(newfstatat), ALLOW(lseek), ALLOW(fcntl), ALLOW(futex), ALLOW(brk),
		ALLOW(munmap), ALLOW(mremap), ALLOW(madvise), ALLOW(memfd_create), ALLOW(ftruncate),
		ALLOW(getrandom), ALLOW(clock_gettime), ALLOW(sysinfo), ALLOW(restart_syscall),
		ALLOW(rt_sigreturn), ALLOW(exit_group),
		/* Memory that is not executable. */
		IF_EQUAL(__NR_mmap, 1, 0), IF_EQUAL(__NR_mprotect, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, LOW(2)),
		BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 1, 0), RETURN(SECCOMP_RET_ALLOW),
		RETURN(SECCOMP_RET_ERRNO | EPERM)
	};
	const struct sock_fprog program = { sizeof(code) / sizeof(*code),
					    (struct sock_filter *)code };

	/* EINVAL: a kernel without filters.  There are no rights that they would take. */
	if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) && errno != EINVAL)
		return -errno;
	return 0;
#else
	return 0; /* an architecture without a list of calls: the other limits hold */
#endif
}

/* ---- rights ---------------------------------------------------------------------------------- */

/* Older kernels lack Landlock, or have it switched off: the system calls are filtered anyway. */
static void forbid_files(void)
{
	const struct landlock_ruleset_attr attr = {
		.handled_access_fs = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1, /* Linux 5.13 */
	};
	int fd = (int)syscall(SYS_landlock_create_ruleset, &attr, sizeof(attr), 0);

	if (fd < 0)
		return;
	if (syscall(SYS_landlock_restrict_self, fd, 0))
		log__debug("namer: no Landlock: %s", strerror(errno));
	close(fd);
}

/* Needs CAP_SETPCAP, so the ids change later.  Fails after the last capability. */
static void drop_bounding_set(void)
{
	for (int cap = 0; !prctl(PR_CAPBSET_DROP, cap, 0, 0, 0); cap++)
		;
}

static bool set_ids(uid_t id)
{
	return !setresgid(id, id, id) && !setresuid(id, id, id);
}

/* A user namespace may not have the ids, and root of a container may lack CAP_SETUID. */
static void change_ids(void)
{
	if (geteuid())
		return;
	if (setgroups(0, NULL) || (!set_ids(OWN_IDS + (uid_t)getpid()) && !set_ids(NOBODY)))
		log__debug("namer: stays user 0: %s", strerror(errno));
}

static int drop_capabilities(void)
{
	struct __user_cap_header_struct head = { _LINUX_CAPABILITY_VERSION_3, 0 };
	const struct __user_cap_data_struct none[2] = { 0 };

	prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
	return syscall(SYS_capset, &head, none) ? -errno : 0;
}

/* Unsigned: to glibc a resource is an enumeration. */
static int limit(unsigned resource, rlim_t most)
{
	const struct rlimit to = { most, most };
	struct rlimit now;

	/* A lower limit stays. */
	if (!getrlimit(resource, &now) && now.rlim_max < most)
		return 0;
	return setrlimit(resource, &to) ? -errno : 0;
}

static int limit_resources(size_t memory_bytes)
{
	int err = 0;

	(void)memory_bytes;
#ifndef HAS_SHADOW_MEMORY
	err = limit(RLIMIT_DATA, memory_bytes) ?: limit(RLIMIT_AS, ADDRESSES_BYTES);
#endif
	if (!err)
		err = limit(RLIMIT_FSIZE, BUDGET_NAMER_BYTES); /* of memory files, too */
	if (!err)
		err = limit(RLIMIT_CORE, 0);
	return err ?: limit(RLIMIT_NPROC, 0);
}

/* Cleared when ids change, so it is called twice. */
static int end_with(int parent)
{
	if (prctl(PR_SET_PDEATHSIG, SIGKILL))
		return -errno;
	return getppid() == parent ? 0 : -ESRCH;
}

int namer_sandbox__enter(int last_fd, int parent, size_t memory_bytes)
{
	int err;

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return -errno;
	if (syscall(SYS_close_range, last_fd + 1, ~0u, 0) && errno != ENOSYS)
		return -errno;
	err = end_with(parent) ?: limit_resources(memory_bytes);
	if (err)
		return err;
	forbid_files();
	drop_bounding_set();
	change_ids();
	err = drop_capabilities();
	if (!err)
		err = end_with(parent);
	if (!err && prctl(PR_SET_DUMPABLE, 0))
		err = -errno;
	return err ?: filter_calls();
}
