import FirnValues

/// Reads arrays, checks every position, and limits what one scan visits.
final class NodeReader {
    private let content: PageCache
    private var bytesLeft: UInt64 = 0
    private var elementsLeft: UInt64 = 0

    init(_ content: PageCache) {
        self.content = content
        beginScan()
    }

    var size: UInt64 { content.size }

    /// Begins another scan, which may visit every array once more.
    func beginScan() {
        bytesLeft = ReadLimits.visitedMin + size &* ReadLimits.visitedFactor
        elementsLeft = ReadLimits.visitedMin + size &* ReadLimits.elementsFactor
    }

    /// Reads the array at a position.
    func node(at position: UInt64) throws(RealmFileError) -> ArrayNode {
        let header = ArrayNode.headerBytes
        guard position % 8 == 0, position >= UInt64(FileHeader.byteCount),
            position <= size, size - position >= UInt64(header)
        else { throw .damaged("there is no array at \(position)", at: position) }
        guard let parts = ArrayNode.Header(try content.bytes(at: position, count: header)) else {
            throw .damaged("an array has an unknown kind of elements", at: position)
        }
        let count = parts.payloadCount
        guard UInt64(count) <= size - position - UInt64(header) else {
            throw .damaged("an array extends beyond the end of the file", at: position)
        }
        try charge(bytes: header + count, elements: 0, at: position)
        return ArrayNode(
            parts, try content.bytes(at: position + UInt64(header), count: count), at: position)
    }

    /// Reads an array whose elements are positions and integers with a mark.
    func references(at position: UInt64) throws(RealmFileError) -> ArrayNode {
        let node = try node(at: position)
        guard node.hasRefs, node.widthType == .bits else {
            throw .damaged("expected an array of references", at: position)
        }
        return node
    }

    /// Returns the position in a slot; `nil` if the slot is empty.
    func position(in node: ArrayNode, _ slot: Int) throws(RealmFileError) -> UInt64? {
        let element = node.slot(slot)
        guard element != 0 else { return nil }
        guard element & 1 == 0 else {
            throw .damaged("slot \(slot) has a number in place of a position", at: node.position)
        }
        return element
    }

    /// Returns the position in a slot that is never empty.
    func requiredPosition(
        in node: ArrayNode, _ slot: Int
    ) throws(RealmFileError) -> UInt64 {
        guard let position = try position(in: node, slot) else {
            throw .damaged("slot \(slot) is empty", at: node.position)
        }
        return position
    }

    /// Returns the number in a slot; `nil` if the slot is empty.
    func number(in node: ArrayNode, _ slot: Int) throws(RealmFileError) -> UInt64? {
        let element = node.slot(slot)
        guard element != 0 else { return nil }
        guard element & 1 == 1 else {
            throw .damaged("slot \(slot) has a position in place of a number", at: node.position)
        }
        return element >> 1
    }

    /// Counts a visit; throws if one scan visits more than a tree can contain.
    func charge(bytes: Int, elements: Int, at position: UInt64) throws(RealmFileError) {
        guard UInt64(bytes) <= bytesLeft, UInt64(elements) <= elementsLeft else {
            throw .damaged("the same arrays are referred to again and again", at: position)
        }
        bytesLeft -= UInt64(bytes)
        elementsLeft -= UInt64(elements)
    }
}
