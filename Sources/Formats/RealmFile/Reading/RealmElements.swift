import FirnValues

/// The elements of a list or set, a leaf at a time.
package final class RealmElements {
    private let collection: StoredCollection
    private let element: ElementType
    private let context: LeafContext
    private let cursor: TreeCursor?
    /// The elements of the last leaf.
    private var part: [RealmValue] = []
    private var index = 0

    /// - Parameters:
    ///   - position: the root of the tree; `nil` if it is empty.
    ///   - element: the type of the elements.
    init(
        _ collection: StoredCollection, position: UInt64?, element: ElementType,
        _ context: LeafContext
    ) {
        self.collection = collection
        self.element = element
        self.context = context
        cursor = position.map { TreeCursor($0, context.nodes) }
    }

    /// Returns the next element; `nil` after the last one.
    package func next() throws(RealmFileError) -> RealmValue? {
        while index >= part.count {
            guard let next = try nextPart() else { return nil }
            part = next
            index = 0
        }
        index += 1
        return part[index - 1]
    }

    /// Returns the elements of the next leaf; `nil` after the last one.
    package func nextPart() throws(RealmFileError) -> [RealmValue]? {
        guard let node = try cursor?.next() else { return nil }
        let values = try LeafValues(node, element, isCollection: true, context.nodes)
        guard values.count <= ReadLimits.nodeElementsMax else {
            throw .damaged("a leaf has \(values.count) elements", at: node.position)
        }
        try context.nodes.charge(bytes: 0, elements: values.count, at: node.position)
        return try values.values(
            isNullable: element.isNullable, depth: collection.depth, context)
    }
}

/// The entries of a dictionary.
package final class RealmEntries {
    /// The two forms of a dictionary.
    private enum Form {
        case pair(keys: RealmElements, values: RealmElements)
        /// Before format 23: a tree of clusters with a column of keys and one of values.
        case clusters(ClusterCursor)
    }

    private let collection: StoredCollection
    private let form: Form
    private let context: LeafContext
    private var leaves: (keys: LeafValues, values: LeafValues)?
    private var index = 0

    init(
        _ collection: StoredCollection, isPair: Bool, _ context: LeafContext
    ) throws(RealmFileError) {
        self.collection = collection
        self.context = context
        let nodes = context.nodes
        guard isPair || collection.position == 0 else {
            form = .clusters(ClusterCursor(collection.position, nodes))
            return
        }
        var hasIntegerKeys = false
        if case .dictionary(let isInteger) = collection.kind { hasIntegerKeys = isInteger }
        let key = ElementType(
            type: hasIntegerKeys ? .int : .string, isNullable: false, target: nil)
        let top =
            collection.position == 0 ? nil : try nodes.references(at: collection.position)
        func tree(_ slot: Int, _ element: ElementType) throws(RealmFileError) -> RealmElements {
            let position = try top.map { node throws(RealmFileError) in
                try nodes.position(in: node, slot)
            }
            return RealmElements(
                collection, position: position ?? nil, element: element, context)
        }
        form = .pair(keys: try tree(0, key), values: try tree(1, .mixed))
    }

    /// Returns the next entry; `nil` after the last one.
    package func next() throws(RealmFileError) -> (key: RealmValue, value: RealmValue)? {
        switch form {
        case .pair(let keys, let values):
            guard let key = try keys.next() else {
                guard try values.next() == nil else { throw mismatch }
                return nil
            }
            guard let value = try values.next() else { throw mismatch }
            return (key, value)
        case .clusters(let cursor): return try next(cursor)
        }
    }

    private func next(
        _ cursor: ClusterCursor
    ) throws(RealmFileError) -> (key: RealmValue, value: RealmValue)? {
        while true {
            if let leaves, index < leaves.keys.count {
                index += 1
                let key = try leaves.keys.value(index - 1, isNullable: false, context)
                let value = try leaves.values.value(
                    index - 1, isNullable: true, depth: collection.depth, context)
                return (key, value)
            }
            guard let cluster = try cursor.next() else { return nil }
            if cluster.keys.isEmpty { continue }
            let key = ElementType(type: .string, isNullable: false, target: nil)
            let keys = try leaf(cluster, 0, key)
            let values = try leaf(cluster, 1, .mixed)
            guard keys.count == cluster.keys.count, values.count == keys.count else {
                throw mismatch
            }
            try context.nodes.charge(bytes: 0, elements: keys.count, at: cluster.position)
            leaves = (keys, values)
            index = 0
        }
    }

    private func leaf(
        _ cluster: Cluster, _ column: Int, _ element: ElementType
    ) throws(RealmFileError) -> LeafValues {
        guard let node = try cluster.leaf(column, context.nodes) else { throw mismatch }
        return try LeafValues(node, element, isCollection: true, context.nodes)
    }

    private var mismatch: RealmFileError {
        .damaged("a dictionary has more keys than values, or fewer", at: collection.position)
    }
}

extension RealmReader {
    /// Returns the elements of a list or set.
    package func elements(of collection: StoredCollection) -> RealmElements {
        RealmElements(
            collection, position: collection.position == 0 ? nil : collection.position,
            element: collection.element, context)
    }

    /// Returns the entries of a dictionary.
    package func entries(
        of collection: StoredCollection
    ) throws(RealmFileError) -> RealmEntries {
        try RealmEntries(collection, isPair: hasPairedDictionaries, context)
    }
}
