import FirnEngine
import FirnPlatform
import FirnTesting
import FirnValues

@testable import FirnQuery
@testable import FirnSyntax

/// People with names and ages, friends, lists of pals, notes and marks.
struct LivePeople {
    /// A commit, and its changes.
    struct Step {
        let old: DatabaseSnapshot
        let new: DatabaseSnapshot
        var changes: VersionChanges

        var live: LiveStep { LiveStep(from: old, to: new, by: changes) }
    }

    let store: Store
    let person: ClassSchema

    init(
        _ people: [(name: String, age: Int64?)] = [], options: StoreOptions = StoreOptions()
    ) throws {
        let creation = try Store.create(
            "/p.firn", services: SimulatedFileSystem().services(entropySeed: 1), options: options)
        store = creation.store
        let transaction = try store.beginWrite()
        let link = PropertyType(.link, isOptional: true)
        person = try transaction.addClass(
            ClassDefinition(
                name: "Person",
                properties: [
                    .init(name: "name", type: PropertyType(.string)),
                    .init(name: "age", type: PropertyType(.int, isOptional: true)),
                    .init(name: "friend", type: link, targetName: "Person"),
                    .init(
                        name: "pals", type: PropertyType(.link, container: .list),
                        targetName: "Person"),
                    .init(name: "notes", type: PropertyType(.string, container: .list)),
                    .init(name: "marks", type: PropertyType(.int, container: .set)),
                    .init(name: "limits", type: PropertyType(.int, container: .map)),
                    .init(
                        name: "roles", type: PropertyType(.link, isOptional: true, container: .map),
                        targetName: "Person"),
                ], keyName: nil))
        for (name, age) in people {
            _ = try transaction.create(in: person.id, Self.values(name, age))
        }
        _ = try transaction.commit()
        try creation.publish()
    }

    static func values(_ name: String, _ age: Int64?) -> [Value] {
        [
            .string(name), age.map { .int($0) } ?? .null, .null, .list([]), .list([]), .set([]),
            .map([:]), .map([:]),
        ]
    }

    func snapshot() throws -> DatabaseSnapshot {
        DatabaseSnapshot(try store.snapshot(), now: Timestamp(seconds: 0))
    }

    func query(_ text: String) throws -> BoundQuery {
        try BoundQuery(
            text, entry: .pipeline,
            in: BindingContext(schema: snapshot().schema, now: Timestamp(seconds: 0)))
    }

    func property(_ name: String) throws -> PropertySchema {
        guard let property = person.propertyNamed(name) else { throw Missing() }
        return property
    }

    struct Missing: Error {}

    func link(_ row: UInt64) -> Value {
        .link(ObjectReference(classID: person.id, rowID: RowID(row)))
    }

    /// Commits changes.
    func step(_ body: (WriteTransaction) throws -> Void) throws -> Step {
        let old = try snapshot()
        let transaction = try store.beginWrite()
        try body(transaction)
        _ = try transaction.commit()
        let new = try snapshot()
        return Step(
            old: old, new: new,
            changes: ComparedChanges.between(
                try GraphData(old.snapshot), try GraphData(new.snapshot), from: old.version,
                to: new.version))
    }

    func set(
        _ property: String, of row: UInt64, to value: Value, _ transaction: WriteTransaction
    ) throws {
        try transaction.set(
            self.property(property).id, of: RowID(row), in: person.id, to: value)
    }

    /// Commits edits of a collection, and checks that they are reported.
    func edit(_ name: String, of row: UInt64, _ edits: [CollectionEdit]) throws -> Step {
        let property = try property(name)
        var step = try step { transaction in
            for edit in edits {
                try transaction.edit(property.id, of: RowID(row), in: person.id, edit)
            }
        }
        var changed = step.changes.classes[person.id] ?? ClassChanges()
        changed.modified = [
            ModifiedObject(row: RowID(row), properties: PropertySet([property.id]))
        ]
        changed.edits[CollectionID(row: RowID(row), property: property.id)] = edits
        step.changes.classes[person.id] = changed
        return step
    }
}

extension LiveQuery {
    func advance(_ step: LivePeople.Step) throws -> LiveChange? {
        try advance(step.live)
    }

    var rows: [UInt64] { rowIDs(0..<count).map(\.rawValue) }
}
