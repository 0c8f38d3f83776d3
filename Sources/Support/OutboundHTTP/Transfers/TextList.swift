import CCurl

/// A list of texts as libcurl reads it, in one piece of memory: `curl_slist_append` takes two for each text.
final class TextList {
    /// Texts, one after the other.
    struct Texts {
        /// Each ends with a zero byte.
        fileprivate var bytes: [UInt8] = []
        fileprivate var starts: [Int] = []

        /// Appends a text without zero bytes, given in pieces.
        mutating func append(_ pieces: String...) {
            starts.append(bytes.count)
            for piece in pieces { bytes.append(contentsOf: piece.utf8) }
            bytes.append(0)
        }
    }

    /// The first node, valid as long as the list; nil without texts.
    let first: UnsafeMutablePointer<curl_slist>?
    /// The nodes, and then the texts.
    private let memory: UnsafeMutableRawPointer

    init(_ write: (inout Texts) -> Void) {
        var texts = Texts()
        texts.bytes.reserveCapacity(512)
        write(&texts)
        let count = texts.starts.count
        let size = count * MemoryLayout<curl_slist>.stride
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: size + texts.bytes.count, alignment: MemoryLayout<curl_slist>.alignment)
        UnsafeMutableRawBufferPointer(start: memory + size, count: texts.bytes.count).copyBytes(from: texts.bytes)
        let nodes = memory.bindMemory(to: curl_slist.self, capacity: count)
        for (index, start) in texts.starts.enumerated() {
            let text = (memory + size + start).assumingMemoryBound(to: CChar.self)
            (nodes + index).initialize(to: curl_slist(data: text, next: index + 1 < count ? nodes + index + 1 : nil))
        }
        self.memory = memory
        first = count > 0 ? nodes : nil
    }

    deinit {
        memory.deallocate()
    }
}
