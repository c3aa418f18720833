/* trace/predict.c -- stub */
#include "trace/codec.h"
#include "base/vec.h"
struct predict *predict_new(void) { return NULL; }
void predict_free(struct predict *p) { (void)p; }
size_t predict_encode(struct predict *p, struct sites *s, const uint8_t *records, size_t count, const uint8_t **stored,
	uint64_t *events)
{
	(void)p; (void)s; (void)records; (void)count; (void)stored; (void)events;
	return 0;
}
int predict_decode(struct predict *p, struct sites *s, const uint8_t *stored, size_t stored_count, size_t count,
	struct decoded *out, struct err *why)
{
	(void)p; (void)s; (void)stored; (void)stored_count; (void)count; (void)out;
	return err_set(why, "its coding is not known");
}
