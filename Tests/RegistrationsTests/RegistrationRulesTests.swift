import LNURL
import LightningCoding
import LightningCrypto
import ResponderModel
import Testing

@Suite("The rules of registrations", .timeLimit(.minutes(5)))
struct RegistrationRulesTests {
    private static let start = UnixTime(1_790_000_000)
    private let rules: RegistrationRules
    private let owner: RegistrationID
    private let other: RegistrationID
    private let alice: AddressName
    private let bob: AddressName
    private let webhook: WebhookURL
    private let claim = StatementClaim(.change, digest: Array(repeating: 7, count: 32), expiresAt: start)

    init() throws {
        let domain = try DomainName("example.com")
        owner = RegistrationID(try SecretKey(Array(repeating: 1, count: 32)).publicKey, at: domain)
        other = RegistrationID(try SecretKey(Array(repeating: 2, count: 32)).publicKey, at: domain)
        alice = try AddressName("alice")
        bob = try AddressName("bob")
        webhook = try WebhookURL("https://ndS.example/api?token=t")
        rules = RegistrationRules(reserved: [try AddressName("admin")], hold: 100)
    }

    private func actions(
        _ change: RegistrationOrder.Change, _ state: RegistrationState = RegistrationState(),
        by id: RegistrationID? = nil, claiming claims: [StatementClaim]? = nil
    ) throws(RegistrationRefusal) -> [RegistrationAction] {
        try rules.actions(
            for: RegistrationOrder(by: id ?? owner, change, claiming: claims ?? [claim]), in: state, at: Self.start)
    }

    private func take(_ name: AddressName) -> RegistrationOrder.Change {
        .register(webhook: webhook, name: name, offer: nil)
    }

    private func registered(
        _ name: AddressName?, webhook: WebhookURL?, offer: String? = nil, by id: RegistrationID? = nil
    ) -> Registration {
        Registration(
            id: id ?? owner, name: name, webhook: webhook, offer: offer, createdAt: UnixTime(1),
            refreshedAt: UnixTime(2), version: 5)
    }

