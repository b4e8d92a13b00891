package import FirnValues

/// Where builders, pages and vectors keep the values of a kind.
extension ValueTag {
    /// Whether pages hold values of this kind: all but collections, links and null.
    package var isColumnKind: Bool {
        switch self {
        case .bool, .int, .float, .double, .string, .data, .date, .decimal128, .objectID, .uuid,
            .any:
            true
        case .null, .link, .list, .set, .map: false
        }
    }

    /// Whether values stand as doubles; a Float is one exactly.
    package var isStoredAsDoubles: Bool { self == .double || self == .float }

    /// Whether values stand as bytes, one behind the other.
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

    /// Whether a value is a collection, which only a vector holds.
    package var isCollection: Bool { self == .list || self == .set || self == .map }

    /// The bytes of every value, for kinds of which all values have as many.
    var fixedByteCount: Int? {
        switch self {
        case .uuid, .decimal128: 16
        case .objectID: 12
        default: nil
        }
    }
}
