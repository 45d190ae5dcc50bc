// What GGPO calls of Windows, on other systems, as little of it as GGPO needs. Where Windows would take time, this takes
// none: a poll waits for nothing, and no variable of the environment is looked up. The log does not exist.
#ifndef PEERS_WINDOWS_H
#define PEERS_WINDOWS_H

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netinet/in.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define __cdecl
#define WINAPI
#define MAX_PATH 260
#define FALSE 0
#define TRUE 1
#define INFINITE (-1)
#define WAIT_OBJECT_0 0
#define WAIT_TIMEOUT 258
#define INVALID_SOCKET (-1)
#define SOCKET_ERROR (-1)
#define WSAEWOULDBLOCK EWOULDBLOCK
#define SO_DONTLINGER SO_REUSEADDR
#define FIONBIO 1
#define MB_OK 0
#define MB_ICONEXCLAMATION 0

typedef unsigned int DWORD;
typedef int BOOL;
typedef void *HANDLE, *HINSTANCE, *LPVOID;
typedef int SOCKET;

// Of an address, Windows has the same four bytes under another name.
struct peers_in_addr {
	union {
		struct {
			uint32_t S_addr;
		} S_un;
		uint32_t s_addr;
	};
};
struct peers_sockaddr_in {
	unsigned short sin_family, sin_port;
	peers_in_addr sin_addr;
	char sin_zero[8];
};
static_assert(sizeof(peers_sockaddr_in) == sizeof(struct sockaddr_in), "an address is an address");
#define sockaddr_in peers_sockaddr_in

inline ssize_t recvfrom(SOCKET s, char *b, size_t n, int flags, struct sockaddr *from, int *len) {
	socklen_t l = (socklen_t)*len;
	ssize_t got = recvfrom(s, (void *)b, n, flags, from, &l);
	*len = (int)l;
	return got;
}
inline int closesocket(SOCKET s) { return close(s); }
inline int ioctlsocket(SOCKET s, long, unsigned long *) { return fcntl(s, F_SETFL, O_NONBLOCK); }
inline int WSAGetLastError() { return errno; }

inline DWORD timeGetTime() {
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (DWORD)(t.tv_sec * 1000 + t.tv_nsec / 1000000);
}
inline void Sleep(DWORD) {}
inline DWORD GetCurrentProcessId() { return (DWORD)getpid(); }
inline HANDLE CreateEvent(void *, int, int, void *) { return NULL; }
inline int WaitForMultipleObjects(int, HANDLE *, int, int) { return WAIT_TIMEOUT; }
inline DWORD GetEnvironmentVariable(const char *, char *, DWORD) { return 0; }
inline DWORD GetEnvironmentVariableA(const char *, char *, DWORD) { return 0; }
inline BOOL CreateDirectoryA(const char *, void *) { return TRUE; }
inline void OutputDebugStringA(const char *) {}

// What GGPO finds wrong ends the program, so that it does not go unseen.
inline void DebugBreak() {
	fputs("GGPO found a state that is different\n", stderr);
	abort();
}
inline int MessageBoxA(void *, const char *text, const char *, int) {
	fputs(text, stderr);
	fputc('\n', stderr);
	abort();
}

inline int sprintf_s(char *b, size_t n, const char *, ...) {
	if (n > 0) {
		b[0] = 0;
	}
	return 0;
}
template <size_t N> inline int sprintf_s(char (&b)[N], const char *, ...) {
	b[0] = 0;
	return 0;
}
inline int vsprintf_s(char *b, size_t n, const char *f, va_list) { return sprintf_s(b, n, f); }
template <size_t N> inline void strcpy_s(char (&to)[N], const char *from) {
	strncpy(to, from, N - 1);
	to[N - 1] = 0;
}
inline void strncat_s(char *, size_t, const char *, size_t) {}
inline int _stricmp(const char *a, const char *b) { return strcasecmp(a, b); }
inline int fopen_s(FILE **f, const char *, const char *) {
	*f = NULL;
	return 0;
}
inline int peers_quiet(...) { return 0; }
#define PEERS_NO_LOG(...) ((void)0)
#define vsnprintf(b, ...) ((b)[0] = 0)
#define printf(...) peers_quiet()
#define inet_ntop(...) ""

#endif
