/* Linked into every test program; see limit.c. It has nothing to call. */
