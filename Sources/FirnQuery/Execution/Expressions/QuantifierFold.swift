import FirnCodec

/// Folds what holds for single values into what holds for the rows that they belong to.
///
/// Of no values, ALL and NONE hold and ANY does not.
struct QuantifierFold {
    private let quantifier: Quantifier
    /// For ANY and NONE rows of which a value passed, for ALL rows of which one failed.
    private var seen: Bitmap

    init(_ quantifier: Quantifier, rowCount: Int) {
        self.quantifier = quantifier
        seen = Bitmap(count: rowCount)
    }

    mutating func add(_ passing: Bitmap, owners: [UInt32]) {
        let wanted = quantifier != .all
        for (index, owner) in owners.enumerated() where passing[index] == wanted {
            seen[Int(owner)] = true
        }
    }

    /// The rows for which it holds.
    var rows: Bitmap {
        guard quantifier != .any else { return seen }
        var rows = seen
        rows.invert()
        return rows
    }
}
