/// Damage to a Realm file: bits, sizes, widths and references of arrays, cycles, and cut ends.
package struct RealmMutation {
    /// An array of the file, found by the bytes that begin every header.
    private struct Node {
        let position: Int
        let width: Int
        let size: Int
        let hasRefs: Bool
    }

    private let file: ChangingBytes
    private let nodes: [Node]
    /// The bytes that were changed, to be restored.
    private var changes: [(index: Int, byte: UInt8)] = []

    package init(_ file: ChangingBytes) {
        self.file = file
        let bytes = file.bytes
        nodes = stride(from: 24, to: max(24, bytes.count - 8), by: 8).compactMap { position in
            guard bytes[position..<position + 4].allSatisfy({ $0 == 0x41 }) else { return nil }
            let flags = bytes[position + 4]
            let size = bytes[position + 5..<position + 8].reduce(0) { $0 << 8 | Int($1) }
            return Node(
                position: position, width: (1 << Int(flags & 7)) >> 1, size: size,
                hasRefs: flags & 0xC0 != 0)
        }
    }

    /// Damages the file in one to three ways.
    package mutating func apply(_ generator: inout SplitMix64) {
        for _ in 0..<Int.random(in: 1...3, using: &generator) { damage(&generator) }
    }

    /// Restores the file.
    package mutating func undo() {
        for change in changes.reversed() { file.bytes[change.index] = change.byte }
        changes.removeAll(keepingCapacity: true)
        file.length = file.bytes.count
    }

    private mutating func set(_ index: Int, _ byte: UInt8) {
        guard file.bytes.indices.contains(index) else { return }
        changes.append((index, file.bytes[index]))
        file.bytes[index] = byte
    }

    private mutating func damage(_ generator: inout SplitMix64) {
        guard let node = nodes.randomElement(using: &generator) else {
            return flipBit(&generator)
        }
        switch Int.random(in: 0..<10, using: &generator) {
        case 0: flipBit(&generator)
        case 1:
            for index in node.position..<node.position + 16 where generator.happens(oneIn: 4) {
                set(index, UInt8(truncatingIfNeeded: generator.next()))
            }
        case 2: set(node.position + 4, UInt8(truncatingIfNeeded: generator.next()))
        case 3: resize(node, &generator)
        case 4: set(Int.random(in: 0..<24, using: &generator), 1 << UInt8(generator.next() % 8))
        case 5 where generator.happens(oneIn: 4):
            file.length = Int.random(in: 0...file.bytes.count, using: &generator)
            if generator.happens(oneIn: 2) { file.length &= ~7 }
        default: redirect(&generator)
        }
    }

    private mutating func flipBit(_ generator: inout SplitMix64) {
        let index = Int.random(in: 0..<file.bytes.count, using: &generator)
        set(index, file.bytes[index] ^ 1 << UInt8(generator.next() % 8))
    }

    private mutating func resize(_ node: Node, _ generator: inout SplitMix64) {
        let size =
            [
                0, node.size + 1, max(0, node.size - 1), node.size * 2, 1000, 0xFFFF, 0xFF_FFFF,
            ].randomElement(using: &generator) ?? 0
        for (index, shift) in [16, 8, 0].enumerated() {
            set(node.position + 5 + index, UInt8(truncatingIfNeeded: size >> shift))
        }
    }

    /// Replaces an element of an array by the position of another array, or by another number.
    private mutating func redirect(_ generator: inout SplitMix64) {
        var found: Node?
        for _ in 0..<20 where found == nil {
            let candidate = nodes.randomElement(using: &generator)
            if candidate?.hasRefs == true, candidate?.width ?? 0 >= 8 { found = candidate }
        }
        guard let node = found, let other = nodes.randomElement(using: &generator), node.size > 0
        else { return flipBit(&generator) }
        let value =
            [
                other.position, other.position, other.position, node.position, 0, 1, -1, 3, 8,
                file.bytes.count, Int.random(in: 0...512, using: &generator) * 2 + 1,
            ].randomElement(using: &generator) ?? 0
        let element =
            node.position + 8
            + Int.random(in: 0..<node.size, using: &generator) * node.width / 8
        for index in 0..<node.width / 8 {
            set(element + index, UInt8(truncatingIfNeeded: value >> (8 * index)))
        }
    }
}
