/* Preloaded into a process: writes down what it asks the file system to do in one folder, in order.

   A record is five native 64-bit numbers (operation, offset, length of the path, length of the data, 0), the path and
   the data. Operations: C created, W written, T cut to a length (the offset), S synchronised, U removed. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int out = -1;
static char folder[4096];
static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

__attribute__((constructor)) static void begin(void) {
    if (getenv("TRACE_FOLDER") && getenv("TRACE_FILE")) {
        snprintf(folder, sizeof folder, "%s", getenv("TRACE_FOLDER"));
        out = REAL(open)(getenv("TRACE_FILE"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    }
}

static int here(const char *path) { return out >= 0 && !strncmp(path, folder, strlen(folder)); }

static int path_of(int fd, char *path) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t size = out >= 0 && fd != out ? readlink(link, path, 4095) : -1;
    path[size < 0 ? 0 : size] = 0;
    return size > 0 && here(path);
}

static void note(char what, const char *path, uint64_t offset, const void *data, uint64_t size) {
    uint64_t head[5] = {(uint64_t)what, offset, strlen(path), size, 0};
    __typeof__(&write) put = REAL(write);
    pthread_mutex_lock(&one);
    if (put(out, head, sizeof head) < 0 || put(out, path, head[2]) < 0 || (size && put(out, data, size) < 0)) abort();
    pthread_mutex_unlock(&one);
}

#define OPENS(name)                                                                                                     \
    int name(const char *path, int flags, ...) {                                                                        \
        va_list more;                                                                                                   \
        va_start(more, flags);                                                                                          \
        mode_t mode = flags & O_CREAT ? va_arg(more, mode_t) : 0;                                                       \
        va_end(more);                                                                                                   \
        int new = (flags & O_CREAT) && here(path) && access(path, F_OK);                                                \
        int fd = REAL(name)(path, flags, mode);                                                                         \
        if (new && fd >= 0) note('C', path, 0, NULL, 0);                                                                \
        return fd;                                                                                                      \
    }
OPENS(open)
OPENS(open64)

#define WRITES(name, kind)                                                                                              \
    ssize_t name(int fd, const void *data, size_t size, kind offset) {                                                  \
        char path[4096];                                                                                                \
        ssize_t done = REAL(name)(fd, data, size, offset);                                                              \
        if (done > 0 && path_of(fd, path)) note('W', path, offset, data, done);                                         \
        return done;                                                                                                    \
    }
WRITES(pwrite, off_t)
WRITES(pwrite64, off64_t)

ssize_t write(int fd, const void *data, size_t size) {
    char path[4096];
    ssize_t done = REAL(write)(fd, data, size);
    if (done > 0 && path_of(fd, path)) note('W', path, lseek(fd, 0, SEEK_CUR) - done, data, done);
    return done;
}

#define CUTS(name, kind)                                                                                                \
    int name(int fd, kind size) {                                                                                       \
        char path[4096];                                                                                                \
        int failed = REAL(name)(fd, size);                                                                              \
        if (!failed && path_of(fd, path)) note('T', path, size, NULL, 0);                                               \
        return failed;                                                                                                  \
    }
CUTS(ftruncate, off_t)
CUTS(ftruncate64, off64_t)

#define SYNCS(name)                                                                                                     \
    int name(int fd) {                                                                                                  \
        char path[4096];                                                                                                \
        int failed = REAL(name)(fd);                                                                                    \
        if (!failed && path_of(fd, path)) note('S', path, 0, NULL, 0);                                                  \
        return failed;                                                                                                  \
    }
SYNCS(fsync)
SYNCS(fdatasync)

int unlink(const char *path) {
    int failed = REAL(unlink)(path);
    if (!failed && here(path)) note('U', path, 0, NULL, 0);
    return failed;
}
