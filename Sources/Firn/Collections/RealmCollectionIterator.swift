import FirnEngine
import FirnValues

/// An iterator over the elements that a collection had when the iterator was created.
///
/// Changes that the loop makes to the collection do not affect the iterator. An object that was
/// deleted in the meantime is returned with `isInvalidated` set to `true`.
public struct RealmCollectionIterator<Element: RealmCollectionValue>: IteratorProtocol {
    private enum Elements {
        case unmanaged([Element])
        case rows([RowID], ClassID, RealmInstance)
        case objects([RowID], IteratedObject)
        case values([Value], _CollectionCore)
    }

    private let elements: Elements
    private var position = 0

    init(_ elements: [Element]) { self.elements = .unmanaged(elements) }

    init(_ core: _CollectionCore) {
        switch core.content {
        case .objects(let rows):
            guard let elementClass = core.elementClass else {
                misuse("objects without a class")
            }
            if let type = Element.self as? ObjectBase.Type {
                elements = .objects(rows, IteratedObject(type, elementClass.id, core.instance))
            } else {
                elements = .rows(rows, elementClass.id, core.instance)
            }
        case .values(let values): elements = .values(values, core)
        }
    }

    /// Returns the next element, or `nil` after the last one.
    public mutating func next() -> Element? {
        defer { position += 1 }
        switch elements {
        case .unmanaged(let elements): return position < elements.count ? elements[position] : nil
        case .objects(let rows, let iterated):
            guard position < rows.count else { return nil }
            // The elements are objects of exactly this class.
            return unsafeBitCast(iterated.object(rows[position]), to: Element.self)
        case .rows(let rows, let classID, let instance):
            guard position < rows.count else { return nil }
            let link = Value.link(ObjectReference(classID: classID, rowID: rows[position]))
            return Element._decode(_StoredValue(link), in: _RealmReference(instance))
        case .values(let values, let core):
            guard position < values.count else { return nil }
            return Element._decode(_StoredValue(values[position]), in: core.reference(at: position))
        }
    }
}

/// The object that an iterator returned last.
///
/// It represents the next row as well, unless the program keeps it. A loop that only reads
/// properties then creates a single object.
private final class IteratedObject {
    private let type: ObjectBase.Type
    private let instance: RealmInstance
    private let classID: ClassID
    /// Whether objects hold nothing but what the database has.
    private let isReusable: Bool
    private var last: ObjectBase?

    init(_ type: ObjectBase.Type, _ classID: ClassID, _ instance: RealmInstance) {
        self.type = type
        self.classID = classID
        self.instance = instance
        isReusable = type != DynamicObject.self && ClassLayout.of(type).holdsOnlyPersisted
    }

    func object(_ row: RowID) -> ObjectBase {
        // Weak and unowned references must become nil or invalid, as if the object were freed.
        if isReusable, isKnownUniquelyReferenced(&last), let last,
            _getWeakRetainCount(last) == 1, _getUnownedRetainCount(last) == 1,
            let binding = last.access?.binding
        {
            last.access = ObjectAccess(instance: instance, binding: binding, row: row)
            return last
        }
        let object = instance.object(type, ObjectReference(classID: classID, rowID: row))
        last = isReusable ? object : nil
        return object
    }
}
