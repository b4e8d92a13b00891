import FirnValues
import RealmFile

/// The identities of the imported objects of a class: their ranks in the order of their keys.
struct ObjectIndex {
    /// Consecutive keys, such as the keys of a cluster without deletions.
    private struct Run {
        let firstKey: UInt64
        let firstRow: UInt64
        var count: UInt64
    }

    private var runs: [Run] = []
    private(set) var count: UInt64 = 0

    /// Adds keys, which are greater than all previous ones.
    mutating func append(_ keys: [UInt64]) {
        for key in keys {
            let last = runs.count - 1
            if last >= 0, runs[last].firstKey + runs[last].count == key {
                runs[last].count += 1
            } else {
                runs.append(Run(firstKey: key, firstRow: count, count: 1))
            }
            count += 1
        }
    }

    /// Returns the identity of an object; `nil` if the file has no object with this key.
    func row(_ key: UInt64) -> RowID? {
        var low = 0
        var high = runs.count
        while low < high {
            let middle = (low + high) / 2
            if runs[middle].firstKey <= key { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return nil }
        let run = runs[low - 1]
        guard key - run.firstKey < run.count else { return nil }
        return RowID(run.firstRow + (key - run.firstKey))
    }
}
