import FirnCodec
import FirnEngine
import FirnValues

/// The values of each owner, from which a quantile is computed once all are known.
///
/// A quantile between two values is interpolated between them. NaN is ignored.
struct Samples {
    private let kind: ValueTag
    private let fraction: Double
    private var ownerCount = 0
    /// The values of an Int column in a small range, instead of lists.
    private var counts: IntegerCounts?
    /// The counts of values that turned out to be too different, and their number of owners.
    private var formerCounts: (counts: IntegerCounts, ownerCount: Int)?
    private var owners: [UInt32] = []
    private var doubles: [Double] = []
    private var decimals: [Decimal128] = []
    /// The limits and files of values other than decimals; `nil` to keep all in memory.
    private let spill: AggregateSpill?
    private var spilled = SpilledSamples()
    private var results: [Value] = []

    init(kind: ValueTag, fraction: Double, _ spill: AggregateSpill?) {
        self.kind = kind
        self.fraction = fraction
        self.spill = spill
        counts = kind == .int ? IntegerCounts() : nil
    }

    /// The memory that the values take, without those on disk.
    var byteCount: Int {
        (counts?.byteCount ?? 0) + owners.allocatedByteCount + doubles.allocatedByteCount
            + decimals.allocatedByteCount
    }

    mutating func resize(to count: Int) {
        if counts?.resize(to: count) == false { endCounts() }
        ownerCount = count
    }

    /// Continues with lists, because there are too many distinct values.
    private mutating func endCounts() {
        guard let counts else { return }
        formerCounts = (counts, ownerCount)
        self.counts = nil
    }

    mutating func add(_ values: ColumnVector, _ owners: [UInt32]) {
        if let wasCounted = counts?.add(values, owners) {
            if wasCounted { return }
            endCounts()
        }
        let hasNulls = !values.nulls.isEmpty
        for row in 0..<values.count where !hasNulls || !values.isNull(row) {
            switch kind {
            case .int: doubles.append(Double(values.ints[row]))
            case .double, .float:
                let value = values.doubles[row]
                if value.isNaN { continue }
                // Both zeros become 0, because one of them is in any place among equal values.
                doubles.append(value + 0)
            default:
                guard case .decimal128(let number) = values.value(at: row), !number.isNaN else {
                    continue
                }
                decimals.append(number)
            }
            self.owners.append(owners[row])
        }
    }

    /// Lists the values that were counted, and writes those that do not fit into memory.
    mutating func makeRoom() throws(StoreError) {
        if let former = formerCounts {
            formerCounts = nil
            for owner in 0..<former.ownerCount {
                try list(former.counts, of: owner, as: UInt32(truncatingIfNeeded: owner))
            }
        }
        try writeListed()
    }

    private mutating func list(
        _ counts: IntegerCounts, of owner: Int, as newOwner: UInt32
    ) throws(StoreError) {
        try counts.visit(owner) { value, count throws(StoreError) in
            var rest = count
            while rest > 0 {
                let part = min(rest, SpilledSamples.blockCountMax)
                owners.append(contentsOf: repeatElement(newOwner, count: part))
                doubles.append(contentsOf: repeatElement(Double(value), count: part))
                rest -= part
                try writeListed()
            }
        }
    }

    private mutating func writeListed() throws(StoreError) {
        guard let spill, !doubles.isEmpty, 12 * doubles.count > spill.sampleByteCountMax else {
            return
        }
        try spilled.append(doubles, owners, spill)
        owners.removeAll(keepingCapacity: true)
        doubles.removeAll(keepingCapacity: true)
    }

    /// Adds the values of other rows.
    ///
    /// - Parameter owners: the owner here of each owner there.
    mutating func merge(_ other: Samples, _ owners: [UInt32]) throws(StoreError) {
        if let added = other.counts {
            if counts?.merge(added, owners) == true { return }
            endCounts()
            for (there, here) in owners.enumerated() { try list(added, of: there, as: here) }
        }
        endCounts()
        if let former = other.formerCounts {
            for there in 0..<former.ownerCount {
                try list(former.counts, of: there, as: owners[there])
            }
        }
        self.owners += other.owners.lazy.map { owners[Int($0)] }
        doubles += other.doubles
        decimals += other.decimals
        spilled.merge(other.spilled, owners)
        try makeRoom()
    }

