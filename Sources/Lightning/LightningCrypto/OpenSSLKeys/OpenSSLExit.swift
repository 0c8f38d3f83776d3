import COpenSSL

/// Keeps what OpenSSL has allocated until the process has ended.
///
/// Otherwise `exit` frees it, and a thread that still reads a key or shakes hands with a server crashes. To be called
/// before anything else in the process uses OpenSSL, libcurl and libpq among it.
package func keepOpenSSLUntilExit() {
    OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil)
}
