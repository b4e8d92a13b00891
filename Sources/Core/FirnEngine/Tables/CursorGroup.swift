import FirnCodec
import FirnValues

/// A row group as read by a cursor, which loads columns on demand.
final class CursorGroup {
    /// The numbers or texts of a property that the overlay does not change, valid while the group
    /// lives.
    struct Plain {
        /// The numbers; `nil` if the property has not been requested yet or has no such values.
        var kind: ValueTag?
        var numbers = NumberColumnView.none
        /// The texts, if the property has texts.
        var texts: TextColumnView?

        func isNull(_ index: Int) -> Bool { texts?.isNull(index) ?? numbers.isNull(index) }
    }

    /// The loaded data of one property.
    private struct Column {
        var isKnown = false
        /// `nil` for collections and for rows that are not stored as pages.
        var page: ColumnPage?
        /// The numbers in ``page``, if the overlay does not change them.
        var numbers: NumberColumnView?
        /// The texts in ``page``, if the overlay does not change them.
        var texts: TextColumnView?
        /// The rows whose values differ from the page.
        var changes: RowMap<Value>?
    }

    let firstRowID: RowID
    private let view: RowGroupView
    private let properties: [PropertySchema]
    private let rowCount: Int
    /// Whether the row ids have no gaps.
    private let isDense: Bool
    /// `nil` if all rows exist.
    private let live: Bitmap?
    @exclusivity(unchecked) private var columns: [Column]
    /// One element per property; a cursor borrows them while this is its current group.
    var plain: [Plain]
    /// The size of the pages of the columns that were read, in bytes.
    private(set) var byteCount = 0
    private var countedByteCount = 0

    init(_ view: RowGroupView, _ properties: [PropertySchema]) throws(StoreError) {
        self.view = view
        self.properties = properties
        firstRowID = view.firstRowID
        rowCount = view.rowCount
        let last = try view.rowID(at: rowCount - 1)
        isDense = last.rawValue &- view.firstRowID.rawValue == UInt64(rowCount - 1)
        live = try view.liveRows()
        columns = Array(repeating: Column(), count: properties.count)
        plain = Array(repeating: Plain(), count: properties.count)
    }

    /// Returns the size of the pages that were read since the last call.
    func takeReadByteCount() -> Int {
        defer { countedByteCount = byteCount }
        return byteCount - countedByteCount
    }

    /// Returns the index of a row, if the row ids have no gaps.
    func denseIndex(of row: RowID) -> Int? {
        guard isDense, row >= firstRowID else { return nil }
        let distance = row.rawValue - firstRowID.rawValue
        return distance < UInt64(rowCount) ? Int(truncatingIfNeeded: distance) : nil
    }

    func isLive(_ index: Int) -> Bool {
        guard let live else { return true }
        return live[index]
    }

    /// Returns the plain values of a property, or `nil` if its values currently require
    /// ``value(_:_:)``.
    func findPlain(_ slot: Int) -> Plain? {
        if let texts = columns[slot].texts { return Plain(kind: .string, texts: texts) }
        return columns[slot].numbers.map { Plain(kind: properties[slot].type.base, numbers: $0) }
    }

    func value(_ slot: Int, _ index: Int) throws(StoreError) -> Value {
        if !columns[slot].isKnown { try read(slot) }
        guard let page = columns[slot].page else {
            return try view.value(of: properties[slot], at: index)
        }
        if let changed = columns[slot].changes?[UInt32(index)] { return changed }
        return properties[slot].type.fromColumn(page.value(at: index))
    }

    private func read(_ slot: Int) throws(StoreError) {
        let property = properties[slot]
        var column = Column(isKnown: true)
        // Collections are read as a whole, and new rows are not converted to pages for one access.
        if property.type.container == .single, !view.isValues {
            let page = try view.baseColumn(property)
            column.page = page
            byteCount += page.memoryByteCount
            column.changes = view.patch?.values[property.id]
            // An Any carries the type with each value.
            if column.changes == nil, property.type.base != .any {
                column.numbers = NumberColumnView(page)
                column.texts = TextColumnView(page)
            }
        }
        columns[slot] = column
    }
}
