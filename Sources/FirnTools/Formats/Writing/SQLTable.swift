package import FirnEngine
import FirnValues

/// A table of SQL that rows are written into.
package struct SQLTable: Hashable, Sendable {
    /// What is written.
    package struct Parts: OptionSet, Hashable, Sendable {
        package let rawValue: Int
        package init(rawValue: Int) { self.rawValue = rawValue }

        /// The statement that makes the table.
        package static let definition = Parts(rawValue: 1)
        /// The names of the columns in each statement that inserts.
        package static let columnNames = Parts(rawValue: 2)
        /// The beginning and the end of a transaction around everything.
        package static let transaction = Parts(rawValue: 4)
    }

    /// What a column refers to: a table and a column of it, by the names that SQL knows them by.
    package struct Reference: Hashable, Sendable {
        package let table: String
        package let column: String

        package init(table: String, column: String) {
            self.table = table
            self.column = column
        }
    }

    package let name: String
    package var parts: Parts
    /// The place of the column that is the primary key.
    package var key: Int?
    /// What columns refer to, by their places.
    package var references: [Int: Reference] = [:]

    /// - Parameter name: as the database has it; SQL may know it by another one.
    package init(name: String, parts: Parts) {
        self.name = SQLNames.distinct([name])[0]
        self.parts = parts
    }
}

/// Names as SQL knows them.
package enum SQLNames {
    /// Names that differ also for a reader to which `Name` and `name` are the same; the order
    /// stays.
    package static func distinct(_ names: [String]) -> [String] {
        var taken: Set<String> = []
        return names.map { name in
            var safe = SafeText.escaping(name)
            // These names belong to SQLite.
            if safe.lowercased().hasPrefix("sqlite_") { safe = "_" + safe }
            var candidate = safe
            var number = 2
            while !taken.insert(candidate.lowercased()).inserted {
                candidate = "\(safe)_\(number)"
                number += 1
            }
            return candidate
        }
    }
}

extension SQLTable {
    /// The table of a class, when all properties of the class are written, behind the number of the
    /// object if there is no primary key.
    ///
    /// - Parameters:
    ///   - exported: the classes that tables are made of; a link to any other is only a value.
    ///   - refersToTargets: whether links are keys; they are not if whole objects are written.
    package init(
        of schema: ClassSchema, in whole: Schema, exported: [ClassSchema], refersToTargets: Bool,
        parts: Parts
    ) {
        let tables = SQLNames.distinct(whole.classes.map(\.name))
        func table(_ item: ClassSchema) -> String {
            whole.classes.firstIndex { $0.id == item.id }.map { tables[$0] } ?? item.name
        }
        self.init(name: table(schema), parts: parts)
        key = SQLTable.keyPlace(of: schema)
        guard refersToTargets else { return }
        let shift = SQLTable.hasNumber(schema) ? 1 : 0
        for (place, property) in schema.properties.enumerated() {
            guard property.type.container == .single, property.type.base == .link,
                let target = property.type.target.flatMap({ whole[$0] }),
                exported.contains(where: { $0.id == target.id }),
                let key = SQLTable.keyPlace(of: target)
            else { continue }
            references[place + shift] = Reference(
                table: table(target), column: SQLTable.columnNames(of: target)[key])
        }
    }

    /// Whether the first column is the number of the object.
    private static func hasNumber(_ schema: ClassSchema) -> Bool {
        schema.key == nil && !schema.isEmbedded
    }

    private static func columnNames(of schema: ClassSchema) -> [String] {
        SQLNames.distinct((hasNumber(schema) ? ["$id"] : []) + schema.properties.map(\.name))
    }

    /// Which column is the primary key; `nil` if there is none, or null may be in it.
    private static func keyPlace(of schema: ClassSchema) -> Int? {
        guard let key = schema.keyProperty else { return hasNumber(schema) ? 0 : nil }
        return key.type.isOptional ? nil : schema.index(of: key.id)
    }
}
