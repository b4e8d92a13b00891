import FirnEngine
import FirnPlatform
import FirnQuery
import FirnValues

/// What a managed collection stands for, whatever its elements are called in the program.
///
/// It knows its elements as of one epoch of its realm, and finds them again in the next.
public class _CollectionCore {
    let instance: RealmInstance
    private let givenClass: ClassSchema?
    private var known: CollectionContent?
    private var epoch: UInt64 = 0
    /// Of the instance when the collection, or the one that it is made of, was asked for.
    final var madeIn: UInt64

    init(_ instance: RealmInstance, elementClass: ClassSchema? = nil) {
        self.instance = instance
        givenClass = elementClass
        madeIn = instance.epoch
    }

    /// Whether the realm was invalidated since.
    final var isStale: Bool { instance.isStale(madeIn) }

    /// Of the objects; `nil` of other elements.
    var elementClass: ClassSchema? { givenClass }

    /// Finds the elements in what the realm shows now.
    func load() throws(StoreError) -> CollectionContent {
        misuse("a collection that cannot be read")
    }

    /// Whether there is still something that has the elements.
    func findIsValid() throws(StoreError) -> Bool { !isStale }

    /// The same collection in another realm of the same file.
    func moved(to instance: RealmInstance) -> _CollectionCore {
        misuse("a collection that cannot be moved")
    }

    /// Whether both stand for the same collection.
    func isSame(as other: _CollectionCore) -> Bool { self === other }

    /// What the collection is called in messages.
    var name: String { "collection" }

    /// The elements as the realm shows them now.
    ///
    /// - Complexity: O(1) unless the realm has moved on
    final var content: CollectionContent {
        instance.reading("reading a \(name)") { () throws(StoreError) in try contentHere() }
    }

    /// The elements, for whoever has the right to read already.
    final func contentHere() throws(StoreError) -> CollectionContent {
        if let known = knownContent { return known }
        let content = try load()
        known = content
        epoch = instance.epoch
        return content
    }

    /// The elements, if they were found already.
    final var knownContent: CollectionContent? { epoch == instance.epoch ? known : nil }

    /// Lets go of the elements, which are about to change.
    func forget() { known = nil }

    /// What the element at a position can be decoded with.
    func reference(at index: Int) -> _RealmReference { _RealmReference(instance) }

    /// How many elements there are.
    var count: Int { content.count }

    /// Whether the owner was deleted or the realm was invalidated.
    final var isInvalidated: Bool {
        instance.reading("reading a \(name)") { () throws(StoreError) in try !findIsValid() }
    }

    /// One element as it is stored.
    func stored(_ index: Int) -> _StoredValue {
        let content = self.content
        guard index >= 0, index < content.count else { outOfBounds(index, content.count) }
        return stored(index, of: content)
    }

    /// The first element as it is stored; `nil` if there is none.
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

/// Stops the program for a position that a collection does not have.
func outOfBounds(_ index: Int, _ count: Int) -> Never {
    misuse("index \(index) is out of bounds: there are \(count) elements")
}
