import FirnEngine
import FirnText
import FirnValues

/// Values with links to objects that did not exist when they were read.
///
/// Memory is bounded by the number of these values.
final class PendingLinks {
    struct Item {
        let object: ObjectReference
        let property: PropertySchema
        let value: ValuePlan
        /// The position of the record.
        let position: TextPosition
        /// The name of the input.
        let input: String
        /// A number that ascends with the pending links of all inputs.
        let order: UInt64
    }

    /// The values in the order of the input; `nil` once a later record gave the property another
    /// value.
    private var all: [Item?] = []
    /// The indices of the values of an object, for the first ``indexedCount`` values.
    private var indices: [ObjectReference: [Int]] = [:]
    private var indexedCount = 0

    var isEmpty: Bool { all.isEmpty }
    var items: some Sequence<Item> { all.lazy.compactMap { $0 } }

    func append(_ item: Item) { all.append(item) }

    func removeAll() {
        all.removeAll()
        indices.removeAll()
        indexedCount = 0
    }

    /// Removes the values of an object, in the order of the input.
    ///
    /// - Parameter isMeant: returns whether the value of a property is removed.
    @discardableResult
    func take(
        of object: ObjectReference, where isMeant: (PropertyID) -> Bool
    ) -> [Item] {
        while indexedCount < all.count {
            if let item = all[indexedCount] {
                indices[item.object, default: []].append(indexedCount)
            }
            indexedCount += 1
        }
        var taken: [Item] = []
        for index in indices[object] ?? [] {
            guard let item = all[index], isMeant(item.property.id) else { continue }
            taken.append(item)
            all[index] = nil
        }
        return taken
    }
}
