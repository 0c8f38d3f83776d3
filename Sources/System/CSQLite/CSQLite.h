// The one header that Swift sees of sqlite3 (Debian: libsqlite3-dev), with doors to what Swift cannot say. A null pointer would bind
// NULL where an empty value is meant.
#pragma once
#include <sqlite3.h>

static inline int sqlite_bind_copied_text(sqlite3_stmt *statement, int index, const char *text, sqlite3_uint64 length) { return sqlite3_bind_text64(statement, index, text ? text : "", length, SQLITE_TRANSIENT, SQLITE_UTF8); }
static inline int sqlite_bind_copied_blob(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 length) { return sqlite3_bind_blob64(statement, index, bytes ? bytes : "", length, SQLITE_TRANSIENT); }
