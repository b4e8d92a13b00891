import FirnCodec
package import FirnEngine
import FirnValues

/// One version of a crew's database, read as a whole and checked.
package struct CrewState: Hashable, Sendable {
    package let version: UInt64
    /// The number of commits of each member.
    package let sequences: [Int: UInt64]

    /// - Throws: ``CrewBreach`` if it is not the result of a sequence of whole commits.
    package init(_ snapshot: Snapshot) throws {
        let database = try CrewDatabase(snapshot.schema)
        version = snapshot.version.rawValue
        var sequences: [Int: UInt64] = [:]
        for row in try Self.rows(of: database.members, ["number", "sequence"], snapshot) {
            sequences[Int(row[0])] = UInt64(row[1])
        }
        self.sequences = sequences
        let totals = try Self.rows(of: database.totals, ["count"], snapshot).map { $0[0] }
        let sum = sequences.values.reduce(0, +)
        guard totals.count == 2, totals.allSatisfy({ $0 == Int64(sum) }) else {
            throw CrewBreach("version \(version): totals \(totals), but \(sum) commits")
        }
        try checkEntries(
            Self.rows(of: database.entries, ["member", "sequence"], snapshot), sequences)
    }

    private func checkEntries(_ rows: [[Int64]], _ sequences: [Int: UInt64]) throws {
        var found: [Int: [UInt64]] = [:]
        for row in rows { found[Int(row[0]), default: []].append(UInt64(row[1])) }
        for (member, last) in sequences {
            let first = last - min(last, CrewDatabase.keptEntries)
            let expected = Array(first..<last).map { $0 + 1 }
            guard found.removeValue(forKey: member, default: []).sorted() == expected else {
                throw CrewBreach(
                    "version \(version): entries of member \(member) are not those up to \(last)")
            }
        }
        guard found.isEmpty else {
            throw CrewBreach(
                "version \(version): entries of members \(found.keys) that are not there")
        }
    }

    /// Checks that this can follow an earlier version.
    package func check(after earlier: CrewState) throws {
        guard version >= earlier.version else {
            throw CrewBreach("version \(version) after \(earlier.version)")
        }
        for (member, last) in earlier.sequences where sequences[member, default: 0] < last {
            throw CrewBreach(
                "version \(version) has \(sequences[member, default: 0]) commits of member "
                    + "\(member), version \(earlier.version) had \(last)")
        }
    }

    /// The integers of some properties, object by object.
    private static func rows(
        of schema: ClassSchema, _ names: [String], _ snapshot: Snapshot
    ) throws -> [[Int64]] {
        guard let table = snapshot.table(schema.id) else { throw CrewBreach("no \(schema.name)") }
        var rows: [[Int64]] = []
        for group in try table.rowGroups() {
            let live = try group.liveRows()
            let columns = try names.compactMap { schema.propertyNamed($0) }.map {
                try group.column($0)
            }
            for row in 0..<group.rowCount where live.map({ $0[row] }) ?? true {
                rows.append(
                    try columns.map { column in
                        guard case .int(let number) = column.value(at: row), number >= 0 else {
                            throw CrewBreach("\(schema.name) has no number in row \(row)")
                        }
                        return number
                    })
            }
        }
        guard rows.count == table.liveRowCount else {
            throw CrewBreach("\(rows.count) \(schema.name), counted as \(table.liveRowCount)")
        }
        return rows
    }
}

extension Dictionary {
    fileprivate mutating func removeValue(forKey key: Key, default value: Value) -> Value {
        removeValue(forKey: key) ?? value
    }
}
