import Devices
import Platform
import Testing

@Suite("The line of requests to a push provider", .timeLimit(.minutes(5)))
struct ProviderLineTests {
    /// A line whose connection works, with one request on its way that is not answered.
    private func opened(maximum: Int = 100) -> ProviderLine {
        var line = ProviderLine(maximum: maximum + 1)
        #expect(line.on(.submitted(0, .reply, key: nil), at: at(0)) == [.start(0)])
        #expect(line.on(.submitted(99, .reply, key: nil), at: at(0)) == [])
        #expect(line.on(.accepted(0), at: at(0)) == [.start(99)])
        return line
    }

    @Test("The first request goes alone; when its credential was accepted, all others follow")
    func gate() {
        var line = ProviderLine()
        #expect(line.submitted(1...5) == [.start(1)])
        #expect(line.on(.accepted(1), at: at(1)) == [.start(2), .start(3), .start(4), .start(5)])
    }

    @Test("After a refused credential the next goes alone again")
    func refusedProbe() {
        var line = ProviderLine()
        _ = line.submitted(1...3)
        #expect(line.on(.refused(1), at: at(1)) == [.start(2)])
        #expect(line.on(.accepted(2), at: at(2)) == [.start(3)])
    }

    @Test("No more than the maximum are on their way")
    func maximum() {
        var line = opened(maximum: 3)
        #expect(line.submitted(1...5) == [.start(1), .start(2), .start(3)])
        #expect(line.on(.refused(2), at: at(1)) == [.start(4)])
        #expect(line.inFlight == 4)
    }

    @Test("A reply goes before alerts, and alerts before catching up, whatever came first")
    func order() {
        var line = ProviderLine(maximum: 1)
        _ = line.submitted(1...1)
        _ = line.submitted(10...11, .catchUp)
        _ = line.submitted(20...21, .alert)
        _ = line.submitted(30...31, .reply)
        var started: [ProviderLine.Action] = []
        for id in [1, 30, 31, 20, 21, 10] as [UInt64] { started += line.on(.accepted(id), at: at(1)) }
        #expect(started == [.start(30), .start(31), .start(20), .start(21), .start(10), .start(11)])
    }

    @Test(
        "Of two messages for one device with one collapse id, the second waits for the end of the first, and nobody else does"
    )
    func keys() {
        var line = opened()
        #expect(line.on(.submitted(1, .alert, key: "a"), at: at(0)) == [.start(1)])
        #expect(line.on(.submitted(2, .alert, key: "a"), at: at(0)) == [])
        #expect(line.on(.submitted(3, .alert, key: "b"), at: at(0)) == [.start(3)])
        #expect(line.on(.accepted(1), at: at(1)) == [.start(2)])
    }

    @Test("After a lost connection new requests use another one, first alone; those on the old one do not count")
    func lost() {
        var line = opened()
        _ = line.submitted(1...3)
        #expect(line.on(.lost(1), at: at(1)) == [.reconnect])
        #expect(line.submitted(4...5, at: 1) == [.start(4)])
        #expect(line.on(.accepted(2), at: at(1)) == [])
        #expect(line.on(.lost(3), at: at(1)) == [])
        #expect(line.on(.accepted(4), at: at(2)) == [.start(5)])
    }

    @Test("A request that finds none on its way goes alone, since the provider may have closed the idle connection")
    func idle() {
        var line = ProviderLine()
        #expect(line.submitted(1...2) == [.start(1)])
        #expect(line.on(.accepted(1), at: at(1)) == [.start(2)])
        #expect(line.submitted(3...3, at: 1) == [.start(3)])
        #expect(line.on(.accepted(2), at: at(1)) == [])
        #expect(line.submitted(4...4, at: 1) == [.start(4)])
        #expect(line.on(.accepted(3), at: at(1)) == [])
        #expect(line.on(.accepted(4), at: at(1)) == [])
        #expect(line.submitted(5...7, at: 1) == [.start(5)])
        #expect(line.on(.accepted(5), at: at(2)) == [.start(6), .start(7)])
    }

    @Test("A connection is replaced after 50 minutes, whether or not it was idle")
    func age() {
        var line = ProviderLine()
        #expect(line.submitted(1...1) == [.start(1)])
        #expect(line.on(.accepted(1), at: at(1)) == [])
        #expect(line.submitted(2...3, at: 3000) == [.start(2)])
        #expect(line.on(.accepted(2), at: at(3000)) == [.start(3)])
        #expect(line.submitted(4...5, at: 3001) == [.reconnect, .start(4)])
    }

    @Test("A canceled request does not start, or makes room when it has started")
    func canceled() {
        var line = ProviderLine(maximum: 1)
        _ = line.submitted(1...3)
        #expect(line.on(.canceled(2), at: at(0)) == [])
        #expect(line.on(.canceled(1), at: at(0)) == [.start(3)])
        #expect(line.on(.canceled(9), at: at(0)) == [])
    }

    @Test("A request that is canceled after three seconds alone on a connection gives it up, since it may be dead")
    func dead() {
        var line = ProviderLine()
        #expect(line.submitted(1...2) == [.start(1)])
        #expect(line.on(.canceled(1), at: at(2.9)) == [.start(2)])
        #expect(line.submitted(3...3, at: 3) == [])
        #expect(line.on(.canceled(2), at: at(5.9)) == [.reconnect, .start(3)])
        // Not alone: the others will tell.
        var shared = opened()
        #expect(shared.submitted(1...1) == [.start(1)])
        #expect(shared.on(.canceled(1), at: at(10)) == [])
        #expect(shared.submitted(2...2, at: 10) == [.start(2)])
    }

    @Test("No more than so many wait")
    func bounded() {
        var line = ProviderLine(maximum: 1, maximumWaiting: 2)
        #expect(line.submitted(1...4) == [.start(1), .refuse(4)])
    }

    @Test("Another connection may be wanted while requests are on their way")
    func wanted() {
        var line = opened()
        _ = line.submitted(1...2)
        #expect(line.on(.reconnectWanted, at: at(1)) == [.reconnect])
        #expect(line.submitted(3...4, at: 1) == [.start(3)])
        #expect(line.on(.accepted(1), at: at(1)) == [])
        #expect(line.on(.accepted(3), at: at(1)) == [.start(4)])
    }
}

extension ProviderLine {
    /// Submits requests of these ids, in order.
    fileprivate mutating func submitted(
        _ ids: ClosedRange<UInt64>, _ priority: PushPriority = .alert, at time: Double = 0
    ) -> [Action] {
        var actions: [Action] = []
        for id in ids {
            actions += on(.submitted(id, priority, key: nil), at: MonotonicTime(sinceStart: .seconds(time)))
        }
        return actions
    }
}
