import COpenSSL
import LightningCrypto
import Testing

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

@Suite("OpenSSL while the process ends", .timeLimit(.minutes(5)))
struct OpenSSLExitTests {
    @Test("It frees what other threads may still use, unless it is told before its first use not to")
    func cleanup() async {
        await #expect(processExitsWith: .exitCode(9)) {
            _ = try P256SecretKey(1...32)
            OPENSSL_atexit { _exit(9) }
            exit(0)
        }
        await #expect(processExitsWith: .success) {
            keepOpenSSLUntilExit()
            _ = try P256SecretKey(1...32)
            OPENSSL_atexit { _exit(9) }
            exit(0)
        }
    }
}
