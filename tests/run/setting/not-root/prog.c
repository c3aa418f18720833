#include "../work.h"

int main(void)
{
	return work(2000);
}
