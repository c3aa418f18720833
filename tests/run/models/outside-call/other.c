int other(int x);
int other(int x) { return x * 3; }
