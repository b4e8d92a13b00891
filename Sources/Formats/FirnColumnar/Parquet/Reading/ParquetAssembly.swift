import FirnValues

/// Builds the columns of a batch from the levels and values of the leaves.
struct ParquetAssembly {
    private let leaves: [LeafValues]
    private let rowCount: Int

    init(_ leaves: [LeafValues], rowCount: Int) {
        self.leaves = leaves
        self.rowCount = rowCount
    }

    /// Returns the column of a node at the root.
    func column(_ root: ParquetNode) throws(ColumnarError) -> ColumnarColumn {
        let column = try build(root)
        guard column.count == rowCount else {
            throw ColumnarError.damaged("\(column.count) values are in \(rowCount) rows")
                .located(column: root.field.name)
        }
        return column
    }

    private func build(_ node: ParquetNode) throws(ColumnarError) -> ColumnarColumn {
        switch node.kind {
        case .leaf(let leaf): return leafColumn(node, leaf)
        case .structure(let parts):
            let column = ColumnarColumn(node.field.type)
            try setSlots(of: column, node)
            column.children = try children(parts, of: column.count, node)
            return column
        case .list(let element):
            let column = ColumnarColumn(node.field.type)
            try setSlots(of: column, node, element: element)
            let total = Int(column.offsets.last ?? 0)
            column.children = try children([element], of: total, node)
            return column
        case .map(let key, let value):
            let column = ColumnarColumn(node.field.type)
            try setSlots(of: column, node, element: key)
            let total = Int(column.offsets.last ?? 0)
            column.children = try children([key, value], of: total, node)
            return column
        }
    }

    private func children(
        _ nodes: [ParquetNode], of count: Int, _ outer: ParquetNode
    ) throws(ColumnarError) -> [ColumnarColumn] {
        var columns: [ColumnarColumn] = []
        for node in nodes {
            let column = try build(node)
            guard column.count == count else {
                throw ColumnarError.damaged(
                    "\(column.count) values of \(node.field.name) are in \(count) of "
                        + outer.field.name
                ).located(column: node.firstLeaf?.path)
            }
            columns.append(column)
        }
        return columns
    }

    private func leafColumn(_ node: ParquetNode, _ leaf: ParquetLeaf) -> ColumnarColumn {
        let entries = leaves[leaf.index]
        let column = entries.values
        // Outside of groups and lists, every value without a null has its place already.
        guard leaf.definitionMax > 0, !leaf.isFlat || column.count < entries.entryCount else {
            return column
        }
        var slots = SlotBuilder(capacity: entries.entryCount)
        for definition in entries.definitions where Int(definition) >= node.slotDefinition {
            slots.append(isValid: Int(definition) >= leaf.definitionMax)
        }
        if slots.validCount < slots.count { column.spread(slots.words, count: slots.count) }
        return column
    }

    /// Finds the values of a group in the levels of its first leaf.
    ///
    /// - Parameter element: the node whose slots are the elements, if the group is a list.
    private func setSlots(
        of column: ColumnarColumn, _ node: ParquetNode, element: ParquetNode? = nil
    ) throws(ColumnarError) {
        guard let leaf = node.firstLeaf else { throw .damaged("a group has no columns") }
        let entries = leaves[leaf.index]
        guard leaf.definitionMax > 0 else {
            column.count = entries.entryCount
            return
        }
        var slots = SlotBuilder(capacity: entries.entryCount)
        var elementCount: UInt32 = 0
        let isRepeated = !entries.repetitions.isEmpty
        for index in 0..<entries.entryCount {
            let definition = Int(entries.definitions[index])
            let repetition = isRepeated ? Int(entries.repetitions[index]) : 0
            if repetition <= node.repetition, definition >= node.slotDefinition {
                if element != nil, slots.count > 0 { column.offsets.append(elementCount) }
                slots.append(isValid: definition >= node.definition)
            }
            if let element, repetition <= element.repetition, definition >= element.slotDefinition {
                guard slots.count > 0 else { throw .damaged("an element is before its list") }
                elementCount += 1
            }
        }
        if element != nil, slots.count > 0 { column.offsets.append(elementCount) }
        column.count = slots.count
        if slots.validCount < slots.count { column.validity = slots.words }
    }
}

/// Collects one bit per value.
struct SlotBuilder {
    private(set) var words: [UInt64]
    private(set) var count = 0
    private(set) var validCount = 0

    init(capacity: Int) { words = Array(repeating: 0, count: (capacity + 63) / 64) }

    @inline(__always)
    mutating func append(isValid: Bool) {
        if count >> 6 == words.count { words.append(0) }
        words[count >> 6] |= (isValid ? 1 : 0) << UInt64(count & 63)
        validCount += isValid ? 1 : 0
        count += 1
    }
}
