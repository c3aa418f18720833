/* Memory mapped, moved and unmapped; a shared memory segment. */
#include "../check.h"
#include <string.h>
#include <sys/mman.h>
#include <sys/shm.h>

int main(void)
{
	char *p = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	CHECK(p != MAP_FAILED);
	p[0] = 'a';
	p = mremap(p, 8192, 1 << 20, MREMAP_MAYMOVE);
	CHECK(p != MAP_FAILED);
	IS(p[0], 'a');
	p[(1 << 20) - 1] = 'z';
	IS(munmap(p, 1 << 20), 0);
	errno = 0;
	IS(munmap((void *)1, 4096), -1);
	IS(errno, EINVAL);
	errno = 0;
	CHECK(mmap(NULL, 0, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED);
	IS(errno, EINVAL);
	int id = shmget(IPC_PRIVATE, 12288, 0600);
	if (id >= 0) {
		char *s = shmat(id, NULL, 0);
		CHECK(s != (void *)-1);
		shmctl(id, IPC_RMID, NULL);
		strcpy(s, "shared");
		IS(shmdt(s), 0);
	}
	return done();
}
