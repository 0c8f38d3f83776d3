package import LightningCoding
package import LightningCrypto

/// The result of examining a node: its identity, capabilities and missing permissions, and whether it makes the invoice
/// that is ordered.
package struct BackendExamination: Sendable {
    package let node: NodeInfo
    package let capabilities: BackendCapabilities
    package let limits: Result<ReceiveLimits, BackendFault>
    /// Calls that the credentials do not allow, by the node's names.
    package let missingPermissions: Result<[String], BackendFault>
    package let trial: Trial

    package enum Trial: Hashable, Sendable {
        case canceled
        /// It matches the order and expires in a minute, since the node cannot cancel it.
        case expires
        case notCanceled(BackendFault)
        case mismatch(InspectionFault)
        case refused(BackendFault)
        case none
    }

    /// Examines a node.
    ///
    /// - Throws: when the node does not even identify itself.
    package init(
        of backend: any ReceiveBackend,
        clock: WallClock,
        random: RandomSource = SystemRandom.bytes
    ) async throws(BackendFault) {
        node = try await backend.nodeInfo()
        capabilities = try await backend.capabilities
        do throws(BackendFault) {
            limits = .success(try await backend.limits())
        } catch {
            limits = .failure(error)
        }
        do throws(BackendFault) {
            missingPermissions = .success(try await backend.missingPermissions())
        } catch {
            missingPermissions = .failure(error)
        }
        guard case .success(let limits) = limits else {
            trial = .none
            return
        }
        trial = await Trial(of: backend, node, limits, clock, random)
    }

    package var problems: [String] {
        var found: [String] = []
        if !node.isSynchronized { found.append("the node is not synchronized with its chain") }
        if case .failure(let fault) = limits { found.append("nothing can be received now: \(fault.reason)") }
        switch missingPermissions {
        case .success(let calls): found += calls.map { "the credentials do not allow \($0)" }
        case .failure(let fault): found.append("what the credentials allow is not known: \(fault.reason)")
        }
        switch trial {
        case .canceled, .expires, .none: break
        case .notCanceled(let fault): found.append("an invoice was not canceled: \(fault.reason)")
        case .mismatch(let fault): found.append("an invoice was another than was ordered: \(fault.reason)")
        case .refused(let fault): found.append("no invoice is made: \(fault.reason)")
        }
        return found
    }
}

extension BackendExamination.Trial {
    /// The test invoice's expiry, in seconds.
    private static let expiry: UInt64 = 60

    fileprivate init(
        of backend: any ReceiveBackend,
        _ node: NodeInfo,
        _ limits: ReceiveLimits,
        _ clock: WallClock,
        _ random: RandomSource
    ) async {
        guard let bytes = try? random(16) else {
            self = .refused(.refused("no randomness"))
            return
        }
        let order = InvoiceOrder(
            amount: min(max(limits.minimum, Millisatoshi(1_000)), limits.maximum),
            description: .text("Check of the node"),
            expiry: Self.expiry,
            label: Hexadecimal.encode(bytes)
        )
        do throws(BackendFault) {
            let answer = try await backend.createInvoice(order)
            let fault: InspectionFault?
            do {
                _ = try InvoiceInspection(of: node, order: order).inspect(answer, at: clock())
                fault = nil
            } catch {
                fault = error
            }
            let canceled = await Self.cancel(answer.paymentHash, backend)
            self = fault.map(Self.mismatch) ?? canceled
        } catch {
            self = .refused(error)
        }
    }

    private static func cancel(_ hash: PaymentHash, _ backend: any ReceiveBackend) async -> Self {
        guard (try? await backend.capabilities.cancels) ?? false else { return .expires }
        do {
            try await backend.cancel(hash)
            return .canceled
        } catch {
            return .notCanceled(error)
        }
    }
}
