import FirnValues

/// The identification of a tree of a class.
enum TreeSlot: Hashable, Sendable {
    case keys
    case links(PropertyID)
    case collections(PropertyID)
}

extension ClassRecord {
    /// The trees that exist.
    var treeSlots: [TreeSlot] {
        var slots: [TreeSlot] = keyIndex.root == nil ? [] : [.keys]
        for property in schema.properties {
            if linkIndexes[property.id] != nil { slots.append(.links(property.id)) }
            if collectionTrees[property.id] != nil { slots.append(.collections(property.id)) }
        }
        return slots
    }

    /// The root of a tree.
    ///
    /// Setting the root of the key index has no effect while the keys ascend.
    subscript(slot: TreeSlot) -> TreeRoot? {
        get {
            switch slot {
            case .keys: keyIndex.root
            case .links(let id): linkIndexes[id]
            case .collections(let id): collectionTrees[id]
            }
        }
        set {
            switch slot {
            case .keys:
                if case .tree = keyIndex { keyIndex = .tree(newValue) }
            case .links(let id): linkIndexes[id] = newValue
            case .collections(let id): collectionTrees[id] = newValue
            }
        }
    }
}

extension Table {
    /// Returns a tree of the class.
    func tree(_ slot: TreeSlot) -> Tree {
        let name =
            switch slot {
            case .keys: Tree.keyIndexName(schema)
            case .links(let id): "link index of \(schema.name).\(schema[id]?.name ?? "")"
            case .collections(let id):
                "large collections of \(schema.name).\(schema[id]?.name ?? "")"
            }
        return Tree(root: record[slot], pages: directory.pages, name: name)
    }
}
