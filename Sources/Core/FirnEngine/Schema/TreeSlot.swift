import FirnValues

/// The identification of a tree of a class.
enum TreeSlot: Hashable, Sendable {
    case keys
    case links(PropertyID)
    case collections(PropertyID)
    case index(IndexID)

    /// Returns the name of the tree for errors, such as `key index of Flight`.
    func name(in schema: ClassSchema) -> String {
        func name(_ property: PropertyID) -> String {
            schema[property].map { "\(schema.name).\($0.name)" } ?? schema.name
        }
        return switch self {
        case .keys: "key index of \(schema.name)"
        case .links(let id): "link index of \(name(id))"
        case .collections(let id): "large collections of \(name(id))"
        case .index(let id):
            "index of "
                + (schema.indexes.first { $0.id == id }.map { schema.name(of: $0) } ?? schema.name)
        }
    }

    /// Whether no two entries of the tree have the same key.
    var isUnique: Bool {
        if case .collections = self { false } else { true }
    }
}

extension ClassRecord {
    /// The trees that exist, apart from the directory.
    var treeSlots: [TreeSlot] {
        var slots: [TreeSlot] = keyIndex.root == nil ? [] : [.keys]
        for property in schema.properties {
            if linkIndexes[property.id] != nil { slots.append(.links(property.id)) }
            if collectionTrees[property.id] != nil { slots.append(.collections(property.id)) }
        }
        for index in schema.indexes where self[.index(index.id)] != nil {
            slots.append(.index(index.id))
        }
        return slots
    }

    /// The root of a tree.
    ///
    /// Setting the root of the key index has no effect while the keys ascend with the row ids, because
    /// the rows serve as the index then.
    subscript(slot: TreeSlot) -> TreeRoot? {
        get {
            switch slot {
            case .keys: keyIndex.root
            case .links(let id): linkIndexes[id]
            case .collections(let id): collectionTrees[id]
            case .index(let id): indexTrees[id]?.root
            }
        }
        set {
            switch slot {
            case .keys:
                if case .tree = keyIndex { keyIndex = .tree(newValue) }
            case .links(let id): linkIndexes[id] = newValue
            case .collections(let id): collectionTrees[id] = newValue
            case .index(let id): indexTrees[id] = .built(newValue)
            }
        }
    }

    /// Returns a tree of the class.
    func tree(_ slot: TreeSlot, in pages: PageStore) -> Tree {
        Tree(root: self[slot], pages: pages, name: slot.name(in: schema))
    }
}
