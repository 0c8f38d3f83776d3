import COpenSSL

/// Certificates of X.509, as far as their keys matter here.
package enum OpenSSLCertificate {
    /// The field `subjectPublicKeyInfo` (RFC 5280, section 4.1) of the first certificate in PEM, in DER with tag and length; nil when
    /// there is none.
    package static func publicKeyInfo(pem: some Collection<UInt8>) -> [UInt8]? {
        pem.withContiguousBytes { text in
            guard let length = Int32(exactly: text.count), let source = BIO_new_mem_buf(text.baseAddress, length) else {
                return nil
            }
            defer { BIO_free(source) }
            // An empty password: without one, OpenSSL asks the terminal for that of an encrypted block.
            var password: CChar = 0
            guard let certificate = PEM_read_bio_X509(source, nil, nil, &password) else { return nil }
            defer { X509_free(certificate) }
            var info: UnsafeMutablePointer<UInt8>?
            let count = i2d_X509_PUBKEY(X509_get_X509_PUBKEY(certificate), &info)
            guard count > 0, let info else { return nil }
            defer { CRYPTO_free(info, nil, 0) }
            return Array(UnsafeBufferPointer(start: info, count: Int(count)))
        }
    }
}
