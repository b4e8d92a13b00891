import FirnValues

/// Counts of rows, one per owner.
extension [Int] {
    /// The number of owners above which the rows are counted one by one.
    private static var interleavedOwnerCountMax: Int { 1 << 10 }

    /// Counts each row once.
    ///
    /// Adjacent rows often have the same owner. Each addition would then wait for the one before,
    /// so four tables of counts take turns.
    mutating func count(_ owners: [UInt32]) {
        let ownerCount = count
        guard ownerCount <= Self.interleavedOwnerCountMax, owners.count >= ownerCount * 4 else {
            return withUnsafeMutableBufferPointer { counts in
                for owner in owners { counts[Int(owner)] &+= 1 }
            }
        }
        withUnsafeTemporaryAllocation(of: Int.self, capacity: ownerCount * 4) { tables in
            tables.initialize(repeating: 0)
            owners.withUnsafeBufferPointer { owners in
                var row = 0
                while row + 4 <= owners.count {
                    tables[Int(owners[row]) &* 4] &+= 1
                    tables[Int(owners[row + 1]) &* 4 &+ 1] &+= 1
                    tables[Int(owners[row + 2]) &* 4 &+ 2] &+= 1
                    tables[Int(owners[row + 3]) &* 4 &+ 3] &+= 1
                    row += 4
                }
                while row < owners.count {
                    tables[Int(owners[row]) &* 4] &+= 1
                    row += 1
                }
            }
            for owner in 0..<ownerCount {
                let first = owner * 4
                self[owner] +=
                    tables[first] + tables[first + 1] + tables[first + 2] + tables[first + 3]
            }
        }
    }

    /// Adds a number to the count of the owner of each row of a set.
    ///
    /// - Parameter words: the rows: bit i of word i / 64. Words that are missing are 0.
    mutating func count(_ owners: [UInt32], ofWords words: [UInt64], adding number: Int) {
        precondition(words.count <= (owners.count + 63) / 64, "each row has an owner")
        withUnsafeMutableBufferPointer { counts in
            owners.withUnsafeBufferPointer { owners in
                for (index, word) in words.enumerated() {
                    var rest = word
                    while rest != 0 {
                        let row = index &* 64 &+ rest.trailingZeroBitCount
                        counts[Int(owners[row])] &+= number
                        rest &= rest &- 1
                    }
                }
            }
        }
    }
}
