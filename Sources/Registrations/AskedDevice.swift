public import Contracts

/// A question that was put to a device, and what becomes of its answer: nothing else of the way on which it was asked is
/// needed while a payer waits.
public struct AskedDevice<Answer: Sendable, Failure: Error>: Sendable {
    /// The question.
    public let pending: ReplyChannel.Pending
    /// Makes the payer's answer of the device's.
    public let answer: @Sendable (Result<DeviceAnswer, DeviceRefusal>) async throws(Failure) -> Answer

    init(
        _ pending: ReplyChannel.Pending,
        _ answer: @escaping @Sendable (Result<DeviceAnswer, DeviceRefusal>) async throws(Failure) -> Answer
    ) {
        self.pending = pending
        self.answer = answer
    }

    /// Waits for the device, for somebody who has no connection that may close meanwhile.
    public func value() async throws(Failure) -> Answer {
        try await answer(await pending.outcome())
    }

    /// The same question with another answer.
    public func map<Other: Sendable, OtherFailure: Error>(
        _ change: @escaping @Sendable (Result<Answer, Failure>) async throws(OtherFailure) -> Other
    ) -> AskedDevice<Other, OtherFailure> {
        AskedDevice<Other, OtherFailure>(pending) { [answer] outcome throws(OtherFailure) in
            let result: Result<Answer, Failure>
            do throws(Failure) {
                result = .success(try await answer(outcome))
            } catch {
                result = .failure(error)
            }
            return try await change(result)
        }
    }
}
