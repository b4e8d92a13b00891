package import FirnValues

/// A value of a Realm file, as it is stored.
package enum RealmValue: Sendable {
    case null
    case bool(Bool)
    case int(Int64)
    /// The bits, because arithmetic can change the bits of a NaN.
    case float(UInt32)
    case double(UInt64)
    case string(String)
    /// The bytes of a text that is not UTF-8.
    case invalidText([UInt8])
    case data([UInt8])
    case date(RealmDate)
    case decimal(Decimal128)
    case objectID(ObjectID)
    case uuid(UUID)
    case link(RealmLink)
    /// A link of a synchronized file to an object that has not arrived.
    case unresolvedLink
    /// A list or dictionary inside a value of any type.
    case collection(StoredCollection)
}

/// A point in time: seconds since 1970, and nanoseconds of the same sign.
package struct RealmDate: Hashable, Sendable {
    package let seconds: Int64
    package let nanoseconds: Int64

    package init(seconds: Int64, nanoseconds: Int64) {
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }
}

/// A link: the index of its class, and the key of the object.
package struct RealmLink: Hashable, Sendable {
    package let classIndex: Int
    package let key: UInt64

    package init(classIndex: Int, key: UInt64) {
        self.classIndex = classIndex
        self.key = key
    }
}

/// A list, set or dictionary, whose elements are read when they are needed.
package struct StoredCollection: Sendable {
    package enum Kind: Sendable {
        case list
        case set
        case dictionary(hasIntegerKeys: Bool)
    }

    package let kind: Kind
    /// The type of the elements.
    let element: ElementType
    /// The position of the content; 0 if the collection is empty.
    let position: UInt64
    /// The number of collections around this one.
    package let depth: Int

    /// Whether elements may be null.
    package var isNullable: Bool { element.isNullable }

    /// Whether a link to an object that has not arrived is not an element of the collection.
    ///
    /// Elements of any type keep their places.
    package var dropsUnresolvedLinks: Bool {
        if case .dictionary = kind { return false }
        return element.type == .link
    }
}

/// The type of the values in a leaf.
struct ElementType: Sendable {
    let type: RealmType
    let isNullable: Bool
    /// The class of a link.
    let target: Int?

    static let mixed = ElementType(type: .mixed, isNullable: true, target: nil)
}
