import FirnEngine
import FirnPlatform
import FirnQuery
import FirnSyntax
import FirnValues
import Foundation

/// Searches unmanaged objects, and values, by the rules for managed objects.
///
/// The elements, and all objects that they link to, are copied into a temporary database in memory.
enum UnmanagedSearch {
    /// Returns the position of the first object that a query finds, or `nil` if there is none.
    ///
    /// - Complexity: O(objects reachable from the elements)
    static func index(
        in elements: [ObjectBase], of type: ObjectBase.Type, _ text: String, _ arguments: [Any]
    ) -> Int? {
        search { copy throws(StoreError) in
            try copy.index(in: elements, of: type, text, arguments)
        }
    }

    /// Returns the position of the first value that a query finds, or `nil` if there is none.
    ///
    /// - Parameter text: A condition in which `SELF` is the value.
    /// - Complexity: O(values)
    static func index<Element: RealmCollectionValue>(
        in values: [Element], _ text: String, _ arguments: [Any]
    ) -> Int? {
        search { copy throws(StoreError) in try copy.index(in: values, text, arguments) }
    }

    private static func search(
        _ body: (UnmanagedCopy) throws(StoreError) -> Int?
    ) -> Int? {
        let path = MemoryRealm.path("search-\(Foundation.UUID().uuidString)")
        do {
            let services = SystemServices.real
            try Store.create(path, services: services).publish()
            let database = try Database.open(path, readOnly: false, services: services)
            defer {
                // A file that cannot be removed only uses memory.
                try? database.store.close()
                _ = try? Store.deleteFiles(path, services: services)
            }
            let transaction = try database.beginWrite()
            defer { transaction.rollback() }
            return try body(UnmanagedCopy(transaction))
        } catch {
            misuse("searching a collection failed: \(Realm.Error(error).message)")
        }
    }
}

/// Copies of unmanaged objects in a transaction that is never committed.
///
/// Keys need not be unique there, and embedded objects need no parent.
private final class UnmanagedCopy {
    /// The identity of an object.
    ///
    /// Managed objects are recreated whenever a link is read.
    private enum Identity: Hashable {
        case instance(ObjectIdentifier)
        case row(ObjectIdentifier, ClassID, RowID)
    }

    private let transaction: WriteTransaction
    private var rows: [Identity: RowID] = [:]
    /// Objects that already have a row, but no values in it.
    private var unfilled: [(object: ObjectBase, row: RowID, schema: ClassSchema)] = []
    /// Objects retained so that their addresses, which identify them, are not reused.
    private var held: [ObjectBase] = []

    init(_ transaction: WriteTransaction) { self.transaction = transaction }

    func index(
        in elements: [ObjectBase], of type: ObjectBase.Type, _ text: String, _ arguments: [Any]
    ) throws(StoreError) -> Int? {
        let schema = try self.schema(of: type)
        var rows: [RowID] = []
        for element in elements { rows.append(try row(of: element, schema)) }
        return try index(of: text, arguments, among: rows, schema)
    }

    /// The names of the value itself.
    private static let valueNames = ["SELF", "self"]

    func index<Element: RealmCollectionValue>(
        in values: [Element], _ text: String, _ arguments: [Any]
    ) throws(StoreError) -> Int? {
        let type = Element._element.type
        guard type.base != .link else {
            misuse(
                "index(matching:) is for collections of objects, and of values: not of optional links"
            )
        }
        // No program has a class of this name.
        let name = "element of the collection"
        try transaction.addClasses([
            ClassDefinition(
                name: name,
                properties: UnmanagedCopy.valueNames.map {
                    ClassDefinition.Property(name: $0, type: type)
                })
        ])
        guard let schema = transaction.schema.classNamed(name) else {
            misuse("a class that was just added is gone")
        }
        var rows: [RowID] = []
        for value in values {
            let stored =
                type.base == .any ? try nested(value, 0) : value._encode(.refusing).value
            guard let stored else { misuse("an element of the collection cannot be read") }
            rows.append(
                try transaction.create(in: schema.id, UnmanagedCopy.valueNames.map { _ in stored }))
        }
        return try index(of: text, arguments, among: rows, schema)
    }

    /// Returns the position of the first row that a query finds.
    private func index(
        of text: String, _ arguments: [Any], among rows: [RowID], _ schema: ClassSchema
    ) throws(StoreError) -> Int? {
        var values: [Value] = []
        for argument in arguments { values.append(try self.argument(argument)) }
        while let (object, row, schema) = unfilled.popLast() { try fill(object, row, schema) }
        let snapshot = DatabaseSnapshot(
            try transaction.snapshot(), now: Timestamp(Foundation.Date()))
        let query: BoundQuery
        do {
            query = try BoundQuery(
                text, entry: .predicate,
                in: BindingContext(
                    schema: snapshot.schema, defaultClass: schema.name, positional: values,
                    now: snapshot.now))
        } catch {
            misuse("the query \"\(text)\" is wrong: \(error.described)")
        }
        do {
            let found = try snapshot.rowIDs(query, among: Array(Set(rows)).sorted())
            return found.first.flatMap { rows.firstIndex(of: $0) }
        } catch {
            switch error {
            case .store(let error): throw error
            case .query(let error): misuse("a query cannot be run: \(error.message)")
            }
        }
    }

