/* base/heap.c -- see heap.h. */
#include "base/heap.h"

#include "base/err.h"

bool heap_before(struct heap_item a, struct heap_item b)
{
	return a.key != b.key ? a.key < b.key : a.who < b.who;
}

void heap_push(struct heap *h, uint64_t key, uint64_t who)
{
	struct heap_item moving = { key, who };
	size_t i = h->count;
	vec_push(h, moving);
	for (; i && heap_before(moving, h->at[(i - 1) / 2]); i = (i - 1) / 2)
		h->at[i] = h->at[(i - 1) / 2];
	h->at[i] = moving;
}

struct heap_item heap_pop(struct heap *h)
{
	check(h->count);
	struct heap_item top = h->at[0], moving = h->at[--h->count];
	size_t i = 0, child;
	while ((child = 2 * i + 1) < h->count) {
		if (child + 1 < h->count && heap_before(h->at[child + 1], h->at[child]))
			child++;
		if (!heap_before(h->at[child], moving))
			break;
		h->at[i] = h->at[child];
		i = child;
	}
	h->at[i] = moving;
	return top;
}
