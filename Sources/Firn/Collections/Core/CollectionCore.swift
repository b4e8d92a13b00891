import FirnEngine
import FirnPlatform
import FirnQuery
import FirnValues

/// What a managed collection stands for, whatever its elements are called in the program.
///
/// It knows its elements as of one epoch of its realm, and finds them again in the next.
public class _CollectionCore {
    let instance: RealmInstance
    /// Of the objects; `nil` of other elements.
    let elementClass: ClassSchema?
    private var known: CollectionContent?
    private var epoch: UInt64 = 0

    init(_ instance: RealmInstance, elementClass: ClassSchema?) {
        self.instance = instance
        self.elementClass = elementClass
    }

    /// Finds the elements in what the realm shows now.
    func load() throws(StoreError) -> CollectionContent {
        misuse("a collection that cannot be read")
    }

    /// Whether there is still something that has the elements.
    func findIsValid() throws(StoreError) -> Bool { !instance.isInvalidated }

    /// The same collection in another realm of the same file.
    func moved(to instance: RealmInstance) -> _CollectionCore {
        misuse("a collection that cannot be moved")
    }

    /// What the collection is called in messages.
    var name: String { "collection" }

    /// The elements as the realm shows them now.
    ///
    /// - Complexity: O(1) unless the realm has moved on
    final var content: CollectionContent {
        instance.reading("reading a \(name)") { () throws(StoreError) in try contentHere() }
    }

    private final func contentHere() throws(StoreError) -> CollectionContent {
        if let known, epoch == instance.epoch { return known }
        let content = try load()
        known = content
        epoch = instance.epoch
        return content
    }

    /// How many elements there are.
    var count: Int { content.count }

    /// Whether the owner was deleted or the realm was invalidated.
    final var isInvalidated: Bool {
        instance.reading("reading a \(name)") { () throws(StoreError) in try !findIsValid() }
    }

    /// One element as it is stored.
    final func stored(_ index: Int) -> _StoredValue {
        switch content {
        case .objects(let rows):
            guard rows.indices.contains(index), let elementClass else {
                outOfBounds(index, rows.count)
            }
            return _StoredValue(
                .link(ObjectReference(classID: elementClass.id, rowID: rows[index])))
        case .values(let values):
            guard values.indices.contains(index) else { outOfBounds(index, values.count) }
            return _StoredValue(values[index])
        }
    }
}

/// Stops the program for a position that a collection does not have.
func outOfBounds(_ index: Int, _ count: Int) -> Never {
    misuse("index \(index) is out of bounds: there are \(count) elements")
}
