// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * resolve: lookups of host names.  In glibc and musl, gethostbyname() and gethostbyname2() call the
 * functions with _r, so these see them, too.
 */
#include <vmlinux.h>
#include <bpf/bpf_tracing.h>
#include <peat/peat.bpf.h>

#include "function_arguments.h"

#define HOST_BYTES 256 /* a name has at most 255 */

/* <netdb.h>, glibc and musl. */
enum resolve_result {
	FOUND = 0,
	EAI_BADFLAGS = -1,
	EAI_NONAME = -2,
	EAI_AGAIN = -3,
	EAI_FAIL = -4,
	EAI_NODATA = -5,
	EAI_FAMILY = -6,
	EAI_SOCKTYPE = -7,
	EAI_SERVICE = -8,
	EAI_ADDRFAMILY = -9,
	EAI_MEMORY = -10,
	EAI_SYSTEM = -11,
	EAI_OVERFLOW = -12,
};

enum resolve_call { getaddrinfo, gethostbyname };

struct resolve {
	enum resolve_result result PEAT_DOC("FOUND, or the error of getaddrinfo()");
	peat_duration_t latency;
	enum resolve_call call PEAT_MINOR PEAT_DOC("gethostbyname: also gethostbyname2, and _r");
	char host[HOST_BYTES] PEAT_DOC("the name that was looked up");
	PEAT_STACKS;
} PEAT_DOC("lookups of host names") PEAT_SUBJECT(network) PEAT_LIKE("gethostlatency");

PEAT_OPTION(peat_duration_t, min, 0, "only lookups that took at least this");
PEAT_OPTION(bool, failed, false, "only lookups that failed");
PEAT_OPTION(peat_text_t, library, "", "file or name of the C library, instead of libc.so");

/* The lookup in which a thread is. */
struct lookup {
	__u64 start_ns; /* 0: it has returned */
	__u64 host;	/* address of the name */
	__u64 found;	/* address of the pointer that gethostbyname_r() sets */
	__u64 error;	/* address of its h_errno */
	enum resolve_call call;
};

/* By thread.  Entries are changed in place; LRU, since threads end. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 16384);
	__type(key, __u32);
	__type(value, struct lookup);
} resolve_lookups SEC(".maps");

static __always_inline struct lookup *find_lookup(void)
{
	__u32 tid = bpf_get_current_pid_tgid();

	return bpf_map_lookup_elem(&resolve_lookups, &tid);
}

static __always_inline int start(const struct lookup *lookup)
{
	__u32 tid = bpf_get_current_pid_tgid();

	if (lookup->host && peat_accepts_current())
		bpf_map_update_elem(&resolve_lookups, &tid, lookup, BPF_ANY);
	return 1;
}

/* getaddrinfo() of older versions of glibc calls gethostbyname2_r(). */
static __always_inline bool is_inner(void)
{
	const struct lookup *outer = find_lookup();

	return outer && outer->start_ns && outer->call == getaddrinfo;
}

/* ---- ends ------------------------------------------------------------------------------------ */

static __always_inline int submit(struct pt_regs *ctx, const struct lookup *lookup,
				  enum resolve_result result)
{
	__u64 latency = bpf_ktime_get_ns() - lookup->start_ns;
	struct resolve *e;

	if (latency < min || (failed && result == FOUND))
		return 1;
	e = peat_reserve_stacks(ctx, struct resolve);
	if (!e)
		return 1;
	e->result = result;
	e->latency = latency;
	e->call = lookup->call;
	if (bpf_probe_read_user_str(e->host, sizeof(e->host), (void *)lookup->host) <= 0)
		return peat_discard(ctx, e);
	return peat_submit_stacks(ctx, e);
}

/* Ends the lookup of the thread and copies it.  False: there is none, or of another call. */
static __always_inline bool end(struct lookup *copy, enum resolve_call call)
{
	struct lookup *lookup = find_lookup();

	if (!lookup || !lookup->start_ns || lookup->call != call)
		return false;
	*copy = *lookup;
	lookup->start_ns = 0;
	return true;
}

/* h_errno as the error of getaddrinfo() with the same meaning. */
static __always_inline enum resolve_result result_of(__s32 error)
{
	switch (error) {
	case 1: /* HOST_NOT_FOUND */
		return EAI_NONAME;
	case 2: /* TRY_AGAIN */
		return EAI_AGAIN;
	case 4: /* NO_DATA */
		return EAI_NODATA;
	case -1: /* NETDB_INTERNAL */
		return EAI_SYSTEM;
	default:
		return EAI_FAIL;
	}
}

/* ---- getaddrinfo ----------------------------------------------------------------------------- */

PEAT_OPTIONAL PEAT_LIBRARY(library)
	SEC("uprobe/libc.so:getaddrinfo") int on_getaddrinfo(struct pt_regs *ctx)
{
	struct lookup lookup = { bpf_ktime_get_ns(), PT_REGS_PARM1(ctx), 0, 0, getaddrinfo };

	return start(&lookup);
}

PEAT_OPTIONAL PEAT_LIBRARY(library)
	SEC("uretprobe/libc.so:getaddrinfo") int on_getaddrinfo_end(struct pt_regs *ctx)
{
	struct lookup lookup;

	if (!end(&lookup, getaddrinfo))
		return 1;
	return submit(ctx, &lookup, (__s32)PT_REGS_RC(ctx));
}

/* ---- gethostbyname --------------------------------------------------------------------------- */

/* gethostbyname_r(name, entry, buffer, bytes, &found, &error) */
PEAT_OPTIONAL PEAT_LIBRARY(library)
	SEC("uprobe/libc.so:gethostbyname_r") int on_gethostbyname_r(struct pt_regs *ctx)
{
	struct lookup lookup = { bpf_ktime_get_ns(), PT_REGS_PARM1(ctx), PT_REGS_PARM5(ctx),
				 argument_6(ctx), gethostbyname };

	return is_inner() ? 1 : start(&lookup);
}

/* gethostbyname2_r(name, family, entry, buffer, bytes, &found, &error) */
PEAT_OPTIONAL PEAT_LIBRARY(library)
	SEC("uprobe/libc.so:gethostbyname2_r") int on_gethostbyname2_r(struct pt_regs *ctx)
{
	struct lookup lookup = { bpf_ktime_get_ns(), PT_REGS_PARM1(ctx), argument_6(ctx),
				 argument_7(ctx), gethostbyname };

	return is_inner() ? 1 : start(&lookup);
}

/* ERANGE: the buffer was too small, and the caller tries again with a larger one. */
static __always_inline int end_gethostbyname(struct pt_regs *ctx)
{
	struct lookup lookup;
	__u64 found = 0;
	__s32 error = 0;

	if (!end(&lookup, gethostbyname) || (__s32)PT_REGS_RC(ctx) == 34)
		return 1;
	bpf_probe_read_user(&found, sizeof(found), (void *)lookup.found);
	bpf_probe_read_user(&error, sizeof(error), (void *)lookup.error);
	return submit(ctx, &lookup, found ? FOUND : result_of(error));
}

PEAT_OPTIONAL PEAT_LIBRARY(library)
	SEC("uretprobe/libc.so:gethostbyname_r") int on_gethostbyname_r_end(struct pt_regs *ctx)
{
	return end_gethostbyname(ctx);
}

PEAT_OPTIONAL PEAT_LIBRARY(library)
	SEC("uretprobe/libc.so:gethostbyname2_r") int on_gethostbyname2_r_end(struct pt_regs *ctx)
{
	return end_gethostbyname(ctx);
}
