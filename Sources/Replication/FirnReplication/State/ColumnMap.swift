import FirnEngine
import FirnValues

/// The tables and columns of the server to which the classes and properties of the file belong.
///
/// Both sides can rename: the file knows its properties by their identities, and the server its columns
/// by their numbers.
///
///     line     = "class" class relation number name agreed
///              | "column" class property number name agreed
///
/// The parts of a line are separated by tabs.
struct ColumnMap: Hashable, Sendable {
    /// A class or a property, and its counterpart.
    struct Entry: Hashable, Sendable {
        /// The number of the class or of the column on the server.
        var number: Int
        /// The name in the file at the last capture.
        var name: String
        /// The last name that both sides had at the same time.
        var agreed: String

        /// Whether the name on the server comes from this file, so that a new one replaces it.
        func hadName(_ server: String) -> Bool { server == agreed || server == name }

        static func == (left: Entry, right: Entry) -> Bool {
            left.number == right.number && left.name == right.name && left.agreed == right.agreed
        }
    }

    struct Table: Hashable, Sendable {
        var entry: Entry
        /// The identity of the table; column numbers of another table have no meaning.
        var relation: UInt32
        var columns: [PropertyID: Entry] = [:]
    }

    var tables: [ClassID: Table] = [:]

    init() {}
}

// MARK: Text

extension ColumnMap {
    /// Reads the lines; an invalid line is skipped, and its class or property is found again by its
    /// name.
    init(text: String) {
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: "\t", omittingEmptySubsequences: false)
            guard parts.count == 6, let id = UInt32(parts[1]), let middle = UInt32(parts[2]),
                let number = Int(parts[3])
            else { continue }
            let entry = Entry(
                number: number, name: RecordText.unescaped(parts[4]),
                agreed: RecordText.unescaped(parts[5]))
            if parts[0] == "class" {
                tables[ClassID(id)] = Table(entry: entry, relation: middle)
            } else {
                tables[ClassID(id)]?.columns[PropertyID(middle)] = entry
            }
        }
    }

    var text: String {
        tables.sorted { $0.key.rawValue < $1.key.rawValue }.flatMap { id, table in
            [ColumnMap.line("class", id.rawValue, table.relation, table.entry)]
                + table.columns.sorted { $0.key.rawValue < $1.key.rawValue }.map {
                    ColumnMap.line("column", id.rawValue, $0.rawValue, $1)
                }
        }.joined(separator: "\n")
    }

    private static func line(
        _ kind: String, _ id: UInt32, _ middle: UInt32, _ entry: Entry
    ) -> String {
        [
            kind, String(id), String(middle), String(entry.number), RecordText.escaped(entry.name),
            RecordText.escaped(entry.agreed),
        ].joined(separator: "\t")
    }
}
