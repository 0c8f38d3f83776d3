public import LightningCoding

extension PeerNode {
    /// Keeps the connections open and answers what arrives, until cancelled, or, after `stop()`, until everything that
    /// arrived is answered and all answers are written.
    ///
    /// - Parameter onListening: called with the bound listen address.
    /// - Throws: why the listen address cannot be used.
    public func run(
        answering answerer: OnionAnswerer, onListening: @escaping @Sendable (ListenAddress) -> Void = { _ in }
    ) async throws(NetworkFault) {
        let fault: NetworkFault? = await withTaskGroup(of: NetworkFault?.self) { group in
            group.addTask {
                do throws(NetworkFault) {
                    try await self.run(onListening: onListening)
                    return nil
                } catch {
                    return error
                }
            }
            group.addTask {
                await answerer.run()
                await self.finish()
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
        if let fault { throw fault }
    }

    /// Closes each connection once its queue is sent, or when cancelled; returns when all are closed.
    private func finish() async {
        let links = allLinks
        await withTaskCancellationHandler {
            for link in links { link.finish() }
            for link in links { await link.ended() }
        } onCancel: {
            for link in links { link.close() }
        }
    }
}
