/* The load generator: sends prepared requests over keep-alive connections, one at a time on each.
 *
 *     client HOST PORT all|busy < plan     one JSON object on standard output; exit status 1 when an answer was not 200
 *
 * `all` sends everything; `busy` ends when a first connection has nothing more to send, so that all of them are busy
 * for as long as is measured.
 *
 * The plan, in native byte order: u32 connections; for each of them u32 requests; for each of them u32 length and its
 * bytes, head and body. A connection sends a request when the answer to the one before is complete, so the order
 * within it is kept and nothing is pipelined. Compiled, so that it costs the server's machine as little as can be. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif
#define ROOM 65536
#define PATIENCE_MS 10000

struct request { uint32_t length; const char *bytes; };

struct connection {
    struct request *requests;
    uint32_t count, next, sent;
    double began;
    size_t filled;
    char answer[ROOM + 1];
};

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void fail(const char *what) {
    fprintf(stderr, "client: %s: %s\n", what, errno ? strerror(errno) : "unexpected");
    exit(1);
}

static char *read_all(size_t *length) {
    size_t room = 1 << 20, filled = 0;
    char *all = malloc(room);
    while (all != NULL) {
        size_t got = fread(all + filled, 1, room - filled, stdin);
        if (got == 0) { *length = filled; return all; }
        filled += got;
        if (filled == room) all = realloc(all, room *= 2);
    }
    fail("memory");
    return NULL;
}

static uint32_t number(const char **at) {
    uint32_t value;
    memcpy(&value, *at, sizeof value);
    *at += sizeof value;
    return value;
}

static int dial(const char *host, int port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    int one = 1, fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0 || inet_pton(AF_INET, host, &address.sin_addr) != 1) fail("address");
    if (connect(fd, (struct sockaddr *)&address, sizeof address) != 0) fail("connect");
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    fcntl(fd, F_SETFL, O_NONBLOCK);
    return fd;
}

/* Sends as much of the current request as the socket takes. */
static void push(int fd, struct connection *c) {
    const struct request *r = &c->requests[c->next];
    if (c->sent == 0) { c->began = now(); c->filled = 0; }
    while (c->sent < r->length) {
        ssize_t got = send(fd, r->bytes + c->sent, r->length - c->sent, MSG_NOSIGNAL);
        if (got < 0) { if (errno == EAGAIN) return; fail("send"); }
        c->sent += (uint32_t)got;
    }
}

/* Whether the answer is complete: its head, and as many bytes after it as the head says. */
static int complete(const struct connection *c) {
    const char *body = strstr(c->answer, "\r\n\r\n");
    if (body == NULL) return 0;
    body += 4;
    for (const char *line = strchr(c->answer, '\n'); line != NULL && line < body; line = strchr(line + 1, '\n'))
        if (strncasecmp(line + 1, "content-length:", 15) == 0)
            return c->filled >= (size_t)(body - c->answer) + strtoul(line + 16, NULL, 10);
    errno = 0;
    fail("an answer without content-length");
    return 0;
}

static int pull(int fd, struct connection *c) {
    while (c->filled < ROOM) {
        ssize_t got = recv(fd, c->answer + c->filled, ROOM - c->filled, 0);
        if (got < 0) { if (errno == EAGAIN) break; fail("receive"); }
        if (got == 0) { errno = 0; fail("the server hung up"); }
        c->filled += (size_t)got;
        c->answer[c->filled] = '\0';
        if (complete(c)) return 1;
    }
    return 0;
}

static int ascending(const void *a, const void *b) {
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv) {
    size_t length, total = 0, taken = 0, answer_bytes = 0;
    if (argc != 4) fail("usage: client HOST PORT all|busy < plan");
    int send_all = strcmp(argv[3], "all") == 0;
    char *plan = read_all(&length);
    const char *at = plan;
    uint32_t connections = number(&at), open = connections;
    struct connection *all = calloc(connections, sizeof *all);
    struct pollfd *polled = calloc(connections, sizeof *polled);
    if (all == NULL || polled == NULL) fail("memory");
    for (uint32_t i = 0; i < connections; i++) {
        all[i].count = number(&at);
        total += all[i].count;
        all[i].requests = calloc(all[i].count, sizeof *all[i].requests);
        if (all[i].requests == NULL) fail("memory");
        for (uint32_t n = 0; n < all[i].count; n++) {
            all[i].requests[n].length = number(&at);
            all[i].requests[n].bytes = at;
            at += all[i].requests[n].length;
        }
        polled[i].fd = dial(argv[1], atoi(argv[2]));
    }
    float *times = calloc(total, sizeof *times);
    if (times == NULL) fail("memory");

    double began = now(), seconds = 0;
    for (uint32_t i = 0; i < connections; i++) push(polled[i].fd, &all[i]);
    while (open > 0) {
        for (uint32_t i = 0; i < connections; i++)
            if (polled[i].fd >= 0)
                polled[i].events = all[i].sent < all[i].requests[all[i].next].length ? POLLOUT : POLLIN;
        errno = 0;
        if (poll(polled, connections, PATIENCE_MS) <= 0) fail("no answer");
        for (uint32_t i = 0; i < connections; i++) {
            struct connection *c = &all[i];
            if (polled[i].fd < 0 || polled[i].revents == 0) continue;
            if (polled[i].revents & POLLOUT) { push(polled[i].fd, c); continue; }
            if (!pull(polled[i].fd, c)) continue;
            if (strncmp(c->answer, "HTTP/1.1 200 ", 13) != 0) {
                fprintf(stderr, "client: request %u of connection %u was answered:\n%s\n", c->next, i, c->answer);
                return 1;
            }
            if (seconds == 0) {
                times[taken++] = (float)(now() - c->began);
                answer_bytes += c->filled;
                c->sent = 0;
                if (++c->next < c->count) { push(polled[i].fd, c); continue; }
                if (!send_all || open == 1) seconds = now() - began;
            }
            /* The others get the answers that they wait for, uncounted, and leave. */
            close(polled[i].fd);
            polled[i].fd = -1;
            open--;
        }
    }
    qsort(times, taken, sizeof *times, ascending);
    printf("{\"requests\":%zu,\"seconds\":%.6f,\"p50_ms\":%.4f,\"p99_ms\":%.4f,\"max_ms\":%.4f,\"answer_bytes\":%zu}\n",
           taken, seconds, 1e3 * times[taken / 2], 1e3 * times[taken * 99 / 100], 1e3 * times[taken - 1], answer_bytes);
    return 0;
}
