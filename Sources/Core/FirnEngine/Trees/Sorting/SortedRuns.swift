import FirnPlatform
import FirnValues

/// Numbers, such as row ids, that a statement sorts in parts by keys, because all of them would not
/// fit into memory.
///
/// Each part is written as a run to a file without a name in the folder for temporary files, which
/// disappears with this instance, even if the process is killed. Then the runs are merged. Numbers of
/// equal keys keep the order in which they were added.
package final class SortedRuns {
    private static let mergeByteCount = 16 * 1024 * 1024

    private var spill: SortSpill
    private var run: SortRunWriter
    private var merge: SortMerge?

    /// Creates the temporary file for a statement on a database.
    init(of path: String, services: SystemServices) throws(StoreError) {
        spill = try SortSpill(beside: SpillFile.location(path, services.files), services: services)
        run = spill.newRun()
    }

    /// Appends entries to the current run, whose keys ascend and have the same length.
    ///
    /// - Parameter keys: One key after the other.
    /// - Throws: ``StoreError`` with `diskFull` or `inputOutput`.
    package func append(
        keys: [UInt8], keyByteCount: Int, values: [UInt64]
    ) throws(StoreError) {
        precondition(keys.count == values.count * keyByteCount, "each value needs a key")
        try append(keys, (1...).lazy.map { $0 * keyByteCount }, values)
    }

    /// Appends entries to the current run, whose keys ascend.
    ///
    /// - Parameters:
    ///   - keys: One key after the other.
    ///   - ends: The end of each key.
    /// - Throws: ``StoreError`` with `diskFull` or `inputOutput`.
    package func append(keys: [UInt8], ends: [Int], values: [UInt64]) throws(StoreError) {
        precondition(ends.count == values.count, "each value needs a key")
        try append(keys, ends, values)
    }

    private func append(
        _ keys: [UInt8], _ ends: some Sequence<Int>, _ values: [UInt64]
    ) throws(StoreError) {
        try keys.withBytes { keys throws(StoreError) in
            var start = 0
            for (end, value) in zip(ends, values) {
                let key = UnsafeRawBufferPointer(rebasing: keys[start..<end])
                try withUnsafeBytes(of: value) { value throws(StoreError) in
                    try run.append(key: key, value: value)
                }
                start = end
            }
        }
    }

    /// Ends the current run; the next entry begins another.
    package func endRun() throws(StoreError) {
        try spill.end(&run)
        run = spill.newRun()
    }

    /// Appends the runs of another instance, whose entries follow those of this one where keys are
    /// equal.
    ///
    /// No entry can be added to the other instance afterwards.
    package func append(_ other: SortedRuns) { spill.append(other.spill) }

    /// Returns the values of the next entries of all runs by key; returns fewer only at the end.
    ///
    /// No entry can be added after the first call.
    package func next(atMost countMax: Int) throws(StoreError) -> [UInt64] {
        if merge == nil { merge = try spill.merged(memoryByteCount: Self.mergeByteCount) }
        var found: [UInt64] = []
        found.reserveCapacity(countMax)
        let path = spill.path
        _ = try merge?.next(atMost: countMax) { _, value throws(StoreError) in
            guard value.count == MemoryLayout<UInt64>.size else {
                throw .corrupt(path, "a temporary file changed while it was read")
            }
            found.append(value.loadUnaligned(as: UInt64.self))
        }
        return found
    }
}
