package import FirnValues

/// The storage of the values of a kind in builders, pages and vectors.
extension ValueTag {
    /// Whether pages can contain values of this kind: all except collections, links and null.
    package var isColumnKind: Bool {
        switch self {
        case .bool, .int, .float, .double, .string, .data, .date, .decimal128, .objectID, .uuid,
            .any:
            true
        case .null, .link, .list, .set, .map: false
        }
    }

    /// Whether values are stored as doubles.
    ///
    /// Every Float is exactly a double.
    package var isStoredAsDoubles: Bool { self == .double || self == .float }

    /// Whether values are stored contiguously as bytes.
    package var isStoredAsBytes: Bool {
        switch self {
        case .string, .data, .uuid, .objectID, .decimal128, .any: true
        default: false
        }
    }

    /// Whether the order of the stored bytes is the order of the values.
    package var isOrderedByBytes: Bool {
        switch self {
        case .string, .data, .uuid, .objectID: true
        default: false
        }
    }

    /// Whether a value is a collection, which only vectors contain.
    package var isCollection: Bool { self == .list || self == .set || self == .map }

    /// The size of each value in bytes, for kinds with a fixed size.
    var fixedByteCount: Int? {
        switch self {
        case .uuid, .decimal128: 16
        case .objectID: 12
        default: nil
        }
    }
}
