// SPDX-License-Identifier: MIT
// Loaded before the C library (LD_PRELOAD), this counts a program's system calls about the files of one
// folder, and spoils one of them. Everything is said by the environment:
//
//   FAULT_FOLDER  the folder, without links in its path; calls about other files are passed on
//   FAULT_STREAMS whether calls about standard input and output count too
//   FAULT_LOG     a file that gets a line for each call: its number, its name
//   FAULT_AT      the number of the call to spoil, from 1, or else the next that it can happen to; 0 spoils none
//   FAULT         what happens to it: "kill", "short" (half of a read or write), "swap" (the folder's
//                 name becomes that of a link to an empty folder), or the number of an error
//   FAULT_FOR     how many calls from there on fail; 1 when it is not said
//   FAULT_CLOCK   so many seconds later, or earlier, is it at every second look at the clock
//   FAULT_LOOK    the number of the call before which what has the name
//                 FAULT_FROM gets the name FAULT_TO, unless something has it; while there is a lock file of that
//                 name, nobody who keeps to it would come, and FAULT_FROM gets ".late" behind its name
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { DESCRIPTORS = 1024 };

static const char *folder, *fault, *log_path;
static const char *arrives_from, *arrives_to;
static long at, span = 1, calls, jump, looks, arrives_at, looks_at_names;
static char is_ours[DESCRIPTORS];

#define REAL(name) \
  static __typeof__(&name) real; \
  if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

__attribute__((constructor)) static void begin(void) {
  folder = getenv("FAULT_FOLDER");
  fault = getenv("FAULT");
  log_path = getenv("FAULT_LOG");
  if (getenv("FAULT_STREAMS")) is_ours[STDIN_FILENO] = is_ours[STDOUT_FILENO] = 1;
  if (getenv("FAULT_AT")) at = atol(getenv("FAULT_AT"));
  if (getenv("FAULT_CLOCK")) jump = atol(getenv("FAULT_CLOCK"));
  if (getenv("FAULT_FOR")) span = atol(getenv("FAULT_FOR"));
  if (getenv("FAULT_LOOK")) arrives_at = atol(getenv("FAULT_LOOK"));
  arrives_from = getenv("FAULT_FROM");
  arrives_to = getenv("FAULT_TO");
}

static char *where_are_we(char *to, size_t size) {
  static char *(*ask)(char *, size_t);
  if (!ask) ask = (__typeof__(ask))dlsym(RTLD_NEXT, "getcwd");
  return ask(to, size);
}

static int is_below(const char *path) {
  if (!folder || !path) return 0;
  size_t length = strlen(folder);
  if (path[0] == '/') return !strncmp(path, folder, length) && (!path[length] || path[length] == '/');
  char working[4096];
  return where_are_we(working, sizeof working) && is_below(working);
}

static int is_ours_too(int descriptor) {
  return descriptor >= 0 && descriptor < DESCRIPTORS && is_ours[descriptor];
}

