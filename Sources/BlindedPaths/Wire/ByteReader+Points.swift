import LightningCoding
import LightningCrypto

extension ByteReader {
    /// Reads a compressed point of 33 bytes.
    mutating func readPoint(orThrow fault: BlindedPathFault) throws(BlindedPathFault) -> PublicKey {
        let bytes = try spelled { (reader) throws(CodingFault) in try reader.read(33) }
        return try rethrowing(PublicKey(bytes), as: fault)
    }

    /// Reads something that can only have coding faults.
    mutating func spelled<Value>(
        _ read: (inout ByteReader) throws(CodingFault) -> Value
    ) throws(BlindedPathFault) -> Value {
        try rethrowing(read(&self), as: BlindedPathFault.spelling)
    }
}
