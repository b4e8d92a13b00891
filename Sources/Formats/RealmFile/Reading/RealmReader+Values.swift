import FirnValues

/// A column of a cluster: values, or the places of collections.
package struct ClusterColumn {
    package enum Content {
        case values(LeafValues)
        /// One position for each object.
        case collections([UInt64])
    }

    package let column: RealmColumn
    package let content: Content

    /// Whether the collection of an object is known to be empty.
    package func isEmpty(_ row: Int) -> Bool {
        if case .collections(let positions) = content { positions[row] == 0 } else { false }
    }

    /// Whether a few values can take as much memory as thousands of others.
    package var mayBeLong: Bool {
        switch content {
        case .collections: true
        case .values(.texts(let leaf)), .values(.data(let leaf)): leaf.isLong
        case .values(.mixed): true
        default: false
        }
    }
}

extension RealmReader {
    /// Reads a column of some objects.
    package func column(
        _ column: RealmColumn, in cluster: Cluster
    ) throws(RealmFileError) -> ClusterColumn {
        guard let leaf = try cluster.leaf(column.index, nodes) else {
            throw .damaged("objects have no column \(column.name)", at: cluster.position)
        }
        let content: ClusterColumn.Content
        let count: Int
        if column.container != nil {
            guard leaf.hasRefs, leaf.widthType == .bits,
                leaf.size <= ReadLimits.clusterObjectsMax
            else { throw .damaged("a column has no collections", at: leaf.position) }
            content = .collections((0..<leaf.size).map { leaf.slot($0) })
            count = leaf.size
        } else {
            let values = try LeafValues(
                leaf, column.element, isCollection: false, texts: try texts(of: column), nodes)
            content = .values(values)
            count = values.count
        }
        guard count == cluster.keys.count else {
            throw .damaged(
                "a column has \(count) values for \(cluster.keys.count) objects",
                at: leaf.position)
        }
        return ClusterColumn(column: column, content: content)
    }

    /// Returns the value of an object of a cluster.
    ///
    /// - Parameter row: the index of the object in the cluster.
    package func value(
        _ column: ClusterColumn, _ row: Int
    ) throws(RealmFileError) -> RealmValue {
        switch column.content {
        case .values(let values):
            return try values.value(row, isNullable: column.column.isNullable, context)
        case .collections(let positions):
            guard positions[row] & 1 == 0 else {
                throw .damaged("a collection reference is invalid", at: positions[row])
            }
            let kind: StoredCollection.Kind =
                switch column.column.container {
                case .set: .set
                case .dictionary:
                    .dictionary(hasIntegerKeys: column.column.hasIntegerKeys)
                default: .list
                }
            return .collection(
                StoredCollection(
                    kind: kind, element: column.column.element, position: positions[row],
                    depth: 0))
        }
    }
}

extension RealmColumn {
    /// The type of a value or element.
    var element: ElementType {
        ElementType(type: type, isNullable: isNullable, target: target)
    }
}
