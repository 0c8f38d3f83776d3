import LedgerRecords
import ResponderCore
import ServiceSetup
import Glibc
import HTTPService
import ArgumentParser
import LNURL
import LightningCoding
import LightningCrypto
import Platform
import QRCodes
import ResponderModel
import SQLiteLedger
import TemporaryFolders
import Testing

@testable import ServiceCommand

@Suite("Commands on the data folder", .timeLimit(.minutes(5)))
struct CommandTests: CommandFixture {
    let temporary = TemporaryFolder()

    /// An invoice of alice, made like by the service.
    private func issueInvoice() async throws -> PaymentHash {
        let installation = try await installation()
        let directory = try await installation.serviceParts().responder
        let query = CallbackQuery(amount: Millisatoshi(21_000), comment: "hi")
        _ = try await directory.payResponder(for: Recipient(AccountID("alice@127.0.0.1:8080")))
            .payInvoice(query, token: nil, for: Payer())
        let page = try await installation.ledger.invoices(InvoiceQuery(now: .now(), limit: 1))
        await installation.close()
        return try #require(page.elements.first).paymentHash
    }

    @Test("An account is added, listed, shown, changed and removed")
    func accounts() async throws {
        let added = try await run(AccountAdd.self, "Alice", "--max", "0.001btc", "--ask", "name=mandatory")
        #expect(added.json["address"] == "alice@127.0.0.1:8080")
        #expect(added.json["maxSendable"] == 100_000_000)
        #expect(added.json["payerData"] == ["name": "mandatory"])
        #expect(try await failure(AccountAdd.self, "alice")?.status == .no)
        #expect(try await run(AccountList.self).json["accounts"]?.array?.map { $0["name"] } == ["alice"])
        let changed = try await run(
            AccountSet.self, "alice", "--max", "none", "--min", "1500msat", "--ask", "name=no",
            "--success-message", "Thank you", "--comment-allowed", "0", "--mailbox"
        )
        #expect(changed.json["maxSendable"] == nil)
        #expect(changed.json["minSendable"] == 1500)
        #expect(changed.json["payerData"] == nil)
        #expect(changed.json["successAction"] == ["message": "Thank you"])
        #expect(changed.json["mailbox"] == true)
        #expect(changed.json["version"] == 2)
        let shown = try #require(try await run(AccountShow.self, "ALICE").json.object)
        #expect(shown.members.dropLast() == (changed.json.object?.members ?? [])[...])
        let webhook = try #require(shown["webhook"]?.string)
        #expect(webhook.wholeMatch(of: /http:\/\/127\.0\.0\.1:8080\/webhook\/alice\/[0-9a-f]{32}/) != nil)
        #expect(try await run(AccountShow.self, "alice").json["webhook"]?.string == webhook)
        #expect(try await run(AccountRemove.self, "alice").json == ["removed": "alice", "domain": "127.0.0.1:8080"])
        #expect(try await failure(AccountShow.self, "alice")?.status == .no)
        #expect(try await failure(AccountRemove.self, "alice")?.status == .no)
    }

