import FirnCodec
import FirnEngine
import FirnPlatform
import FirnQuery
import FirnTesting
import FirnValues

/// A database of one class `Item` on a simulated disk.
struct StoredTable {
    let store: Store
    let disk = SimulatedFileSystem()

    /// - Parameter properties: names with types; optional ones end in `?`.
    init(
        _ properties: KeyValuePairs<String, ValueTag>, _ rows: [[Value]], rowsPerGroup: Int = 8
    ) throws {
        var options = StoreOptions()
        options.rowsPerGroup = rowsPerGroup
        let creation = try Store.create(
            "/t.firn", services: disk.services(), options: options)
        store = creation.store
        let transaction = try store.beginWrite()
        let definitions = properties.map { name, kind in
            ClassDefinition.Property(
                name: name.hasSuffix("?") ? String(name.dropLast()) : name,
                type: PropertyType(kind, isOptional: name.hasSuffix("?")))
        }
        let schema = try transaction.addClass(
            ClassDefinition(name: "Item", properties: definitions, keyName: nil))
        let loader = try transaction.bulkLoader(for: schema.id)
        for row in rows {
            for (column, value) in zip(loader.columns, row) { try column.append(value) }
            try loader.endRow()
        }
        try loader.finish()
        _ = try transaction.commit()
        try creation.publish()
    }

    /// A table with one column `x` of integers.
    init(ints: [Int64?], rowsPerGroup: Int = 8) throws {
        try self.init(
            ["x?": .int], ints.map { [$0.map { .int($0) } ?? .null] }, rowsPerGroup: rowsPerGroup)
    }

    func snapshot() throws -> DatabaseSnapshot {
        DatabaseSnapshot(try store.snapshot(), now: Timestamp(seconds: 0))
    }

    func rows(_ text: String) throws -> [[Value]] { try snapshot().rows(text) }

    /// The only value of the only row.
    func value(_ text: String) throws -> Value? {
        let rows = try rows(text)
        return rows.count == 1 && rows[0].count == 1 ? rows[0][0] : nil
    }

    /// The first column as integers.
    func ints(_ text: String) throws -> [Int64?] {
        try rows(text).map { if case .int(let number)? = $0.first { number } else { nil } }
    }

    /// The cost of a query after all its rows were fetched.
    func statistics(_ text: String) throws -> QueryStatistics {
        let result = try snapshot().query(text)
        while try result.next() != nil {}
        return result.statistics
    }

    /// The lines of the plan.
    func plan(_ text: String) throws -> [String] {
        try rows(text + " | explain").map { "\($0[0])" }
    }

    /// Deletes and changes objects by their row ids.
    func change(deleting: [UInt64] = [], setting: [(UInt64, Value)] = []) throws {
        let transaction = try store.beginWrite()
        let schema = transaction.schema.classes[0]
        for row in deleting { try transaction.delete(RowID(row), in: schema.id) }
        for (row, value) in setting {
            try transaction.set(schema.properties[0].id, of: RowID(row), in: schema.id, to: value)
        }
        _ = try transaction.commit()
    }
}
