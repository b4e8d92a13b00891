import CSQLite
import FirnCodec
import FirnEngine
import FirnFormats
import FirnText
import FirnValues

/// The rows of a table that an export has written, as the records that were exported.
struct SQLiteRecords {
    /// The form of the values of a column.
    private enum Form {
        /// The number of an object without a key.
        case identity
        /// The key of a linked object, or a value of a type with one form in SQLite.
        case plain
        case bool
        case number
        case data
        /// A JSON text; the container determines the meaning of a null.
        case json(PropertyType.Container)
    }

    private let rows: SQLiteStatement
    private let table: SQLiteTable
    private let database: SQLiteDatabase
    private let names: [String]
    private let forms: [Form]
    /// The number of the last row, from 1.
    private(set) var rowCount: UInt64 = 0

    /// - Parameter definitions: the classes of the document.
    init(
        _ table: SQLiteTable, of definition: ClassDefinition, among definitions: [ClassDefinition],
        in database: SQLiteDatabase
    ) throws(InputError) {
        self.table = table
        self.database = database
        rows = try SQLiteStatement(table.queryInOrder, in: database, table: table.name)
        var names: [String] = []
        var forms: [Form] = []
        if definition.keyName == nil {
            names.append("$id")
            forms.append(.identity)
        }
        for property in definition.properties {
            names.append(property.name)
            let target = definitions.first { $0.name == property.targetName }
            forms.append(SQLiteRecords.form(of: property, target))
        }
        self.names = names
        self.forms = forms
    }

    private static func form(
        of property: ClassDefinition.Property, _ target: ClassDefinition?
    ) -> Form {
        let type = property.type
        guard type.container == .single, type.base != .any else { return .json(type.container) }
        switch type.base {
        case .bool: return .bool
        case .int, .float, .double: return .number
        case .data: return .data
        case .link:
            guard let target, !target.isEmbedded else { return .json(.single) }
            let key = target.properties.first { $0.name == target.keyName }
            // A key that can be null makes the link a JSON text.
            return key?.type.isOptional == true ? .json(.single) : .plain
        default: return .plain
        }
    }

    /// Returns the next record.
    mutating func next() throws(InputError) -> ImportRecord? {
        guard try rows.step() else { return nil }
        rowCount += 1
        let position = TextPosition(offset: 0, line: rowCount)
        var fields: [JSONTree.Member] = []
        fields.reserveCapacity(names.count)
        for index in names.indices {
            let content = try content(index)
            fields.append(
                JSONTree.Member(name: names[index], value: JSONTree(content, at: position)))
        }
        return ImportRecord(className: nil, fields: fields, position: position, cells: nil)
    }

    private func content(_ index: Int) throws(InputError) -> JSONTree.Content {
        let found = rows.type(index)
        switch (found, forms[index]) {
        case (SQLITE_NULL, .json(let container)):
            return container == .single ? .null : container == .map ? .object([]) : .array([])
        case (SQLITE_NULL, _): return .null
        case (SQLITE_TEXT, .json): return try json(index)
        case (SQLITE_TEXT, .plain): return .string(try text(index))
        case (SQLITE_BLOB, .data): return .string(Base64.encoded(Array(rows.blob(index))))
        case (SQLITE_INTEGER, .bool) where rows.int(index) & ~1 == 0:
            return .bool(rows.int(index) == 1)
        case (SQLITE_INTEGER, .identity), (SQLITE_INTEGER, .plain), (SQLITE_INTEGER, .number):
            return .number(String(rows.int(index)))
        case (SQLITE_FLOAT, .number): return number(rows.double(index))
        default: throw mistake("a value that its property cannot have", index)
        }
    }

    private func number(_ value: Double) -> JSONTree.Content {
        if value.isInfinite { return .string(value < 0 ? "-Infinity" : "Infinity") }
        return .number("\(value)")
    }

    private func text(_ index: Int) throws(InputError) -> String {
        let bytes = rows.text(index)
        guard UTF8Validation.firstError(in: UnsafeRawBufferPointer(bytes)) == nil else {
            throw mistake("text that is not UTF-8", index)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func json(_ index: Int) throws(InputError) -> JSONTree.Content {
        guard let tree = JSONTree(parsing: Array(rows.text(index))) else {
            throw mistake("text that is not one JSON value", index)
        }
        return tree.content
    }

    private func mistake(_ what: String, _ index: Int) -> InputError {
        InputError(
            what.contains("UTF-8") ? .encoding : .type,
            "\(what), in row \(rowCount) of the table \(SafeText.escaping(table.name))",
            name: database.name, column: names[index],
            remedy: "without the table \(SQLiteSchemaTable.name), types are found in the data")
    }
}
