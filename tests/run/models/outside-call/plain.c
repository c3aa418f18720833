int plain(int x);
int plain(int x) { return x * 2; }