    @Test(
        "Invalid settings are refused as a wrong command line",
        arguments: [
            ["al ice"], ["alice", "--min", "7"], ["alice", "--ask", "color=no"], ["alice", "--ask", "name=perhaps"],
            ["alice", "--min", "2sat", "--max", "1sat"], ["alice", "--backend", "lnd"], ["alice", "--description", ""],
            ["alice", "--success-message", "a", "--success-secret", "b"], ["alice", "--invoice-expiry", "1"],
            ["alice", "--invoice-expiry", "59"], ["alice", "--invoice-expiry", "604801"],
            ["alice", "--comment-allowed", "2001"], ["alice", "--comment-allowed=-1"],
            ["alice", "--comment-allowed", "99999"], ["alice", "--max", "30000000btc"], ["alice", "--max", "0sat"],
            ["alice", "--min", "0sat"], ["alice", "--min", "21"], ["alice", "--max", "21"],
            ["alice", "--success-url", "https://other.example/", "--success-description", "x"],
        ]
    )
    func badSettings(arguments: [String]) async throws {
        let failure = await #expect(throws: CommandFailure.self) {
            try await AccountAdd.parse(arguments + data).perform()
        }
        #expect(failure?.status == .usage)
        #expect(failure?.reasons.first?.contains("damaged") == false)
    }

    @Test(
        "The extreme valid settings are accepted and read back",
        arguments: [
            ["--invoice-expiry", "60"], ["--invoice-expiry", "604800"], ["--comment-allowed", "0"],
            ["--comment-allowed", "2000"], ["--min", "1msat"], ["--max", "21000000btc"],
        ])
    func outermostSettings(arguments: [String]) async throws {
        _ = try await AccountAdd.parse(["alice"] + arguments + data).perform()
        #expect(try await run(AccountShow.self, "alice").json["name"] == "alice")
    }

    @Test("An empty list says so, and that of an unknown account fails")
    func emptyLists() async throws {
        _ = try await run(AccountAdd.self, "alice")
        #expect(try await run(Invoices.self).text == "There are no invoices.\n")
        #expect(try await run(Events.self).text == "There are no events.\n")
        #expect(try await run(OfferList.self).text == "No offers.\n")
        #expect(try await run(Invoices.self, "--account", "alice").json["invoices"] == [])
        let unknown = CommandFailure(.no, "no account bob@127.0.0.1:8080")
        #expect(try await failure(Invoices.self, "--account", "bob") == unknown)
        #expect(try await failure(Events.self, "--account", "bob") == unknown)
        #expect(try await failure(OfferList.self, "--account", "bob") == unknown)
        _ = try await run(AccountRemove.self, "alice")
        #expect(try await run(AccountList.self).text == "No accounts; add one with `account add NAME`.\n")
    }

    @Test("The invoices of a removed account are still listed")
    func removedAccount() async throws {
        _ = try await run(AccountAdd.self, "alice")
        _ = try await issueInvoice()
        _ = try await run(AccountRemove.self, "alice")
        #expect(try await run(Invoices.self, "--account", "alice").json["invoices"]?.array?.count == 1)
        #expect(try await run(Invoices.self, "--account", "alice", "--state", "settled").json["invoices"] == [])
    }

    @Test("An account is shown in words: its LNURL, its limits, and no JSON keys")
    func accountInWords() async throws {
        let bounds = [
            "--min", "1sat", "--max", "0.001btc", "--ask", "email=optional", "--success-message", "Thank you",
        ]
        _ = try await AccountAdd.parse(["alice"] + bounds + data).perform()
        let shown = try await run(AccountShow.self, "alice")
        let lnurl = try #require(shown.json["lnurl"]?.string)
        #expect(try EncodedURL.decode(lnurl).text == "http://127.0.0.1:8080/.well-known/lnurlp/alice")
        for line in [
            "Address:        alice@127.0.0.1:8080\n", "LNURL:          \(lnurl)\n",
            "Amounts:        1 sat to 100000 sat, within the node's limits\n",
            "Comments:       up to 255 characters\n", "Payer data:     email (optional)\n",
            "After paying:   shows “Thank you”\n", "Invoices:       valid for 600 seconds\n",
        ] { #expect(shown.text.contains(line), "\(line)\(shown.text)") }
        #expect(!shown.text.contains("minSendable"))
        _ = try await run(AccountSet.self, "alice", "--min", "none", "--max", "none")
        let unlimited = try await run(AccountShow.self, "alice").text
        #expect(unlimited.contains("Amounts:        1 sat to the node's maximum, within the node's limits\n"))
    }

    @Test("The QR code of an account contains its LNURL in capital letters")
    func accountCode() async throws {
        _ = try await run(AccountAdd.self, "alice")
        let shown = try await run(AccountShow.self, "alice", "--qr")
        let lnurl = try #require(shown.json["lnurl"]?.string)
        let code = try QRCode(lnurl.uppercased()).terminalText(.plain)
        #expect(shown.json["qr"]?.string == code)
        #expect(shown.text.hasPrefix(code))
        #expect(try await run(AccountShow.self, "alice").json["qr"] == nil)
    }
    @Test("Reading commands work on a read-only data folder, and writing ones say that they cannot")
    func readOnlyFolder() async throws {
        _ = try await run(AccountAdd.self, "alice")
        _ = try await issueInvoice()
        FileModes.set(0o711, on: temporary.path)
        await #expect(processExitsWith: .success) { [folder = folder as String] in
            // Root may write everywhere, so the folder is given to another user.
            for name in try PrivateFolder(path: folder).names() + ["."] {
                if getuid() == 0 { chown(folder + "/" + name, 65_534, 65_534) }
                FileModes.set(name == "." ? 0o500 : 0o400, on: folder + "/" + name)
            }
            if getuid() == 0 { setuid(65_534) }
            let data = ["--data-directory", folder]
            #expect(try await Invoices.parse(data).perform().json["invoices"]?.array?.count == 1)
            #expect(try await Events.parse(data).perform().json["events"] == [])
            #expect(try await Check.parse(data).perform().json["sound"] == true)
            #expect(try await AccountList.parse(data).perform().json["accounts"]?.array?.count == 1)
            _ = try await AccountShow.parse(["alice"] + data).perform()
            let failure = await #expect(throws: CommandFailure.self) {
                try await AccountSet.parse(["alice", "--min", "2sat"] + data).perform()
            }
            #expect(failure == CommandFailure(.input, "the ledger cannot be written"))
        }
        FileModes.set(0o700, on: folder)
    }

    @Test("A command that needs a ledger does not create one")
    func noLedger() async throws {
        #expect(try await failure(AccountList.self)?.status == .noInput)
        #expect(try await failure(Invoices.self)?.status == .noInput)
        #expect(try await failure(Check.self)?.status == .noInput)
        #expect(!PrivateFile(path: temporary.path + "/data").exists)
    }

    @Test("An invoice is listed, settled by command once, and shown as settled without a service")
    func settle() async throws {
        _ = try await run(AccountAdd.self, "alice")
        let hash = try await issueInvoice()
        let open = try await run(Invoices.self, "--state", "open", "--account", "alice")
        #expect(open.json["invoices"]?.array?.first?["paymentHash"]?.string == hash.hexadecimal)
        #expect(open.json["invoices"]?.array?.first?["comment"] == "hi")
        let settled = try await run(Settle.self, hash.hexadecimal)
        #expect(settled.json["state"] == "settled")
        #expect(try Preimage(hexadecimal: settled.json["preimage"]?.string ?? "").paymentHash == hash)
        #expect(try await run(Invoices.self, "--state", "settled").json["invoices"]?.array?.count == 1)
        #expect(try await failure(Settle.self, hash.hexadecimal)?.reasons == ["the invoice is already settled"])
    }

    @Test("An unknown invoice cannot be settled")
    func settleUnknown() async throws {
        _ = try await run(AccountAdd.self, "alice")
        #expect(try await failure(Settle.self, String(repeating: "0", count: 64))?.status == .no)
        #expect(try await failure(Settle.self, "0")?.status == .usage)
    }

    @Test("Pages of invoices follow each other", arguments: [("0", false), ("1001", false), ("1", true)])
    func limit(limit: String, isAllowed: Bool) async throws {
        _ = try await run(AccountAdd.self, "alice")
        #expect(try await failure(Invoices.self, "--limit", limit)?.status == (isAllowed ? nil : .usage))
    }

    @Test("A backup restores into an empty folder: accounts, invoices and every key")
    func backup() async throws {
        _ = try await run(AccountAdd.self, "alice")
        let hash = try await issueInvoice()
        #expect(try await installation().backends[.embedded]?.status(of: hash) == .open)
        let before = try await run(AccountShow.self, "alice").json
        let saved = temporary.path + "/backup"
        let made = try await run(Backup.self, saved)
        let keys = [
            "embedded-node.key", "challenge.key", "webhook.key", "offer-seed.key", "responder.key", "admin.token",
        ]
        #expect(made.json["files"]?.array?.map(\.string) == ["ledger.sqlite", "embedded-node.sqlite"] + keys)
        #expect(temporary.names == ["backup", "data"])
        #expect(try await failure(Backup.self, saved)?.status == .cannotCreate)

        let restored = temporary.path + "/restored"
        func there<Command: ReportingCommand>(_: Command.Type, _ arguments: String...) async throws -> CommandResult {
            try await Command.parse(arguments + ["--data-directory", restored]).perform()
        }
        _ = try await there(Restore.self, saved)
        #expect(temporary.names == ["backup", "data", "restored"])
        for key in keys {
            let original = try PrivateFile(path: temporary.path + "/data/" + key).contents(limit: 100)
            #expect(try PrivateFile(path: restored + "/" + key).contents(limit: 100) == original)
        }
        #expect(try await there(Check.self).json["invoices"] == 1)
        #expect(try await there(AccountShow.self, "alice").json == before)
        let copy = try await Installation.open(SettingOptions.parse(["--data-directory", restored]).configuration())
        #expect(try await copy.backends[.embedded]?.status(of: hash) == .open)
        #expect(try await there(Settle.self, hash.hexadecimal).json["state"] == "settled")
    }

    @Test("A lost file of the embedded node is reported, and not made anew")
    func lostNode() async throws {
        _ = try await run(AccountAdd.self, "alice")
        let file = PrivateFile(path: folder + "/embedded-node.sqlite")
        file.remove()
        let missing = CommandFailure(.data, ["\(file.path): the embedded node's invoices are missing"])
        #expect(try await failure(Check.self) == missing)
        #expect(try await failure(Backup.self, temporary.path + "/backup") == missing)
        #expect(!file.exists)
        // A fault of that file is not taken for one of the ledger.
        try file.create([UInt8]("not a database".utf8))
        #expect(try await failure(Check.self)?.text.hasPrefix("error: the embedded node's database: ") == true)
    }

    @Test("The work of a command is followed by closing, also when it fails", arguments: [false, true])
    func closing(fails: Bool) async throws {
        let installation = try await Installation.openOrMake(SettingOptions.parse(data).configuration())
        do throws(CommandFailure) {
            try await installation.closing { _ throws(CommandFailure) in
                if fails { throw CommandFailure(.no, "") }
            }
        } catch {
            #expect(error == CommandFailure(.no, ""))
        }
        let order = InvoiceOrder(amount: Millisatoshi(1000), description: .text("x"), expiry: 60, label: "x")
        await #expect(throws: BackendFault.storage("the database has been closed")) {
            try await installation.backends[.embedded]?.createInvoice(order)
        }
    }

    @Test("A sound ledger is reported as sound")
    func check() async throws {
        _ = try await run(AccountAdd.self, "alice")
        #expect(
            try await run(Check.self).json == [
                "sound": true, "accounts": 1, "invoices": 0, "settled": 0, "events": 0, "registrations": 0,
            ]
        )
    }

    @Test("Every file open to others is named once, and no other")
    func modes() async throws {
        _ = try await run(AccountAdd.self, "alice")
        let data = temporary.path + "/data/"
        let ledger = try await LedgerDatabase.open(at: data + "ledger.sqlite")
        try await ledger.record(
            EventRecord(
                receivedAt: .now(), account: AccountID("alice@127.0.0.1:8080"), type: "t", envelope: "push",
                payload: "{}",
                outcome: .done))
        #expect(try await run(Check.self).json["events"] == 1)
        let wide = [
            ("ledger.sqlite", 0o640), ("ledger.sqlite-wal", 0o604), ("ledger.sqlite-shm", 0o610),
            ("challenge.key", 0o644), ("offer-seed.key", 0o620), ("admin.token", 0o602),
        ]
        for (name, mode) in wide { FileModes.set(mode_t(mode), on: data + name) }
        let failure = try #require(try await failure(Check.self))
        #expect(failure.status == .data)
        #expect(
            failure.reasons
                == wide.map { name, mode in
                    "\(data)\(name): it is accessible to others (mode \(String(mode, radix: 8))); it must be 600: "
                        + "chmod 600 \(data)\(name)"
                })
        for (name, _) in wide { FileModes.set(0o600, on: data + name) }
        #expect(try await run(Check.self).json["sound"] == true)
        await ledger.close()
    }

    @Test("A missing key is found and not created", arguments: ["embedded-node.key", "challenge.key", "admin.token"])
    func missingKey(name: String) async throws {
        _ = try await run(AccountAdd.self, "alice")
        let key = PrivateFile(path: temporary.path + "/data/" + name)
        key.remove()
        let missing = CommandFailure(.data, "\(key.path): the key is missing")
        #expect(try await failure(Check.self) == missing)
        #expect(try await failure(Backup.self, temporary.path + "/backup") == missing)
        #expect(!key.exists)
        #expect(temporary.names == ["data"])
    }

    @Test("A key other than the one that signed the invoices is reported")
    func otherKey() async throws {
        _ = try await run(AccountAdd.self, "alice")
        let hash = try await issueInvoice()
        #expect(try await failure(Check.self) == nil)
        let key = PrivateFile(path: temporary.path + "/data/embedded-node.key")
        key.remove()
        try key.create((String(repeating: "01", count: 32) + "\n").utf8)
        #expect(
            try await failure(Check.self)
                == CommandFailure(.data, "invoice \(hash) is not signed with the node's key"))
    }

    @Test("A node key open to others stops every command that would use it")
    func openKey() async throws {
        _ = try await run(AccountAdd.self, "alice")
        FileModes.set(0o640, on: temporary.path + "/data/embedded-node.key")
        #expect(try await failure(AccountList.self)?.status == .permission)
    }

    @Test("The embedded node does not start on mainnet without explicit confirmation")
    func mainnet() async throws {
        #expect(try await failure(AccountAdd.self, "alice", "--embedded-network", "bitcoin")?.status == .configuration)
        let allowed = try await run(
            AccountAdd.self, "alice", "--embedded-network", "bitcoin", "--embedded-allow-mainnet")
        #expect(allowed.json["name"] == "alice")
    }

    @Test("The settings are shown with their sources")
    func configShow() async throws {
        let shown = try await run(ConfigShow.self, "--info-max-age", "7")
        #expect(shown.json["info-max-age"] == ["value": "7", "from": "--info-max-age"])
        #expect(shown.json["log-format"] == ["value": "text", "from": "default"])
        #expect(shown.json["public-url"]?["value"] == "http://127.0.0.1:8080")
    }

    @Test("Configuration faults give exit code 78, a missing file 66")
    func configCheck() async throws {
        #expect(try await failure(ConfigCheck.self, "--info-max-age", "soon")?.status == .configuration)
        #expect(try await failure(ConfigCheck.self, "--config", temporary.path + "/none")?.status == .noInput)
        #expect(try await failure(ConfigCheck.self) == nil)
        let files = try await failure(
            ConfigCheck.self, "--forwarding-hint-token-file", temporary.path, "--ledger-password-file",
            temporary.path + "/none", "--listen", "here", "--public-url", "https://example.com")
        #expect(files?.status == .configuration)
        #expect(
            files?.reasons == [
                "flag --listen must be host:port",
                "flag --ledger-password-file cannot be read: \(temporary.path)/none: no such file",
                "flag --forwarding-hint-token-file cannot be read: \(temporary.path): Is a directory",
            ])
    }

    @Test(
        "A public URL with the embedded node alone is neither checked nor served without --trial, and makes no folder")
    func trial() async throws {
        let words = ["--public-url", "https://example.com"]
        let fault = try await failure(ConfigCheck.self, words[0], words[1])
        #expect(fault?.status == .configuration && fault?.reasons.first?.contains("--trial") == true)
        #expect(try await failure(ConfigCheck.self, words[0], words[1], "--trial") == nil)
        let exit = await #expect(throws: ExitCode.self) { try await Serve.parse(words + data).run() }
        #expect(exit?.rawValue == ExitStatus.configuration.rawValue)
        #expect(!PrivateFile(path: folder).exists)
    }
}

#if canImport(Darwin)
import Darwin
#else
#endif

enum FileModes {
    static func set(_ mode: mode_t, on path: String) { chmod(path, mode) }
}
