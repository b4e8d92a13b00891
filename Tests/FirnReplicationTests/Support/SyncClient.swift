import FirnEngine
import FirnPlatform
import FirnQuery
import FirnTesting
import FirnValues
import Testing

@testable import FirnReplication

/// A file that replicates with a server.
final class SyncClient {
    let database: Database
    let upstream: Upstream

    private typealias Property = ClassDefinition.Property

    static let definitions = [
        ClassDefinition(
            name: "Address",
            properties: [
                Property(name: "street", type: PropertyType(.string)),
                Property(name: "since", type: PropertyType(.date, isOptional: true)),
                Property(
                    name: "city", type: PropertyType(.link, isOptional: true), targetName: "City"),
            ], isEmbedded: true),
        ClassDefinition(
            name: "City",
            properties: [
                Property(name: "name", type: PropertyType(.string)),
                Property(name: "size", type: PropertyType(.int)),
            ], keyName: "name"),
        ClassDefinition(
            name: "Person",
            properties: [
                Property(name: "id", type: PropertyType(.int)),
                Property(name: "name", type: PropertyType(.string, isOptional: true)),
                Property(name: "age", type: PropertyType(.int, isOptional: true)),
                Property(name: "score", type: PropertyType(.double, isOptional: true)),
                Property(name: "ratio", type: PropertyType(.float, isOptional: true)),
                Property(name: "price", type: PropertyType(.decimal128, isOptional: true)),
                Property(name: "when", type: PropertyType(.date, isOptional: true)),
                Property(name: "data", type: PropertyType(.data, isOptional: true)),
                Property(name: "token", type: PropertyType(.uuid, isOptional: true)),
                Property(name: "oid", type: PropertyType(.objectID, isOptional: true)),
                Property(name: "flag", type: PropertyType(.bool, isOptional: true)),
                Property(name: "tags", type: PropertyType(.string, container: .list)),
                Property(name: "nums", type: PropertyType(.int, container: .set)),
                Property(
                    name: "home", type: PropertyType(.link, isOptional: true), targetName: "City"),
                Property(
                    name: "friends", type: PropertyType(.link, container: .list),
                    targetName: "Person"),
                Property(name: "marks", type: PropertyType(.double, container: .map)),
                Property(
                    name: "kin", type: PropertyType(.link, isOptional: true, container: .map),
                    targetName: "Person"),
                Property(name: "extra", type: PropertyType(.any, isOptional: true)),
                Property(name: "visits", type: PropertyType(.date, container: .list)),
                Property(
                    name: "address", type: PropertyType(.link, isOptional: true),
                    targetName: "Address"),
                Property(
                    name: "addresses", type: PropertyType(.link, container: .list),
                    targetName: "Address"),
            ], keyName: "id"),
    ]

    init(
        _ path: String, _ definitions: [ClassDefinition] = SyncClient.definitions,
        services: SystemServices = .real
    ) throws {
        let creation = try Store.create(path, services: services)
        let transaction = try creation.store.beginWrite()
        if !definitions.isEmpty { _ = try transaction.addClasses(definitions) }
        _ = try transaction.commit()
        try creation.publish()
        database = Database(creation.store)
        upstream = Upstream(database)
    }

    /// Creates a file that replicates with a server, which it prepares.
    convenience init(_ path: String, attachedTo address: String, _ queries: [String]) throws {
        try self.init(path)
        try prepare(address)
        try attach(address, queries)
    }

    /// Exchanges the changes of files one after another, and expects all to have the objects of the server.
    static func cycle(_ clients: [SyncClient]) throws {
        for client in clients { _ = try client.upstream.synchronize() }
        for client in clients {
            for comparison in try client.upstream.verify() {
                #expect(comparison.isEqual, "\(comparison)")
            }
        }
    }

    /// Prepares the server for the classes of the file.
    func prepare(_ address: String, rules: TextMap<ConflictRules> = [:]) throws {
        try Upstream.prepareServer(for: database, at: address, rules: rules)
    }

    func attach(_ address: String, _ queries: [String]) throws {
        try upstream.attach(
            address,
            client: UUID(
                high: SystemEntropy().random64(), low: SystemEntropy().random64()))
        try subscribe(queries)
    }

    func subscribe(_ queries: [String]) throws {
        let snapshot = try database.snapshot()
        let transaction = try database.store.beginWrite()
        var edits: [SubscriptionEdit] = [.removeAll(unnamedOnly: false)]
        for query in queries {
            let bound = try snapshot.bound(query)
            edits.append(
                .put(
                    UUID(high: SystemEntropy().random64(), low: 0), name: nil,
                    className: bound.classSchema.name, query: bound.description))
        }
        _ = try StoredSubscriptions.apply(
            edits, now: Timestamp(seconds: 0), in: transaction, path: database.store.path)
        _ = try transaction.commit()
    }

    // MARK: Data

    /// Creates an object, or changes some of its properties.
    func put(_ className: String, _ fields: TextMap<Value>) throws {
        try write { transaction in try SyncClient.put(className, fields, in: transaction) }
    }

    static func put(
        _ className: String, _ fields: TextMap<Value>, in transaction: WriteTransaction
    ) throws {
        let schema = try present(transaction.schema.classNamed(className))
        let values = try fields.map { name, value in
            (property: try present(schema.propertyNamed(name)).id, value: value)
        }
        _ = try transaction.put(values, in: schema.id, policy: .upsert)
    }

