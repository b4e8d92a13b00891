import FirnEngine
import FirnText
import FirnValues

/// Links of new objects to objects that come later in the input, by their key.
///
/// They are kept in columns, because an input that has the objects with the links first has as many
/// as objects. No object that has such a link is changed before they are set.
package final class KeyedLinks {
    /// The links of one property.
    final class Column {
        let classID: ClassID
        let property: PropertySchema
        let target: ClassSchema
        /// The distinct keys, and where each was first read.
        private(set) var keys: [(key: Value, first: Occurrence)] = []
        private var indices: [Value: UInt32] = [:]
        /// The objects in ascending order, and the index of the key of each.
        private(set) var rows: [RowID] = []
        private(set) var keyIndices: [UInt32] = []

        fileprivate init(_ classID: ClassID, _ property: PropertySchema, _ target: ClassSchema) {
            (self.classID, self.property, self.target) = (classID, property, target)
        }

        /// Returns the index of a key that a link has.
        func index(of key: Value) -> UInt32? { indices[key] }

        /// Adds the link of an object that comes after all others.
        func append(_ row: RowID, _ key: Value, at first: @autoclosure () -> Occurrence) {
            var index = indices[key]
            if index == nil {
                index = UInt32(clamping: keys.count)
                indices[key] = index
                keys.append((key, first()))
            }
            rows.append(row)
            keyIndices.append(index ?? 0)
        }
    }

    /// The place of a link.
    struct Occurrence {
        let position: TextPosition
        /// The name of the input.
        let input: String
        /// A number that ascends with the pending links of all inputs.
        let order: UInt64
    }

    private(set) var columns: [Column] = []
    private var orders: UInt64 = 0

    /// Returns a number greater than all previous ones.
    func nextOrder() -> UInt64 {
        defer { orders += 1 }
        return orders
    }

    /// Returns the links of a property.
    func column(
        _ classID: ClassID, _ property: PropertySchema, to target: ClassSchema
    ) -> Column {
        if let known = columns.first(where: { $0.classID == classID && $0.property == property }) {
            return known
        }
        let column = Column(classID, property, target)
        columns.append(column)
        return column
    }

    func removeAll() { columns.removeAll() }
}
