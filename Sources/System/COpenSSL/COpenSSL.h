// The one header that Swift sees of libcrypto (Debian: libssl-dev).
#pragma once
// SHA256_CTX is the only way to a copyable midstate; OpenSSL 3 marks it as deprecated.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/bn.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/sha.h>
#include <openssl/rand.h>
#include <openssl/x509.h>
