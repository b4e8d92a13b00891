import FirnEngine
import FirnValues

extension ColumnMap {
    /// A class and its counterparts on the server.
    struct Match {
        var type: SyncedClass
        let table: ServerLayout.Table?
        /// The columns of the properties that the server has.
        var columns: [PropertyID: ServerLayout.Column] = [:]
    }

    /// Finds the table and the columns of a class.
    ///
    /// Numbers come first, so that a name that changed hands does not matter; then the names that both
    /// sides had.
    func match(_ type: SyncedClass, in layout: ServerLayout) -> Match {
        let known = tables[type.schema.id]
        guard let table = table(of: type, in: layout) else {
            return Match(type: type, table: nil)
        }
        var match = Match(type: type, table: table)
        match.type.number = table.number
        match.type.serverName = table.className
        if table.relation != nil { match.type.table = table.name }
        let isSame = known?.relation == table.relation
        var taken: Set<Int> = []
        for column in type.columns {
            guard let entry = known?.columns[column.property.id] else { continue }
            let found =
                isSame
                ? table.column(number: entry.number)
                : table.column(named: entry.agreed) ?? table.column(named: entry.name)
            guard let found else { continue }
            match.columns[column.property.id] = found
            taken.insert(found.number)
        }
        // The columns of properties that the file removed stay theirs.
        if isSame, let known { taken.formUnion(known.columns.values.map(\.number)) }
        for column in type.columns where match.columns[column.property.id] == nil {
            guard let found = table.column(named: column.name) else { continue }
            // A converted property has a new identity, and the name of the former one.
            let isFree = !taken.contains(found.number) || isLeft(found, of: type, known)
            if isFree { match.columns[column.property.id] = found }
        }
        for index in match.type.columns.indices {
            let column = match.type.columns[index]
            guard let found = match.columns[column.property.id] else { continue }
            match.type.columns[index].main = found.name
            guard column.rest != nil else { continue }
            let names = [found.name, known?.columns[column.property.id]?.agreed, column.name]
            let rest = names.lazy.compactMap(\.self).map(SyncedColumn.rest(of:))
                .first { table.column(named: $0) != nil }
            // The table of another program has microseconds only.
            match.type.columns[index].rest =
                rest ?? (table.base == nil ? SyncedColumn.rest(of: found.name) : nil)
        }
        let key = type.key.property.id
        if let column = match.type.column(of: key) { match.type.key = column }
        return match
    }

    private func table(of type: SyncedClass, in layout: ServerLayout) -> ServerLayout.Table? {
        if let known = tables[type.schema.id] { return layout.table(number: known.entry.number) }
        guard let table = layout.table(named: type.name) else { return nil }
        // Another class of the file had this name before.
        let isTaken = tables.contains { $0.value.entry.number == table.number }
        return isTaken ? nil : table
    }

    /// Whether a column belonged to a property with the same name that the file no longer has.
    private func isLeft(
        _ column: ServerLayout.Column, of type: SyncedClass, _ known: Table?
    ) -> Bool {
        known?.columns.contains { id, entry in
            entry.number == column.number && type.column(of: id) == nil
                && entry.name == column.name
        } ?? false
    }
}

extension ColumnMap {
    /// Returns the classes with the names that the server has for them.
    ///
    /// - Throws: ``UpstreamError`` with `notPrepared` or `schema` if the server lacks something, or
    ///   has another type or key.
    func resolve(
        _ classes: [SyncedClass], in layout: ServerLayout
    ) throws(UpstreamError) -> [SyncedClass] {
        var resolved: [SyncedClass] = []
        for type in classes {
            let match = match(type, in: layout)
            try match.check()
            resolved.append(match.type)
        }
        return resolved
    }

    /// Whether the server has the tables and columns under the numbers of the map.
    ///
    /// A column that was dropped and made again has another one: it lacks the values of the file.
    func isCurrent(_ classes: [SyncedClass], in layout: ServerLayout) -> Bool {
        classes.allSatisfy { type in
            let match = match(type, in: layout)
            guard let known = tables[type.schema.id], known.relation == match.table?.relation else {
                return false
            }
            return match.columns.allSatisfy { known.columns[$0]?.number == $1.number }
        }
    }

    /// Returns the properties of a class whose columns are new on the server.
    func newColumns(of type: SyncedClass, in layout: ServerLayout) -> [SyncedColumn] {
        guard let known = tables[type.schema.id] else { return [] }
        let match = match(type, in: layout)
        // After a restoration, the numbers of all columns are others.
        let isSame = known.relation == match.table?.relation
        return type.columns.filter { column in
            guard let entry = known.columns[column.property.id] else { return true }
            return isSame && match.columns[column.property.id]?.number != entry.number
        }
    }

