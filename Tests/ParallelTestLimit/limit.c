#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/*
 * Swift Testing starts every test case of the package at once. Thousands of them on two threads leave none of them the time that it
 * was given, and open more sockets and processes than a machine likes. Its limit can only be set from outside, and `swift test` is
 * what people type: so it is set here, before the first line of Swift runs. A limit from the command's own environment counts.
 */
__attribute__((constructor)) static void limit_parallel_tests(void) {
    char limit[16];
    snprintf(limit, sizeof limit, "%ld", 2 * sysconf(_SC_NPROCESSORS_ONLN));
    setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", limit, 0);
}
