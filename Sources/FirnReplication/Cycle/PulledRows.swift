import FirnEngine
import FirnPlatform
import FirnValues

/// A row of the subset on the server; without texts, the subset does not contain the object.
struct PulledRow: Hashable, Sendable {
    let key: String
    let texts: [String?]?
    /// The time of the last change of the row, or of its deletion.
    var time = HybridTime(0)
}

/// The rows that a pull read, by class.
///
/// The rows of a bootstrap may be many: beyond the first page they are staged in the file itself,
/// each page in a commit of its own, so that neither memory nor the time of the writer lock grows
/// with them.
struct PulledRows {
    private let store: Store
    private var rows: TextMap<[PulledRow]> = [:]
    private var stagedCount: Int64 = 0
    /// The upper half of the keys of the staged rows, by which those of another process differ.
    private let bootstrap: Int64
    /// The latest time of all rows.
    ///
    /// The file gives later times to its own changes, so that a change of a value that it has seen
    /// wins over that value, whatever the clocks of the machines say.
    private(set) var latest = HybridTime(0)
    /// The time of the server, in milliseconds since 1970.
    private let serverMilliseconds: Int64

    init(_ store: Store, serverMilliseconds: Int64) {
        self.store = store
        self.serverMilliseconds = serverMilliseconds
        bootstrap = Int64(store.services.entropy.random64() >> 33)
    }

    /// The error of two processes that read the same subset at the same time.
    static let isShared = UpstreamError(
        .server, "another process replicates this file at the same time", state: "40001")

    mutating func add(_ row: PulledRow, of type: SyncedClass) {
        rows[type.name, default: []].append(row)
        see(row.time)
    }

    /// Takes note of a time that belongs to none of the rows.
    mutating func see(_ time: HybridTime) {
        latest = max(latest, time.plausible(toServer: serverMilliseconds))
    }

    /// Adds a page of a bootstrap to the staged rows.
    mutating func stage(_ page: [PulledRow], of type: SyncedClass) throws(UpstreamError) {
        for row in page { see(row.time) }
        let first = bootstrap << 32 + stagedCount
        try UpstreamError.converting { () throws(StoreError) in
            let transaction = try store.beginWrite()
            for (index, row) in page.enumerated() {
                let texts = PropertyText(name: "", texts: row.texts ?? [])
                try InternalTable.staged.put(
                    [
                        .int(first + Int64(index)), .string(type.name), .string(row.key),
                        .data(PropertyCoding.bytes([texts])),
                    ], in: transaction, path: store.path)
            }
            _ = try transaction.commit()
        }
        stagedCount += Int64(page.count)
    }

    /// Removes the staged rows of an interrupted bootstrap.
    static func discardStaged(in store: Store) throws(UpstreamError) {
        try UpstreamError.converting { () throws(StoreError) in
            let snapshot = try store.snapshot()
            guard
                try InternalTable.staged.schema(in: snapshot.schema, path: store.path) != nil
            else { return }
            let transaction = try store.beginWrite()
            try InternalTable.staged.remove(in: transaction, path: store.path)
            _ = try transaction.commit()
        }
    }

    /// Calls a closure with each row of a class.
    func forEach(
        of type: SyncedClass, in snapshot: Snapshot,
        _ body: (PulledRow) throws(UpstreamError) -> Void
    ) throws(UpstreamError) {
        for row in rows[type.name] ?? [] { try body(row) }
        guard stagedCount > 0 else { return }
        var failure: UpstreamError?
        var count: Int64 = 0
        try UpstreamError.converting { () throws(StoreError) in
            try InternalTable.staged.forEach(in: snapshot) { values in
                guard case .int(let id)? = values.first, id >> 32 == bootstrap else { return }
                count += 1
                guard failure == nil, values.count == 4, case .string(type.name) = values[1],
                    case .string(let key) = values[2], case .data(let bytes) = values[3],
                    let texts = PropertyCoding.properties(bytes)?.first?.texts
                else { return }
                do throws(UpstreamError) {
                    try body(PulledRow(key: key, texts: texts))
                } catch { failure = error }
            }
        }
        if let failure { throw failure }
        // Objects without a row would be deleted.
        guard count == stagedCount else { throw PulledRows.isShared }
    }

    var isEmpty: Bool { rows.isEmpty && stagedCount == 0 }

    /// A number that is the same in this process for the same rows, unless some were staged.
    var fingerprint: Int {
        var hasher = Hasher()
        hasher.combine(rows)
        hasher.combine(stagedCount == 0 ? 0 : bootstrap)
        return hasher.finalize()
    }

    /// Whether the rows can be in the file's staging class.
    var hasStaged: Bool { stagedCount > 0 }
}
