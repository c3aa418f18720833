/* bench/codec.c -- what coding and reading a trace cost: bench-codec <trace>...
 * Per trace: events, bytes stored per event, nanoseconds of CPU time per event to encode, to decode, to read by lanes and
 * to read merged.  Blocks are taken from the file, decoded once, and coded again. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "trace/inside.h"

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

struct sums { uint64_t events, raw, stored; double encode, decode; };

static int measure_block(struct trace *t, struct codec *c, const struct data_block *b, struct loaded *l, struct decoded *d,
	struct sums *sums, enum block_coding coding)
{
	struct err why;
	struct sites *s = t->sites.at[b->sites];
	if (loaded_fill(l, t, c, b, &why)) {
		fprintf(stderr, "%s\n", why.text);
		return -1;
	}
	for (int round = 0; round < 2; round++) {       /* the second is warm */
		double start = now();
		struct coded coded = codec_encode_as(c, s, coding, l->decoded.bytes, l->decoded.count);
		double middle = now();
		if (coded.count == 0)
			return 0;
		if (codec_decode(c, s, coding, coded.bytes, coded.count, l->decoded.count, d, &why)) {
			fprintf(stderr, "block %u: %s\n", b->number, why.text);
			return -1;
		}
		double end = now();
		if (round == 0)
			continue;
		sums->encode += middle - start;
		sums->decode += end - middle;
		sums->events += coded.events;
		sums->raw += l->decoded.count;
		sums->stored += coded.count;
	}
	return memcmp(d->bytes, l->decoded.bytes, d->count) ? (fprintf(stderr, "not the same\n"), -1) : 0;
}

static void read_lanes(struct trace *t, uint64_t *events, uint64_t *sum)
{
	struct err why;
	struct event ev;
	for (uint32_t i = 0; i < trace_thread_count(t); i++) {
		struct lane *l;
		lane_open(&l, t, (struct thread_id){ i }, &why);
		while (lane_next(l, &ev, &why) == 1)
			++*events, *sum += ev.object;
		lane_close(l);
	}
}

static void read_merged(struct trace *t, uint64_t *events, uint64_t *sum)
{
	struct err why;
	struct event ev;
	struct merged *m;
	if (merged_open(&m, t, &why))
		return;
	while (merged_next(m, &ev, &why) == 1)
		++*events, *sum += ev.object;
	merged_close(m);
}

static int measure(const char *path)
{
	struct err why;
	struct trace *t;
	struct loaded l = { 0 };
	struct decoded d = { 0 };
	if (trace_open(&t, path, &(struct trace_options){ .salvage = true }, &why)) {
		fprintf(stderr, "%s\n", why.text);
		return 1;
	}
	struct codec *c = codec_new(t->order);
	for (int coding = CODING_ZSTD; coding <= CODING_PREDICT; coding++) {
		struct sums s = { 0 };
		for (size_t i = 0; i < t->blocks.count; i++)
			if (measure_block(t, c, &t->blocks.at[i], &l, &d, &s, (enum block_coding)coding))
				return 1;
		double n = s.events ? (double)s.events : 1;
		printf("%s %s: %llu events, %.1f bytes raw, %.2f bytes stored, encode %.1f ns, decode %.1f ns an event\n", path,
			coding == CODING_ZSTD ? "zstd" : "predict", (unsigned long long)s.events, (double)s.raw / n,
			(double)s.stored / n, s.encode / n * 1e9, s.decode / n * 1e9);
	}
	uint64_t events = 0, merged = 0, sum = 0;
	read_lanes(t, &events, &sum);
	double start = now();
	events = 0;
	read_lanes(t, &events, &sum);
	double middle = now();
	read_merged(t, &merged, &sum);
	double end = now();
	printf("%s read: lanes %.1f M events/s, merged %.1f M events/s (%llu)\n", path, (double)events / (middle - start) / 1e6,
		(double)merged / (end - middle) / 1e6, (unsigned long long)(sum & 1));
	loaded_release(&l);
	decoded_release(&d);
	codec_free(c);
	trace_close(t);
	return 0;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (measure(argv[i]))
			return 1;
	return 0;
}