    /// Returns the values of the owners of each part, numbered from 0 in each part.
    ///
    /// - Parameters:
    ///   - parts: the owners of each part; each owner is in one of them.
    ///   - willRead: called before values are read from disk; an error ends the work.
    func divided(
        among parts: [[UInt32]], willRead: () throws(StoreError) -> Void
    ) throws(StoreError) -> [Samples] {
        var whole = self
        try whole.makeRoom()
        var places = [(part: Int, owner: UInt32)](repeating: (0, 0), count: ownerCount)
        var divided = parts.enumerated().map { number, owners in
            for (new, owner) in owners.enumerated() {
                places[Int(owner)] = (number, UInt32(truncatingIfNeeded: new))
            }
            var part = Samples(kind: kind, fraction: fraction, spill)
            part.counts = whole.counts?.picking(owners)
            part.ownerCount = owners.count
            return part
        }
        for (index, owner) in whole.owners.enumerated() {
            let (part, owner) = places[Int(owner)]
            divided[part].owners.append(owner)
            if kind == .decimal128 {
                divided[part].decimals.append(whole.decimals[index])
            } else {
                divided[part].doubles.append(whole.doubles[index])
            }
        }
        guard let spill, !whole.spilled.isEmpty else { return divided }
        // The parts share one file, of which a process may open only some hundred.
        let file = spill.makeFile()
        let countMax = max(1, SpilledSamples.blockCountMax / parts.count)
        try whole.spilled.visit { values, owners throws(StoreError) in
            try willRead()
            for (value, owner) in zip(values, owners) {
                let (part, owner) = places[Int(owner)]
                divided[part].owners.append(owner)
                divided[part].doubles.append(value)
                if divided[part].doubles.count >= countMax {
                    try divided[part].writeListed(to: file)
                }
            }
        }
        return divided
    }

    private mutating func writeListed(to file: SpillFile) throws(StoreError) {
        try spilled.append(doubles, owners, to: spilled.isEmpty ? file : nil)
        owners.removeAll(keepingCapacity: true)
        doubles.removeAll(keepingCapacity: true)
    }

    /// Computes the result of each owner.
    ///
    /// - Parameter willRead: called before values are read from disk; an error ends the work.
    mutating func finish(willRead: () throws(StoreError) -> Void) throws(StoreError) {
        if let counts {
            results = (0..<ownerCount).map { quantile(of: $0, counts) }
            self.counts = nil
            return
        }
        try makeRoom()
        if let spill, !spilled.isEmpty {
            try spilled.append(doubles, owners, spill)
            results = try spilled.quantiles(
                fraction, ownerCount: ownerCount, countMax: spill.readCountMax, willRead: willRead)
        } else {
            let starts = starts()
            results =
                kind == .decimal128 ? quantiles(decimals, starts) : quantiles(doubles, starts)
        }
        (owners, doubles, decimals, spilled) = ([], [], [], SpilledSamples())
    }

    /// Returns the index of the first value of each owner in the order of owners.
    private func starts() -> [Int] {
        var starts = [Int](repeating: 0, count: ownerCount + 1)
        for owner in owners { starts[Int(owner) + 1] += 1 }
        for owner in 0..<ownerCount { starts[owner + 1] += starts[owner] }
        return starts
    }

    /// Returns the values ordered by owner.
    private func gathered<T>(_ values: [T], _ starts: [Int]) -> [T] {
        var ordered = values
        var next = starts
        for (index, owner) in owners.enumerated() {
            ordered[next[Int(owner)]] = values[index]
            next[Int(owner)] += 1
        }
        return ordered
    }

    private func quantiles(_ values: [Double], _ starts: [Int]) -> [Value] {
        var values = gathered(values, starts)
        return (0..<ownerCount).map { owner in
            let range = starts[owner]..<starts[owner + 1]
            guard !range.isEmpty else { return .null }
            let position = QuantilePosition(fraction, of: range.count)
            return .double(
                values.withUnsafeMutableBufferPointer {
                    position.value(in: UnsafeMutableBufferPointer(rebasing: $0[range]))
                })
        }
    }

    private func quantile(of owner: Int, _ counts: IntegerCounts) -> Value {
        var total = 0
        counts.visit(owner) { total += $1 }
        guard total > 0 else { return .null }
        let position = QuantilePosition(fraction, of: total)
        var (low, high) = (0.0, 0.0)
        var passed = 0
        counts.visit(owner) { value, count in
            if (passed..<passed + count).contains(position.lower) { low = Double(value) }
            if (passed..<passed + count).contains(position.upper) { high = Double(value) }
            passed += count
        }
        return .double(position.value(low, high))
    }

    private func quantiles(_ values: [Decimal128], _ starts: [Int]) -> [Value] {
        var values = gathered(values, starts)
        return (0..<ownerCount).map { owner in
            let range = starts[owner]..<starts[owner + 1]
            guard !range.isEmpty else { return .null }
            values[range].sort { $0.numericOrder(relativeTo: $1) == .less }
            let position = QuantilePosition(fraction, of: range.count)
            let low = values[range.lowerBound + position.lower]
            if position.lower == position.upper || position.share == 0 { return .decimal128(low) }
            let distance = values[range.lowerBound + position.upper].subtracting(low)
            return .decimal128(
                low.adding(distance.multiplied(by: Decimal128(shortest: position.share))))
        }
    }

    func value(_ owner: Int) -> Value { results[owner] }
}
