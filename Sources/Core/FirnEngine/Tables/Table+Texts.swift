import FirnCodec
package import FirnPlatform
import FirnValues

/// The texts of a String property, for completion while a user types.
extension Table {
    /// The maximum number of rows of a row group that is searched row by row.
    private static let rowsMax = 1_000

    /// Returns distinct texts of a property that begin with a prefix, ascending.
    ///
    /// They come from dictionaries, from the key index and from a few rows, until the
    /// time limit. Texts of deleted objects may be among them. A column that stores
    /// its texts row by row is not read, unless it is small.
    ///
    /// - Parameters:
    ///   - countMax: The maximum number of texts.
    ///   - nanoseconds: The time limit; the current page is still finished.
    /// - Complexity: O(row groups)
    package func listedTexts(
        of property: PropertySchema, startingWith prefix: String, countMax: Int,
        nanoseconds: UInt64, clock: any Clock
    ) throws(StoreError) -> [String] {
        guard property.type.base == .string, property.type.container == .single else { return [] }
        let prefix = Array(prefix.utf8)
        let start = clock.monotonicNanoseconds()
        var found: TextSet = []
        if property.id == schema.key {
            try addKeys(startingWith: prefix, countMax, to: &found)
        }
        for group in try rowGroups() {
            guard found.count < countMax, clock.monotonicNanoseconds() - start < nanoseconds else {
                break
            }
            guard group.mayList(property, Table.rowsMax) else { continue }
            let page = try group.column(property)
            let isListed = page.forEachListedText(startingWith: prefix) { text in
                found.insert(text)
                return found.count < countMax
            }
            guard !isListed, page.rowCount <= Table.rowsMax else { continue }
            for row in 0..<page.rowCount where found.count < countMax {
                guard case .string(let text) = page.value(at: row), text.utf8.starts(with: prefix)
                else { continue }
                found.insert(text)
            }
        }
        return found.sorted()
    }

    /// Adds the keys in the index of the root.
    private func addKeys(
        startingWith prefix: [UInt8], _ countMax: Int, to found: inout TextSet
    ) throws(StoreError) {
        guard case .tree = record.keyIndex else { return }
        let tree = tree(.keys)
        let ranks = try tree.ranks(withPrefix: prefix)
        let end = min(ranks.upperBound, ranks.lowerBound + UInt64(countMax))
        try tree.forEach(in: ranks.lowerBound..<end) { key, _ in
            found.insert(String(decoding: key, as: UTF8.self))
            return true
        }
    }
}

extension RowGroupView {
    /// Whether a column is worth reading for its texts: it lists them, or has few rows.
    fileprivate func mayList(_ property: PropertySchema, _ rowsMax: Int) -> Bool {
        if rowCount <= rowsMax { return true }
        guard case .stored(let group) = source, let column = group.column(property.id) else {
            return false
        }
        return column.encoding == .dictionary || column.encoding == .constant
    }
}