    // MARK: Copying

    private func schema(of type: ObjectBase.Type) throws(StoreError) -> ClassSchema {
        if let known = transaction.schema.classNamed(type.className()) { return known }
        let missing = ModelSchema.reachable(from: [type]).filter {
            transaction.schema.classNamed($0.className()) == nil
        }
        try transaction.addClasses(missing.map { ClassLayout.of($0).definition.withoutRules })
        guard let schema = transaction.schema.classNamed(type.className()) else {
            misuse("a class that was just added is gone")
        }
        return schema
    }

    private func row(of object: ObjectBase, _ schema: ClassSchema) throws(StoreError) -> RowID {
        let identity: Identity =
            if let access = object.access {
                .row(ObjectIdentifier(access.instance), access.binding.schema.id, access.row)
            } else {
                .instance(ObjectIdentifier(object))
            }
        if let known = rows[identity] { return known }
        let row = try transaction.create(
            in: schema.id, schema.properties.map { $0.type.placeholder })
        rows[identity] = row
        held.append(object)
        unfilled.append((object, row, schema))
        return row
    }

    private func fill(
        _ object: ObjectBase, _ row: RowID, _ schema: ClassSchema
    ) throws(StoreError) {
        let layout = object.layout
        for property in schema.properties {
            guard let index = layout.index(of: property.name) else { continue }
            let value = layout.value(index, of: object)
            let stored: Value?
            if let target = property.type.target.flatMap({ transaction.schema[$0] }) {
                stored = try links(value, property.type.container, target)
            } else if property.type.base == .any {
                stored = try nested(value, property.type.container == .single ? 0 : -1)
            } else {
                stored = layout.properties[index].field.encoded(value, .refusing)
            }
            guard let stored else { misuse("\(layout.className).\(property.name) cannot be read") }
            try transaction.set(property.id, of: row, in: schema.id, to: stored)
        }
    }

    private func links(
        _ value: Any, _ container: FirnValues.PropertyType.Container, _ target: ClassSchema
    ) throws(StoreError) -> Value? {
        switch container {
        case .single:
            guard let object = something(in: value) as? ObjectBase else { return .null }
            return try link(object, target)
        case .list, .set:
            guard let elements = value as? any Sequence else { return nil }
            var links: [Value] = []
            for element in elements.map({ $0 as Any }) {
                guard let object = element as? ObjectBase else { return nil }
                links.append(try link(object, target))
            }
            return container == .list ? .list(links) : .set(links)
        case .map:
            guard let map = value as? any RealmKeyedCollection else { return nil }
            var links: TextMap<Value> = [:]
            for (key, value) in map.anyEntries {
                if let object = something(in: value) as? ObjectBase {
                    links[key] = try link(object, target)
                } else {
                    links[key] = .null
                }
            }
            return .map(links)
        }
    }

    private func link(_ object: ObjectBase, _ schema: ClassSchema) throws(StoreError) -> Value {
        .link(ObjectReference(classID: schema.id, rowID: try row(of: object, schema)))
    }

    /// Returns the stored form of a value of type Any, or of a collection of such values.
    ///
    /// - Parameter depth: The number of lists and dictionaries that enclose the value.
    private func nested(_ value: Any, _ depth: Int) throws(StoreError) -> Value? {
        switch value {
        case AnyRealmValue.object(let object):
            return try link(object, try schema(of: type(of: object)))
        case AnyRealmValue.list(let list): return try nested(list, depth)
        case AnyRealmValue.dictionary(let map): return try nested(map, depth)
        case let value as AnyRealmValue: return value._encode(.refusing).value
        case let map as any RealmKeyedCollection:
            AnyRealmValue.check(depth)
            var entries: TextMap<Value> = [:]
            for (key, value) in map.anyEntries { entries[key] = try nested(value, depth + 1) }
            return .map(entries)
        case let elements as any RealmCollection:
            AnyRealmValue.check(depth)
            var values: [Value] = []
            for element in elements.map({ $0 as Any }) {
                guard let value = try nested(element, depth + 1) else { return nil }
                values.append(value)
            }
            return elements is MutableSet<AnyRealmValue> ? .set(values) : .list(values)
        default: return nil
        }
    }

    /// Returns an argument of the query.
    ///
    /// An object that was not copied before is copied now.
    private func argument(_ value: Any) throws(StoreError) -> Value {
        guard let value = something(in: value) else { return .null }
        if let region = value as? any Geospatial { return region._region.argument }
        if let value = value as? AnyRealmValue {
            return try nested(value, 0)?.withoutFloat ?? .null
        }
        if let value = value as? any RealmCollectionValue {
            if let object = value._object {
                return try link(object, try schema(of: type(of: object)))
            }
            return value._encode(.refusing).value.withoutFloat
        }
        guard let values = value as? any Sequence else {
            RealmInstance.stopForArgument(value)
        }
        var elements: [Value] = []
        for element in values.map({ $0 as Any }) { elements.append(try argument(element)) }
        return .list(elements)
    }
}

extension ClassDefinition {
    /// The same columns without keys and owners.
    fileprivate var withoutRules: ClassDefinition {
        ClassDefinition(name: name, properties: properties, inverses: inverses)
    }
}