static void note(const char *name) {
  if (!log_path) return;
  REAL(open);

  static ssize_t (*put)(int, const void *, size_t);
  if (!put) put = (__typeof__(put))dlsym(RTLD_NEXT, "write");
  static int (*end)(int);
  if (!end) end = (__typeof__(end))dlsym(RTLD_NEXT, "close");
  char line[64];
  int length = snprintf(line, sizeof line, "%ld %s\n", calls, name);
  int file = real(log_path, O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (file < 0) return;
  if (put(file, line, (size_t)length) < 0) _exit(99);
  end(file);
}

static void swap(void) {
  static int (*move)(const char *, const char *);
  if (!move) move = (__typeof__(move))dlsym(RTLD_NEXT, "rename");
  char aside[4096], empty[4096];
  snprintf(aside, sizeof aside, "%s.aside", folder);
  snprintf(empty, sizeof empty, "%s.empty", folder);
  if (move(folder, aside) || mkdir(empty, 0700) || symlink(empty, folder)) _exit(99);
}

// Another program's file or folder arrives when its time has come.
static void look(void) {
  if (!arrives_at || ++looks_at_names != arrives_at) return;
  int saved = errno;
  char late[4096], lock[4096];
  snprintf(late, sizeof late, "%s.late", arrives_from);
  snprintf(lock, sizeof lock, "%s.lockfile", arrives_to);
  static int (*ask)(const char *, int);
  if (!ask) ask = (__typeof__(ask))dlsym(RTLD_NEXT, "access");
  const char *to = ask(lock, F_OK) ? arrives_to : late;
  if (renameat2(AT_FDCWD, arrives_from, AT_FDCWD, to, RENAME_NOREPLACE) && errno != EEXIST) _exit(99);
  errno = saved;
}

// Whether a name is one of those that have a space between them.
static int is_one(const char *name, const char *names) {
  size_t length = strlen(name);
  for (const char *found = names; (found = strstr(found, name)); found += length)
    if ((found == names || found[-1] == ' ') && (!found[length] || found[length] == ' ')) return 1;
  return 0;
}

// Whether a call can end with an error: on a full disk only what needs room, on one that is read-only only
// what writes. What only looks is not interrupted.
static int can_fail(const char *name, int error) {
  if (is_one(name, "stat getcwd readlink access realpath"))
    return error == EIO || error == EACCES || error == ENOMEM || error == ESTALE;
  if (error == ENOMEM || error == ESTALE) return 0;
  if (error == ENOSPC || error == EDQUOT) return is_one(name, "create write sync link rename mkdir");
  if (error == EROFS)
    return is_one(
        name, "create open-to-write write truncate link rename unlink mkdir rmdir fchmod fchown");
  if (error == EMFILE || error == EACCES) return is_one(name, "open open-to-write create");
  if (error == EPERM) return is_one(name, "link fchmod fchown");
  return is_one(name, "lock") == (error == ENOLCK) || error == EINTR;
}

// Counts a call and says how it goes: 0 as it would, 1 by half, -1 not at all, with errno.
static int next_call(const char *name) {
  look();
  int saved = errno;
  calls++;
  note(name);
  errno = saved;
  if (!at || calls < at || !span || !fault) return 0;
  int error = atoi(fault);
  if (error && !can_fail(name, error)) return 0;
  span--;
  if (!strcmp(fault, "kill")) raise(SIGKILL);
  if (!strcmp(fault, "short")) return 1;
  if (!strcmp(fault, "swap")) {
    swap();
    errno = saved;
    return 0;
  }
  errno = error;
  return -1;
}

// Whether a call is about what is ours: a name in a folder, or a path.
static int is_at(int place, const char *path) {
  return path && path[0] != '/' && place != AT_FDCWD ? is_ours_too(place) : is_below(path);
}

static int opened(int descriptor) {
  if (descriptor >= 0 && descriptor < DESCRIPTORS) is_ours[descriptor] = 1;
  return descriptor;
}

#define MODE \
  mode_t mode = 0; \
  if (flags & (O_CREAT | __O_TMPFILE)) { \
    va_list rest; \
    va_start(rest, flags); \
    mode = va_arg(rest, mode_t); \
    va_end(rest); \
  }

static const char *open_name(int flags) {
  if (flags & O_CREAT) return "create";
  return (flags & O_ACCMODE) == O_RDONLY ? "open" : "open-to-write";
}

#define OPEN(name) \
  int name(const char *path, int flags, ...) { \
    REAL(name); \
    MODE \
    if (!is_below(path)) return real(path, flags, mode); \
    if (next_call(open_name(flags))) return -1; \
    return opened(real(path, flags, mode)); \
  }
OPEN(open)
OPEN(open64)

#define OPEN_AT(name) \
  int name(int place, const char *path, int flags, ...) { \
    REAL(name); \
    MODE \
    if (!is_at(place, path)) return real(place, path, flags, mode); \
    if (next_call(open_name(flags))) return -1; \
    return opened(real(place, path, flags, mode)); \
  }
OPEN_AT(openat)
OPEN_AT(openat64)

int close(int descriptor) {
  REAL(close);
  if (descriptor >= 0 && descriptor < DESCRIPTORS) is_ours[descriptor] = 0;
  return real(descriptor);
}

static size_t part(int answer, size_t count) { return answer == 1 && count > 1 ? count / 2 : count; }

int closedir(DIR *folder_stream) {
  REAL(closedir);
  int descriptor = dirfd(folder_stream);
  if (descriptor >= 0 && descriptor < DESCRIPTORS) is_ours[descriptor] = 0;
  return real(folder_stream);
}

#define TRANSFER(name, said, bytes, parameters, arguments) \
  ssize_t name parameters { \
    REAL(name); \
    if (!is_ours_too(descriptor)) return real arguments; \
    int answer = next_call(said); \
    if (answer < 0) return -1; \
    count = part(answer, count); \
    return real arguments; \
  }
TRANSFER(read, "read", void *, (int descriptor, void *to, size_t count), (descriptor, to, count))
TRANSFER(pread, "read", void *, (int descriptor, void *to, size_t count, off_t from),
  (descriptor, to, count, from))
TRANSFER(pread64, "read", void *, (int descriptor, void *to, size_t count, off64_t from),
  (descriptor, to, count, from))
TRANSFER(write, "write", const void *, (int descriptor, const void *of, size_t count),
  (descriptor, of, count))
TRANSFER(pwrite, "write", const void *, (int descriptor, const void *of, size_t count, off_t from),
  (descriptor, of, count, from))
TRANSFER(pwrite64, "write", const void *, (int descriptor, const void *of, size_t count, off64_t from),
  (descriptor, of, count, from))

#define ABOUT(name, said, is_one, parameters, arguments) \
  int name parameters { \
    REAL(name); \
    if (is_one && next_call(said) < 0) return -1; \
    return real arguments; \
  }
ABOUT(fsync, "sync", is_ours_too(descriptor), (int descriptor), (descriptor))
ABOUT(fdatasync, "sync", is_ours_too(descriptor), (int descriptor), (descriptor))
ABOUT(ftruncate, "truncate", is_ours_too(descriptor), (int descriptor, off_t size), (descriptor, size))
ABOUT(ftruncate64, "truncate", is_ours_too(descriptor), (int descriptor, off64_t size),
  (descriptor, size))
ABOUT(fchmod, "fchmod", is_ours_too(descriptor), (int descriptor, mode_t mode), (descriptor, mode))
ABOUT(fchown, "fchown", is_ours_too(descriptor), (int descriptor, uid_t user, gid_t group),
  (descriptor, user, group))
ABOUT(flock, "lock", is_ours_too(descriptor), (int descriptor, int how), (descriptor, how))
ABOUT(rename, "rename", is_below(to), (const char *from, const char *to), (from, to))
ABOUT(renameat, "rename", is_at(b, to), (int a, const char *from, int b, const char *to),
  (a, from, b, to))
ABOUT(link, "link", is_below(to), (const char *from, const char *to), (from, to))
ABOUT(unlink, "unlink", is_below(path), (const char *path), (path))
ABOUT(linkat, "link", is_at(b, to), (int a, const char *from, int b, const char *to, int flags),
  (a, from, b, to, flags))
ABOUT(unlinkat, "unlink", is_at(place, path), (int place, const char *path, int flags),
  (place, path, flags))
ABOUT(mkdir, "mkdir", is_below(path), (const char *path, mode_t mode), (path, mode))
ABOUT(mkdirat, "mkdir", is_at(place, path), (int place, const char *path, mode_t mode),
  (place, path, mode))
ABOUT(rmdir, "rmdir", is_below(path), (const char *path), (path))

ABOUT(stat, "stat", is_below(path), (const char *restrict path, struct stat *restrict status),
  (path, status))
ABOUT(lstat, "stat", is_below(path), (const char *restrict path, struct stat *restrict status),
  (path, status))
ABOUT(stat64, "stat", is_below(path), (const char *restrict path, struct stat64 *restrict status),
  (path, status))
ABOUT(lstat64, "stat", is_below(path), (const char *restrict path, struct stat64 *restrict status),
  (path, status))
ABOUT(fstatat, "stat", is_at(place, path),
  (int place, const char *restrict path, struct stat *restrict status, int flags),
  (place, path, status, flags))
ABOUT(fstatat64, "stat", is_at(place, path),
  (int place, const char *restrict path, struct stat64 *restrict status, int flags),
  (place, path, status, flags))
ABOUT(fstat, "stat", is_ours_too(descriptor), (int descriptor, struct stat *status),
  (descriptor, status))
ABOUT(fstat64, "stat", is_ours_too(descriptor), (int descriptor, struct stat64 *status),
  (descriptor, status))
ABOUT(access, "access", is_below(path), (const char *path, int how), (path, how))
ABOUT(faccessat, "access", is_at(place, path), (int place, const char *path, int how, int flags),
  (place, path, how, flags))

ssize_t readlink(const char *restrict path, char *restrict to, size_t size) {
  REAL(readlink);
  if (is_below(path) && next_call("readlink") < 0) return -1;
  return real(path, to, size);
}

char *getcwd(char *to, size_t size) {
  if (is_below(".") && next_call("getcwd") < 0) return NULL;
  return where_are_we(to, size);
}

char *realpath(const char *restrict path, char *restrict to) {
  REAL(realpath);
  if (is_below(path) && next_call("realpath") < 0) return NULL;
  return real(path, to);
}

static int is_locking(int command) {
  return command == F_SETLK || command == F_SETLKW || command == F_OFD_SETLK
    || command == F_OFD_SETLKW;
}

#define CONTROL(name) \
  int name(int descriptor, int command, ...) { \
    REAL(name); \
    va_list rest; \
    va_start(rest, command); \
    void *argument = va_arg(rest, void *); \
    va_end(rest); \
    if (is_locking(command) && is_ours_too(descriptor) && next_call("lock") < 0) return -1; \
    int result = real(descriptor, command, argument); \
    if ((command == F_DUPFD || command == F_DUPFD_CLOEXEC) && is_ours_too(descriptor)) \
      return opened(result); \
    return result; \
  }
CONTROL(fcntl)
CONTROL(fcntl64)

int clock_gettime(clockid_t clock, struct timespec *now) {
  REAL(clock_gettime);
  int result = real(clock, now);
  if (!result && clock == CLOCK_REALTIME && jump && ++looks % 2) now->tv_sec += jump;
  return result;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  REAL(gettimeofday);
  int result = real(now, zone);
  if (!result && jump && ++looks % 2) now->tv_sec += jump;
  return result;
}

time_t time(time_t *now) {
  REAL(time);
  time_t result = real(NULL) + (jump && ++looks % 2 ? jump : 0);
  if (now) *now = result;
  return result;
}
