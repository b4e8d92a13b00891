import FirnEngine
import FirnFormats
import FirnPlatform
import FirnText
import FirnValues

/// The tables of an SQLite database, and the classes that they become.
struct PlannedSQLite {
    /// A table and its class.
    struct Class {
        let table: SQLiteTable
        let definition: ClassDefinition
        let rowCount: UInt64
        /// Whether an export has written the table, so that its values have known forms.
        var isExported = false
    }

    let database: SQLiteDatabase
    private(set) var classes: [Class] = []
    /// The classes of embedded objects, which have no table.
    private var embedded: [ClassDefinition] = []
    /// The links that foreign keys become.
    private(set) var links: [LinkRequest] = []
    /// The tables that were renamed or left out, one line each.
    private(set) var notes: [String] = []

    /// - Parameters:
    ///   - prefix: the text before each name of a class.
    ///   - definitions: the classes of the inputs before.
    ///   - environment: where the file is.
    ///   - progress: called periodically with the number of rows of a table that were read.
    init(
        _ path: String, prefix: String, after definitions: [ClassDefinition],
        _ environment: CommandEnvironment,
        progress: (_ table: String, UInt64) throws(CommandFailure) -> Void
    ) throws(CommandFailure) {
        let found: (database: SQLiteDatabase, tables: [SQLiteTable], exported: ExportedSQLite?)
        do throws(InputError) { found = try PlannedSQLite.open(path, prefix, environment) } catch {
            throw CommandFailure(error)
        }
        database = found.database
        if found.exported == nil,
            found.tables.contains(where: { $0.name == SQLiteSchemaTable.name })
        {
            notes.append(
                "its tables differ from \(SQLiteSchemaTable.name), so types are found in the data")
        }
        try noteLeftOut()
        let earlier = TextSet(definitions.map(\.name))
        var names = ClassNames(definitions.map(\.name))
        let exported = found.exported
        try take(exported, from: path, &names)
        for table in found.tables where table.name != SQLiteSchemaTable.name {
            if exported?.has(table) == true { continue }
            let name = prefix + (ClassName.from(words: table.name) ?? OutsideName.valid(table.name))
            if earlier.contains(name) { throw PlannedSQLite.clash(table.name, name, in: path) }
            let free = names.take(name)
            if free != name {
                notes.append(
                    "another table became the class \(name); the table "
                        + "\(SafeText.escaping(table.name)) became \(free)")
            }
            classes.append(try PlannedSQLite.class(free, table, database, progress))
        }
        for index in classes.indices where !classes[index].isExported {
            links += links(of: classes[index])
        }
    }

    private static func open(
        _ path: String, _ prefix: String, _ environment: CommandEnvironment
    ) throws(InputError) -> (SQLiteDatabase, [SQLiteTable], ExportedSQLite?) {
        let database = try SQLiteDatabase(path, name: path, environment)
        let tables = try SQLiteTable.all(in: database)
        return (database, tables, try ExportedSQLite(tables, in: database, prefix: prefix))
    }

    /// All classes, in the order in which they are created.
    var definitions: [ClassDefinition] { embedded + classes.map(\.definition) }

    /// Records the views and virtual tables, which have no rows of their own.
    private mutating func noteLeftOut() throws(CommandFailure) {
        let names = try CommandFailure.reading { () throws(InputError) in
            try SQLiteTable.leftOut(of: database)
        }
        guard !names.isEmpty else { return }
        let shown = names.prefix(20).map { SafeText.escaping($0) }.joined(separator: ", ")
        notes.append(
            "views and virtual tables are left out: \(shown)\(names.count > 20 ? ", ..." : "")")
    }

    /// Adds the classes that an export has written.
    private mutating func take(
        _ exported: ExportedSQLite?, from path: String, _ names: inout ClassNames
    ) throws(CommandFailure) {
        guard let exported else { return }
        for definition in exported.definitions {
            let table = exported.table(of: definition.name)
            guard names.take(definition.name) == definition.name else {
                throw PlannedSQLite.clash(table?.name ?? definition.name, definition.name, in: path)
            }
            guard let table else {
                embedded.append(definition)
                continue
            }
            let count = try CommandFailure.reading { () throws(InputError) in
                let rows = try SQLiteStatement(
                    "SELECT count(*) FROM \(SQLNames.quoted(table.name))", in: database,
                    table: table.name)
                return try rows.step() ? rows.int(0) : 0
            }
            classes.append(
                Class(
                    table: table, definition: definition, rowCount: UInt64(clamping: count),
                    isExported: true))
        }
    }

    private static func clash(
        _ table: String, _ name: String, in path: String
    ) -> CommandFailure {
        .diagnostic(
            .usage(
                "\(SafeText.escaping(path)) has a table \(SafeText.escaping(table)), "
                    + "whose class \(SafeText.escaping(name)) exists already",
                remedy: "put a prefix before its classes: --from Old=\(SafeText.escaping(path))"))
    }

