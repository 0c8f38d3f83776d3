import CCurl
import LightningCoding
import Platform

/// The thread that owns a multi handle and every transfer on it.
final class TransferLoop {
    private let configuration: HTTPClient.Configuration
    private let multi: UnsafeMutableRawPointer
    private let mailbox: TransferMailbox
    private var queue: TransferQueue
    private var submissions: [TransferID: Submission] = [:]
    private var transfers: [TransferID: Transfer] = [:]
    private let networks = SharedSlots(.max)
    /// The transfers whose host had no address yet when they were last looked at, in the order in which they were started.
    private var unresolved: [Unresolved] = []
    /// Hosts that have answered, and had an address when they were last looked for: their answers by network.
    private var knownHosts: [String: [IPAddress: Answers]] = [:]
    private let knownNetworks = SharedSlots(.max)
    private var spare: [EasyHandle] = []
    /// The hosts whose last answer came over HTTP/2.
    private var connectedHosts: Set<String> = []

    /// Starts a loop on its own thread; it ends when the mailbox is closed.
    static func start(_ configuration: HTTPClient.Configuration) throws(OutboundFault) -> TransferMailbox {
        guard libraryStatus == CURLE_OK else { throw .other(code: Int(libraryStatus.rawValue)) }
        guard let pointer = curl_multi_init() else { throw .other(code: Int(CURLE_OUT_OF_MEMORY.rawValue)) }
        let connections = configuration.maximumConcurrency
        curl_multi_set_long(pointer, CURLMOPT_MAXCONNECTS, connections)
        curl_multi_set_long(pointer, CURLMOPT_MAX_TOTAL_CONNECTIONS, connections)
        if configuration.http2 != nil { curl_multi_set_long(pointer, CURLMOPT_MAX_HOST_CONNECTIONS, 1) }
        let multi = MultiHandle(pointer: pointer)
        let mailbox = TransferMailbox(multi)
        let started = DetachedThread.start { TransferLoop(configuration, multi, mailbox).run() }
        guard started else {
            curl_multi_cleanup(pointer)
            throw .other(code: Int(CURLE_OUT_OF_MEMORY.rawValue))
        }
        return mailbox
    }

    private init(_ configuration: HTTPClient.Configuration, _ multi: MultiHandle, _ mailbox: TransferMailbox) {
        self.configuration = configuration
        self.multi = multi.pointer
        self.mailbox = mailbox
        queue = TransferQueue(
            maximumConcurrency: configuration.maximumConcurrency,
            maximumPerHost: configuration.maximumConcurrencyPerHost, maximumWaiting: configuration.maximumWaiting)
    }

    private func run() {
        while true {
            let (messages, isOpen) = mailbox.collect()
            guard isOpen else {
                end(messages)
                return
            }
            for message in messages { take(message) }
            // As many as may be needed again soon, so that memory follows the load.
            spare.removeLast(max(0, spare.count - max(1, transfers.count)))
            // Those that are started later have not been performed yet.
            let started = unresolved.count
            var stillRunning: Int32 = 0
            curl_multi_perform(multi, &stillRunning)
            finishCompleted()
            endUnresolved(ofFirst: started)
            perform(queue.on(.timePassed, at: .now))
            curl_multi_poll(multi, nil, 0, pollMilliseconds, nil)
        }
    }

    private func take(_ message: TransferMailbox.Message) {
        switch message {
        case .submit(let submission):
            submissions[submission.id] = submission
            let event = TransferQueue.Event.submitted(
                submission.id, host: submission.host, deadline: submission.deadline)
            perform(queue.on(event, at: .now))
        case .cancel(let id):
            perform(queue.on(.canceled(id), at: .now))
        case .resume(let id):
            transfers[id]?.resume()
        }
    }

    private func finishCompleted() {
        var ended: [(Submission, Submission.Outcome)] = []
        var remaining: Int32 = 0
        while let message = curl_multi_info_read(multi, &remaining) {
            guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle else { continue }
            let code = message.pointee.data.result
            guard let transfer = Transfer.on(easy) else { continue }
            let outcome = transfer.outcome(code)
            if configuration.http2 != nil { note(outcome, of: transfer.host) }
            if case .success = outcome { remember(transfer) }
            remove(transfer)
            // One that failed is not worth a thought about its state.
            if code == CURLE_OK { keep(transfer.easy) }
            if let submission = submissions.removeValue(forKey: transfer.id) {
                submission.end(outcome)
                ended.append((submission, outcome))
            }
            perform(queue.on(.finished(transfer.id), at: .now))
        }
        // All at once: one by one, each would wake another thread that sleeps again before the next.
        for (submission, outcome) in ended { submission.resume(outcome) }
    }

    private func perform(_ actions: [TransferQueue.Action]) {
        for action in actions {
            switch action {
            case .start(let id):
                start(id)
            case .stop(let id):
                if let transfer = transfers[id] { remove(transfer) }
                resume(id, with: .failure(.canceled))
            case .refuse(let id, let fault):
                resume(id, with: .failure(fault))
            }
        }
    }

