import FirnCodec
import FirnPlatform
import FirnValues

/// A check that the entries of a unique index, which arrive in order, have no value twice.
///
/// Values that are nil may occur any number of times.
struct UniqueCheck {
    private let encoder: IndexEncoder
    private let table: Table
    /// The previous entry; empty if it has a nil value.
    private var last: [UInt8] = []

    init(_ encoder: IndexEncoder, _ table: Table) {
        self.encoder = encoder
        self.table = table
    }

    /// Adds the next entry.
    ///
    /// - Throws: ``StoreError`` with `duplicateKey`, which names both objects.
    mutating func add(_ key: UnsafeRawBufferPointer) throws(StoreError) {
        let count = key.count - IndexKey.rowByteCount
        let isSame =
            count == last.count - IndexKey.rowByteCount
            && last.withUnsafeBytes { last in
                last.prefix(count).elementsEqual(key.prefix(count))
            }
        if isSame { try compare(last, key) }
        last.removeAll(keepingCapacity: true)
        last.append(contentsOf: key)
    }

    /// Compares two objects with the same key; long texts are only equal as far as the key goes.
    private func compare(
        _ last: [UInt8], _ key: UnsafeRawBufferPointer
    ) throws(StoreError) {
        let rows = [last.withUnsafeBytes { IndexKey.row(of: $0) }, IndexKey.row(of: key)]
            .compactMap { $0 }
        guard rows.count == 2, rows[0] != rows[1] else { return }
        try encoder.checkDistinct(rows[0], rows[1], in: table)
    }
}

extension IndexEncoder {
    /// Checks that two objects with the same key differ in a value, or that one of them is nil.
    ///
    /// - Throws: ``StoreError`` with `duplicateKey`, which names both objects.
    func checkDistinct(
        _ left: RowID, _ right: RowID, in table: Table
    ) throws(StoreError) {
        guard let first = try values(of: left, in: table),
            let second = try values(of: right, in: table),
            areSame(first, second)
        else { return }
        throw duplicate(first, left, right, in: table)
    }

    /// Whether two objects with such values contradict a unique index.
    func areSame(_ left: [Value], _ right: [Value]) -> Bool {
        guard !left.contains(.null), !right.contains(.null) else { return false }
        return zip(left, right).allSatisfy { left, right in
            if ignoresCase, case .string(let left) = left, case .string(let right) = right {
                return folded(left) == folded(right)
            }
            return left.order(relativeTo: right) == .equal
        }
    }

    private func folded(_ text: String) -> [UInt8] {
        var text = text
        return text.withUTF8 { TextPattern.folded($0, .caseInsensitive) }
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
        _ values: [Value], _ left: RowID, _ right: RowID, in table: Table
    ) -> StoreError {
        let schema = table.schema
        let texts = zip(properties, values).map { "\($0.name) \($1.shortened)" }
        return StoreError(
            .duplicateKey, path: table.directory.pages.file.path,
            detail: "\(schema.name(of: index)) is unique, but \(texts.joined(separator: " and ")) "
                + "is that of the objects with @id \(min(left, right).rawValue) and "
                + "\(max(left, right).rawValue)")
    }
}
