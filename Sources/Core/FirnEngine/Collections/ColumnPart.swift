import FirnCodec
import FirnValues

/// The columns that a property has in a row group.
///
///     single value   values: one per row
///     list, set      values: the number of elements of each row   elements: row after row
///     map            like a list                                   keys: parallel to the elements
///
/// The elements of a row with ``ColumnPart/outOfLine`` are in the collection tree of the property.
enum ColumnPart: UInt8, Comparable, Sendable {
    case values = 0
    case elements = 1
    case keys = 2

    /// The stored number of elements of a row whose elements are not in the row group.
    static let outOfLine: Int64 = -1

    static func < (left: ColumnPart, right: ColumnPart) -> Bool { left.rawValue < right.rawValue }
}

/// A part of a column that is ready to be written.
struct EncodedPart: Sendable {
    let property: PropertyID
    let part: ColumnPart
    let page: EncodedPage
    let rawByteCount: Int

    init(
        _ property: PropertyID, _ part: ColumnPart, _ builder: ColumnBuilder,
        _ level: CompressionLevel
    ) throws(CodecError) {
        self.init(
            property: property, part: part, page: try builder.encode(level),
            rawByteCount: builder.byteCount)
    }

    init(property: PropertyID, part: ColumnPart, page: EncodedPage, rawByteCount: Int) {
        self.property = property
        self.part = part
        self.page = page
        self.rawByteCount = rawByteCount
    }
}