    /// Returns the map after these classes were found.
    func updated(with classes: [SyncedClass], in layout: ServerLayout) -> ColumnMap {
        var map = self
        for type in classes {
            let match = match(type, in: layout)
            guard let table = match.table, let relation = table.relation else { continue }
            let former = tables[type.schema.id]
            var new = Table(
                entry: ColumnMap.entry(
                    former?.entry, table.number, type.name, on: table.className),
                relation: relation)
            for (id, column) in match.columns {
                guard let name = type.column(of: id)?.name else { continue }
                new.columns[id] = ColumnMap.entry(
                    former?.columns[id], column.number, name, on: column.name)
            }
            map.tables[type.schema.id] = new
        }
        return map
    }

    private static func entry(
        _ former: Entry?, _ number: Int, _ name: String, on server: String
    ) -> Entry {
        let isAgreed = name == server
        return Entry(
            number: number, name: name, agreed: isAgreed ? name : former?.agreed ?? server)
    }
}

extension ColumnMap.Match {
    /// Checks that the server has a column of the right type for each property.
    func check() throws(UpstreamError) {
        let name = type.name
        guard let table else {
            throw UpstreamError(
                .notPrepared, "the server has no table for the class \(name)",
                remedy: "run: firn sync init FILE URL")
        }
        if let base = table.base, base.columns.isEmpty {
            throw UpstreamError(
                .notPrepared, "the table that is the class \(name) was dropped on the server",
                remedy: "if it exists again, run: firn sync init FILE URL --adopt TABLE=\(name); "
                    + "otherwise end its replication: firn sync unsubscribe FILE \(name)")
        }
        if let base = table.base, table.relation == nil || !table.isComplete {
            throw UpstreamError(
                .notPrepared,
                "the table \(base.name), which is the class \(name), has changed since it was adopted",
                remedy: "run: firn sync init FILE URL --adopt '\(base.name)=\(name)'")
        }
        guard table.relation != nil else {
            throw UpstreamError(
                .notPrepared, "the table of the class \(name) was dropped on the server",
                remedy:
                    "make it again with: firn sync init FILE URL; then firn sync reset FILE sends "
                    + "the objects of this file, and with --discard it takes those of the server")
        }
        guard table.isComplete else {
            throw UpstreamError(
                .notPrepared,
                "the triggers or columns of replication of \(table.name) are missing or disabled, so "
                    + "that changes of other programs are missed",
                remedy: "run: firn sync init FILE URL")
        }
        for column in type.columns {
            guard let found = columns[column.property.id] else {
                throw UpstreamError(
                    .notPrepared, "the server has no column for \(name).\(column.name)",
                    remedy: "run: firn sync init FILE URL")
            }
            guard table.base != nil || table.triggerColumns.contains(found.name) else {
                throw UpstreamError(
                    .notPrepared,
                    "the triggers of replication of \(table.name) do not know the column "
                        + found.name, remedy: "run: firn sync init FILE URL")
            }
            guard column.canHave(found.type) else {
                throw UpstreamError(
                    .schema,
                    "\(name).\(column.name) is a column of the type \(found.type) on the server, and "
                        + "needs \(column.sqlType)",
                    remedy:
                        "convert the column with: firn sync init FILE URL; or the property with: "
                        + "firn alter FILE 'retype \(name).\(column.name) TYPE'")
            }
        }
        let key = table.columns.filter(\.isKey)
        guard key.map(\.number) == [columns[type.key.property.id]?.number ?? 0] else {
            let theirs = type.columns.first { columns[$0.property.id]?.number == key.first?.number }
            throw UpstreamError(
                .schema,
                "the key of \(name) is \(type.key.name) in the file, and "
                    + "\(key.map(\.name).joined(separator: ", ")) on the server",
                remedy: theirs.map { "set it back with: firn alter FILE 'key \(name).\($0.name)'" }
                    ?? "rename the class, and replicate it as a new one: firn alter FILE "
                    + "'rename \(name) NAME'")
        }
    }
}

extension SyncedColumn {
    /// Whether the column can have a type, as the server names it.
    func canHave(_ type: String) -> Bool {
        if sqlType == "bigint", ["smallint", "integer"].contains(type) { return true }
        return sqlType == SyncedColumn.short(type)
    }

    /// Returns the name of a type as definitions have it.
    static func short(_ type: String) -> String {
        type.replacing("timestamp with time zone", with: "timestamptz")
    }
}
