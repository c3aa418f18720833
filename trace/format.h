/* trace/format.h -- the layout of a trace file.  docs/trace-format.md says the same in prose, byte by byte.
 *
 * A file is a head and a row of blocks; every number is little-endian.  Blocks are only ever appended; a file without an
 * END block was cut short and is still readable up to its last whole block (--salvage).
 *   (1) every block carries the XXH64 of its head (with this field 0) and stored payload;
 *   (2) DATA blocks of one lane (thread, nest) appear in the order of their seq;
 *   (3) a DATA payload decodes to the records of one or more segments, without segment heads, without the zero tail;
 *   (4) a MODULE block stands before the first DATA block whose records name its descriptors, unless the object
 *       was first noticed at the end. */
#ifndef RADDLE_TRACE_FORMAT_H
#define RADDLE_TRACE_FORMAT_H

#include <stdint.h>

#define TRACE_MAGIC   "RADDLET\n"
#define BLOCK_MAGIC   0x4b4c4252u                   /* "RBLK" */
#define BLOCK_MAX     (64u << 20)                   /* no block, stored or decoded, is larger */
#define LITTLE_ENDIAN_MARK 0x01020304u

struct trace_head {                                 /* 64 bytes */
	char     magic[8];
	uint32_t version;                           /* WIRE_TRACE_VERSION */
	uint32_t endian;                            /* LITTLE_ENDIAN_MARK as written by the recording machine */
	uint32_t order;                             /* enum trace_order */
	uint32_t level;                             /* enum run_mode recorded */
	uint32_t flags;                             /* TRACE_LAST, TRACE_NO_VALUES, TRACE_POINTS, TRACE_TRIES, TRACE_CALLS */
	uint32_t pid;
	uint64_t start_realtime;                    /* ns since the epoch */
	uint64_t start_ticks;
	uint64_t ticks_per_second;                  /* 0 unknown when the recording began: see END */
	uint64_t check;                             /* XXH64 of the 56 bytes before */
};

enum trace_order { ORDER_PER_OBJECT = 0, ORDER_TOTAL = 1 };
#define TRACE_LAST       1u                         /* flight recorder: the beginning is missing */
#define TRACE_NO_VALUES  2u
#define TRACE_POINTS     4u                         /* records say which point they are of */
#define TRACE_TRIES      8u                         /* what was tried for says so: LOCK_TRIED */
#define TRACE_CALLS     16u                         /* of a steered run: calls of code nobody watches are told */

enum block_type { BLOCK_INFO = 1, BLOCK_MODULE = 2, BLOCK_THREAD = 3, BLOCK_DATA = 4, BLOCK_PLACES = 5, BLOCK_END = 6 };
enum block_coding { CODING_PLAIN = 0, CODING_ZSTD = 1, CODING_PREDICT = 2 };

struct block_head {                                 /* 64 bytes */
	uint32_t magic;
	uint16_t type;
	uint16_t coding;
	uint32_t stored;                            /* payload bytes in the file, before padding to 8 */
	uint32_t decoded;                           /* payload bytes after decoding */
	uint32_t thread;                            /* DATA, THREAD: uid */
	uint32_t nest;                              /* DATA */
	uint32_t seq;                               /* DATA: of its first segment */
	uint32_t count;                             /* DATA: segments in it */
	uint32_t at_seq, at_offset;                 /* DATA with nest > 0: where the handler interrupted */
	uint64_t start_time, end_time;              /* DATA: ticks; end 0 = the program died here */
	uint64_t check;
};

/* A stored DATA payload begins with `count` of these, uncoded; the coded records follow.  `decoded` counts records only. */
struct segment_entry {                              /* 24 bytes */
	uint32_t bytes;                             /* records of this segment */
	uint32_t spare;
	uint64_t start_time, end_time;
};

/* Payloads of the other blocks are text lines "key value", one fact a line, in UTF-8 with control bytes as \xNN:
 *   INFO    argv0.., cwd, exe, raddle version, machine, what was asked for
 *   THREAD  uid parent ordinal path name tid state depth lost + "frame <descriptor>" lines at death
 *   END     exit code|signal, end_ticks, ticks_per_second, counts, lost, why recording stopped, who waited for whom
 *   PLACES  "<code address> <file> <line> <function>" tab-separated, and <column>, one per code address met in control records
 * MODULE is binary: struct module_block, then path, build id, sites section, symbols. */
struct module_block {
	uint64_t base, low, high;                   /* load bias; address range */
	uint64_t sites_address;                     /* as loaded; 0 if not instrumented */
	uint32_t path_bytes, build_id_bytes, sites_bytes, symbol_count, symbol_bytes;
	uint32_t spare;
	/* path, build_id, sites, symbols: symbol_count x { u64 address(loaded), u64 size, u32 name offset, u32 type
	 * (1 function, 2 object, 3 tls) } then symbol_bytes of zero-terminated names */
};

#endif
