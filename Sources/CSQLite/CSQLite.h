// The one header that Swift sees of sqlite3 (Debian: libsqlite3-dev).
#pragma once
#include <sqlite3.h>
