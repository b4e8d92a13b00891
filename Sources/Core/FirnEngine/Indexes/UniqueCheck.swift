import FirnCodec
import FirnPlatform
import FirnValues

/// A check that no value occurs twice among the entries of a unique index, which arrive in order.
///
/// Values that are nil may occur any number of times.
struct UniqueCheck {
    private let encoder: IndexEncoder
    private let table: Table
    /// The previous entry without nil; empty if there is none.
    private var last: [UInt8] = []
    /// The whole values of the entries with the same key, as long as their texts are truncated.
    private var wholes: [[UInt8]: RowID] = [:]

    init(_ encoder: IndexEncoder, _ table: Table) {
        self.encoder = encoder
        self.table = table
    }

    /// Adds the next entry.
    ///
    /// - Throws: ``StoreError`` with `duplicateKey`, which names both objects.
    mutating func add(_ key: UnsafeRawBufferPointer) throws(StoreError) {
        guard !encoder.hasNil(key), let row = IndexKey.row(of: key) else { return }
        let count = key.count - IndexKey.rowByteCount
        let isSame =
            count == last.count - IndexKey.rowByteCount
            && last.withUnsafeBytes { last in
                KeyOrder.order(
                    UnsafeRawBufferPointer(rebasing: last.prefix(count)),
                    UnsafeRawBufferPointer(rebasing: key.prefix(count))) == .equal
            }
        if !isSame { wholes.removeAll() }
        if IndexKey.isCut(key) {
            guard let whole = try encoder.wholeKey(of: row, in: table) else { return }
            if let other = wholes.updateValue(row, forKey: whole) {
                throw try encoder.duplicate(other, row, in: table)
            }
        } else if isSame, let other = last.withUnsafeBytes({ IndexKey.row(of: $0) }), other != row {
            throw try encoder.duplicate(other, row, in: table)
        }
        last.removeAll(keepingCapacity: true)
        last.append(contentsOf: key)
    }
}

extension IndexEncoder {
    /// Returns the key of the values of an object, with whole texts; `nil` if one of them is nil, or
    /// if there is no such object.
    func wholeKey(of row: RowID, in table: Table) throws(StoreError) -> [UInt8]? {
        guard let values = try values(of: row, in: table) else { return nil }
        return uniqueKey(of: values, textByteCountMax: .max)
    }

    /// Returns the values of an object; `nil` if it does not exist.
    func values(of row: RowID, in table: Table) throws(StoreError) -> [Value]? {
        guard let (view, position) = try table.locate(row) else { return nil }
        return try properties.map { property throws(StoreError) in
            try view.value(of: property, at: position)
        }
    }

    /// Returns the error for two objects with the same values.
    func duplicate(
        _ left: RowID, _ right: RowID, in table: Table
    ) throws(StoreError) -> StoreError {
        duplicate(
            left, right, try values(of: right, in: table) ?? [],
            path: table.directory.pages.file.path, table.schema)
    }

    /// Returns the error for two objects with the given values.
    func duplicate(
        _ left: RowID, _ right: RowID, _ values: [Value], path: String, _ schema: ClassSchema
    ) -> StoreError {
        StoreError(
            .duplicateKey, path: path,
            detail: "\(schema.name(of: index)) is unique, but \(text(of: values)) is that of "
                + "the objects with @id \(min(left, right).rawValue) and "
                + "\(max(left, right).rawValue)")
    }

    /// Returns the values with the names of their properties, for errors.
    func text(of values: [Value]) -> String {
        zip(properties, values).map { "\($0.name) \($1.shortened)" }.joined(separator: " and ")
    }
}
