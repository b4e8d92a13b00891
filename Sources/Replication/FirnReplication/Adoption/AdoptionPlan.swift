package import FirnEngine
import FirnValues

/// The classes that tables of another program become.
package struct AdoptionPlan: Sendable {
    /// A table and its class.
    struct Part: Sendable {
        let table: SourceTable
        let className: String
        let properties: [(column: SourceTable.Column, type: SourceType, target: String?)]
    }

    let parts: [Part]
    /// The tables that cannot be adopted, each with the reason and the nearest alternative.
    package let refused: [UpstreamError]

    /// Plans the adoption of some tables.
    ///
    /// - Parameter patterns: Names of tables, with `*` for any characters, with a schema and a period
    ///   unless it is public, and with `=` and the name of the class if it is not that of the table.
    /// - Throws: ``UpstreamError`` with `schema` if a name has no table.
    init(_ tables: [SourceTable], _ patterns: [String]) throws(UpstreamError) {
        var chosen: [(table: SourceTable, className: String)] = []
        var refused: [UpstreamError] = []
        for pattern in patterns {
            let sides = pattern.split(separator: "=", maxSplits: 1).map(String.init)
            guard let wanted = sides.first else { continue }
            let isPattern = wanted.contains("*")
            let found = tables.filter { TablePattern(wanted).matches($0) }
            guard !found.isEmpty else {
                throw UpstreamError(
                    .schema, "the server has no table \(wanted)",
                    remedy: "see the tables with: firn sync schema URL")
            }
            for table in found where !chosen.contains(where: { $0.table.id == table.id }) {
                if let error = AdoptionPlan.refusal(of: table) {
                    // A view that a pattern finds is left out without a word, unless it was named.
                    if !isPattern || table.kind == "r" || table.kind == "p" {
                        refused.append(error)
                    }
                    continue
                }
                let name = sides.count > 1 ? sides[1] : AdoptionPlan.className(of: table.name)
                chosen.append((table, name))
            }
        }
        self.refused = refused
        let names = Dictionary(
            chosen.map { ($0.table.id, $0.className) }, uniquingKeysWith: { first, _ in first })
        parts = chosen.map { table, className in
            Part(
                table: table, className: className,
                properties: table.columns.map { column in
                    (
                        column, SourceType(column),
                        AdoptionPlan.target(of: column, table, tables, names)
                    )
                })
        }
        for (index, part) in parts.enumerated()
        where parts[..<index].contains(where: { $0.className == part.className }) {
            throw UpstreamError(
                .schema, "two tables would become the class \(part.className)",
                remedy: "name one of them: --adopt '\(part.table.displayName)=NAME'")
        }
    }

    /// Returns the name of a class: `order_items` becomes `OrderItems`.
    private static func className(of table: String) -> String {
        table.split(separator: "_").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    /// Returns the class to which a foreign key leads, if it is adopted and the key is its key.
    private static func target(
        of column: SourceTable.Column, _ table: SourceTable, _ tables: [SourceTable],
        _ names: [UInt32: String]
    ) -> String? {
        // A key is not a link: its object could not be found without it.
        guard let link = table.links[column.number], !table.key.contains(column.number),
            let name = names[link.table],
            let target = tables.first(where: { $0.id == link.table }), target.key == [link.column]
        else { return nil }
        return name
    }

    private static func refusal(of table: SourceTable) -> UpstreamError? {
        func refuse(_ reason: String, _ way: String) -> UpstreamError {
            UpstreamError(
                .unsupported, "\(table.displayName) cannot be adopted: \(reason)", remedy: way)
        }
        switch table.kind {
        case _ where table.kind == "p" || table.isPartition:
            return refuse(
                "it is partitioned, and changes of its partitions are not seen",
                "adopt a table without partitions")
        case "f": return refuse("it is a foreign table", "adopt it on the server that has it")
        case "v", "m":
            return refuse("it is a view, whose changes are not seen", "adopt the tables below it")
        default: break
        }
        guard !table.key.isEmpty else {
            return refuse(
                "it has no primary key",
                "run: ALTER TABLE \(table.quotedName) ADD PRIMARY KEY (...)")
        }
        guard let key = table.keyColumn else {
            let names = table.columns.filter { table.key.contains($0.number) }.map(\.name)
            return refuse(
                "its key has several columns: \(names.joined(separator: ", "))",
                "give it a key of one column, and keep these UNIQUE")
        }
        guard SourceType(key).canBeKey else {
            return refuse(
                "its key \(key.name) is \(key.declaredType)",
                "a key is an integer, a text or a uuid: give the table such a key")
        }
        return nil
    }
}

/// The name of a table with `*` for any characters.
private struct TablePattern {
    private let schema: [UInt8]
    private let name: [UInt8]

    init(_ text: String) {
        let parts = text.split(separator: ".", maxSplits: 1)
        schema = parts.count > 1 ? Array(parts[0].utf8) : Array("public".utf8)
        name = Array((parts.last ?? "").utf8)
    }

    func matches(_ table: SourceTable) -> Bool {
        TablePattern.matches(schema[...], Array(table.schema.utf8)[...])
            && TablePattern.matches(name[...], Array(table.name.utf8)[...])
    }

    private static func matches(_ pattern: ArraySlice<UInt8>, _ text: ArraySlice<UInt8>) -> Bool {
        guard let first = pattern.first else { return text.isEmpty }
        if first == UInt8(ascii: "*") {
            return matches(pattern.dropFirst(), text)
                || !text.isEmpty && matches(pattern, text.dropFirst())
        }
        return text.first == first && matches(pattern.dropFirst(), text.dropFirst())
    }
}

// MARK: Classes

extension AdoptionPlan {
    /// The classes, which a file gets in one transaction.
    package var definitions: [ClassDefinition] {
        parts.map { part in
            let indexes = AdoptionPlan.indexes(of: part)
            return ClassDefinition(
                name: part.className,
                properties: part.properties.map { column, type, target in
                    ClassDefinition.Property(
                        name: column.name,
                        type: PropertyType(
                            target == nil ? type.tag : .link,
                            isOptional: target != nil || type.container == .list
                                || !column.isRequired,
                            container: target == nil ? type.container : .single,
                            integerWidth: target == nil ? type.width : .bits64),
                        targetName: target, isIndexed: indexes.contains([column.name]))
                }, keyName: part.table.keyColumn?.name,
                indexes: indexes.filter { $0.count > 1 }.map { ClassDefinition.Index($0) })
        }
    }

    /// Returns the indexes of its table that a class can also have, by the names of their
    /// properties.
    ///
    /// None of them is unique: the server refuses values that are not, and two objects may exchange
    /// theirs on the way.
    private static func indexes(of part: Part) -> [[String]] {
        var found: [[String]] = []
        for numbers in part.table.indexes {
            let columns = numbers.compactMap { number in
                part.properties.first { $0.column.number == number }
            }
            let names = columns.map(\.column.name)
            guard columns.count == numbers.count,
                1...IndexSchema.propertyCountMaximum ~= names.count,
                !found.contains(names), names != [part.table.keyColumn?.name ?? ""],
                columns.allSatisfy({ property in
                    property.target != nil
                        || property.type.container == .single && property.type.tag != .any
                })
            else { continue }
            found.append(names)
        }
        return found
    }

    /// The plan for people: the tables, and each column with its property.
    package var lines: [String] {
        var lines: [String] = []
        for (part, definition) in zip(parts, definitions) {
            lines.append("\(part.table.displayName) -> \(part.className)")
            for (property, source) in zip(definition.properties, part.properties) {
                var notes = [
                    source.column.declaredType,
                    property.type.name(ofTarget: property.targetName ?? ""),
                ]
                if property.name == definition.keyName { notes.append("key") }
                if property.isIndexed { notes.append("indexed") }
                if source.column.isGenerated { notes.append("read-only: the server computes it") }
                lines.append("  \(property.name)  " + notes.joined(separator: "  "))
            }
        }
        return lines
    }
}