    private static func `class`(
        _ name: String, _ table: SQLiteTable, _ database: SQLiteDatabase,
        _ progress: (_ table: String, UInt64) throws(CommandFailure) -> Void
    ) throws(CommandFailure) -> Class {
        var evidence = table.columns.map { SQLiteColumnEvidence($0) }
        var count: UInt64 = 0
        let rows = try CommandFailure.reading { () throws(InputError) in
            try SQLiteStatement(table.query, in: database, table: table.name)
        }
        while try CommandFailure.reading({ () throws(InputError) in try rows.step() }) {
            for index in evidence.indices { evidence[index].see(rows, index) }
            count += 1
            if count & 0xFFFF == 0 { try progress(table.name, count) }
        }
        let key = table.key.flatMap { key in
            zip(table.columns, evidence).first { $0.0.name == key.name }
        }.flatMap { column, found in
            [.int, .string].contains(found.type) && !found.hasNulls ? column.name : nil
        }
        let properties = zip(table.columns, evidence).map { column, found in
            // A key has a value, and so has a column that must have one.
            let isOptional = column.name != key && (!column.isRequired || found.hasNulls)
            return ClassDefinition.Property(
                name: column.name, type: PropertyType(found.type, isOptional: isOptional))
        }
        let definition = ClassDefinition(name: name, properties: properties, keyName: key)
        return Class(
            table: table, definition: PlannedSQLite.indexed(definition, table), rowCount: count)
    }

    /// Returns a class with the indexes of its table that it can have.
    private static func indexed(
        _ definition: ClassDefinition, _ table: SQLiteTable
    ) -> ClassDefinition {
        var indexed: TextSet = []
        var indexes: [ClassDefinition.Index] = []
        for index in table.indexes {
            let columns = index.columns.compactMap { name in
                definition.properties.first { $0.name == name }
            }
            guard columns.count == index.columns.count,
                columns.count <= IndexSchema.propertyCountMaximum,
                TextSet(index.columns).count == columns.count,
                !columns.contains(where: { $0.type.base == .any }),
                index.columns != [definition.keyName]
            else { continue }
            var options: IndexSchema.Options = []
            // Different texts may be the same date.
            if index.isUnique, !columns.contains(where: { $0.type.base == .date }) {
                options.insert(.unique)
            }
            if index.ignoresCase, columns.contains(where: { $0.type.base == .string }) {
                options.insert(.caseInsensitive)
                // Firn ignores the case of all letters, SQLite that of ASCII letters.
                options.remove(.unique)
            }
            if options.isEmpty, columns.count == 1 {
                indexed.insert(columns[0].name)
            } else if !indexes.contains(where: {
                $0.propertyNames == index.columns && $0.options == options
            }) {
                indexes.append(ClassDefinition.Index(index.columns, options: options))
            }
        }
        return definition.with(
            properties: definition.properties.map {
                indexed.contains($0.name) ? $0.indexed : $0
            }, indexes: indexes)
    }

    /// Returns the links of the foreign keys whose target has the named columns.
    private func links(of source: Class) -> [LinkRequest] {
        var taken = TextSet(source.definition.properties.map(\.name))
        var requests: [LinkRequest] = []
        for key in source.table.foreignKeys {
            // Two tables may differ in the case of other letters than those of ASCII.
            guard
                let target = classes.first(where: { $0.table.name == key.table })
                    ?? classes.first(where: { $0.table.name.isSameSQLiteName(as: key.table) })
            else { continue }
            let targets = key.targets.isEmpty ? target.table.keyNames : key.targets
            guard targets.count == key.columns.count, areEqual(source, key.columns, target, targets)
            else { continue }
            var name = PlannedSQLite.linkName(key.columns, target.definition.name)
            while !taken.insert(name).inserted { name += "Link" }
            requests.append(
                LinkRequest(
                    className: source.definition.name, property: name, sources: key.columns,
                    targetClassName: target.definition.name, targetProperties: targets))
        }
        return requests
    }

    private func areEqual(
        _ source: Class, _ columns: [String], _ target: Class, _ targets: [String]
    ) -> Bool {
        func type(_ name: String, of found: Class) -> ValueTag? {
            found.definition.properties.first { $0.name == name }?.type.base
        }
        return zip(columns, targets).allSatisfy { column, name in
            guard let base = type(column, of: source), base != .any else { return false }
            return base == type(name, of: target)
        }
    }

    /// Returns `owner` for the column `owner_id`, or the name of the class.
    private static func linkName(_ columns: [String], _ className: String) -> String {
        if columns.count == 1, let column = columns.first {
            for suffix in ["_id", "_ID", "Id", "ID"]
            where column.hasSuffix(suffix) && column.count > suffix.count {
                return String(column.dropLast(suffix.count))
            }
        }
        return className.prefix(1).lowercased() + className.dropFirst()
    }
}

extension PlannedSQLite {
    /// Returns the classes that an SQLite database becomes, without its objects.
    static func schema(
        of file: String, _ environment: CommandEnvironment
    ) throws(CommandFailure) -> Schema {
        let planned = try PlannedSQLite(file, prefix: "", after: [], environment) {
            _, _ throws(CommandFailure) in try environment.checkSignals()
        }
        let memory = try environment.withMemory()
        return try CommandFailure.converting { () throws(StoreError) in
            let creation = try Store.create(
                "\(MountedFileSystem.folder)/schema.firn", services: memory.services)
            let transaction = try creation.store.beginWrite()
            try transaction.addClasses(planned.definitions)
            return transaction.schema
        }
    }
}

extension SQLiteTable {
    /// The columns of the primary key, in its order.
    fileprivate var keyNames: [String] {
        columns.filter { $0.keyPosition > 0 }.sorted { $0.keyPosition < $1.keyPosition }.map(\.name)
    }
}

extension String {
    /// Returns whether SQLite takes both for the same name: it ignores the case of ASCII letters only.
    fileprivate func isSameSQLiteName(as other: String) -> Bool {
        func folded(_ byte: UInt8) -> UInt8 {
            (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
        }
        return utf8.elementsEqual(other.utf8) { folded($0) == folded($1) }
    }
}
