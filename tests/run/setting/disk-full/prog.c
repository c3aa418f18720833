#include "../work.h"

int main(void)
{
	return work(200000);
}
