/* Sends notifications to a webhook and takes their replies in, over loopback: notify PORT PATH CONNECTIONS COUNT.
 *
 * Each connection sends its next notification when the reply to the one before has come. Prints one JSON object: how many were
 * accepted, how long all took, and the time from a notification to its reply. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 1024, BUFFER = 16384 };

/* A connection to the webhook, or one that brings replies. */
struct peer {
    int descriptor, isReply;
    size_t filled;
    char bytes[BUFFER];
};

struct sender {
    struct peer *peer;
    uint64_t sentAt;
    int hasStatus, hasReply;
};

static struct sender senders[MOST];
static int poll_descriptor, connections, sink_port, service_port;
static const char *path;
static long wanted, sent, accepted, refused, replied;
static uint64_t *times;

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void fail(const char *words) {
    perror(words);
    exit(1);
}

static struct peer *watch(int descriptor, int isReply) {
    struct peer *peer = calloc(1, sizeof *peer);
    int on = 1;
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    peer->descriptor = descriptor;
    peer->isReply = isReply;
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = peer};
    if (epoll_ctl(poll_descriptor, EPOLL_CTL_ADD, descriptor, &event) != 0) fail("epoll_ctl");
    return peer;
}

static void put(int descriptor, const char *bytes, size_t count) {
    while (count > 0) {
        ssize_t written = send(descriptor, bytes, count, MSG_NOSIGNAL);
        if (written <= 0) fail("send");
        bytes += written;
        count -= (size_t)written;
    }
}

static void notify(int number) {
    char body[512], request[1024];
    struct sender *sender = &senders[number];
    if (sent >= wanted) return;
    sender->hasStatus = sender->hasReply = 0;
    int length = snprintf(body, sizeof body,
        "{\"template\":\"lnurlpay_invoice\",\"data\":{\"amount\":%ld,\"reply_url\":\"http://127.0.0.1:%d/response/%d\"}}",
        21000 + 1000 * (sent % 1000000), sink_port, number);
    int count = snprintf(request, sizeof request,
        "POST %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", path,
        service_port, length, body);
    sent++;
    sender->sentAt = now();
    put(sender->peer->descriptor, request, (size_t)count);
}

static void next(int number) {
    if (senders[number].hasStatus && senders[number].hasReply) notify(number);
}

/* The length of the first whole message in a buffer; 0 when more is to come. */
static size_t message(const char *bytes, size_t filled) {
    const char *end = memmem(bytes, filled, "\r\n\r\n", 4);
    if (!end) return 0;
    size_t head = (size_t)(end - bytes) + 4, length = 0;
    for (const char *line = bytes; line < end; line = (const char *)memmem(line, (size_t)(end + 2 - line), "\r\n", 2) + 2)
        if (strncasecmp(line, "content-length:", 15) == 0) length = strtoul(line + 15, NULL, 10);
    return filled >= head + length ? head + length : 0;
}

static void take(struct peer *peer) {
    if (peer->isReply) {
        static const char answer[] = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
        int number = -1;
        if (sscanf(peer->bytes, "POST /response/%d ", &number) != 1 || number < 0 || number >= connections) exit(1);
        times[replied++] = now() - senders[number].sentAt;
        put(peer->descriptor, answer, sizeof answer - 1);
        senders[number].hasReply = 1;
        next(number);
        return;
    }
    for (int number = 0; number < connections; number++) {
        if (senders[number].peer != peer) continue;
        senders[number].hasStatus = 1;
        if (strncmp(peer->bytes, "HTTP/1.1 200 ", 13) == 0) {
            accepted++;
        } else {
            refused++;
            senders[number].hasReply = 1;
        }
        next(number);
    }
}

static int hear(struct peer *peer) {
    ssize_t count = recv(peer->descriptor, peer->bytes + peer->filled, BUFFER - 1 - peer->filled, 0);
    if (count <= 0) return 0;
    peer->filled += (size_t)count;
    for (size_t length; (length = message(peer->bytes, peer->filled)) > 0;) {
        take(peer);
        peer->filled -= length;
        memmove(peer->bytes, peer->bytes + length, peer->filled);
    }
    return peer->filled < BUFFER - 1;
}

static int compare(const void *one, const void *other) {
    uint64_t a = *(const uint64_t *)one, b = *(const uint64_t *)other;
    return (a > b) - (a < b);
}

int main(int count, char **words) {
    if (count != 5) return 2;
    service_port = atoi(words[1]);
    path = words[2];
    connections = atoi(words[3]);
    wanted = atol(words[4]);
    if (connections < 1 || connections > MOST || wanted < connections) return 2;
    times = calloc((size_t)wanted, sizeof *times);
    poll_descriptor = epoll_create1(0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(listener, (struct sockaddr *)&address, size) != 0 || listen(listener, 1024) != 0) fail("listen");
    getsockname(listener, (struct sockaddr *)&address, &size);
    sink_port = ntohs(address.sin_port);
    struct peer *acceptor = watch(listener, 0);
    uint64_t start = now();
    for (int number = 0; number < connections; number++) {
        int descriptor = socket(AF_INET, SOCK_STREAM, 0);
        address.sin_port = htons((uint16_t)service_port);
        if (connect(descriptor, (struct sockaddr *)&address, sizeof address) != 0) fail("connect");
        senders[number].peer = watch(descriptor, 0);
        notify(number);
    }
    struct epoll_event events[256];
    while (replied + refused < wanted || accepted + refused < wanted) {
        int ready = epoll_wait(poll_descriptor, events, 256, 30000);
        if (ready <= 0 && errno != EINTR) break;
        for (int index = 0; index < ready; index++) {
            struct peer *peer = events[index].data.ptr;
            if (peer == acceptor) {
                watch(accept(listener, NULL, NULL), 1);
            } else if (!hear(peer)) {
                if (!peer->isReply) fail("the service has closed a connection");
                close(peer->descriptor);
                free(peer);
            }
        }
    }
    double seconds = (double)(now() - start) / 1e9;
    qsort(times, (size_t)replied, sizeof *times, compare);
    double p50 = replied ? (double)times[replied / 2] / 1e6 : 0, p99 = replied ? (double)times[replied * 99 / 100] / 1e6 : 0;
    printf("{\"accepted\":%ld,\"refused\":%ld,\"replies\":%ld,\"seconds\":%.6f,\"p50\":%.3f,\"p99\":%.3f}\n", accepted, refused,
        replied, seconds, p50, p99);
    return replied + refused == wanted ? 0 : 1;
}
