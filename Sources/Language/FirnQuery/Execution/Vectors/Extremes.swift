import FirnCodec
import FirnEngine
import FirnValues

/// The minimum, maximum, first or last value of each owner.
struct Extremes {
    private let reduction: BoundExpression.Reduction
    private let kind: ValueTag
    /// The values by kind; only one of the storages is used.
    private var ints: [Int64] = []
    private var doubles: [Double] = []
    private var others: [Value] = []
    /// The size of the texts and other values outside of `others`.
    private var outsideByteCount = 0
    /// Whether an owner has a value, except in `others`.
    private var isKnown: [Bool] = []

    init(_ reduction: BoundExpression.Reduction, kind: ValueTag) {
        self.reduction = reduction
        self.kind = kind
    }

    /// The memory that the values take.
    var byteCount: Int {
        ints.allocatedByteCount + doubles.allocatedByteCount + isKnown.allocatedByteCount
            + others.allocatedByteCount + outsideByteCount
    }

    mutating func resize(to count: Int) {
        let added = count - max(isKnown.count, others.count)
        switch kind {
        case .int: ints.append(contentsOf: repeatElement(0, count: added))
        case .double: doubles.append(contentsOf: repeatElement(0, count: added))
        default: return others.append(contentsOf: repeatElement(.null, count: added))
        }
        isKnown.append(contentsOf: repeatElement(false, count: added))
    }

    mutating func add(_ values: ColumnVector, _ owners: [UInt32]) {
        switch (reduction, kind) {
        case (.minimum, .int): addInts(values, owners) { $0 < $1 }
        case (.maximum, .int): addInts(values, owners) { $0 > $1 }
        case (.first, .int): addInts(values, owners) { _, _ in false }
        case (_, .int): addInts(values, owners) { _, _ in true }
        case (.minimum, .double): addDoubles(values, owners) { $0 < $1 }
        case (.maximum, .double): addDoubles(values, owners) { $0 > $1 }
        case (.first, .double): addDoubles(values, owners) { _, _ in false }
        case (_, .double): addDoubles(values, owners) { _, _ in true }
        default: addOthers(values, owners)
        }
    }

    /// Keeps the value that replaces the value of its owner.
    @inline(__always)
    private mutating func addInts(
        _ values: ColumnVector, _ owners: [UInt32], _ replaces: (Int64, Int64) -> Bool
    ) {
        let hasNulls = !values.nulls.isEmpty
        for row in 0..<values.count where !hasNulls || !values.isNull(row) {
            let owner = Int(owners[row])
            let value = values.ints[row]
            if !isKnown[owner] || replaces(value, ints[owner]) {
                ints[owner] = value
                isKnown[owner] = true
            }
        }
    }

    @inline(__always)
    private mutating func addDoubles(
        _ values: ColumnVector, _ owners: [UInt32], _ replaces: (Double, Double) -> Bool
    ) {
        let hasNulls = !values.nulls.isEmpty
        let keepsNaN = reduction.isOrdered
        for row in 0..<values.count where !hasNulls || !values.isNull(row) {
            let owner = Int(owners[row])
            let value = values.doubles[row]
            if value.isNaN, !keepsNaN { continue }
            if !isKnown[owner] || replaces(value, doubles[owner]) {
                doubles[owner] = value
                isKnown[owner] = true
            }
        }
    }

    private mutating func addOthers(_ values: ColumnVector, _ owners: [UInt32]) {
        let wanted: Ordering = reduction == .minimum ? .less : .greater
        for row in 0..<values.count where !values.isNull(row) {
            let owner = Int(owners[row])
            if reduction == .first, !others[owner].isNull { continue }
            let value = values.value(at: row)
            if !reduction.isOrdered {
                guard !value.isNotANumber else { continue }
                let isBetter =
                    others[owner].isNull || value.order(relativeTo: others[owner]) == wanted
                guard isBetter else { continue }
            }
            outsideByteCount += value.approximateByteCount - others[owner].approximateByteCount
            others[owner] = value
        }
    }

    /// Adds the values of rows that come after the rows of this instance.
    ///
    /// - Parameter owners: the owner here of each owner there.
    mutating func merge(_ later: Extremes, _ owners: [UInt32]) {
        var known: [UInt32] = []
        var values = ColumnVector(kind: kind)
        for (there, here) in owners.enumerated() {
            let value = later.value(there)
            guard !value.isNull else { continue }
            known.append(here)
            values.append(value)
        }
        add(values, known)
    }

    /// Returns the values of some owners, which become the owners 0, 1, ...
    func picking(_ owners: [UInt32]) -> Extremes {
        var picked = self
        picked.ints = ints.picking(owners)
        picked.doubles = doubles.picking(owners)
        picked.others = others.picking(owners)
        picked.isKnown = isKnown.picking(owners)
        return picked
    }

    func value(_ owner: Int) -> Value {
        switch kind {
        case .int: isKnown[owner] ? .int(ints[owner]) : .null
        case .double: isKnown[owner] ? .double(doubles[owner]) : .null
        default: others[owner]
        }
    }
}
