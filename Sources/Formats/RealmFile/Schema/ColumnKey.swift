import FirnValues

/// The key of a column, which contains its place and its type.
///
///      63     62 61               30 29        22 21    16 15          0
///     |         | tag               | attributes | type   | index       |
struct ColumnKey {
    /// A list of links in files before format 24.
    static let linkList: UInt8 = 13
    /// The hidden opposite of a link.
    static let backlink: UInt8 = 14

    private static let nullable: UInt8 = 16
    private static let list: UInt8 = 32
    private static let dictionary: UInt8 = 64
    private static let set: UInt8 = 128

    private let bits: UInt64

    init(_ bits: UInt64) { self.bits = bits }

    /// The slot in each cluster, and in the arrays of targets.
    var index: Int { Int(bits & 0xFFFF) }
    var typeNumber: UInt8 { UInt8(bits >> 16 & 0x3F) }
    private var attributes: UInt8 { UInt8(truncatingIfNeeded: bits >> 22) }
    var isNullable: Bool { attributes & ColumnKey.nullable != 0 }

    /// The type; `nil` if no column has it.
    var type: RealmType? {
        typeNumber == ColumnKey.linkList ? .link : RealmType(rawValue: typeNumber)
    }

    /// Returns the container; throws a description if there are several.
    func container(at position: UInt64) throws(RealmFileError) -> RealmColumn.Container? {
        switch attributes & (ColumnKey.list | ColumnKey.dictionary | ColumnKey.set) {
        case 0: typeNumber == ColumnKey.linkList ? .list : nil
        case ColumnKey.list: .list
        case ColumnKey.dictionary: .dictionary
        case ColumnKey.set: .set
        default: throw .damaged("a column is two kinds of collections", at: position)
        }
    }
}
