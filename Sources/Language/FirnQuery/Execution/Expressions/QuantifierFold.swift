import FirnCodec
import FirnSyntax
import FirnValues

/// Folds results for single values into results for the rows to which the values belong.
///
/// For a row without values, ALL and NONE hold and ANY does not.
struct QuantifierFold {
    private let quantifier: Quantifier
    /// For ANY and NONE, the rows with a value that passed; for ALL, the rows with a value that
    /// failed.
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

    /// The rows for which the quantifier holds.
    var rows: Bitmap {
        guard quantifier != .any else { return seen }
        var rows = seen
        rows.invert()
        return rows
    }
}
