import FirnValues

/// Builds the tree of columns from the flat list of a file.
struct ParquetTree {
    private let elements: [ParquetSchemaElement]
    private let limits: ColumnarLimits
    private var position = 0
    private(set) var leaves: [ParquetLeaf] = []
    private(set) var roots: [ParquetNode] = []

    init(
        _ elements: [ParquetSchemaElement], _ limits: ColumnarLimits
    ) throws(ColumnarError) {
        self.elements = elements
        self.limits = limits
        let root = try take()
        for _ in 0..<root.childCount {
            roots.append(try node(Levels(), path: ""))
        }
        guard position == elements.count else {
            throw .damaged("\(elements.count) parts of the schema are not a tree")
        }
    }

    /// The properties of a node that the groups around it determine.
    private struct Levels {
        var definition = 0
        var repetition = 0
        var slotDefinition = 0
        var depth = 0
    }

    private mutating func take() throws(ColumnarError) -> ParquetSchemaElement {
        guard position < elements.count else {
            throw .damaged("the schema has fewer parts than its groups say")
        }
        let element = elements[position]
        guard element.childCount >= 0, element.childCount <= elements.count else {
            throw .damaged("a group has \(element.childCount) columns")
        }
        position += 1
        return element
    }

    /// Reads the next node of the list, and everything below.
    private mutating func node(
        _ outer: Levels, path: String
    ) throws(ColumnarError) -> ParquetNode {
        let element = try take()
        let path = path.isEmpty ? element.name : "\(path).\(element.name)"
        guard outer.depth < limits.nestingMax else {
            throw ColumnarError(
                .tooLarge, "the column \(path) is nested more than \(limits.nestingMax) levels deep"
            )
        }
        var levels = outer
        levels.depth += 1
        guard element.repetition != 2 else {
            // A repeated field without a list around is a list that is never null.
            let inner = try repeated(element, levels, path: path)
            return ParquetNode(
                ColumnarField(element.name, .list(inner.field), isOptional: false), .list(inner),
                definition: outer.definition, repetition: outer.repetition,
                slotDefinition: outer.slotDefinition)
        }
        let isOptional = element.repetition == 1
        if isOptional { levels.definition += 1 }
        let (kind, type) = try content(element, levels, path: path)
        return ParquetNode(
            ColumnarField(element.name, type, isOptional: isOptional), kind,
            definition: levels.definition, repetition: levels.repetition,
            slotDefinition: levels.slotDefinition)
    }

    /// Reads the elements of a repeated field.
    private mutating func repeated(
        _ element: ParquetSchemaElement, _ outer: Levels, path: String
    ) throws(ColumnarError) -> ParquetNode {
        let levels = inside(outer)
        let (kind, type) = try content(element, levels, path: path)
        return ParquetNode(
            ColumnarField(element.name, type, isOptional: false), kind,
            definition: levels.definition, repetition: levels.repetition,
            slotDefinition: levels.slotDefinition)
    }

    private func inside(_ outer: Levels) -> Levels {
        var levels = outer
        levels.definition += 1
        levels.repetition += 1
        levels.slotDefinition = levels.definition
        return levels
    }

    private mutating func content(
        _ element: ParquetSchemaElement, _ levels: Levels, path: String
    ) throws(ColumnarError) -> (ParquetNode.Kind, ColumnarType) {
        guard element.childCount > 0 else {
            let leaf = try leaf(element, levels, path: path)
            return (.leaf(leaf), leaf.type)
        }
        let isList = element.logical == .list || element.converted == 3
        let isMap = element.logical == .map || element.converted == 1 || element.converted == 2
        if isMap, element.childCount == 1, let map = try map(levels, path: path) { return map }
        if isList, element.childCount == 1, position < elements.count,
            elements[position].repetition == 2
        {
            let inner = try list(element.name, levels, path: path)
            return (.list(inner), .list(inner.field))
        }
        var parts: [ParquetNode] = []
        for _ in 0..<element.childCount { parts.append(try node(levels, path: path)) }
        return (.structure(parts), .structure(parts.map(\.field)))
    }

    /// Reads the elements of a list, in the form of the specification or in an older one.
    private mutating func list(
        _ name: String, _ levels: Levels, path: String
    ) throws(ColumnarError) -> ParquetNode {
        let group = elements[position]
        // In older forms, the repeated group is the element.
        let isElement =
            group.childCount != 1 || group.name == "array" || group.name == "\(name)_tuple"
        _ = try take()
        let path = "\(path).\(group.name)"
        if isElement {
            var inner = levels
            inner.depth += 1
            return try repeated(group, inner, path: path)
        }
        return try node(inside(levels), path: path)
    }

    /// Reads the keys and values of a map; `nil` if the group has another form.
    private mutating func map(
        _ levels: Levels, path: String
    ) throws(ColumnarError) -> (ParquetNode.Kind, ColumnarType)? {
        guard position < elements.count, elements[position].repetition == 2,
            elements[position].childCount == 2
        else { return nil }
        let group = try take()
        let path = "\(path).\(group.name)"
        let key = try node(inside(levels), path: path)
        let value = try node(inside(levels), path: path)
        return (.map(key: key, value: value), .map(key: key.field, value: value.field))
    }

    // MARK: Leaves

    private mutating func leaf(
        _ element: ParquetSchemaElement, _ levels: Levels, path: String
    ) throws(ColumnarError) -> ParquetLeaf {
        guard leaves.count < limits.columnCountMax else {
            throw ColumnarError(
                .tooLarge, "the file has more than \(limits.columnCountMax) columns")
        }
        guard let physical = element.physical else {
            throw .damaged("the column \(path) has neither a type nor parts")
        }
        let valueBytes: Int
        switch physical {
        case .boolean, .byteArray: valueBytes = 0
        case .int32, .float: valueBytes = 4
        case .int64, .double: valueBytes = 8
        case .int96: valueBytes = 12
        case .fixedByteArray:
            guard element.typeLength > 0, element.typeLength <= limits.pageBytesMax else {
                throw .damaged("the column \(path) has values of \(element.typeLength) bytes")
            }
            valueBytes = element.typeLength
        }
        let type: ColumnarType
        do { type = try element.valueType(physical) } catch { throw error.located(column: path) }
        let leaf = ParquetLeaf(
            index: leaves.count, path: path, physical, valueBytes: valueBytes, type,
            definitionMax: levels.definition, repetitionMax: levels.repetition,
            slotDefinition: levels.slotDefinition)
        leaves.append(leaf)
        return leaf
    }
}
