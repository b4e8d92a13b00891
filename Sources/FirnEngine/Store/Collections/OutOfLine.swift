import FirnCodec
import FirnValues

/// A large collection, whose elements stand outside of the columns of its row group.
enum OutOfLine: Sendable {
    /// In the collection tree of the root.
    case stored(LargeCollection)
    /// Changed since.
    case edited(EditedCollection)

    /// How many elements it has.
    func count() throws(StoreError) -> Int {
        switch self {
        case .stored(let collection): try collection.count()
        case .edited(let collection): collection.count
        }
    }

    /// Hands out the entries from some position on, one batch after the other.
    func forEach(
        in range: Range<Int>, _ visit: (CollectionEntry) throws(StoreError) -> Void
    ) throws(StoreError) {
        switch self {
        case .stored(let collection): try collection.forEach(in: range, visit)
        case .edited(let collection): try collection.forEach(in: range, visit)
        }
    }
}
