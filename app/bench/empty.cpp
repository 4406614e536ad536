// The empty program that the program's start is measured against: it links the same libraries.
int main() { return 0; }
