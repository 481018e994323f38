/* libmemcached's look-up, called from the benchmark. */
#include <libmemcached/memcached.h>
#include <stdint.h>
#include <stdio.h>

void *peer_new(uint32_t nodes) {
    memcached_st *m = memcached_create(NULL);
    char host[32];
    memcached_behavior_set(m, MEMCACHED_BEHAVIOR_KETAMA_WEIGHTED, 1);
    for (uint32_t i = 0; i < nodes; i++) {
        snprintf(host, sizeof host, "10.0.%u.%u", i / 250, i % 250 + 1);
        memcached_server_add(m, host, 11211);
    }
    return m;
}

uint32_t peer_node_of(void *m, const char *key, size_t length) {
    return memcached_generate_hash(m, key, length);
}
