import FirnEngine
import FirnValues

/// Converts the values of a version of the file to the texts of columns.
///
/// A link becomes the key of its target.
final class ValueTexts {
    private let snapshot: Snapshot
    private let json: JSONEncoding
    private var cursors: [ClassID: ObjectCursor] = [:]

    /// - Parameter scratch: embedded objects that are not in the file.
    init(_ snapshot: Snapshot, scratch: ScratchObjects? = nil) {
        self.snapshot = snapshot
        json = JSONEncoding(schema: snapshot.schema) { object throws(StoreError) in
            if let values = scratch?[object] { return values }
            return try snapshot.table(object.classID)?.values(of: object.rowID)
        }
    }

    /// Returns the texts of a value.
    ///
    /// - Throws: ``UpstreamError`` with `unsupported` if PostgreSQL cannot store the value.
    func texts(_ value: Value, _ column: SyncedColumn) throws(UpstreamError) -> [String?] {
        if column.isJSON {
            return [value.isNull ? nil : try json.node(value, column.type).text]
        }
        switch value {
        case .null: return column.names.map { _ in nil }
        // A table of another program has no column for the nanoseconds.
        case .date(let date): return Array(try ScalarText.texts(date).prefix(column.names.count))
        case .list(let elements), .set(let elements):
            var texts: [String?] = []
            for element in elements { texts.append(try text(element, column)) }
            return [ArrayText.text(texts)]
        default: return [try text(value, column)]
        }
    }

    private func text(_ value: Value, _ column: SyncedColumn) throws(UpstreamError) -> String? {
        guard case .link(let target) = value else { return try ScalarText.text(value) }
        let found = try UpstreamError.converting { () throws(StoreError) in
            try self.key(of: target)
        }
        guard let found else { return nil }
        return try ScalarText.text(found)
    }

    /// Returns the key of an object; `nil` if the object does not exist.
    func key(of object: ObjectReference) throws(StoreError) -> Value? {
        let cursor: ObjectCursor
        if let known = cursors[object.classID] {
            cursor = known
        } else {
            guard let key = snapshot.schema[object.classID]?.keyProperty,
                let new = ObjectCursor(snapshot, object.classID, [key])
            else { return nil }
            cursors[object.classID] = new
            cursor = new
        }
        guard try cursor.move(to: object.rowID) else { return nil }
        return try cursor.value(0)
    }
}

/// Converts the texts of columns to values.
///
/// A link to an object that is not in the file is nil; such elements of collections are omitted.
struct TextValues {
    private let find: (ClassSchema, Value) throws(StoreError) -> RowID?
    private let json: JSONDecoding

    /// - Parameters:
    ///   - find: Returns the object of a class with a key.
    ///   - create: Creates an embedded object.
    init(
        _ schema: Schema, find: @escaping (ClassSchema, Value) throws(StoreError) -> RowID?,
        create: @escaping (ClassID, [Value]) throws(StoreError) -> RowID
    ) {
        self.find = find
        json = JSONDecoding(schema: schema, find: find, create: create)
    }

    /// Returns the values of a row, in the order of the columns of a class.
    ///
    /// - Throws: ``UpstreamError`` with `unsupported` if a text does not fit its property.
    func row(_ texts: [String?], of type: SyncedClass) throws(UpstreamError) -> [Value] {
        var values: [Value] = []
        values.reserveCapacity(type.columns.count)
        var index = 0
        for column in type.columns {
            let end = min(index + column.names.count, texts.count)
            values.append(try value(texts[min(index, end)..<end], column, of: type))
            index = end
        }
        return values
    }

    /// - Throws: ``UpstreamError`` with `unsupported` if a text does not fit the property.
    func value(
        _ texts: ArraySlice<String?>, _ column: SyncedColumn, of type: SyncedClass
    ) throws(UpstreamError) -> Value {
        guard let first = texts.first, let text = first else {
            if column.isCollection { return column.type.emptyCollection }
            guard column.type.isOptional || column.isLink || column.isJSON else {
                throw misfit("NULL", column, type)
            }
            return .null
        }
        if column.isJSON {
            guard let node = JSONNode(parsing: text), let value = try json.value(node, column.type)
            else { throw misfit(text, column, type) }
            return value
        }
        guard column.isCollection else {
            if column.stored == .date, !column.isLink {
                guard let date = ScalarText.date(text, rest: texts.dropFirst().first ?? nil) else {
                    throw misfit(text, column, type)
                }
                return date
            }
            return try element(text, column, of: type) ?? .null
        }
        guard let elements = ArrayText.elements(text) else { throw misfit(text, column, type) }
        var values: [Value] = []
        for element in elements {
            guard let element else {
                guard column.type.isOptional, !column.isLink else {
                    throw misfit("NULL", column, type)
                }
                values.append(.null)
                continue
            }
            if let value = try self.element(element, column, of: type) { values.append(value) }
        }
        return column.type.container == .set ? .set(values) : .list(values)
    }

    /// Returns a value; `nil` for a link to an object that is not in the file.
    private func element(
        _ text: String, _ column: SyncedColumn, of type: SyncedClass
    ) throws(UpstreamError) -> Value? {
        guard let value = ScalarText.value(text, column.stored),
            column.type.fits(value) || column.isLink
        else { throw misfit(text, column, type) }
        guard let target = column.target else { return value }
        let row = try UpstreamError.converting { () throws(StoreError) in try find(target, value) }
        return row.map { .link(ObjectReference(classID: target.id, rowID: $0)) }
    }

    private func misfit(
        _ text: String, _ column: SyncedColumn, _ type: SyncedClass
    ) -> UpstreamError {
        UpstreamError(
            .unsupported,
            "the server has \(SafeText.excerpt(of: Array(text.utf8))) in "
                + "\(type.name).\(column.name), which does not fit the type of the property",
            remedy: "change it on the server")
    }
}

extension PropertyType {
    /// Whether an integer fits the width of the property; true for all other values.
    fileprivate func fits(_ value: Value) -> Bool {
        guard case .int(let number) = value else { return true }
        return integerWidth.range.contains(number)
    }
}
