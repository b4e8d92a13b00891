import FirnEngine
import FirnPlatform
import FirnQuery
import FirnValues

/// The implementation of a managed collection, independent of the type of its elements.
///
/// It caches its elements for one epoch of its realm, and finds them again in the next epoch.
public class _CollectionCore {
    let instance: RealmInstance
    private let givenClass: ClassSchema?
    private var known: CollectionContent?
    private var epoch: UInt64 = 0
    /// The epoch in which the collection, or the collection from which it is derived, was
    /// requested.
    final var madeIn: UInt64

    init(_ instance: RealmInstance, elementClass: ClassSchema? = nil) {
        self.instance = instance
        givenClass = elementClass
        madeIn = instance.epoch
    }

    /// Whether the realm was invalidated since the collection was requested.
    final var isStale: Bool { instance.isStale(madeIn) }

    /// The class of the objects, or `nil` for other elements.
    var elementClass: ClassSchema? { givenClass }

    /// Finds the elements in the version that the realm shows.
    func load() throws(StoreError) -> CollectionContent {
        misuse("a collection that cannot be read")
    }

    /// Returns whether the owner of the elements still exists.
    func findIsValid() throws(StoreError) -> Bool { !isStale }

    /// Returns the same collection in another realm of the same file.
    func moved(to instance: RealmInstance) -> _CollectionCore {
        misuse("a collection that cannot be moved")
    }

    /// Returns whether both represent the same collection.
    func isSame(as other: _CollectionCore) -> Bool { self === other }

    /// The name of the collection in messages.
    var name: String { "collection" }

    /// The elements that the realm shows now.
    ///
    /// - Complexity: O(1) unless the realm has advanced
    final var content: CollectionContent {
        instance.reading("reading a \(name)", try contentHere())
    }

    /// Returns the elements, for a caller that already has permission to read.
    final func contentHere() throws(StoreError) -> CollectionContent {
        if let known = knownContent { return known }
        let content = try load()
        known = content
        epoch = instance.epoch
        return content
    }

    /// The elements, if they are cached for the current epoch.
    final var knownContent: CollectionContent? { epoch == instance.epoch ? known : nil }

    /// Releases the cached elements, which are about to change.
    func forget() { known = nil }

    /// Returns the reference with which the element at a position is decoded.
    func reference(at index: Int) -> _RealmReference { _RealmReference(instance) }

    /// The number of elements.
    var count: Int { content.count }

    /// Whether the owner was deleted or the realm was invalidated.
    final var isInvalidated: Bool {
        instance.reading("reading a \(name)", try !findIsValid())
    }

    /// Returns the stored form of one element.
    func stored(_ index: Int) -> _StoredValue {
        let content = self.content
        guard index >= 0, index < content.count else { outOfBounds(index, content.count) }
        return stored(index, of: content)
    }

    /// The stored form of the first element, or `nil` if there is none.
    var storedFirst: _StoredValue? {
        let content = self.content
        return content.count == 0 ? nil : stored(0, of: content)
    }

    final func stored(_ index: Int, of content: CollectionContent) -> _StoredValue {
        switch content {
        case .objects(let rows):
            guard let elementClass else { misuse("objects without a class") }
            return _StoredValue(
                .link(ObjectReference(classID: elementClass.id, rowID: rows[index])))
        case .values(let values): return _StoredValue(values[index])
        }
    }
}

/// Stops the program because a collection does not have a position.
func outOfBounds(_ index: Int, _ count: Int) -> Never {
    misuse("index \(index) is out of bounds: there are \(count) elements")
}

/// The elements of a collection in one version.
enum CollectionContent {
    /// Objects of one class.
    case objects(ObjectRows)
    /// Values of any other type.
    case values([Value])

    var count: Int {
        switch self {
        case .objects(let rows): rows.count
        case .values(let values): values.count
        }
    }
}
