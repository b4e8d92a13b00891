package import FirnEngine
package import FirnPlatform
import FirnValues

/// The database that a crew works on, built so that every loss and every mixture of versions shows.
///
///     Member   number, sequence            one per member that commits
///     Entry    id, member, sequence, text  the last ``keptEntries`` commits of each member
///     Total    number, count               two, which always agree
///
/// A commit of a member adds the entry with its next sequence, deletes the oldest, stores the
/// sequence and increments both totals. So in every version each member has the expected number of
/// entries, without a gap, and both totals are the sum of all sequences.
package struct CrewDatabase: Sendable {
    /// The number of entries kept for each member.
    package static let keptEntries: UInt64 = 50

    let members: ClassSchema
    let entries: ClassSchema
    let totals: ClassSchema

    private static let definitions = [
        ClassDefinition(
            name: "Member",
            properties: [
                .init(name: "number", type: PropertyType(.int)),
                .init(name: "sequence", type: PropertyType(.int)),
            ], keyName: "number"),
        ClassDefinition(
            name: "Entry",
            properties: [
                .init(name: "id", type: PropertyType(.int)),
                .init(name: "member", type: PropertyType(.int)),
                .init(name: "sequence", type: PropertyType(.int)),
                .init(name: "text", type: PropertyType(.string)),
            ], keyName: "id"),
        ClassDefinition(
            name: "Total",
            properties: [
                .init(name: "number", type: PropertyType(.int)),
                .init(name: "count", type: PropertyType(.int)),
            ], keyName: "number"),
    ]

    /// Creates the database with members that have not committed yet.
    package static func create(
        _ path: String, members count: Int, services: SystemServices = .real
    ) throws {
        var options = StoreOptions()
        // Small groups, so that commits touch several and folding has work to do.
        options.rowsPerGroup = 64
        let creation = try Store.create(path, services: services, options: options)
        let transaction = try creation.store.beginWrite()
        for definition in definitions { _ = try transaction.addClass(definition) }
        let database = try CrewDatabase(transaction.schema)
        for number in 0..<count {
            try transaction.create(in: database.members.id, [.int(Int64(number)), .int(0)])
        }
        for number in 0..<2 {
            try transaction.create(in: database.totals.id, [.int(Int64(number)), .int(0)])
        }
        _ = try transaction.commit()
        try creation.publish()
    }

    package init(_ schema: Schema) throws {
        func find(_ name: String) throws -> ClassSchema {
            guard let found = schema.classNamed(name) else { throw CrewBreach("no class \(name)") }
            return found
        }
        members = try find("Member")
        entries = try find("Entry")
        totals = try find("Total")
    }

    /// Makes the changes of one commit of a member, without committing.
    ///
    /// - Returns: the sequence that the commit gives the member.
    package func step(_ transaction: WriteTransaction, member: Int) throws -> UInt64 {
        let number = Value.int(Int64(member))
        let old = try value("sequence", of: number, in: members, transaction)
        let sequence = old + 1
        try put([("number", number), ("sequence", .int(sequence))], in: members, transaction)
        try put(
            [
                ("id", Self.entryID(member, sequence)), ("member", number),
                ("sequence", .int(sequence)),
                ("text", .string("entry \(sequence) of member \(member)")),
            ], in: entries, transaction)
        let oldest = sequence - Int64(Self.keptEntries)
        if oldest > 0 {
            let id = Self.entryID(member, oldest)
            guard let row = try transaction.row(forKey: id, in: entries.id) else {
                throw CrewBreach("entry \(oldest) of member \(member) is missing")
            }
            try transaction.delete(row, in: entries.id)
        }
        for total in 0..<2 {
            let key = Value.int(Int64(total))
            let count = try value("count", of: key, in: totals, transaction)
            try put([("number", key), ("count", .int(count + 1))], in: totals, transaction)
        }
        return UInt64(sequence)
    }

    private static func entryID(_ member: Int, _ sequence: Int64) -> Value {
        .int(Int64(member) << 40 | sequence)
    }

    private func value(
        _ name: String, of key: Value, in schema: ClassSchema, _ transaction: WriteTransaction
    ) throws -> Int64 {
        guard let row = try transaction.row(forKey: key, in: schema.id),
            let property = schema.propertyNamed(name),
            case .int(let number) = try transaction.value(of: property, of: row, in: schema)
        else { throw CrewBreach("no \(name) of \(schema.name) \(key)") }
        return number
    }

    private func put(
        _ fields: [(name: String, value: Value)], in schema: ClassSchema,
        _ transaction: WriteTransaction
    ) throws {
        let known = fields.compactMap { field in
            schema.propertyNamed(field.name).map { (property: $0.id, value: field.value) }
        }
        _ = try transaction.put(known, in: schema.id, policy: .upsert)
    }
}

/// A broken invariant of a crew's database.
package struct CrewBreach: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
