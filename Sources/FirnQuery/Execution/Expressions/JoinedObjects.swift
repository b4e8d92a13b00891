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

    /// Adds objects, whose new numbers follow those before.
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

    /// Returns the row ids of all objects of some numbers, each with the position of its number.
    func all(of numbers: [UInt32]) -> (owners: [UInt32], ids: ColumnVector) {
        var owners: [UInt32] = []
        var found = ColumnVector(kind: .int)
        owners.reserveCapacity(numbers.count)
        found.ints.reserveCapacity(numbers.count)
        for (row, number) in numbers.enumerated() where number != ValueNumbers.none {
            visit(number) { id in
                owners.append(UInt32(truncatingIfNeeded: row))
                found.ints.append(id)
            }
        }
        found.count = found.ints.count
        return (owners, found)
    }

    /// Visits the row ids of the objects of a number, in their order.
    @inline(__always)
    private func visit(_ number: UInt32, _ body: (Int64) -> Void) {
        guard findsAll else { return body(ids.ints[Int(number)]) }
        var next = heads[Int(number)]
        while next != Self.none {
            body(ids.ints[Int(next)])
            next = nexts[Int(next)]
        }
    }

    /// Visits the row ids of all objects number by number.
    func visitNumbers(_ body: (_ ids: [Int64]) throws(StoreError) -> Void) throws(StoreError) {
        for number in 0..<UInt32(truncatingIfNeeded: findsAll ? heads.count : count) {
            var found: [Int64] = []
            visit(number) { found.append($0) }
            try body(found)
        }
    }

    /// Returns the index of the first object of each number, or the number of objects without one.
    func firsts(of numbers: [UInt32]) -> [UInt32] {
        let none = UInt32(truncatingIfNeeded: count)
        return numbers.map {
            $0 == ValueNumbers.none ? none : findsAll ? heads[Int($0)] : $0
        }
    }
}
