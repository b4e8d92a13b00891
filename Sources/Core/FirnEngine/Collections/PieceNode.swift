import FirnValues

/// A piece of an edited collection: elements of the base, or new ones.
enum Piece: Sendable {
    /// A range of positions in the base.
    case base(Range<Int>)
    /// At most ``PieceNode/runCountMax`` new elements.
    case added([CollectionEntry])

    var count: Int {
        switch self {
        case .base(let range): range.count
        case .added(let run): run.count
        }
    }
}

/// A node of the tree of pieces: a leaf with pieces, or an inner node with children.
///
/// It is a value type over arrays: a copy shares all nodes, and an edit copies only the arrays on
/// its path that are shared. All leaves have the same depth. Only an empty root is an empty node,
/// and no node is wider than `widthMax`.
struct PieceNode: Sendable {
    static let widthMax = 32
    static let runCountMax = 64

    private(set) var pieces: [Piece]
    private(set) var children: [PieceNode] = []
    /// The number of elements below the node.
    private(set) var count: Int

    init(pieces: [Piece]) {
        self.pieces = pieces
        count = pieces.reduce(0) { $0 + $1.count }
    }

    init(children: [PieceNode]) {
        pieces = []
        self.children = children
        count = children.reduce(0) { $0 + $1.count }
    }

    var isLeaf: Bool { children.isEmpty }
    var width: Int { isLeaf ? pieces.count : children.count }

    /// Returns the piece that contains an element, and the offset in the piece.
    func locate(_ index: Int) -> (piece: Piece, offset: Int) {
        var node = self
        var index = index
        while true {
            if node.isLeaf {
                let position = PieceNode.position(of: index, in: node.pieces.lazy.map(\.count))
                return (node.pieces[position.item], position.offset)
            }
            let position = PieceNode.position(of: index, in: node.children.lazy.map(\.count))
            node = node.children[position.item]
            index = position.offset
        }
    }

    // MARK: Editing

    /// Inserts an element before an index, or at the end.
    ///
    /// - Returns: The new node after this one, if this one became too wide.
    mutating func insert(_ entry: CollectionEntry, at index: Int) -> PieceNode? {
        count += 1
        guard !isLeaf else {
            insertPiece(entry, at: index)
            return splitIfWide()
        }
        // At a boundary, the element goes to the preceding child, so that appended elements join
        // its run.
        let position = PieceNode.position(of: index - 1, in: children.lazy.map(\.count))
        let split = children[position.item].insert(entry, at: position.offset + 1)
        if let split { children.insert(split, at: position.item + 1) }
        return splitIfWide()
    }

    /// Removes an element.
    ///
    /// - Returns: The new node after this one, if this one became too wide.
    mutating func remove(at index: Int) -> PieceNode? {
        count -= 1
        guard !isLeaf else {
            removePiece(at: index)
            return splitIfWide()
        }
        let position = PieceNode.position(of: index, in: children.lazy.map(\.count))
        let split = children[position.item].remove(at: position.offset)
        if let split { children.insert(split, at: position.item + 1) }
        if children[position.item].count == 0 {
            children.remove(at: position.item)
        } else {
            joinIfNarrow(position.item)
        }
        return splitIfWide()
    }

    private mutating func insertPiece(_ entry: CollectionEntry, at index: Int) {
        guard !pieces.isEmpty else { return pieces.append(.added([entry])) }
        let position = PieceNode.position(of: index - 1, in: pieces.lazy.map(\.count))
        let (item, offset) = (position.item, position.offset + 1)
        switch pieces[item] {
        case .added(var run):
            guard run.count == PieceNode.runCountMax else {
                // The run must have only one reference, or it would be copied.
                pieces[item] = .base(0..<0)
                run.insert(entry, at: offset)
                pieces[item] = .added(run)
                return
            }
            if offset == 0 { return pieces.insert(.added([entry]), at: item) }
            if offset < run.count {
                pieces[item] = .added(Array(run[..<offset]))
                pieces.insert(.added(Array(run[offset...])), at: item + 1)
            }
        case .base(let range):
            let middle = range.lowerBound + offset
            if offset == 0 { return pieces.insert(.added([entry]), at: item) }
            if middle < range.upperBound {
                pieces[item] = .base(range.lowerBound..<middle)
                pieces.insert(.base(middle..<range.upperBound), at: item + 1)
            }
        }
        insertRun(entry, at: item + 1)
    }

    /// Inserts an element between two pieces, either into the run that begins there or as a
    /// separate run.
    private mutating func insertRun(_ entry: CollectionEntry, at item: Int) {
        if item < pieces.count, case .added(var run) = pieces[item],
            run.count < PieceNode.runCountMax
        {
            pieces[item] = .base(0..<0)
            run.insert(entry, at: 0)
            pieces[item] = .added(run)
        } else {
            pieces.insert(.added([entry]), at: item)
        }
    }

    private mutating func removePiece(at index: Int) {
        let (item, offset) = PieceNode.position(of: index, in: pieces.lazy.map(\.count))
        switch pieces[item] {
        case .added(var run):
            pieces[item] = .base(0..<0)
            run.remove(at: offset)
            pieces[item] = .added(run)
        case .base(let range):
            let middle = range.lowerBound + offset
            pieces[item] = .base(range.lowerBound..<middle)
            if middle + 1 < range.upperBound {
                pieces.insert(.base((middle + 1)..<range.upperBound), at: item + 1)
            }
        }
        guard pieces[item].count == 0 else { return }
        pieces.remove(at: item)
        // All elements that were inserted between two ranges of the base may have been removed.
        if item > 0, item < pieces.count, case .base(let front) = pieces[item - 1],
            case .base(let back) = pieces[item], front.upperBound == back.lowerBound
        {
            pieces[item - 1] = .base(front.lowerBound..<back.upperBound)
            pieces.remove(at: item)
        }
    }

    // MARK: Balance

    private mutating func splitIfWide() -> PieceNode? {
        guard width > PieceNode.widthMax else { return nil }
        let middle = width / 2
        let back: PieceNode
        if isLeaf {
            back = PieceNode(pieces: Array(pieces[middle...]))
            pieces.removeSubrange(middle...)
        } else {
            back = PieceNode(children: Array(children[middle...]))
            children.removeSubrange(middle...)
        }
        count -= back.count
        return back
    }

    /// Joins a narrow child with its neighbour, so that many removals leave few nodes.
    private mutating func joinIfNarrow(_ item: Int) {
        let front = item + 1 < children.count ? item : item - 1
        guard front >= 0, front + 1 < children.count,
            children[front].width + children[front + 1].width <= PieceNode.widthMax / 2
        else { return }
        let back = children.remove(at: front + 1)
        children[front].pieces += back.pieces
        children[front].children += back.children
        children[front].count += back.count
    }

    /// Returns the item that contains an index, and the offset in the item; -1 gives offset -1 in
    /// the first item.
    private static func position(
        of index: Int, in counts: some Sequence<Int>
    ) -> (item: Int, offset: Int) {
        var offset = index
        var item = 0
        for count in counts {
            if offset < count { return (item, offset) }
            offset -= count
            item += 1
        }
        preconditionFailure("an index past the end of a collection")
    }
}
