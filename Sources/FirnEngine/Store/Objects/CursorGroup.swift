import FirnCodec
import FirnValues

/// A row group as a cursor reads it: columns as far as they were asked for.
final class CursorGroup {
    /// The numbers of a property that nothing is laid over, for as long as the group lives.
    struct Numbers {
        /// `nil` while the property was not asked for, or has no such numbers.
        var kind: ValueTag?
        var lane = ColumnLane.none
    }

    /// What is known of one property.
    private struct Column {
        var isKnown = false
        /// `nil` for collections, and for rows that are no pages.
        var page: ColumnPage?
        /// Of a page of numbers that nothing is laid over; points into ``page``.
        var lane: ColumnLane?
        /// Whether ``page`` has texts that nothing is laid over.
        var hasTexts = false
        /// Rows that have other values than the page.
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
    /// One per property; a cursor takes them while this is its current group.
    var numbers: [Numbers]

    init(_ view: RowGroupView, _ properties: [PropertySchema]) throws(StoreError) {
        self.view = view
        self.properties = properties
        firstRowID = view.firstRowID
        rowCount = view.rowCount
        let last = try view.rowID(at: rowCount - 1)
        isDense = last.rawValue &- view.firstRowID.rawValue == UInt64(rowCount - 1)
        live = try view.liveRows()
        columns = Array(repeating: Column(), count: properties.count)
        numbers = Array(repeating: Numbers(), count: properties.count)
    }

    /// The place of a row whose number says it.
    func denseIndex(of row: RowID) -> Int? {
        guard isDense, row >= firstRowID else { return nil }
        let distance = row.rawValue - firstRowID.rawValue
        return distance < UInt64(rowCount) ? Int(truncatingIfNeeded: distance) : nil
    }

    func isLive(_ index: Int) -> Bool {
        guard let live else { return true }
        return live[index]
    }

    /// `nil` if only ``value(_:_:)`` can say the values of a property, so far.
    func numbers(of place: Int) -> Numbers? {
        columns[place].lane.map { Numbers(kind: properties[place].type.base, lane: $0) }
    }

    /// `nil` if only ``value(_:_:)`` can say what a property has.
    func text(_ place: Int, _ index: Int) -> String? {
        guard columns[place].hasTexts, let page = columns[place].page else { return nil }
        return page.text(at: index)
    }

    func value(_ place: Int, _ index: Int) throws(StoreError) -> Value {
        if !columns[place].isKnown { try read(place) }
        guard let page = columns[place].page else {
            return try view.value(of: properties[place], at: index)
        }
        if let changed = columns[place].changes?[UInt32(index)] { return changed }
        return properties[place].type.fromColumn(page.value(at: index))
    }

    private func read(_ place: Int) throws(StoreError) {
        let property = properties[place]
        var column = Column(isKnown: true)
        // Collections are read as wholes, and new rows that are no pages are not made some for one
        // look.
        if property.type.container == .single, !view.isValues {
            let page = try view.baseColumn(property)
            column.page = page
            column.changes = view.patch?.values[property.id]
            // An Any says with each value what it is.
            if column.changes == nil, property.type.base != .any { column.lane = ColumnLane(page) }
            column.hasTexts = column.changes == nil && property.type.base == .string
        }
        columns[place] = column
    }
}
