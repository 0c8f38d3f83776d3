import LedgerRecords
import ResponderModel
import TemporaryFolders
import Testing
@testable import SQLiteLedger

@Suite("A write to the ledger's file", .timeLimit(.minutes(5)))
struct WriteTests {
    private let folder = TemporaryFolder()

    @Test("that throws has written nothing, whether it had begun or not, and those beside it are kept")
    func throwing() async throws {
        let ledger = try await LedgerDatabase.open(at: folder.path + "/ledger.sqlite")
        let faults = await withTaskGroup(of: LedgerFault?.self) { group in
            for number in 0..<60 {
                group.addTask {
                    do throws(LedgerFault) {
                        try await ledger.write { connection throws(LedgerFault) in
                            if number % 3 == 0 { throw .otherKeys }
                            try connection.run(
                                "INSERT INTO settlement_cursor (backend, cursor) VALUES ($1, '')", [.text("\(number)")])
                            if number % 3 == 1 { throw .leaseLost }
                        }
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(faults.filter { $0 == .otherKeys }.count == 20 && faults.filter { $0 == .leaseLost }.count == 20)
        let kept = try await ledger.rows("SELECT backend FROM settlement_cursor") { row throws(LedgerFault) in
            try row.text("backend")
        }
        #expect(Set(kept) == Set((0..<60).filter { $0 % 3 == 2 }.map { "\($0)" }))
    }

    @Test("A column that a statement does not have, or of another type, is a fault of the file")
    func columns() async throws {
        let ledger = try await LedgerDatabase.open(at: folder.path + "/ledger.sqlite")
        await #expect(throws: LedgerFault.corrupt("there is no column two")) {
            _ = try await ledger.rows("SELECT 1 AS one") { row throws(LedgerFault) in try row.integer("two") }
        }
        await #expect(throws: LedgerFault.corrupt("unexpected value in one")) {
            _ = try await ledger.rows("SELECT 1 AS one") { row throws(LedgerFault) in try row.text("one") }
        }
    }
}
