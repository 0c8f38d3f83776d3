import Devices
import LightningCoding
import ResponderModel
import Testing

@Suite("The forwarding hint", .timeLimit(.minutes(5)))
struct ForwardingHintTests {
    private let amount = Millisatoshi(1000)

    private func hint(_ isConnected: Bool, _ channels: [(isEnabled: Bool, sendable: UInt64)]) -> ForwardingHint {
        ForwardingHint(
            forwarding: amount,
            to: ForwardingPeer(
                isConnected: isConnected,
                channels: channels.map { .init(isEnabled: $0.isEnabled, sendable: Millisatoshi($0.sendable)) }))
    }

    @Test("A node tells what keeps it from forwarding")
    func reasons() {
        #expect(ForwardingHint(forwarding: amount, to: nil) == ForwardingHint(.doNotRetry, because: .unknown))
        #expect(hint(true, []) == ForwardingHint(.doNotRetry, because: .unknown))
        #expect(hint(false, [(true, 999)]) == ForwardingHint(.doNotRetry, because: .insufficientLiquidity))
        #expect(hint(false, [(true, 1000)]) == ForwardingHint(.retryLater, because: .disconnected, delay: 1000))
        #expect(
            hint(true, [(false, 1000), (true, 999)])
                == ForwardingHint(.retryLater, because: .recipientChannelDisabled, delay: 1000))
        #expect(hint(true, [(false, 0), (true, 1000)]) == ForwardingHint(.retryNow, because: .unknown))
    }
}
