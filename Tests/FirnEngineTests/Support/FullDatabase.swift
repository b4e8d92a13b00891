import FirnPlatform
import FirnTesting
import FirnValues

@testable import FirnEngine

/// A database that grew until its disk was full; then other files took the rest of the disk.
final class FullDatabase {
    static let path = "/full.firn"
    private static let firstRowCount = 100
    /// The rows of one commit while the disk fills up.
    private static let batchCount = 40

    let disk: SimulatedFileSystem
    /// The remedies of the errors on the full disk.
    private(set) var remedies: Set<String> = []
    private var nextNumber = FullDatabase.firstRowCount
    private var nextSeed: UInt64 = 10

    /// A database on a disk that is already full.
    init(on disk: SimulatedFileSystem) { self.disk = disk }

    /// Creates a database and fills the disk with commits, each through a handle of its own.
    convenience init(
        on disk: SimulatedFileSystem = SimulatedFileSystem(), byteCount: Int,
        freeze name: String? = nil
    ) throws {
        self.init(on: disk)
        try make(byteCount: byteCount, freeze: name)
        try fill { try self.handle() }
    }

    /// Creates the database on a disk with room for the given number of bytes.
    func make(byteCount: Int, freeze name: String? = nil) throws {
        try makeSample(
            Self.path, rowCount: Self.firstRowCount, services: disk.services(entropySeed: 1),
            rowsPerGroup: 256)
        disk.setCapacity(byteCount)
        guard let name else { return }
        let transaction = try handle().beginWrite()
        try transaction.freeze(name: name)
        _ = try transaction.commit()
    }

    /// Inserts until the disk is full, and then some more times.
    func fill(_ handle: () throws -> Store) throws {
        var refusedCount = 0
        while refusedCount < 8 {
            do {
                // Including commits that need more than the reserve, and commits that need little.
                let count = [Self.batchCount, 20 * Self.batchCount, 1][refusedCount % 3]
                try insert(count, into: handle())
            } catch let error as StoreError where error.code == .diskFull {
                refusedCount += 1
                remedies.formUnion(error.remedy.map { [$0] } ?? [])
            }
            guard nextNumber < 100_000 else { throw TestFailure("the disk does not become full") }
        }
        disk.fill()
    }

    // MARK: Handles

    static func options(_ logging: StoreOptions.Logging) -> StoreOptions {
        var options = StoreOptions()
        options.logging = logging
        options.checkpointsInBackground = false
        options.logStepByteCount = 20 * 1024
        options.reserveByteCountMinimum = 6 * 1024
        return options
    }

    /// A handle of a process that just started.
    func handle(
        _ logging: StoreOptions.Logging = .never, recordedByteCountMaximum: Int? = nil
    ) throws -> Store {
        nextSeed += 1
        var options = Self.options(logging)
        if let recordedByteCountMaximum {
            options.recordedByteCountMaximum = recordedByteCountMaximum
        }
        return try Store.open(
            Self.path, readOnly: false,
            services: disk.anotherProcess().services(entropySeed: nextSeed), options: options)
    }

    func contents() throws -> [UInt64: [Value]] {
        try Store.open(Self.path, readOnly: true, services: disk.services(entropySeed: 3))
            .contents()
    }

    func rowIDs() throws -> [UInt64] { try contents().keys.sorted() }

    // MARK: Commits

    func insert(_ count: Int, into store: Store) throws {
        let transaction = try store.beginWrite()
        let schema = try store.itemClass()
        for number in nextNumber..<(nextNumber + count) {
            try transaction.create(in: schema.id, Sample.values(number))
        }
        nextNumber += count
        _ = try transaction.commit()
    }

    func remove(_ rows: some Sequence<UInt64>, from store: Store) throws {
        do {
            try tryToRemove(rows, from: store)
        } catch let error as StoreError {
            throw TestFailure("\(Array(rows).count) objects stay: \(error.detail)")
        }
    }

    func tryToRemove(_ rows: some Sequence<UInt64>, from store: Store) throws {
        let transaction = try store.beginWrite()
        try transaction.delete(rows.map { RowID($0) }, in: try store.itemClass().id)
        _ = try transaction.commit()
    }
}
