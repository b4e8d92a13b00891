import FirnCodec
import FirnValues

/// Reading the links of a property, from their sources to their targets.
extension Table {
    /// Visits every link of a property, in the order of the rows.
    ///
    /// - Complexity: O(objects + links)
    func forEachLink(
        of property: PropertySchema,
        _ visit: (ObjectReference, RowID) throws(StoreError) -> Void
    ) throws(StoreError) {
        for group in try rowGroups() {
            let live = try group.liveRows()
            if let target = property.singleLinkTarget {
                guard let links = try group.links(of: property) else { continue }
                for row in 0..<links.count
                where !links.isNull(row) && live.map({ $0[row] }) ?? true {
                    try visit(
                        ObjectReference(target, links.ints[row]), try group.rowID(at: row))
                }
                continue
            }
            let collections =
                property.type.container == .single ? nil : try group.collection(property)
            let column = collections == nil ? try group.column(property) : nil
            for row in 0..<group.rowCount where live.map({ $0[row] }) ?? true {
                let value: Value
                if let collections {
                    value = try collections.value(at: row)
                } else {
                    value = column?.value(at: row) ?? .null
                }
                for reference in value.linkTargets {
                    try visit(reference, try group.rowID(at: row))
                }
            }
        }
    }
}

extension RowGroupView {
    /// The share of the rows, as a divisor, at which decoding a column of links costs less than
    /// reading the links one by one.
    private static let decodedShare = 16

    /// Visits the links of a property of some rows, in their order.
    ///
    /// - Parameters:
    ///   - indices: The indices of the rows, ascending.
    ///   - visit: Receives the target, and the position of the row in `indices`.
    /// - Complexity: O(rows + links); O(rows of the group) for a large share of them
    func forEachLink(
        of property: PropertySchema, at indices: [UInt32],
        _ visit: (ObjectReference, Int) throws(StoreError) -> Void
    ) throws(StoreError) {
        guard let target = property.singleLinkTarget,
            indices.count >= rowCount / RowGroupView.decodedShare
        else {
            for (position, row) in indices.enumerated() {
                for reference in try value(of: property, at: Int(row)).linkTargets {
                    try visit(reference, position)
                }
            }
            return
        }
        guard let links = try links(of: property) else { return }
        for (position, row) in indices.enumerated() where !links.isNull(Int(row)) {
            try visit(ObjectReference(target, links.ints[Int(row)]), position)
        }
    }

    /// Returns the row ids of the targets of a single link, or `nil` if no row has one.
    fileprivate func links(of property: PropertySchema) throws(StoreError) -> ColumnVector? {
        let column = try column(property)
        guard column.nullCount < column.rowCount else { return nil }
        var vector = ColumnVector(kind: .int)
        column.decode(0..<column.rowCount, into: &vector)
        return vector
    }
}

extension PropertySchema {
    /// The class of the targets if the property is a single link.
    fileprivate var singleLinkTarget: ClassID? {
        type.container == .single && type.base == .link ? type.target : nil
    }
}

extension ObjectReference {
    /// Creates a reference from the value of a column of links.
    fileprivate init(_ target: ClassID, _ value: Int64) {
        self.init(classID: target, rowID: RowID(UInt64(bitPattern: value)))
    }
}
