import Bolt11
import LightningCoding
import ResponderModel
import Testing

@Suite("What people read of a node's faults", .timeLimit(.minutes(5)))
struct BackendFaultTests {
    @Test(
        "Each fault is a sentence",
        arguments: [
            (.unreachable("no such socket"), "the node cannot be reached: no such socket"),
            (.unreachable(""), "the node cannot be reached"), (.timedOut, "the node did not answer in time"),
            (.overloaded, "too many calls to the node are waiting"),
            (.refused("status 404"), "the node refused: status 404"),
            (.nothingReceivable, "the node cannot receive anything at the moment"),
            (.amountNotPossible, "the node cannot make an invoice of that amount"),
            (.duplicate, "the label or the preimage was used before"),
            (.unsupported, "this kind of node cannot do that"),
            (
                .wrongNetwork(.regtest, configured: .bitcoin),
                "the node is on regtest, and the configuration says bitcoin"
            ),
            (.malformedAnswer("no object"), "the node's answer is invalid: no object"),
            (.storage("the disk is full"), "the node's storage failed: the disk is full"),
        ] as [(BackendFault, String)])
    func sentences(fault: BackendFault, reason: String) {
        #expect(fault.reason == reason)
        #expect((fault as any Error).readableReason == reason)
    }

    @Test("An error that nobody wrote a sentence for is told as unexpected, not in Swift's words")
    func unexpected() {
        struct Strange: Error {}
        #expect((Strange() as any Error).readableReason == "an unexpected error")
    }

    @Test("An invoice that cannot be read says why")
    func inspection() {
        #expect(
            InspectionFault.unreadable(.missingPaymentHash).reason
                == "it is not a valid BOLT11 invoice: it has no payment hash")
    }
}
