import FirnValues

/// The distinct texts of a row group; see ``NumberDictionary``.
struct TextDictionary {
    private static let bytesMax = 1 << 20
    private static let countMax = 1 << 17

    private(set) var bytes: [UInt8] = []
    private(set) var offsets: [UInt32] = [0]
    private var hashes: [UInt64] = []
    private var slots: [UInt32]
    private var shift: UInt64

    var count: Int { hashes.count }

    init() {
        slots = Array(repeating: 0, count: 1 << 10)
        shift = 64 - 10
    }

    /// Forgets the texts after the first ones; texts can no longer be looked up.
    mutating func truncate(to count: Int) {
        hashes.removeLast(hashes.count - count)
        offsets.removeLast(offsets.count - count - 1)
        bytes.removeLast(bytes.count - Int(offsets[count]))
    }

    /// Looks up texts and adds those that are new.
    ///
    /// - Returns: `false` if there are too many.
    mutating func lookUp(
        _ texts: UnsafeRawPointer, _ ends: [UInt32], _ indices: inout [UInt32]
    ) -> Bool {
        indices.removeAll(keepingCapacity: true)
        indices.reserveCapacity(ends.count)
        var start = 0
        for end in ends {
            let text = UnsafeRawBufferPointer(start: texts + start, count: Int(end) - start)
            guard let index = index(of: text) else { return false }
            indices.append(index)
            start = Int(end)
        }
        return true
    }

    @inline(__always)
    static func hash(_ text: UnsafeRawBufferPointer) -> UInt64 {
        var hash = UInt64(text.count) &* 0x9E37_79B9_7F4A_7C15
        var position = 0
        while position + 8 <= text.count {
            let word = text.loadUnaligned(fromByteOffset: position, as: UInt64.self)
            hash = (hash ^ word) &* 0xFF51_AFD7_ED55_8CCD
            hash ^= hash >> 32
            position += 8
        }
        var rest: UInt64 = 0
        while position < text.count {
            rest = rest << 8 | UInt64(text[position])
            position += 1
        }
        hash = (hash ^ rest) &* 0xC4CE_B9FE_1A85_EC53
        return hash ^ hash >> 29
    }

    private mutating func index(of text: UnsafeRawBufferPointer) -> UInt32? {
        let hash = Self.hash(text)
        let mask = slots.count - 1
        var slot = Int((hash &* 0x9E37_79B9_7F4A_7C15) >> shift)
        while true {
            let index = Int(slots[slot])
            guard index > 0 else { break }
            if hashes[index - 1] == hash, isText(index - 1, text) { return UInt32(index - 1) }
            slot = (slot + 1) & mask
        }
        guard count < Self.countMax, bytes.count + text.count <= Self.bytesMax else { return nil }
        bytes.append(contentsOf: text)
        offsets.append(UInt32(bytes.count))
        hashes.append(hash)
        slots[slot] = UInt32(count)
        if count * 2 > slots.count { grow() }
        return UInt32(count - 1)
    }

    @inline(__always)
    private func isText(_ index: Int, _ text: UnsafeRawBufferPointer) -> Bool {
        let start = Int(offsets[index])
        guard Int(offsets[index + 1]) - start == text.count else { return false }
        return bytes.withUnsafeBytes { bytes in
            UnsafeRawBufferPointer(rebasing: bytes[start..<start + text.count])
                .elementsEqual(text)
        }
    }

    private mutating func grow() {
        shift -= 1
        slots = Array(repeating: 0, count: slots.count * 2)
        let mask = slots.count - 1
        for (index, hash) in hashes.enumerated() {
            var slot = Int((hash &* 0x9E37_79B9_7F4A_7C15) >> shift)
            while slots[slot] > 0 { slot = (slot + 1) & mask }
            slots[slot] = UInt32(index + 1)
        }
    }
}
