// A network in memory, for matches in one process: a transport of one's own, whose user is the number of the machine.
#ifndef NET_H
#define NET_H

#include <pthread.h>

#include "check.h"

// The network: what has been sent to each machine, in order. Datagrams get lost if nobody takes them.
enum { MACHINES = 8, ROOM = 512 };
typedef struct datagram {
  uint32_t from;
  size_t len;
  uint8_t bytes[1500];
} datagram;
static struct {
  datagram waiting[ROOM];
  size_t first, len;
} queues[MACHINES];
static unsigned long dropping, sent; // every so manyth datagram is dropped
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int put(uint32_t from, uint32_t to, const void *bytes, size_t len) {
  if (to >= MACHINES || queues[to].len == ROOM) return 1;
  if (dropping && ++sent % dropping == 0) return 0;
  datagram *d = &queues[to].waiting[(queues[to].first + queues[to].len++) % ROOM];
  d->from = from;
  d->len = len;
  memcpy(d->bytes, bytes, len);
  return 0;
}

static size_t get(uint32_t me, uint32_t *from, void *to, size_t cap) {
  if (!queues[me].len) return 0;
  datagram *d = &queues[me].waiting[queues[me].first];
  CHECK(d->len <= cap);
  *from = d->from;
  memcpy(to, d->bytes, d->len);
  queues[me].first = (queues[me].first + 1) % ROOM;
  queues[me].len--;
  return d->len;
}

static int net_send(void *user, uint32_t to, const void *bytes, size_t len) {
  CHECK(len > 0 && len <= 1200);
  pthread_mutex_lock(&lock);
  int r = put(*(const uint32_t *)user, to, bytes, len);
  pthread_mutex_unlock(&lock);
  return r;
}

static size_t net_receive(void *user, uint32_t *from, void *to, size_t cap) {
  pthread_mutex_lock(&lock);
  size_t n = get(*(const uint32_t *)user, from, to, cap);
  pthread_mutex_unlock(&lock);
  return n;
}

#endif
