public import LightningCoding

extension PeerNode {
    /// Holds the connections and has what arrives answered, until it is cancelled, or until after `stop()` everything is answered
    /// that has arrived, and all answers are written.
    ///
    /// - Parameter onListening: is told where connections are taken in.
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

    /// Closes each connection when what waits there has been sent, or when cancelled; returns when all are closed.
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
