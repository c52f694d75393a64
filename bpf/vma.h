/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * vma.h: finds the mapping of an address of the running process.
 *
 * bpf_find_vma() came with Linux 5.17, and needs the kernel's BTF.  An object with a call of it
 * cannot be loaded by older kernels.  So this walks the tree of mappings: a maple tree from Linux
 * 6.1 on, a red-black tree before.
 */
#ifndef VMA_H
#define VMA_H

#include <vmlinux.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <peat/peat.bpf.h>

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct vm_area_struct {
	unsigned long vm_start;
	unsigned long vm_end;
	unsigned long vm_pgoff;
	struct file *vm_file;
};

struct maple_tree___vma {
	void *ma_root;
};

struct maple_metadata___vma {
	unsigned char end;
};

/* A leaf, or a node whose children are not counted. */
struct maple_range_64___vma {
	unsigned long pivot[15];
	void *slot[16];
	struct maple_metadata___vma meta;
};

struct maple_arange_64___vma {
	unsigned long pivot[9];
	void *slot[10];
	struct maple_metadata___vma meta;
};

struct rb_node___vma {
	struct rb_node___vma *rb_right;
	struct rb_node___vma *rb_left;
};

struct rb_root___vma {
	struct rb_node___vma *rb_node;
};

struct vm_area_struct___rb {
	struct rb_node___vma vm_rb;
};

struct mm_struct___maple {
	struct maple_tree___vma mm_mt;
};

struct mm_struct___rb {
	struct rb_root___vma mm_rb;
};

#pragma clang attribute pop

/* ---- maple tree ------------------------------------------------------------------------------ */

/* A pointer to a node has the node's type in its low byte.  Linux 6.1 to 7.3. */
#define MAPLE_TYPE(entry) ((entry) >> 3 & 0xf)
#define MAPLE_NODE(entry) ((void *)((entry) & ~0xffULL))
#define MAPLE_LEAF	  1
#define MAPLE_RANGE	  2
#define MAPLE_ARANGE	  3
#define MAPLE_DEPTH	  10 /* enough for any number of mappings: a node has 5 children or more */

/*
 * The slot of a node for an address: pivots are the last addresses of the slots.  `end`: the last
 * slot, which may have no pivot.
 */
#define MAPLE_SLOT(pivots, count, end, address)                                                    \
	({                                                                                         \
		__u64 slot_ = 0;                                                                   \
		_Pragma("unroll") for (__u32 i_ = 0; i_ < (count); i_++)                           \
		{                                                                                  \
			if (i_ < (end) && (pivots)[i_] < (address))                                \
				slot_ = i_ + 1;                                                    \
		}                                                                                  \
		slot_;                                                                             \
	})

static __always_inline __u64 read_slot(void *const *slots, __u64 slot)
{
	__u64 entry = 0;

	bpf_probe_read_kernel(&entry, sizeof(entry), slots + slot);
	return entry;
}

static __always_inline __u64 range_entry(struct maple_range_64___vma *node, __u64 address)
{
	__u64 pivots[15] = {};
	__u32 end = 15;

	bpf_core_read(pivots, sizeof(pivots), &node->pivot);
	if (!pivots[14]) /* the last slot is not in use: it has the number of those that are */
		end = BPF_CORE_READ(node, meta.end);
	return read_slot(__builtin_preserve_access_index(&node->slot[0]),
			 MAPLE_SLOT(pivots, 15, end, address));
}

static __always_inline __u64 arange_entry(struct maple_arange_64___vma *node, __u64 address)
{
	__u32 end = BPF_CORE_READ(node, meta.end);
	__u64 pivots[9] = {};

	bpf_core_read(pivots, sizeof(pivots), &node->pivot);
	return read_slot(__builtin_preserve_access_index(&node->slot[0]),
			 MAPLE_SLOT(pivots, 9, end, address));
}

static __always_inline struct vm_area_struct *find_in_maple(struct mm_struct *mm, __u64 address)
{
	struct mm_struct___maple *of_maple = (void *)mm;
	__u64 entry = (__u64)BPF_CORE_READ(of_maple, mm_mt.ma_root), type;

	for (int i = 0; i < MAPLE_DEPTH; i++) {
		type = MAPLE_TYPE(entry);
		if (type == MAPLE_ARANGE)
			entry = arange_entry(MAPLE_NODE(entry), address);
		else if (type == MAPLE_RANGE || type == MAPLE_LEAF)
			entry = range_entry(MAPLE_NODE(entry), address);
		else
			return 0;
		if (type == MAPLE_LEAF)
			return (struct vm_area_struct *)entry;
	}
	return 0;
}

/* ---- red-black tree -------------------------------------------------------------------------- */

#define RB_DEPTH 40

static __always_inline struct vm_area_struct *find_in_rb(struct mm_struct *mm, __u64 address)
{
	struct mm_struct___rb *of_rb = (void *)mm;
	struct rb_node___vma *node = BPF_CORE_READ(of_rb, mm_rb.rb_node);
	struct vm_area_struct *vma;

	for (int i = 0; i < RB_DEPTH && node; i++) {
		vma = (void *)node - bpf_core_field_offset(struct vm_area_struct___rb, vm_rb);
		if (BPF_CORE_READ(vma, vm_end) <= address)
			node = BPF_CORE_READ(node, rb_right);
		else if (BPF_CORE_READ(vma, vm_start) > address)
			node = BPF_CORE_READ(node, rb_left);
		else
			return vma;
	}
	return 0;
}

/* ---- both ------------------------------------------------------------------------------------ */

/* NULL: none, or the tree changed meanwhile. */
static __always_inline struct vm_area_struct *find_vma(__u64 address)
{
	struct task_struct *task = (struct task_struct *)bpf_get_current_task();
	struct mm_struct *mm = BPF_CORE_READ(task, mm);
	struct vm_area_struct *vma;

	if (!mm)
		return 0;
	vma = bpf_core_field_exists(((struct mm_struct___maple *)mm)->mm_mt)
		      ? find_in_maple(mm, address)
		      : find_in_rb(mm, address);
	if (!vma || BPF_CORE_READ(vma, vm_start) > address || BPF_CORE_READ(vma, vm_end) <= address)
		return 0;
	return vma;
}

#endif /* VMA_H */
