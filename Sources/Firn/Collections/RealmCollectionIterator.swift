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
            elements = .rows(rows, elementClass.id, core.instance)
        case .values(let values): elements = .values(values, core)
        }
    }

    /// Returns the next element, or `nil` after the last one.
    public mutating func next() -> Element? {
        defer { position += 1 }
        switch elements {
        case .unmanaged(let elements): return position < elements.count ? elements[position] : nil
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
