// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* ssl: plaintext that programs send and receive through OpenSSL and GnuTLS. */
#include <vmlinux.h>
#include <bpf/bpf_tracing.h>
#include <peat/peat.bpf.h>

#define DATA_MAX 4096

enum ssl_direction { in, out };
enum ssl_library { openssl, gnutls };

struct ssl {
	enum ssl_direction direction PEAT_DOC("in: received; out: sent");
	peat_size_t bytes PEAT_DOC("of plaintext, in this call");
	peat_duration_t latency PEAT_MINOR PEAT_DOC("time in the call");
	enum ssl_library tls PEAT_MINOR;
	peat_hex_t session PEAT_MINOR PEAT_DOC("address of the SSL or gnutls_session_t");
	__u32 data_bytes PEAT_MINOR PEAT_DOC("bytes of data that were copied: at most snap");
	char data[DATA_MAX] PEAT_AS(chars) PEAT_LEN(data_bytes) PEAT_DOC("plaintext");
} PEAT_DOC("plaintext of TLS connections") PEAT_SUBJECT(network)
	PEAT_LIKE("sslsniff, ecapture, ssldump");

PEAT_OPTION(__u32, snap, 128, "bytes of plaintext to show, at most 4096");
PEAT_OPTION(peat_text_t, library, "",
	    "file or name of the library, instead of libssl and libgnutls");

/* The call in which a thread is. */
struct ssl_call {
	__u64 start_ns; /* 0: it has returned */
	__u64 session, data;
	__u64 bytes; /* address of the number of bytes, of functions with _ex */
};

/* By thread.  Entries are changed in place; LRU, since threads end. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 16384);
	__type(key, __u32);
	__type(value, struct ssl_call);
} ssl_calls SEC(".maps");

static __always_inline int start(struct pt_regs *ctx, __u64 bytes)
{
	struct ssl_call call = { bpf_ktime_get_ns(), PT_REGS_PARM1(ctx), PT_REGS_PARM2(ctx),
				 bytes };
	__u32 tid = bpf_get_current_pid_tgid();

	if (peat_accepts_current())
		bpf_map_update_elem(&ssl_calls, &tid, &call, BPF_ANY);
	return 1;
}

/* Ends the call of the thread and copies it.  False: there is none. */
static __always_inline bool end(struct ssl_call *copy)
{
	__u32 tid = bpf_get_current_pid_tgid();
	struct ssl_call *call = bpf_map_lookup_elem(&ssl_calls, &tid);

	if (!call || !call->start_ns)
		return false;
	*copy = *call;
	call->start_ns = 0;
	return true;
}

/* Copies at most `snap` bytes.  Returns their number. */
static __always_inline __u32 copy_data(char *to, __u64 from, __u64 bytes)
{
	__u64 count = bytes < snap ? bytes : snap;

	if (count > DATA_MAX)
		count = DATA_MAX;
	barrier_var(count);
	if (count > DATA_MAX || bpf_probe_read_user(to, count, (void *)from))
		return 0;
	return count;
}

static __always_inline int submit(struct pt_regs *ctx, const struct ssl_call *call, __u64 bytes,
				  enum ssl_direction direction, enum ssl_library tls)
{
	struct ssl *e = peat_reserve(ctx, struct ssl);

	if (!e)
		return 1;
	e->direction = direction;
	e->bytes = bytes;
	e->latency = bpf_ktime_get_ns() - call->start_ns;
	e->tls = tls;
	e->session = call->session;
	e->data_bytes = copy_data(e->data, call->data, bytes);
	return peat_submit_bytes(ctx, e, __builtin_offsetof(struct ssl, data) + e->data_bytes);
}

/* The function returns the number of bytes; 0 and less: none, or it has to be called again. */
static __always_inline int end_counted(struct pt_regs *ctx, enum ssl_direction direction,
				       enum ssl_library tls)
{
	__s64 bytes = tls == gnutls ? (__s64)PT_REGS_RC(ctx) : (__s32)PT_REGS_RC(ctx);
	struct ssl_call call;

