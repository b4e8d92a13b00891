import FirnEngine
import FirnValues

extension ColumnMap {
    /// The names that classes and properties of the file had, and the names that they have now.
    struct Renaming {
        /// The new names of classes; `nil` for a class that was removed.
        var classNames: TextMap<String?> = [:]
        /// The new names of the properties, by the former name of their class.
        var propertyNames: TextMap<TextMap<String>> = [:]

        var isEmpty: Bool { classNames.isEmpty && propertyNames.isEmpty }

        /// Returns a change under the new names; `nil` if its class was removed.
        func renamed(_ change: Outgoing) -> Outgoing? {
            var renamed = change
            if let name = classNames[change.className] {
                guard let name else { return nil }
                renamed.className = name
            }
            if let names = propertyNames[change.className] {
                for index in renamed.properties.indices {
                    let name = renamed.properties[index].name
                    renamed.properties[index].name = names[name] ?? name
                }
            }
            return renamed
        }
    }

    func renaming(to schema: Schema) -> Renaming {
        var renaming = Renaming()
        for (id, table) in tables {
            guard let type = schema[id] else {
                renaming.classNames[table.entry.name] = .some(nil)
                continue
            }
            if type.name != table.entry.name { renaming.classNames[table.entry.name] = type.name }
            var names: TextMap<String> = [:]
            for (property, entry) in table.columns {
                guard let new = type.properties.first(where: { $0.id == property }),
                    new.name != entry.name
                else { continue }
                names[entry.name] = new.name
            }
            if !names.isEmpty { renaming.propertyNames[table.entry.name] = names }
        }
        return renaming
    }

    /// Records the names that the file has now.
    mutating func setNames(of schema: Schema) {
        for (id, table) in tables {
            guard let type = schema[id] else {
                tables[id] = nil
                continue
            }
            tables[id]?.entry.name = type.name
            for property in type.properties where table.columns[property.id] != nil {
                tables[id]?.columns[property.id]?.name = property.name
            }
        }
    }

    /// Whether the counterparts of all properties are known, under their names in the file.
    func covers(_ classes: [SyncedClass]) -> Bool {
        classes.allSatisfy { type in
            guard let table = tables[type.schema.id], table.entry.name == type.name,
                table.relation != 0
            else { return false }
            return type.columns.allSatisfy { column in
                table.columns[column.property.id].map { $0.name == column.name } ?? false
            }
        }
    }

    /// Forgets the numbers, which another history of the server may have given to other columns.
    mutating func forgetNumbers() {
        for id in tables.keys { tables[id]?.relation = 0 }
    }
}
