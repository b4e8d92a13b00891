/// A field of an Arrow schema: a type, and its layout in buffers.
struct ArrowField {
    /// The layout of the values of a type.
    indirect enum Layout {
        case null
        case bits
        case integers(bytes: Int, isSigned: Bool)
        case floats(bytes: Int)
        /// Texts with offsets of 4 or 8 bytes.
        case texts(offsetBytes: Int)
        /// Texts in views of 16 bytes; long texts are in any number of buffers.
        case views
        case fixed(bytes: Int)
        case decimals(bytes: Int)
        /// Days, stored in milliseconds.
        case dayMilliseconds
        /// Lists with offsets of 4 or 8 bytes.
        case lists(offsetBytes: Int, ArrowField)
        case fixedLists(count: Int, ArrowField)
        case structure([ArrowField])
        case map(ArrowField)
    }

    let field: ColumnarField
    let layout: Layout
    /// The dictionary of the values, and the layout of the indices.
    var dictionary: (id: Int64, indexBytes: Int, isSigned: Bool)?
}

/// The kinds of messages.
enum ArrowMessageKind: UInt8 {
    case schema = 1
    case dictionary = 2
    case batch = 3
}

/// The names of the known extension types.
enum ArrowExtension {
    static let key = "ARROW:extension:name"
    static let metadataKey = "ARROW:extension:metadata"
    static let uuid = "arrow.uuid"
    static let json = "arrow.json"
}
