import FirnCodec
import FirnEngine
import FirnValues

/// The objects of a join by the numbers of their values: a chain of objects for each number.
///
///     heads   number -> first object        nexts   object -> next object of the same number
///     tails   number -> last object         ids     object -> row id
///
/// If only the first object of each number is kept, its place in `ids` is the number.
struct JoinedObjects {
    private static let none: UInt32 = .max

    /// Whether all objects of a number are kept, and not only the first.
    private let findsAll: Bool
    private var heads: [UInt32] = []
    private var tails: [UInt32] = []
    private var nexts: [UInt32] = []
    private(set) var ids = ColumnVector(kind: .int)

    init(findsAll: Bool) { self.findsAll = findsAll }

    var count: Int { ids.count }

    /// The memory of the objects in bytes.
    var byteCount: Int {
        heads.allocatedByteCount + tails.allocatedByteCount + nexts.allocatedByteCount
            + ids.allocatedByteCount
    }

    /// Adds objects; their new numbers follow the existing ones.
    ///
    /// - Parameter found: the row id of each object.
    mutating func add(_ numbers: [UInt32], _ found: ColumnVector) {
        for (row, number) in numbers.enumerated() where number != ValueNumbers.none {
            let number = Int(number)
            guard findsAll else {
                if number == ids.ints.count { ids.ints.append(found.ints[row]) }
                continue
            }
            let index = UInt32(truncatingIfNeeded: ids.ints.count)
            if number == heads.count {
                heads.append(index)
                tails.append(index)
            } else {
                nexts[Int(tails[number])] = index
                tails[number] = index
            }
            ids.ints.append(found.ints[row])
            nexts.append(Self.none)
        }
        ids.count = ids.ints.count
    }

    /// Visits the row ids of all objects of some numbers, each with the position of its number.
    func visitAll(
        of numbers: [UInt32], _ body: PathEvaluator.Chunk
    ) throws(StoreError) {
        var chunk = JoinedChunk(capacity: findsAll ? PathEvaluator.chunkCountMax : numbers.count)
        for (row, number) in numbers.enumerated() where number != ValueNumbers.none {
            let owner = UInt32(truncatingIfNeeded: row)
            try visit(number) { id throws(StoreError) in
                chunk.add(id, owner)
                if findsAll, chunk.isFull { try chunk.deliver(to: body) }
            }
        }
        try chunk.deliver(to: body)
    }

    /// Visits the row ids of the objects of a number, in their order.
    @inline(__always)
    private func visit(
        _ number: UInt32, _ body: (Int64) throws(StoreError) -> Void
    ) throws(StoreError) {
        guard findsAll else { return try body(ids.ints[Int(number)]) }
        var next = heads[Int(number)]
        while next != Self.none {
            try body(ids.ints[Int(next)])
            next = nexts[Int(next)]
        }
    }

    /// Visits the row ids of all objects number by number.
    func visitNumbers(_ body: (_ ids: [Int64]) throws(StoreError) -> Void) throws(StoreError) {
        for number in 0..<UInt32(truncatingIfNeeded: findsAll ? heads.count : count) {
            var found: [Int64] = []
            try visit(number) { found.append($0) }
            try body(found)
        }
    }

    /// Returns the index of the first object of each number; for a number without objects, the
    /// number of objects.
    func firsts(of numbers: [UInt32]) -> [UInt32] {
        let none = UInt32(truncatingIfNeeded: count)
        return numbers.map {
            $0 == ValueNumbers.none ? none : findsAll ? heads[Int($0)] : $0
        }
    }
}

/// Some objects of a join, each with the position of the row that leads to it.
struct JoinedChunk {
    private let capacity: Int
    private var owners: [UInt32] = []
    private var ids = ColumnVector(kind: .int)

    init(capacity: Int = PathEvaluator.chunkCountMax) {
        self.capacity = capacity
        owners.reserveCapacity(capacity)
        ids.ints.reserveCapacity(capacity)
    }

    /// The number of objects for which there is room.
    var room: Int { max(0, capacity - owners.count) }
    var isFull: Bool { owners.count >= capacity }

    @inline(__always)
    mutating func add(_ id: Int64, _ owner: UInt32) {
        owners.append(owner)
        ids.ints.append(id)
    }

    /// Adds several objects of a row.
    mutating func add(
        to owner: UInt32, _ append: (inout [Int64]) throws(StoreError) -> Void
    ) throws(StoreError) {
        try append(&ids.ints)
        owners += repeatElement(owner, count: ids.ints.count - owners.count)
    }

    /// Delivers the objects, and removes them.
    mutating func deliver(to body: PathEvaluator.Chunk) throws(StoreError) {
        ids.count = ids.ints.count
        try body(owners, ids)
        owners.removeAll(keepingCapacity: true)
        ids = ColumnVector(kind: .int)
    }
}
