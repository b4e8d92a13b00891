import FirnValues

/// Reads the classes and their columns.
struct SchemaReader {
    /// The prefix of the tables with the classes of an app.
    private static let prefix = "class_"
    private static let noTable: Int64 = 0x7FFF_FFFF

    /// A table, before links are resolved.
    private struct Table {
        let name: String
        let top: ArrayNode
        let key: UInt32
    }

    private let nodes: NodeReader
    private let hasKeyTypes: Bool
    private(set) var classes: [RealmClass] = []
    /// The number with which the app versions its classes, if it does.
    private(set) var schemaVersion: Int64?

    /// - Parameters:
    ///   - top: the position of the top array; 0 in an empty database.
    ///   - hasKeyTypes: whether the file says the types of keys of dictionaries.
    init(_ nodes: NodeReader, top: UInt64, hasKeyTypes: Bool) throws(RealmFileError) {
        self.nodes = nodes
        self.hasKeyTypes = hasKeyTypes
        guard top != 0 else { return }
        let root = try nodes.references(at: top)
        guard [3, 5, 7, 9, 10, 11, 12].contains(root.size) else {
            throw .damaged("the top array has \(root.size) elements", at: top)
        }
        guard let size = try nodes.number(in: root, 2), size <= nodes.size else {
            throw RealmFileError(
                .truncated, "the file ends before its content", at: nodes.size)
        }
        var tables: [Table] = []
        var metadata: Table?
        try readTables(root) { table in
            if table.name.hasPrefix(SchemaReader.prefix) {
                tables.append(table)
            } else if table.name == "metadata" {
                metadata = table
            }
        }
        var indices: [UInt32: Int] = [:]
        for (index, table) in tables.enumerated() { indices[table.key] = index }
        for table in tables { classes.append(try readClass(table, indices)) }
        try checkNames(tables)
        if let metadata { schemaVersion = try readVersion(metadata) }
    }

    // MARK: Tables

    private func readTables(
        _ root: ArrayNode, _ body: (Table) -> Void
    ) throws(RealmFileError) {
        let names = try ShortStrings(
            try nodes.node(at: try nodes.requiredPosition(in: root, 0)))
        let tables = try nodes.references(at: try nodes.requiredPosition(in: root, 1))
        guard tables.size <= ReadLimits.integersMax else {
            throw .damaged("the file has \(tables.size) tables", at: tables.position)
        }
        for number in 0..<tables.size {
            let element = tables.slot(number)
            // The place of a deleted table, whose name stays.
            if element == 0 || element & 1 == 1 { continue }
            guard number < names.count, let name = try names.bytes(number)?.text else {
                throw .damaged("table \(number) has no name", at: tables.position)
            }
            let top = try nodes.references(at: element)
            let key = try nodes.number(in: top, 3) ?? 0
            guard key & 0xFFFF == UInt64(number), let key = UInt32(exactly: key) else {
                throw .damaged("table \(number) has the key \(key)", at: element)
            }
            body(Table(name: name, top: top, key: key))
        }
    }

    private func readClass(
        _ table: Table, _ indices: [UInt32: Int]
    ) throws(RealmFileError) -> RealmClass {
        let columns = try columns(of: table, indices)
        let root = try nodes.position(in: table.top, 2)
        var primaryKey: Int?
        if let key = try nodes.number(in: table.top, 11) {
            primaryKey = columns.firstIndex { $0.index == ColumnKey(key).index }
            guard primaryKey != nil else {
                throw .damaged("the primary key is not a column", at: table.top.position)
            }
        }
        let kind: RealmClass.Kind
        switch (try nodes.number(in: table.top, 12) ?? 0) & 3 {
        case 0: kind = .object
        case 1: kind = .embedded
        case 2: kind = .asymmetric
        default: throw .damaged("the class has an unknown kind", at: table.top.position)
        }
        return RealmClass(
            name: String(table.name.dropFirst(SchemaReader.prefix.count)), kind: kind,
            columns: columns, primaryKey: primaryKey, tableKey: table.key, root: root,
            objectCount: try ClusterCursor.objectCount(root, nodes))
    }

    private func checkNames(_ tables: [Table]) throws(RealmFileError) {
        var known: TextSet = []
        for table in tables where !known.insert(table.name).inserted {
            throw .damaged("two tables have the same name", at: table.top.position)
        }
    }

    /// Reads the only object of the table that versions the schema.
    private func readVersion(_ table: Table) throws(RealmFileError) -> Int64? {
        let columns = try columns(of: table, [:])
        guard let column = columns.first(where: { $0.name == "version" }), column.type == .int,
            column.container == nil, let root = try nodes.position(in: table.top, 2)
        else { return nil }
        let cursor = ClusterCursor(root, nodes)
        guard let cluster = try cursor.next(), !cluster.keys.isEmpty,
            let leaf = try cluster.leaf(column.index, nodes)
        else { return nil }
        let versions = try IntegerLeaf(leaf, isNullable: column.isNullable)
        guard versions.values.count == cluster.keys.count else {
            throw .damaged("the version of the schema has no value", at: table.top.position)
        }
        let version = versions.value(0)
        return version == -1 ? nil : version
    }

    // MARK: Columns

    private func columns(
        of table: Table, _ indices: [UInt32: Int]
    ) throws(RealmFileError) -> [RealmColumn] {
        let spec = try nodes.references(at: try nodes.requiredPosition(in: table.top, 0))
        let types = try integers(spec, 0)
        let names = try ShortStrings(
            try nodes.node(at: try nodes.requiredPosition(in: spec, 1)))
        let enumerated: ArrayNode?
        if let position = try nodes.position(in: spec, 4) {
            enumerated = try nodes.references(at: position)
        } else {
            enumerated = nil
        }
        let targets = try integers(table.top, 7)
        var columns: [RealmColumn] = []
        var known: TextSet = []
        var places: Set<Int> = []
        // Storage and targets are ordered by the index, names and types by the position.
        for (position, key) in try integers(spec, 5).enumerated() {
            let key = ColumnKey(UInt64(bitPattern: key))
            if key.typeNumber == ColumnKey.backlink { continue }
            guard let type = key.type else {
                throw .damaged("a column has the unknown type \(key.typeNumber)", at: spec.position)
            }
            guard position < names.count, let name = try names.bytes(position)?.text,
                known.insert(name).inserted, places.insert(key.index).inserted
            else {
                throw .damaged("a column has no name of its own", at: spec.position)
            }
            let texts = try enumerated.map { node throws(RealmFileError) in
                try nodes.position(in: node, position)
            }
            columns.append(
                RealmColumn(
                    name: name, type: type, isNullable: key.isNullable,
                    container: try key.container(at: spec.position),
                    target: try target(of: key, type, targets, indices, spec.position),
                    hasIntegerKeys: hasKeyTypes && position < types.count
                        && types[position] >> 16 == 0,
                    index: key.index, enumerated: texts ?? nil))
        }
        return columns
    }

    private func integers(
        _ node: ArrayNode, _ slot: Int
    ) throws(RealmFileError) -> [Int64] {
        guard let position = try nodes.position(in: node, slot) else { return [] }
        return try nodes.node(at: position).integers()
    }

    private func target(
        of key: ColumnKey, _ type: RealmType, _ targets: [Int64], _ indices: [UInt32: Int],
        _ position: UInt64
    ) throws(RealmFileError) -> Int? {
        guard type == .link else { return nil }
        guard key.index < targets.count, targets[key.index] != SchemaReader.noTable,
            let table = UInt32(exactly: targets[key.index]), let index = indices[table]
        else { throw .damaged("a link leads to no class", at: position) }
        return index
    }
}
