import FirnCodec
import FirnEngine
import FirnPlatform
import FirnTesting
import FirnValues

/// The expected content of a database of one class: the oracle of the engine's tests.
struct Model: Hashable, Sendable {
    var rows: [UInt64: [Value]] = [:]
    var nextRowID: UInt64 = 0

    mutating func create(_ values: [Value]) {
        rows[nextRowID] = values
        nextRowID += 1
    }
}

/// A class with every type that this format version stores, keyed by an Int.
enum Sample {
    static let definition = ClassDefinition(
        name: "Item",
        properties: [
            .init(name: "id", type: PropertyType(.int)),
            .init(name: "name", type: PropertyType(.string, isOptional: true)),
            .init(name: "score", type: PropertyType(.double, isOptional: true)),
            .init(name: "flag", type: PropertyType(.bool)),
            .init(name: "when", type: PropertyType(.date, isOptional: true)),
        ], keyName: "id")

    /// Values that depend only on the number and the salt; the key is the number.
    static func values(_ number: Int, salt: Int = 0) -> [Value] {
        let mixed = number &* 31 &+ salt &* 7
        return [
            .int(Int64(number)),
            mixed % 5 == 0 ? .null : .string("name-\(mixed % 13)"),
            mixed % 7 == 0 ? .null : .double(Double(mixed) / 4),
            .bool(mixed % 3 == 0),
            mixed % 4 == 0
                ? .null : .date(Timestamp(seconds: Int64(mixed) * 3600, nanoseconds: 0)),
        ]
    }

    static func options(rowsPerGroup: Int) -> StoreOptions {
        var options = StoreOptions()
        options.rowsPerGroup = rowsPerGroup
        return options
    }
}

struct TestFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

extension Store {
    /// The content of the newest version, by row id.
    func contents() throws -> [UInt64: [Value]] {
        try FirnEngineTests.contents(of: snapshot())
    }

    /// The class of ``Sample``.
    func itemClass() throws -> ClassSchema {
        guard let schema = try snapshot().schema.classNamed("Item") else {
            throw TestFailure("class Item is missing")
        }
        return schema
    }
}

/// The content of a snapshot, read page by page.
func contents(of snapshot: Snapshot) throws -> [UInt64: [Value]] {
    var rows: [UInt64: [Value]] = [:]
    for schema in snapshot.schema.classes {
        guard let table = snapshot.table(schema.id) else { continue }
        for group in try table.rowGroups() {
            let live = try group.liveRows()
            let columns = try schema.properties.map { try group.column($0) }
            for row in 0..<group.rowCount where live.map({ $0[row] }) ?? true {
                rows[try group.rowID(at: row).rawValue] = columns.map { $0.value(at: row) }
            }
        }
        guard rows.count == table.liveRowCount else {
            throw TestFailure("\(rows.count) rows, counted as \(table.liveRowCount)")
        }
    }
    return rows
}

/// Creates a database with the class of ``Sample`` and the given number of rows, by a bulk load.
func makeSample(
    _ path: String, rowCount: Int, services: SystemServices, rowsPerGroup: Int = 8
) throws {
    let creation = try Store.create(
        path, services: services, options: Sample.options(rowsPerGroup: rowsPerGroup))
    try loadSample(rowCount, into: creation.store)
    try creation.publish()
}

/// Adds the class of ``Sample`` with the given number of rows, by a bulk load, in one commit.
func loadSample(_ rowCount: Int, into store: Store) throws {
    let transaction = try store.beginWrite()
    let schema = try transaction.addClass(Sample.definition)
    let loader = try transaction.bulkLoader(for: schema.id)
    for number in 0..<rowCount {
        for (column, value) in zip(loader.columns, Sample.values(number)) {
            try column.append(value)
        }
        try loader.endRow()
    }
    try loader.finish()
    _ = try transaction.commit()
}

/// Runs the verifier and fails if it finds anything.
///
/// - Parameter allowingTornCopy: whether one copy of the superblock may be torn, as by a write that
///   a crash or an error interrupted.
func expectSound(_ store: Store, allowingTornCopy: Bool = false) throws {
    var verifier = Verifier(store, isDeep: true)
    let findings = try verifier.run().findings
        .filter { !allowingTornCopy || $0.kind != .superblock }
    guard findings.isEmpty else {
        throw TestFailure("the verifier found: \(findings.map(\.message))")
    }
}
