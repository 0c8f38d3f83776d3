import Bolt12
import LNURL
import LightningCoding
package import Platform

/// Answers that may be given again: limits and metadata for as long as the device says, whether an invoice is paid for some
/// seconds; what is proved to be paid is in the ledger.
///
/// Kept in two generations: when the younger is full, it becomes the older, and the previous older one is dropped. A new
/// version of a registration has other keys, so nothing stale is found.
package struct ReplyCache<Key: Hashable & Sendable>: Sendable {
    /// How much is kept, and for how long.
    package struct Limits: Hashable, Sendable {
        package var answers = 10_000
        package var bytes = 16 << 20
        /// Seconds for limits and metadata, whatever the device says.
        package var info: UInt64 = 300
        /// Seconds for whether an invoice is paid.
        package var verify: UInt64 = 3

        package init() {}
    }

    private struct Entry {
        let answer: DeviceAnswer
        let end: MonotonicTime
    }

    private struct Generation {
        var entries: [Key: Entry] = [:]
        var bytes = 0
    }

    private let limits: Limits
    private var younger = Generation()
    private var older = Generation()

    package init(_ limits: Limits = Limits()) {
        self.limits = limits
    }

    package var count: Int { younger.entries.count + older.entries.count }

    /// Keeps an answer for as long as its kind allows.
    ///
    /// - Parameter maxAge: what the device says, in seconds; nil when it says nothing, and 0 for not at all.
    package mutating func keep(_ answer: DeviceAnswer, for key: Key, maxAge: UInt64?, at now: MonotonicTime) {
        guard let seconds = seconds(of: answer, maxAge) else { return }
        let size = answer.size
        if younger.entries.count >= max(1, limits.answers / 2) || younger.bytes + size > limits.bytes / 2 {
            older = younger
            younger = Generation()
        }
        guard size <= limits.bytes / 2 else { return }
        let entry = Entry(answer: answer, end: now + .seconds(Int64(clamping: seconds)))
        younger.bytes += size - (younger.entries.updateValue(entry, forKey: key)?.answer.size ?? 0)
    }

    /// The answer, while it may be given.
    package func answer(for key: Key, at now: MonotonicTime) -> DeviceAnswer? {
        guard let entry = younger.entries[key] ?? older.entries[key] else { return nil }
        return now < entry.end ? entry.answer : nil
    }

    private func seconds(of answer: DeviceAnswer, _ maxAge: UInt64?) -> UInt64? {
        switch answer {
        case .info: maxAge.flatMap { $0 == 0 ? nil : min($0, limits.info) }
        case .verify: limits.verify
        case .invoice, .offered: nil
        }
    }
}

extension DeviceAnswer {
    /// About how many bytes it takes.
    fileprivate var size: Int {
        switch self {
        case .info(let request): request.metadata.utf8.count + request.callback.text.utf8.count + 512
        case .invoice(let invoice, _): invoice.pr.utf8.count + 512
        case .verify(let response): response.pr.utf8.count + 512
        case .offered(let invoice): invoice.stream.bytes.count + 4096
        }
    }
}