    @Test("A first registration stores webhook, name and offer, and remembers the statement")
    func first() throws {
        let expected = Registration(
            id: owner, name: alice, webhook: webhook, offer: "lno1", createdAt: Self.start, refreshedAt: Self.start)
        #expect(
            try actions(.register(webhook: webhook, name: alice, offer: "lno1"))
                == [.use(claim), .put(expected), .unhold(alice)])
    }

    @Test("Renewing without a name keeps the name, and drops the offer")
    func renewal() throws {
        var expected = registered(alice, webhook: webhook)
        expected.refreshedAt = Self.start
        let state = RegistrationState(own: registered(alice, webhook: nil, offer: "lno1"))
        #expect(
            try actions(.register(webhook: webhook, name: nil, offer: nil), state) == [.use(claim), .put(expected)])
    }

    @Test("A new name takes the place of the old one, which is held for its owner")
    func renaming() throws {
        let state = RegistrationState(own: registered(alice, webhook: webhook))
        let result = try actions(.register(webhook: webhook, name: bob, offer: nil), state)
        #expect(result.contains(.hold(alice, for: OwnerDigest(of: owner.key))) && result.contains(.unhold(bob)))
        // Stored first: the name must not be free in between.
        guard case .put(let changed) = result[1] else {
            Issue.record("nothing stored")
            return
        }
        #expect(changed.name == bob)
    }

    @Test("A name of an account, of another key, reserved, or held for another cannot be taken")
    func names() throws {
        let held = NameState.held(for: OwnerDigest(of: other.key), since: UnixTime(Self.start.seconds - 99))
        for (nameState, refusal) in [
            (.account, .nameTaken(alice)), (.registered(other.key), .nameTaken(alice)),
            (.reserved, .nameReserved(alice)),
            (held, .nameReserved(alice)),
        ] as [(NameState, RegistrationRefusal)] {
            for change in [take(alice), .offer("lno1", name: alice)] {
                #expect(throws: refusal) { try actions(change, RegistrationState(nameState: nameState)) }
            }
        }
        let admin = try AddressName("admin")
        for name in [admin, .root] {
            #expect(throws: RegistrationRefusal.nameReserved(name)) { try actions(take(name)) }
        }
    }

    @Test("A held name may be taken by its last owner at any time, and by others when its time is over")
    func holds() throws {
        let own = NameState.held(for: OwnerDigest(of: owner.key), since: Self.start)
        #expect(try !actions(take(alice), RegistrationState(nameState: own)).isEmpty)
        let over = NameState.held(for: OwnerDigest(of: other.key), since: UnixTime(Self.start.seconds - 100))
        #expect(try !actions(take(alice), RegistrationState(nameState: over)).isEmpty)
        let forEver = RegistrationRules()
        let long = NameState.held(for: OwnerDigest(of: other.key), since: UnixTime(0))
        #expect(!forEver.isAvailable(alice, to: owner.key, long, at: Self.start))
    }

    @Test("Whoever has given up three names in a month takes no other one until the first is a month old")
    func releases() throws {
        let month: UInt64 = 30 * 86_400
        var state = RegistrationState(own: registered(alice, webhook: webhook))
        state.releases = [Self.start, UnixTime(Self.start.seconds - month + 10), Self.start]
        #expect(throws: RegistrationRefusal.tooManyNames(retryAfter: 10)) {
            try actions(.register(webhook: webhook, name: bob, offer: nil), state)
        }
        // Its own again, and the present one, are no new names.
        state.nameState = .held(for: OwnerDigest(of: owner.key), since: Self.start)
        #expect(try !actions(.register(webhook: webhook, name: bob, offer: nil), state).isEmpty)
        state.nameState = .registered(owner.key)
        #expect(try !actions(.register(webhook: webhook, name: alice, offer: nil), state).isEmpty)
        state.nameState = .free
        state.releases.removeLast()
        #expect(try !actions(.register(webhook: webhook, name: bob, offer: nil), state).isEmpty)
    }

    @Test("Unregistering deletes everything and holds the name, if that webhook is the registered one")
    func unregistering() throws {
        let state = RegistrationState(own: registered(alice, webhook: webhook))
        #expect(
            try actions(.unregister(webhook: webhook), state)
                == [.use(claim), .remove(owner), .hold(alice, for: OwnerDigest(of: owner.key))])
        let elsewhere = try WebhookURL("https://old.example/")
        #expect(try actions(.unregister(webhook: elsewhere), state) == [.use(claim)])
        #expect(try actions(.unregister(webhook: webhook)) == [.use(claim)])
    }

    @Test("A used statement is repeated when it asks for the present state, and refused otherwise")
    func replays() throws {
        let register = RegistrationOrder.Change.register(webhook: webhook, name: alice, offer: nil)
        var state = RegistrationState(own: registered(alice, webhook: webhook), used: [.change])
        #expect(try actions(register, state).isEmpty)
        #expect(throws: RegistrationRefusal.replayed) { try actions(.unregister(webhook: webhook), state) }
        state.own?.name = bob
        #expect(throws: RegistrationRefusal.replayed) { try actions(register, state) }
        state.own = nil
        #expect(throws: RegistrationRefusal.replayed) { try actions(register, state) }
        #expect(try actions(.unregister(webhook: webhook), state).isEmpty)
    }

    @Test("A used withdrawal of an offer is repeated where there is none, and refused otherwise")
    func replayedWithdrawal() throws {
        var state = RegistrationState(own: registered(alice, webhook: webhook), used: [.change])
        #expect(try actions(.withdrawOffer, state).isEmpty)
        state.own?.offer = "lno1"
        #expect(throws: RegistrationRefusal.replayed) { try actions(.withdrawOffer, state) }
    }

    private let reading = StatementClaim(.read, digest: Array(repeating: 8, count: 32), expiresAt: start)

    @Test("Who recovers changes nothing, as often as it is asked; the statement is used, also where nothing is found")
    func recovering() throws {
        let own = registered(alice, webhook: webhook)
        for own in [own, nil] {
            #expect(try actions(.recover, RegistrationState(own: own), claiming: [reading]) == [.use(reading)])
            #expect(try actions(.recover, RegistrationState(own: own, used: [.read]), claiming: [reading]).isEmpty)
        }
    }

    @Test("What was used to recover registers where nothing was found, and renews what is there, but changes nothing")
    func registeringByWhatRecovered() throws {
        func actions(
            _ own: Registration?, used: Set<StatementClaim.Use> = [.read]
        ) throws(RegistrationRefusal) -> [RegistrationAction] {
            try self.actions(
                .register(webhook: webhook, name: nil, offer: nil), RegistrationState(own: own, used: used),
                claiming: [claim, reading])
        }
        let first = Registration(id: owner, webhook: webhook, createdAt: Self.start, refreshedAt: Self.start)
        #expect(try actions(nil) == [.use(claim), .put(first)])
        var renewed = registered(alice, webhook: webhook)
        renewed.refreshedAt = Self.start
        #expect(try actions(registered(alice, webhook: webhook)) == [.use(claim), .put(renewed)])
        for changed in [
            registered(alice, webhook: webhook, offer: "lno1"),
            registered(alice, webhook: try WebhookURL("https://nds.example/api?token=new")),
        ] {
            #expect(throws: RegistrationRefusal.replayed) { try actions(changed) }
        }
        #expect(throws: RegistrationRefusal.replayed) { try actions(nil, used: [.change, .read]) }
    }

    @Test("An offer needs no webhook; withdrawing it leaves the rest")
    func offers() throws {
        let expected = Registration(
            id: owner, name: alice, offer: "lno1", createdAt: Self.start, refreshedAt: Self.start)
        #expect(try actions(.offer("lno1", name: alice)) == [.use(claim), .put(expected), .unhold(alice)])
        let state = RegistrationState(own: registered(alice, webhook: nil, offer: "lno1"))
        #expect(try actions(.withdrawOffer, state) == [.use(claim), .put(registered(alice, webhook: nil))])
        #expect(try actions(.withdrawOffer) == [.use(claim)])
        // Of a registration that has nothing else, nothing is left.
        let offered = registered(nil, webhook: nil, offer: "lno1")
        #expect(try actions(.withdrawOffer, RegistrationState(own: offered)) == [.use(claim), .remove(owner)])
        let posted = registered(nil, webhook: webhook, offer: "lno1")
        #expect(
            try actions(.withdrawOffer, RegistrationState(own: posted))
                == [.use(claim), .put(registered(nil, webhook: webhook))])
    }

    @Test("A webhook's URL is printed without the token in it")
    func tokens() {
        #expect("\(webhook)" == "https://nds.example")
        #expect(!String(reflecting: registered(alice, webhook: webhook)).contains("token"))
        var dumped = ""
        dump(registered(alice, webhook: webhook), to: &dumped)
        #expect(!dumped.contains("token"))
    }
}
