import FirnPlatform
import FirnValues

/// A sorter of entries of keys and values by key, within bounded memory.
///
/// Entries that do not fit are written as sorted runs to a temporary file beside the database. Its
/// name is removed as soon as it is open, so the file disappears with the sorter, even if the
/// process is killed. Entries of equal keys keep the order in which they were added.
struct ExternalSorter {
    static let memoryByteCountDefault = 32 * 1024 * 1024

    private let path: String
    private let services: SystemServices
    private let memoryByteCount: Int
    private let runByteCount: Int
    private var memory = SortMemory()
    private var spill: SortSpill?
    private(set) var entryCount: UInt64 = 0

    /// - Parameters:
    ///   - path: The database beside which runs are written.
    ///   - memoryByteCount: The approximate memory for entries, here and during the merge.
    ///   - runByteCount: The maximum memory of a run. Entries that a cache of the processor holds are
    ///     sorted several times as fast as those that it does not.
    init(
        beside path: String, services: SystemServices,
        memoryByteCount: Int = ExternalSorter.memoryByteCountDefault,
        runByteCount: Int = .max
    ) {
        self.runByteCount = min(runByteCount, memoryByteCount)
        self.path = path
        self.services = services
        self.memoryByteCount = memoryByteCount
    }

    /// The number of runs written, and their size in bytes.
    var spilled: (runCount: Int, byteCount: UInt64) {
        (spill?.runs.count ?? 0, spill?.end ?? 0)
    }

    /// Adds an entry.
    ///
    /// - Throws: ``StoreError`` with `diskFull`, `inputOutput` or `limitExceeded`.
    mutating func append(
        key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer
    ) throws(StoreError) {
        try TreeLevelWriter.checkSize(key: key.count, value: value.count, path)
        if memory.count > 0,
            memory.byteCount + SortMemory.byteCount(key: key.count, value: value.count)
                > runByteCount
        {
            try writeRun()
        }
        memory.append(key: key, value: value)
        entryCount += 1
    }

    /// Adds an entry.
    mutating func append(_ entry: TreeEntry) throws(StoreError) {
        try entry.key.withBytes { key throws(StoreError) in
            try entry.value.withBytes { value throws(StoreError) in
                try append(key: key, value: value)
            }
        }
    }

    /// Passes all entries to a closure in order; no entry can be added afterwards.
    ///
    /// - Parameter visit: Receives key and value, which are valid only during the call.
    consuming func finish(
        _ visit: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws(StoreError) -> Void
    ) throws(StoreError) {
        if spill != nil, memory.count > 0 { try writeRun() }
        guard var spill else { return try memory.forEachSorted(visit) }
        // The memory is released, because the merge needs the same amount.
        memory = SortMemory()
        try spill.merge(memoryByteCount: memoryByteCount, visit)
    }

    private mutating func writeRun() throws(StoreError) {
        var spill: SortSpill
        if let old = self.spill {
            spill = old
        } else {
            spill = try SortSpill(beside: path, services: services)
        }
        var run = spill.newRun()
        try memory.forEachSorted { key, value throws(StoreError) in
            try run.append(key: key, value: value)
        }
        try spill.end(&run)
        self.spill = spill
        memory.removeAll()
    }
}

extension ExternalSorter {
    /// Creates a sorter of the entries of an index, in parts that fit into the level 2 cache of a
    /// core.
    init(ofEntriesBeside path: String, services: SystemServices) {
        self.init(
            beside: path, services: services, memoryByteCount: 32 << 20, runByteCount: 1 << 20)
    }
}
