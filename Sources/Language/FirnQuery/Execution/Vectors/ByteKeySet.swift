import FirnCodec
import FirnValues

/// A set of byte strings in one arena, without an allocation per member.
///
/// It uses open addressing with linear probing, and is at most half full. A slot contains the hash,
/// the number, and the start and length of the member in the arena.
struct ByteKeySet {
    private struct Slot {
        var hash: UInt64 = 0
        var start = 0
        /// The length of the member; -1 if the slot is free.
        var length = -1
        /// The number of members that were added before this one.
        var number = 0
    }

    private var slots = [Slot](repeating: Slot(), count: 64)
    private var arena: [UInt8] = []
    private(set) var count = 0

    /// The memory that the members take.
    var byteCount: Int { slots.count * MemoryLayout<Slot>.stride + arena.capacity }

    /// Returns the memory that the members take after more are added, all of which may be new,
    /// without their bytes.
    func byteCount(afterAdding added: Int) -> Int {
        var slotCount = slots.count
        while slotCount < (count + added) * 2 { slotCount *= 2 }
        return slotCount * MemoryLayout<Slot>.stride + arena.capacity
    }

    /// Returns the number of a member in order of arrival, and adds the member if it is new.
    mutating func number(of key: UnsafeRawBufferPointer) -> (number: Int, isNew: Bool) {
        if count * 2 >= slots.count { grow() }
        let hash = Checksum.xxh64(key, seed: 0)
        var index = Int(truncatingIfNeeded: hash) & (slots.count - 1)
        while slots[index].length >= 0 {
            if slots[index].hash == hash, isMember(slots[index], key) {
                return (slots[index].number, false)
            }
            index = (index + 1) & (slots.count - 1)
        }
        slots[index] = Slot(
            hash: hash, start: arena.count, length: key.count, number: count)
        arena.append(contentsOf: key)
        count += 1
        return (count - 1, true)
    }

    /// Returns the number of a member; `nil` if the key is not one.
    func knownNumber(of key: UnsafeRawBufferPointer) -> Int? {
        let hash = Checksum.xxh64(key, seed: 0)
        var index = Int(truncatingIfNeeded: hash) & (slots.count - 1)
        while slots[index].length >= 0 {
            if slots[index].hash == hash, isMember(slots[index], key) { return slots[index].number }
            index = (index + 1) & (slots.count - 1)
        }
        return nil
    }

    private func isMember(_ slot: Slot, _ key: UnsafeRawBufferPointer) -> Bool {
        guard slot.length == key.count else { return false }
        return arena.withUnsafeBytes { arena in
            for offset in 0..<key.count where arena[slot.start + offset] != key[offset] {
                return false
            }
            return true
        }
    }

    private mutating func grow() {
        let old = slots
        slots = [Slot](repeating: Slot(), count: old.count * 2)
        for slot in old where slot.length >= 0 {
            var index = Int(truncatingIfNeeded: slot.hash) & (slots.count - 1)
            while slots[index].length >= 0 { index = (index + 1) & (slots.count - 1) }
            slots[index] = slot
        }
    }
}
