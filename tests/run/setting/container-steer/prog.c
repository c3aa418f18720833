#include "../work.h"

int main(void)
{
	return work(40);
}
