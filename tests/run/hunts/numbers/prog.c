/* Always fails. */
int main(void)
{
	return 3;
}
