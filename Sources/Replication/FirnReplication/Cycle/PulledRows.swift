import FirnEngine
import FirnPlatform
import FirnValues

/// A row of the subset on the server; without texts, the subset does not contain the object.
struct PulledRow: Hashable, Sendable {
    let key: String
    let texts: [String?]?
    /// The time of the last change to the row, or of its deletion.
    var time = HybridTime(0)
}

/// The rows that a pull read, by class.
///
/// Rows are kept in compressed pages. Those that exceed the memory for pages are staged in the file
/// itself, each page in a commit of its own, so that neither memory nor the time of the writer lock grows
/// with the subset.
struct PulledRows {
    private let store: Store
    /// The bytes of pages that are kept in memory.
    private let memoryMaximum: Int
    /// The rows of pages that are not full.
    private var open: TextMap<[PulledRow]> = [:]
    private var pages: TextMap<[RowPage]> = [:]
    private var pageBytes = 0
    private var stagedCount: Int64 = 0
    /// The upper half of the keys of the staged pages, which differs from that of another process.
    private let bootstrap: Int64
    /// The latest time of all rows.
    ///
    /// The file gives later times to its own changes, so that a change of a value that it has seen
    /// wins over that value, whatever the clocks of the machines say.
    private(set) var latest = HybridTime(0)
    /// The time of the server, in milliseconds since 1970.
    private let serverMilliseconds: Int64
    /// A number that is the same in this process for the same rows.
    private(set) var fingerprint = 0

    init(_ store: Store, serverMilliseconds: Int64, memoryMaximum: Int) {
        self.store = store
        self.serverMilliseconds = serverMilliseconds
        self.memoryMaximum = memoryMaximum
        bootstrap = Int64(store.services.entropy.random64() >> 33)
    }

    /// The error of two processes that read the same subset at the same time.
    static let isShared = UpstreamError(
        .server, "another process is replicating this file", state: "40001")

    mutating func add(_ row: PulledRow, of type: SyncedClass) throws(UpstreamError) {
        see(row.time)
        var hasher = Hasher()
        hasher.combine(fingerprint)
        hasher.combine(row)
        fingerprint = hasher.finalize()
        open[type.name, default: []].append(row)
        guard let rows = open[type.name], rows.count >= Pull.pageRowCount else { return }
        open[type.name] = nil
        try keep(RowPage(rows), of: type)
    }

    /// Records a time that does not belong to any of the rows.
    mutating func see(_ time: HybridTime) {
        latest = max(latest, time.plausible(toServer: serverMilliseconds))
    }

    private mutating func keep(_ page: RowPage, of type: SyncedClass) throws(UpstreamError) {
        guard pageBytes + page.byteCount > memoryMaximum else {
            pageBytes += page.byteCount
            pages[type.name, default: []].append(page)
            return
        }
        let key = Value.int(bootstrap << 32 + stagedCount)
        try UpstreamError.converting { () throws(StoreError) in
            try store.write { transaction throws(StoreError) in
                try InternalTable.staged.put(
                    [key, .string(type.name), .string(""), .data(page.bytes)],
                    in: transaction, path: store.path)
            }
        }
        stagedCount += 1
    }

    /// Removes the staged pages of an interrupted bootstrap.
    static func discardStaged(in store: Store) throws(UpstreamError) {
        try UpstreamError.converting { () throws(StoreError) in
            let snapshot = try store.snapshot()
            guard
                try InternalTable.staged.schema(in: snapshot.schema, path: store.path) != nil
            else { return }
            try store.write { transaction throws(StoreError) in
                try InternalTable.staged.remove(in: transaction, path: store.path)
            }
        }
    }

    /// Calls a closure with each row of a class, in the order in which the rows were added.
    func forEach(
        of type: SyncedClass, in snapshot: Snapshot,
        _ body: (PulledRow) throws(UpstreamError) -> Void
    ) throws(UpstreamError) {
        for page in pages[type.name] ?? [] { for row in try page.rows() { try body(row) } }
        try forEachStaged(of: type, in: snapshot, body)
        for row in open[type.name] ?? [] { try body(row) }
    }

    private func forEachStaged(
        of type: SyncedClass, in snapshot: Snapshot,
        _ body: (PulledRow) throws(UpstreamError) -> Void
    ) throws(UpstreamError) {
        guard stagedCount > 0 else { return }
        var failure: UpstreamError?
        var count: Int64 = 0
        try UpstreamError.converting { () throws(StoreError) in
            try InternalTable.staged.forEach(in: snapshot) { values in
                guard case .int(let id)? = values.first, id >> 32 == bootstrap else { return }
                count += 1
                guard failure == nil, values.count == 4, case .string(type.name) = values[1],
                    case .data(let bytes) = values[3]
                else { return }
                do throws(UpstreamError) {
                    for row in try RowPage(bytes: bytes).rows() { try body(row) }
                } catch { failure = error }
            }
        }
        if let failure { throw failure }
        // Objects without a row would be deleted.
        guard count == stagedCount else { throw PulledRows.isShared }
    }

    var isEmpty: Bool { open.isEmpty && pages.isEmpty && stagedCount == 0 }

    /// Whether pages can be in the file's staging class.
    var hasStaged: Bool { stagedCount > 0 }
}
