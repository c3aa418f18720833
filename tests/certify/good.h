/* tests/certify/good.h -- a certificate that holds: one thread writes 1 to 1000, the first waits for that in a loop and joins it. */
static const char good[] =
	"raddle certificate 2\nprogram 00\nargument ./prog\nmodel sc\nheap unique\nsurroundings 0\nverdict safe\nraces 0\nthread T_0\nthread T_0_0\nmemory 1000 00000000\n"
	"block 2000 20\n"
	"node 0 - 0 0 1 create 0 0 0 0 1 -\n"           /* 0 */
	"node 1 - 0 0 1 write 4 1000 0 1 0 -\n"         /* 1 */
	"node 1 1 0 0 1 end 0 0 0 0 0 -\n"              /* 2 */
	"node 1 2 0 0 0 unknown 0 0 0 0 0 -\n"          /* 3 */
	"node 0 0 0 0 1 read 4 1000 0 0 0 -\n"          /* 4 */
	"node 0 4 0 0 1 read 4 1000 0 0 0 -\n"          /* 5: told 0 */
	"node 0 5 0 0 0 back 0 0 0 0 5 -\n"             /* 6: told 0 again */
	"node 0 5 1 0 1 join 0 0 0 0 1 -\n"             /* 7 */
	"node 0 7 0 0 1 exit 0 0 0 0 0 -\n"             /* 8 */
	"node 0 8 0 0 0 unknown 0 0 0 0 0 -\n"          /* 9 */
	"node 0 4 1 0 1 join 0 0 0 0 1 -\n"             /* 10 */
	"node 0 10 0 0 1 exit 0 0 0 0 0 -\n"            /* 11 */
	"node 0 11 0 0 0 unknown 0 0 0 0 0 -\n"         /* 12 */
	"loop 6 by r0:3\nclass ends 10 2 by r1:2 r0:4\nclass ends 7 2 by r0:2 r1:2 r0:6\nend 2 classes\n";
