package import FirnEngine
import FirnValues
package import RealmFile

/// The contents of a database with the objects of a Realm file, in the form of the expected contents
/// of the samples.
///
/// Classes, properties and values come from the database. From the Realm file come only the keys of
/// the objects, in whose place a database has ranks, the type of the keys of dictionaries, and the
/// classes that are not imported.
package struct ImportedDump {
    private let snapshot: Snapshot
    private let reader: RealmReader
    private let write: (String) -> Void
    /// The keys of the objects in the Realm file by their ranks, and the names of the classes.
    private let keys: [ClassID: [UInt64]]
    private let names: [ClassID: String]

    package init(
        _ snapshot: Snapshot, of reader: RealmReader, _ write: @escaping (String) -> Void
    ) throws(RealmFileError) {
        self.snapshot = snapshot
        self.reader = reader
        self.write = write
        var keys: [ClassID: [UInt64]] = [:]
        var names: [ClassID: String] = [:]
        for realmClass in reader.classes {
            guard let id = snapshot.schema.classNamed(realmClass.name)?.id else { continue }
            names[id] = realmClass.name
            let objects = reader.objects(of: realmClass)
            while let cluster = try objects.next() { keys[id, default: []] += cluster.keys }
        }
        self.keys = keys
        self.names = names
    }

    package func run() throws(StoreError) {
        for realmClass in reader.classes {
            guard let schema = snapshot.schema.classNamed(realmClass.name) else {
                write(
                    SampleText.heading(
                        realmClass.name, kind: realmClass.kind.rawValue, key: nil, count: 0,
                        columns: []))
                continue
            }
            write(heading(schema, realmClass))
        }
        for realmClass in reader.classes {
            guard let schema = snapshot.schema.classNamed(realmClass.name) else { continue }
            try dump(schema, realmClass)
        }
    }

    // MARK: Classes

    private func heading(_ schema: ClassSchema, _ realmClass: RealmClass) -> String {
        let columns = zip(schema.properties, realmClass.columns).map { property, column in
            let type = property.type
            let container: String? =
                switch type.container {
                case .single: nil
                case .list: "list"
                case .set: "set"
                case .map: "dict"
                }
            return SampleText.column(
                property.name, type: ImportedDump.name(type.base),
                isNullable: type.isOptional, container: container,
                target: type.target.flatMap { names[$0] },
                keys: type.container == .map ? column.hasIntegerKeys ? "int" : "string" : nil)
        }
        return SampleText.heading(
            schema.name, kind: schema.isEmbedded ? "embedded" : "object",
            key: schema.keyProperty?.name,
            count: UInt64(snapshot.table(schema.id)?.liveRowCount ?? 0), columns: columns)
    }

    private static func name(_ tag: ValueTag) -> String {
        switch tag {
        case .any: "mixed"
        case .decimal128: "decimal"
        case .objectID: "objectId"
        default: "\(tag)"
        }
    }

    // MARK: Objects

    private func dump(_ schema: ClassSchema, _ realmClass: RealmClass) throws(StoreError) {
        guard let table = snapshot.table(schema.id),
            let cursor = ObjectCursor(snapshot, schema.id)
        else { return }
        let names = schema.properties.map { "," + SampleText.quoted($0.name) + ":" }
        for row in try table.liveRowIDs() {
            guard try cursor.move(to: row) else { continue }
            var line = "{\"$class\":\(SampleText.quoted(schema.name)),"
            line += "\"$key\":\(key(of: row, schema.id))"
            for (index, name) in names.enumerated() {
                let hasIntegerKeys = realmClass.columns[index].hasIntegerKeys
                line += name + text(try cursor.value(index), hasIntegerKeys: hasIntegerKeys)
            }
            write(line + "}")
        }
    }

    private func key(of row: RowID, _ classID: ClassID) -> UInt64 {
        let known = keys[classID] ?? []
        return row.rawValue < UInt64(known.count) ? known[Int(row.rawValue)] : .max
    }

    private func text(_ value: Value, hasIntegerKeys: Bool = false) -> String {
        switch value {
        case .null: return "null"
        case .bool(let value): return "\(value)"
        case .int(let value): return "\(value)"
        case .float(let value): return SampleText.float(value.bitPattern)
        case .double(let value): return SampleText.double(value.bitPattern)
        case .string(let text): return SampleText.string(text)
        case .data(let bytes): return SampleText.data(bytes)
        case .date(let date):
            return SampleText.dateOfOneSign(
                seconds: date.seconds, nanoseconds: Int64(date.nanoseconds))
        case .decimal128(let number): return SampleText.decimal(number)
        case .objectID(let id): return SampleText.objectID(id)
        case .uuid(let id): return SampleText.uuid(id)
        case .link(let reference):
            return SampleText.link(
                names[reference.classID] ?? "", key(of: reference.rowID, reference.classID))
        case .list(let elements): return SampleText.list(elements.map { text($0) })
        case .set(let elements): return SampleText.set(elements.map { text($0) })
        case .map(let entries):
            return SampleText.dictionary(
                entries.map { key, value in
                    let number = hasIntegerKeys ? Int64(key) : nil
                    return (number.map { .int($0) } ?? .string(key), text(value))
                })
        }
    }
}
