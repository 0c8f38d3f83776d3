package import LedgerRecords
package import ResponderModel

/// The migrations that the tables of a server have.
package struct AppliedSchema: Hashable, Sendable {
    package struct Step: Hashable, Sendable {
        package let name: String
        /// How many migrations a program must know to run after it: 0 after one that expands.
        package let oldestProgram: Int
    }

    /// All of them, oldest first.
    package let steps: [Step]

    package var names: [String] { steps.map(\.name) }

    /// How many migrations a program must know to use the tables.
    package var oldestProgram: Int { steps.map(\.oldestProgram).max() ?? 0 }

    /// Why a program may not use the tables; nil when it may.
    package func obstacle(to schema: Schema) -> LedgerFault? {
        let known = schema.migrations.map(\.name)
        guard zip(names, known).allSatisfy(==) else {
            return .corrupt("the migrations of \(schema.component) are not ours")
        }
        if names.count < known.count { return .olderSchema(found: names.count, needed: known.count) }
        if oldestProgram > known.count { return .newerVersion(found: names.count, supported: known.count) }
        return nil
    }
}
