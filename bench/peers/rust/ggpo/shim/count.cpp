// Counts what GGPO allocates, with what the program in Rust allocates.
#include <new>
#include <stdlib.h>

extern "C" void peers_count();

void *operator new(size_t n) {
	peers_count();
	void *p = malloc(n);
	if (!p) {
		abort();
	}
	return p;
}
void *operator new[](size_t n) { return operator new(n); }
void operator delete(void *p) noexcept { free(p); }
void operator delete[](void *p) noexcept { free(p); }
void operator delete(void *p, size_t) noexcept { free(p); }
void operator delete[](void *p, size_t) noexcept { free(p); }