    /// Adds 1 to a property of an object.
    ///
    /// - Returns: whether the object exists.
    func increment(_ className: String, _ key: Value, _ property: String) throws -> Bool {
        var isThere = false
        // In one transaction: another process may write between the reading and the writing.
        try write { transaction in
            let schema = try present(transaction.schema.classNamed(className))
            let counter = try present(schema.propertyNamed(property))
            guard let row = try transaction.row(forKey: key, in: schema.id),
                let index = schema.index(of: counter.id),
                case .int(let total)? = try transaction.values(of: row, in: schema.id)?[index]
            else { return }
            try transaction.set(counter.id, of: row, in: schema.id, to: .int(total + 1))
            isThere = true
        }
        return isThere
    }

    /// Creates an object with an embedded one in a property, or in a list if there are several.
    func embed(
        _ property: String, of className: String, _ key: Value, _ addresses: [TextMap<Value>],
        isList: Bool = false
    ) throws {
        try write { transaction in
            let schema = try present(transaction.schema.classNamed(className))
            let target = try present(transaction.schema.classNamed("Address"))
            let row = try present(transaction.row(forKey: key, in: schema.id))
            let links = try addresses.map { fields in
                let values = target.properties.map { fields[$0.name] ?? .null }
                return Value.link(
                    ObjectReference(
                        classID: target.id,
                        rowID: try transaction.create(in: target.id, values)))
            }
            try transaction.set(
                present(schema.propertyNamed(property)).id, of: row, in: schema.id,
                to: isList ? .list(links) : links.first ?? .null)
        }
    }

    /// Changes a property of an embedded object in place.
    func change(
        _ property: String, to value: Value, embeddedIn owner: String, of className: String,
        _ key: Value
    ) throws {
        try write { transaction in
            let schema = try present(transaction.schema.classNamed(className))
            let row = try present(transaction.row(forKey: key, in: schema.id))
            let index = try present(schema.index(of: present(schema.propertyNamed(owner)).id))
            let values = try present(transaction.values(of: row, in: schema.id))
            let targets = values[index].linkTargets
            let target = try present(targets.first)
            let type = try present(transaction.schema[target.classID])
            try transaction.set(
                present(type.propertyNamed(property)).id, of: target.rowID, in: target.classID,
                to: value)
        }
    }

    /// The JSON of a property, which is the same in all files.
    func json(_ className: String, _ key: Value, _ property: String) throws -> String? {
        let snapshot = try database.store.snapshot()
        let value = try value(className, key, property)
        let schema = try present(snapshot.schema.classNamed(className))
        let column = try present(
            SyncedClass(schema, in: snapshot.schema).column(named: property))
        return try value.flatMap { try ValueTexts(snapshot).texts($0, column).first ?? nil }
    }

    func delete(_ className: String, _ key: Value) throws {
        try write { transaction in
            let schema = try present(transaction.schema.classNamed(className))
            if let row = try transaction.row(forKey: key, in: schema.id) {
                try transaction.delete(row, in: schema.id)
            }
        }
    }

    /// Returns a link to an object, or nil if it does not exist.
    func link(_ className: String, _ key: Value) throws -> Value {
        let snapshot = try database.store.snapshot()
        guard let schema = snapshot.schema.classNamed(className),
            let row = try snapshot.table(schema.id)?.row(forKey: key)
        else { return .null }
        return .link(ObjectReference(classID: schema.id, rowID: row))
    }

    func write(_ body: (WriteTransaction) throws -> Void) throws {
        let transaction = try database.store.beginWrite()
        try body(transaction)
        _ = try transaction.commit()
    }

    /// Commits like a program, which may only create objects of the subset.
    func writeChecked(_ body: (WriteTransaction) throws -> Void) throws {
        let transaction = try database.beginWrite()
        try body(transaction)
        _ = try transaction.commit()
    }

    /// The keys of the objects that a query finds.
    func keys(_ query: String) throws -> [String] {
        let snapshot = try database.snapshot()
        let bound = try snapshot.bound(query)
        let texts = ValueTexts(snapshot.snapshot)
        return try snapshot.rowIDs(bound).map { row in
            let key = try texts.key(
                of: ObjectReference(classID: bound.classSchema.id, rowID: row))
            // A key with U+0000 has no text.
            return (try? SyncedClass.keyText(key ?? .null)) ?? ""
        }.sorted()
    }

    /// The value of a property.
    func value(_ className: String, _ key: Value, _ property: String) throws -> Value? {
        let snapshot = try database.store.snapshot()
        guard let schema = snapshot.schema.classNamed(className),
            let table = snapshot.table(schema.id), let row = try table.row(forKey: key),
            let values = try table.values(of: row), let known = schema.propertyNamed(property),
            let index = schema.index(of: known.id)
        else { return nil }
        return values[index]
    }
}

struct MissingValue: Error {}

func present<Value>(_ value: Value?) throws -> Value {
    guard let value else { throw MissingValue() }
    return value
}

/// Runs a step again while it fails for a reason that passes, for a minute at most.
func untilQuiet(_ step: () throws(UpstreamError) -> Void) throws {
    let clock = SystemClock()
    let end = clock.monotonicNanoseconds() + 60_000_000_000
    while true {
        do throws(UpstreamError) { return try step() } catch {
            guard error.isTransient, clock.monotonicNanoseconds() < end else { throw error }
        }
    }
}
