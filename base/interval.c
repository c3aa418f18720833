/* base/interval.c -- see interval.h. */
#include "base/interval.h"

#include <math.h>

struct interval wilson(uint64_t count, uint64_t of)
{
	const double z = 1.959963984540054;
	if (!of)
		return (struct interval){ 0, 0, 1 };
	double n = (double)of, p = (double)count / n, bottom = 1 + z * z / n;
	double middle = (p + z * z / (2 * n)) / bottom, half = z * sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / bottom;
	return (struct interval){ p, count ? middle - half : 0, count < of ? middle + half : 1 };
}
