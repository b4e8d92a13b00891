import FirnCodec
package import FirnQuery
package import FirnValues

/// The representation of the values of a column, which is determined once per batch, so that a row
/// costs one switch per value.
package enum ColumnForm {
    case bool
    case int
    /// A 64-bit integer that JSON quotes.
    case wideInt
    case float
    case double
    case fixed(places: Int)
    /// Doubles that have this number of places apart from rounding errors.
    case rounded(places: Int)
    case date
    case dateOnly
    case string
    case data
    case uuid
    case objectID
    case decimal128
    /// Text that is already JSON: collections, Any and embedded objects.
    case json

    /// - Parameter kind: the type of the vector; the type of the column if there is no vector yet.
    package init(_ kind: ValueTag? = nil, of column: ResultColumn, quotesInt64: Bool = false) {
        let type = column.type
        if type.container != .single || type.base == .any {
            self = .json
            return
        }
        switch (kind ?? type.base, column.display) {
        case (.bool, _): self = .bool
        case (.int, _):
            let isWide = type.base == .link || type.integerWidth == .bits64
            self = quotesInt64 && isWide ? .wideInt : .int
        case (.float, _): self = .float
        case (.double, .decimalPlaces(let places)): self = .fixed(places: places)
        case (.double, .computedPlaces(let places)): self = .rounded(places: places)
        case (.double, _): self = .double
        case (.date, .dateOnly): self = .dateOnly
        case (.date, _): self = .date
        case (.string, _): self = type.base == .link ? .json : .string
        case (.data, _): self = .data
        case (.uuid, _): self = .uuid
        case (.objectID, _): self = .objectID
        case (.decimal128, _): self = .decimal128
        case (.any, _), (.null, _), (.link, _), (.list, _), (.set, _), (.map, _): self = .json
        }
    }

    /// Whether a table right-aligns the values.
    package var isNumeric: Bool {
        switch self {
        case .int, .wideInt, .float, .double, .fixed, .rounded, .decimal128: true
        default: false
        }
    }

    /// Whether the values are numbers that can have a fraction.
    var isFraction: Bool {
        switch self {
        case .double, .fixed, .rounded, .float, .decimal128: true
        default: false
        }
    }

    /// Whether the values are text with a format-specific representation.
    package var isText: Bool {
        switch self {
        case .string, .json: true
        default: false
        }
    }
}
