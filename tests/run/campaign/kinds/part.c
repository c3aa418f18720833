static int kept = 2;
int part(int x) { kept += x; return kept * 3; }
