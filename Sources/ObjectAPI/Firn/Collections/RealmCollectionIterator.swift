import FirnEngine
import FirnValues

/// An iterator over the elements that a collection had when the iterator was created.
///
/// Changes that the loop makes to the collection do not affect the iterator. An object that was
/// deleted in the meantime is returned with `isInvalidated` set to `true`.
public struct RealmCollectionIterator<Element: RealmCollectionValue>: IteratorProtocol {
    private enum Elements {
        case unmanaged([Element])
        case values([Value], _CollectionCore)
    }

    /// The rows of objects in a realm, and the realm.
    ///
    /// The address serves to create objects: binding the cases of an enumeration would count
    /// references for each of them.
    private struct Rows {
        let rows: ObjectRows
        let classID: ClassID
        let instance: RealmInstance
        let address: Unmanaged<RealmInstance>
    }

    private let rows: Rows?
    /// A user of the state that the objects share, or `nil` if there are no objects.
    private let user: CursorSlotUser?
    private let elements: Elements
    private var position = 0

    init(_ elements: [Element]) {
        self.elements = .unmanaged(elements)
        (rows, user) = (nil, nil)
    }

    init(_ core: _CollectionCore) {
        switch core.content {
        case .objects(let rows):
            guard let elementClass = core.elementClass else {
                misuse("objects without a class")
            }
            self.rows = Rows(
                rows: rows, classID: elementClass.id, instance: core.instance,
                address: .passUnretained(core.instance))
            elements = .unmanaged([])
            if rows.count > 0, let type = Element.self as? ObjectBase.Type {
                user = CursorSlotUser(core.instance.binding(of: type, elementClass.id))
            } else {
                user = nil
            }
        case .values(let values):
            (rows, user) = (nil, nil)
            elements = .values(values, core)
        }
    }

    /// Returns the next element, or `nil` after the last one.
    public mutating func next() -> Element? {
        defer { position += 1 }
        if let address = rows?.address, let classID = rows?.classID, let count = rows?.rows.count {
            guard position < count, let row = rows?.rows[position] else { return nil }
            let link = Value.link(ObjectReference(classID: classID, rowID: row))
            return Element._decode(_StoredValue(link), in: _RealmReference(address))
        }
        switch elements {
        case .unmanaged(let elements): return position < elements.count ? elements[position] : nil
        case .values(let values, let core):
            guard position < values.count else { return nil }
            return Element._decode(_StoredValue(values[position]), in: core.reference(at: position))
        }
    }
}
