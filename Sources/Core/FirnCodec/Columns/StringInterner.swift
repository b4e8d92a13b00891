import FirnValues

/// Distinct strings in order of arrival, indexed by a hash table with open addressing.
///
///     slots[hash & mask] = entry + 1 (0: free)      entry i = bytes[offsets[i] ..< offsets[i + 1]]
struct StringInterner {
    private(set) var offsets: [UInt32] = [0]
    private(set) var bytes: [UInt8] = []
    private var hashes: [UInt32] = []
    private var slots: [UInt32] = []

    /// A random seed, so that an attacker cannot choose strings that all collide.
    private static let seed = UInt64.random(in: .min ... .max)
    private static let slotsMin = 64

    var count: Int { offsets.count - 1 }

    func length(_ entry: Int) -> Int { Int(offsets[entry + 1] - offsets[entry]) }

    /// Returns the index of a string, and adds it if it is new.
    mutating func entry(_ text: UnsafeBufferPointer<UInt8>) -> UInt32 {
        if (count + 1) * 2 > slots.count { grow() }
        let hash = Self.hash(text)
        let mask = slots.count - 1
        var slot = Int(hash) & mask
        while true {
            let found = slots[slot]
            if found == 0 {
                slots[slot] = UInt32(count) + 1
                hashes.append(hash)
                bytes.append(contentsOf: text)
                offsets.append(UInt32(bytes.count))
                return UInt32(count - 1)
            }
            let entry = Int(found - 1)
            if hashes[entry] == hash, isEntry(entry, text) { return found - 1 }
            slot = (slot + 1) & mask
        }
    }

    /// Returns whether the table contains a string.
    func find(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard !slots.isEmpty else { return false }
        let hash = Self.hash(text)
        var slot = Int(hash) & (slots.count - 1)
        while slots[slot] != 0 {
            let entry = Int(slots[slot] - 1)
            if hashes[entry] == hash, isEntry(entry, text) { return true }
            slot = (slot + 1) & (slots.count - 1)
        }
        return false
    }

    func isEntry(_ entry: Int, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
        let start = Int(offsets[entry])
        guard length(entry) == text.count else { return false }
        return bytes.withUnsafeBufferPointer { own in
            ByteStrings.isEqual(
                UnsafeBufferPointer(rebasing: own[start..<start + text.count]), text)
        }
    }

    private mutating func grow() {
        let size = max(Self.slotsMin, slots.count * 2)
        slots = Array(repeating: 0, count: size)
        for (entry, hash) in hashes.enumerated() {
            var slot = Int(hash) & (size - 1)
            while slots[slot] != 0 { slot = (slot + 1) & (size - 1) }
            slots[slot] = UInt32(entry) + 1
        }
    }

    private static func hash(_ text: UnsafeBufferPointer<UInt8>) -> UInt32 {
        var hash = seed ^ UInt64(text.count)
        if let base = text.baseAddress {
            let raw = UnsafeRawPointer(base)
            var at = 0
            while at <= text.count - 8 {
                hash = mix(hash ^ raw.u64(at))
                at += 8
            }
            var rest: UInt64 = 0
            while at < text.count {
                rest = rest << 8 | UInt64(base[at])
                at += 1
            }
            hash = mix(hash ^ rest)
        }
        return UInt32(truncatingIfNeeded: hash >> 32)
    }

    @inline(__always)
    private static func mix(_ value: UInt64) -> UInt64 {
        let product = value.multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        return product.high ^ product.low
    }

    mutating func removeAll() {
        offsets.removeAll(keepingCapacity: true)
        offsets.append(0)
        bytes.removeAll(keepingCapacity: true)
        hashes.removeAll(keepingCapacity: true)
        slots.withUnsafeMutableBufferPointer { $0.update(repeating: 0) }
    }
}
