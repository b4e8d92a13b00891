import FirnValues

/// Numbers of integers, in a hash table.
///
/// It uses open addressing with linear probing, and is at most half full.
final class IntegerNumbers {
    /// The number of an integer that is not in the table.
    static let none = UInt32.max

    private struct Slot {
        var key: Int64 = 0
        var number = IntegerNumbers.none
    }

    private var slots = UnsafeMutableBufferPointer<Slot>.allocate(capacity: 64)
    private var shift: UInt64 = 58
    private(set) var count = 0

    /// The memory that the integers take.
    var byteCount: Int { slots.count * MemoryLayout<Slot>.stride }

    /// Returns the memory that the integers take after more are added, all of which may be new.
    func byteCount(afterAdding added: Int) -> Int {
        var slotCount = slots.count
        while slotCount < (count + added) * 2 { slotCount *= 2 }
        return slotCount * MemoryLayout<Slot>.stride
    }

    init() { slots.initialize(repeating: Slot()) }

    deinit { slots.deallocate() }

    /// Returns the number of an integer, or ``none``.
    @inline(__always)
    func number(of key: Int64) -> UInt32 { slots[slot(of: key)].number }

    /// Returns the number of an integer, which gets the number `next` if it is new.
    @inline(__always)
    func number(of key: Int64, adding next: UInt32) -> UInt32 {
        var index = slot(of: key)
        let number = slots[index].number
        if number != Self.none { return number }
        if count * 2 >= slots.count {
            grow()
            index = slot(of: key)
        }
        slots[index] = Slot(key: key, number: next)
        count += 1
        return next
    }

    /// Returns the index of the slot with an integer, or of the free slot for it.
    @inline(__always)
    private func slot(of key: Int64) -> Int {
        let hash = UInt64(bitPattern: key) &* 0x9E37_79B9_7F4A_7C15
        var index = Int(truncatingIfNeeded: hash &>> shift)
        while slots[index].number != Self.none, slots[index].key != key {
            index = (index + 1) & (slots.count - 1)
        }
        return index
    }

    /// Makes room for a number of integers in total, so that they are moved only once.
    func reserve(_ total: Int) {
        var doublings: UInt64 = 0
        while slots.count &<< doublings < total * 2 { doublings += 1 }
        if doublings > 0 { grow(by: doublings) }
    }

    private func grow(by doublings: UInt64 = 1) {
        let old = slots
        slots = .allocate(capacity: old.count &<< doublings)
        slots.initialize(repeating: Slot())
        shift -= doublings
        for entry in old where entry.number != Self.none { slots[slot(of: entry.key)] = entry }
        old.deallocate()
    }
}