	return end(&call) && bytes > 0 ? submit(ctx, &call, bytes, direction, tls) : 1;
}

/* The function returns 1, and stores the number of bytes. */
static __always_inline int end_ex(struct pt_regs *ctx, enum ssl_direction direction)
{
	struct ssl_call call;
	__u64 bytes = 0;

	if (!end(&call) || (__s32)PT_REGS_RC(ctx) != 1 ||
	    bpf_probe_read_user(&bytes, sizeof(bytes), (void *)call.bytes) || !bytes)
		return 1;
	return submit(ctx, &call, bytes, direction, openssl);
}

/* ---- OpenSSL --------------------------------------------------------------------------------- */

/* SSL_read(session, data, room) */
PEAT_OPTIONAL PEAT_LIBRARY(library)
	SEC("uprobe/libssl.so:SSL_read") int on_ssl_read(struct pt_regs *ctx)
{
	return start(ctx, 0);
}

PEAT_OPTIONAL PEAT_LIBRARY(library)
	SEC("uretprobe/libssl.so:SSL_read") int on_ssl_read_end(struct pt_regs *ctx)
{
	return end_counted(ctx, in, openssl);
}

/* SSL_write(session, data, bytes) */
PEAT_OPTIONAL PEAT_LIBRARY(library)
	SEC("uprobe/libssl.so:SSL_write") int on_ssl_write(struct pt_regs *ctx)
{
	return start(ctx, 0);
}

PEAT_OPTIONAL PEAT_LIBRARY(library)
	SEC("uretprobe/libssl.so:SSL_write") int on_ssl_write_end(struct pt_regs *ctx)
{
	return end_counted(ctx, out, openssl);
}

/* SSL_read_ex(session, data, room, &bytes) */
PEAT_OPTIONAL PEAT_LIBRARY(library)
	SEC("uprobe/libssl.so:SSL_read_ex") int on_ssl_read_ex(struct pt_regs *ctx)
{
	return start(ctx, PT_REGS_PARM4(ctx));
}

PEAT_OPTIONAL PEAT_LIBRARY(library)
	SEC("uretprobe/libssl.so:SSL_read_ex") int on_ssl_read_ex_end(struct pt_regs *ctx)
{
	return end_ex(ctx, in);
}

/* SSL_write_ex(session, data, bytes, &written) */
PEAT_OPTIONAL PEAT_LIBRARY(library)
	SEC("uprobe/libssl.so:SSL_write_ex") int on_ssl_write_ex(struct pt_regs *ctx)
{
	return start(ctx, PT_REGS_PARM4(ctx));
}

PEAT_OPTIONAL PEAT_LIBRARY(library)
	SEC("uretprobe/libssl.so:SSL_write_ex") int on_ssl_write_ex_end(struct pt_regs *ctx)
{
	return end_ex(ctx, out);
}

/* ---- GnuTLS ---------------------------------------------------------------------------------- */

/* gnutls_record_recv(session, data, room) */
PEAT_OPTIONAL PEAT_LIBRARY(library)
	SEC("uprobe/libgnutls.so:gnutls_record_recv") int on_gnutls_recv(struct pt_regs *ctx)
{
	return start(ctx, 0);
}

PEAT_OPTIONAL PEAT_LIBRARY(library)
	SEC("uretprobe/libgnutls.so:gnutls_record_recv") int on_gnutls_recv_end(struct pt_regs *ctx)
{
	return end_counted(ctx, in, gnutls);
}

/* gnutls_record_send(session, data, bytes) */
PEAT_OPTIONAL PEAT_LIBRARY(library)
	SEC("uprobe/libgnutls.so:gnutls_record_send") int on_gnutls_send(struct pt_regs *ctx)
{
	return start(ctx, 0);
}

PEAT_OPTIONAL PEAT_LIBRARY(library)
	SEC("uretprobe/libgnutls.so:gnutls_record_send") int on_gnutls_send_end(struct pt_regs *ctx)
{
	return end_counted(ctx, out, gnutls);
}
