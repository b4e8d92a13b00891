import FirnEngine
import FirnPlatform
import FirnQuery
import FirnSyntax
import FirnTesting
import FirnValues

/// A few objects of a few classes, with their indices as row ids.
struct LinkedStore {
    let store: Store

    /// - Parameter objects: the objects by class, with values in the order of the properties.
    init(_ definitions: [ClassDefinition], _ objects: [String: [[Value]]]) throws {
        let creation = try Store.create("/l.firn", services: SimulatedFileSystem().services())
        store = creation.store
        let transaction = try store.beginWrite()
        // Target classes come first.
        for schema in try transaction.addClasses(definitions) {
            for values in objects[schema.name] ?? [] {
                try transaction.create(in: schema.id, values)
            }
        }
        _ = try transaction.commit()
        try creation.publish()
    }

    static func property(
        _ name: String, _ base: ValueTag, _ container: PropertyType.Container = .single,
        target: String? = nil
    ) -> ClassDefinition.Property {
        let isOptional =
            base == .any || base == .link && [.single, .map].contains(container)
            || container == .single
        return .init(
            name: name,
            type: PropertyType(base, isOptional: isOptional, container: container),
            targetName: target)
    }

    static func link(_ classID: UInt32, _ row: UInt64) -> Value {
        .link(ObjectReference(classID: ClassID(classID), rowID: RowID(row)))
    }

    /// The row ids of the objects that a query finds.
    func ids(_ text: String) throws -> [UInt64] {
        let snapshot = DatabaseSnapshot(try store.snapshot(), now: Timestamp(seconds: 0))
        let query = try BoundQuery(
            text, entry: .pipeline,
            in: BindingContext(schema: snapshot.schema, now: Timestamp(seconds: 0)))
        // The canonical text of a query finds the same objects.
        let again = try BoundQuery(
            query.description, entry: .pipeline,
            in: BindingContext(schema: snapshot.schema, now: Timestamp(seconds: 0)))
        let found = try snapshot.rowIDs(query).map(\.rawValue)
        guard try snapshot.rowIDs(again).map(\.rawValue) == found else {
            throw QueryError(.usage, "another answer for \(query)", at: 0..<0)
        }
        return found
    }
}
