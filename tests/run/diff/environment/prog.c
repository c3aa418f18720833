/* Locals of main and arguments: how much is in the environment, and where memory lies, makes no difference. */
#include <stdio.h>

int main(int argc, char **argv)
{
	int some[4];
	int *volatile first = some;
	for (int i = 0; i < 4; i++)
		first[i] = i * argc + argv[1][i];
	printf("%d\n", first[3]);
	return 0;
}