    private func start(_ id: TransferID) {
        guard let submission = submissions[id] else { return }
        do throws(OutboundFault) {
            let isConnected = connectedHosts.contains(submission.host)
            let easy = if let used = spare.popLast() { used } else { try EasyHandle(configuration) }
            let known = knownHosts[submission.request.url.host]
            let answers = known?.filter { $0.value.authorities.contains(submission.host) } ?? [:]
            let transfer = try Transfer(
                submission, configuration, networks, on: easy, isConnected: isConnected, answeredIn: Set(answers.keys))
            let status = curl_multi_add_handle(multi, easy.pointer)
            guard status == CURLM_OK else { throw .other(code: Int(status.rawValue)) }
            transfers[id] = transfer
            if configuration.countsPlaces, configuration.proxy == .none {
                unresolved.append(Unresolved(id: id, isKnown: known != nil, since: .now))
            }
        } catch {
            resume(id, with: .failure(error))
            perform(queue.on(.finished(id), at: .now))
        }
    }

    /// A transfer whose host has no address yet.
    private struct Unresolved {
        let id: TransferID
        /// Whether its host is known: then it does not stand behind names that nobody has ever answered.
        let isKnown: Bool
        let since: MonotonicTime
    }

    /// Ends the transfers that have waited too long for the address of their host, and those that are too many. An address
    /// that libcurl knows is there at once.
    private func endUnresolved(ofFirst count: Int) {
        guard !unresolved.isEmpty else { return }
        let now = MonotonicTime.now
        var (waiting, ended): ([Unresolved], [(TransferID, OutboundFault)]) = ([], [])
        for each in unresolved[..<count] where transfers[each.id]?.isResolved == false {
            if let time = configuration.resolveTimeout, each.since + time <= now {
                ended.append((each.id, .resolve))
            } else if waiting.count(where: { $0.isKnown == each.isKnown })
                >= configuration.maximumConcurrencyUnresolved
            {
                ended.append((each.id, .overloaded))
            } else {
                waiting.append(each)
            }
        }
        unresolved = waiting + unresolved[count...]
        for (id, fault) in ended {
            if let transfer = transfers[id] { remove(transfer, isSilent: fault == .resolve) }
            resume(id, with: .failure(fault))
            perform(queue.on(.finished(id), at: .now))
        }
    }

    private func note(_ outcome: Result<HTTPResponse, OutboundFault>, of host: String) {
        switch outcome {
        case .success: connectedHosts.insert(host)
        case .failure: connectedHosts.remove(host)
        }
    }

    /// - Parameter isSilent: whether its host is known no more if it has no address yet.
    private func remove(_ transfer: Transfer, isSilent: Bool = true) {
        curl_multi_remove_handle(multi, transfer.easy.pointer)
        if configuration.countsPlaces, isSilent, !transfer.isResolved,
            let host = submissions[transfer.id]?.request.url.host
        {
            knownHosts[host] = nil
        }
        transfer.leave()
        transfers[transfer.id] = nil
    }

    /// What has answered from one network.
    private struct Answers {
        let place: SharedSlots.Slot
        /// Host and port of each.
        var authorities: Set<String> = []
    }

    /// Remembers that its host has answered, from the network of its connection.
    private func remember(_ transfer: Transfer) {
        guard let network = transfer.network, let host = submissions[transfer.id]?.request.url.host else { return }
        var known = knownHosts[host] ?? [:]
        if known[network] == nil {
            // Names are free.
            guard known.count < 8, let place = try? knownNetworks.take(for: nil, [.most(8, of: "\(network)")])
            else { return }
            known[network] = Answers(place: place)
        }
        guard let answers = known[network], answers.authorities.count < 8 else { return }
        known[network]?.authorities.insert(transfer.host)
        if knownHosts[host] == nil, knownHosts.count >= 1_000, let another = knownHosts.keys.first {
            knownHosts[another] = nil
        }
        knownHosts[host] = known
    }

    private func keep(_ easy: EasyHandle) {
        easy.release()
        spare.append(easy)
    }

    private func resume(_ id: TransferID, with outcome: Result<HTTPResponse, OutboundFault>) {
        submissions.removeValue(forKey: id)?.finish(outcome)
    }

    private func end(_ messages: [TransferMailbox.Message]) {
        mailbox.detach()
        for case .submit(let submission) in messages { submissions[submission.id] = submission }
        for transfer in Array(transfers.values) { remove(transfer) }
        for submission in submissions.values { submission.finish(.failure(.closed)) }
        submissions.removeAll()
        spare.removeAll()
        curl_multi_cleanup(multi)
    }

    /// The time until the next waiting request times out; libcurl shortens this for transfers in flight.
    private var pollMilliseconds: Int32 {
        // libcurl 7.88 does not always notice at once what it has received of a stream of HTTP/2.
        let longest = configuration.http2 != nil && !transfers.isEmpty ? 5.0 : 60_000
        let resolving = configuration.resolveTimeout.flatMap { time in unresolved.first.map { $0.since + time } }
        guard let deadline = [queue.nextDeadline, resolving].compactMap(\.self).min() else { return Int32(longest) }
        let left = (deadline - MonotonicTime.now) / .milliseconds(1)
        return Int32(min(max(left.rounded(.up), 0), longest))
    }

    /// libcurl's global state, initialized once per process.
    private static let libraryStatus = curl_global_init(Int(CURL_GLOBAL_DEFAULT))
}
