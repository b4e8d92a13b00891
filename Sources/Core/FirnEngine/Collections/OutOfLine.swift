import FirnCodec
import FirnValues

/// A large collection, whose elements are stored outside the columns of its row group.
enum OutOfLine: Sendable {
    /// A collection in the collection tree of the root.
    case stored(LargeCollection)
    /// A collection that was changed since the root.
    case edited(EditedCollection)

    /// The number of elements.
    var count: Int {
        switch self {
        case .stored(let collection): collection.count
        case .edited(let collection): collection.count
        }
    }

    /// The path of the file, for errors.
    var path: String {
        switch self {
        case .stored(let collection): collection.path
        case .edited(let collection): collection.path
        }
    }

    /// Visits all elements in their order.
    func forEach(
        _ visit: (CollectionEntry) throws(StoreError) -> Void
    ) throws(StoreError) {
        func goOn(_ entry: CollectionEntry) throws(StoreError) -> Bool {
            try visit(entry)
            return true
        }
        switch self {
        case .stored(let collection): try collection.forEach(in: 0..<count, goOn)
        case .edited(let collection): try collection.forEach(in: 0..<count, goOn)
        }
    }

    /// Returns all elements as a value.
    func value(_ type: PropertyType) throws(StoreError) -> Value {
        var values: [Value] = []
        var keys: [String] = []
        try forEach { entry throws(StoreError) in
            values.append(entry.value)
            if let key = entry.key { keys.append(key) }
        }
        return type.collection(values, keys)
    }
}

extension Value {
    /// The elements of a collection as entries of a piece table.
    var collectionEntries: [CollectionEntry] {
        switch self {
        case .list(let values), .set(let values): values.map { CollectionEntry($0) }
        case .map(let entries):
            entries.orderedEntries.map { CollectionEntry(key: $0.key, $0.value) }
        default: []
        }
    }

    /// The number of elements of a collection.
    var elementCount: Int {
        switch self {
        case .list(let values), .set(let values): values.count
        case .map(let entries): entries.count
        default: 0
        }
    }
}

/// The limits that determine where the elements of a collection are stored.
enum CollectionLimits {
    /// The maximum number of elements that are stored in the row group instead of the collection
    /// tree.
    static let inlineElementCount = 1024
    /// The largest size in bytes of elements that are stored in the row group.
    static let inlineByteCount = 256 * 1024
    /// The number of elements at which a large collection returns to the row group.
    ///
    /// It is below the upper limit, so that a collection near that limit does not move with every
    /// change.
    static let returningElementCount = 512
    /// The maximum number of elements of a collection; their numbers are 32 bits wide in memory.
    static let elementCountMaximum = 1 << 30
}
