import FirnCodec
import FirnPlatform
import FirnTesting
import FirnValues

@testable import FirnEngine

/// A database in which every version shows its history, and the guarantees given about it.
///
/// Two objects count all commits, each in an object of its own; every commit adds an object with
/// the number of the attempt. So the version `n` commits after the first has both counters at `n`
/// and the objects of exactly the first `n` commits, in their order.
final class Ledger: Sendable {
    static let path = "/ledger.firn"
    /// Objects in the first version; the counters are the first two of them.
    private static let firstRowCount = 3
    /// The version before the first count.
    private static let firstLSN: UInt64 = 2

    private struct State {
        /// The acknowledged attempts, by version.
        var acknowledged: [LSN: Int] = [:]
        var newestAcknowledged = LSN(Ledger.firstLSN)
        /// The newest version that any reader saw.
        var newestSeen = LSN(Ledger.firstLSN)
        var attempts: Set<Int> = []
        /// Attempts whose error said that nothing was committed.
        var refused: Set<Int> = []
    }

    private let state: Guarded<State>

    init() { state = Guarded(State()) }

    /// A copy with the same guarantees, for another disk.
    init(_ other: Ledger) { state = Guarded(other.state.withLock { $0 }) }

    /// Creates the first version.
    static func make(_ services: SystemServices) throws {
        try makeSample(path, rowCount: firstRowCount, services: services, rowsPerGroup: 4)
        let store = try open(services, logging: .never)
        try beginCounting(store)
        try store.close()
    }

    /// A disk with the first version.
    static func disk() throws -> SimulatedFileSystem {
        let disk = SimulatedFileSystem()
        try make(disk.services(entropySeed: 70))
        return disk
    }

    /// Creates the first version, and returns the handle that created it.
    static func makeAndKeep(_ services: SystemServices) throws -> Store {
        var options = options(.automatic)
        options.rowsPerGroup = 4
        let creation = try Store.create(path, services: services, options: options)
        try loadSample(firstRowCount, into: creation.store)
        try beginCounting(creation.store)
        try creation.publish()
        return creation.store
    }

    private static func beginCounting(_ store: Store) throws {
        let schema = try store.itemClass()
        let score = try required(schema.propertyNamed("score")?.id)
        let transaction = try store.beginWrite()
        for row in UInt64(0)..<2 {
            try transaction.set(score, of: RowID(row), in: schema.id, to: .double(0))
        }
        guard try transaction.commit() == LSN(firstLSN) else {
            throw TestFailure("the first version has another number")
        }
    }

    static func open(
        _ services: SystemServices, logging: StoreOptions.Logging = .always, readOnly: Bool = false,
        logByteCountMaximum: UInt64? = nil
    ) throws -> Store {
        var options = options(logging)
        if let logByteCountMaximum { options.logByteCountMaximum = logByteCountMaximum }
        return try Store.open(path, readOnly: readOnly, services: services, options: options)
    }

    private static func options(_ logging: StoreOptions.Logging) -> StoreOptions {
        var options = StoreOptions()
        options.logging = logging
        options.checkpointsInBackground = false
        options.logStepByteCount = 20 * 1024
        options.reserveByteCountMinimum = 4 * 1024
        return options
    }

    // MARK: Writing

    enum Kind: Sendable {
        case operations
        /// Writes pages.
        case pages
    }

    /// Commits an attempt, and records its acknowledgement.
    ///
    ///  - Parameters:
    ///   - attempt: a number not used before; at least 100.
    ///   - body: a further change in the same transaction.
    func commit(
        _ attempt: Int, _ kind: Kind = .operations, to store: Store,
        also body: (WriteTransaction) throws -> Void = { _ in }
    ) throws {
        state.withLock { _ = $0.attempts.insert(attempt) }
        let promised = newestPromised
        let transaction = try store.beginWrite()
        let schema = try Ledger.required(transaction.base.schema.classNamed("Item"))
        let score = try Ledger.required(schema.propertyNamed("score")?.id)
        guard transaction.base.version >= promised else {
            throw TestFailure(
                "a transaction begins at \(transaction.base.version), not \(promised)")
        }
        let count = try check(transaction.base)
        for row in UInt64(0)..<2 {
            try transaction.set(score, of: RowID(row), in: schema.id, to: .double(count + 1))
        }
        switch kind {
        case .operations: try transaction.create(in: schema.id, Sample.values(attempt))
        case .pages:
            let loader = try transaction.bulkLoader(for: schema.id)
            for (column, value) in zip(loader.columns, Sample.values(attempt)) {
                try column.append(value)
            }
            try loader.endRow()
            try loader.finish()
        }
        transaction.annotation = Ledger.annotation(of: attempt)
        try body(transaction)
        try acknowledge(attempt, transaction.commit())
    }

    /// Returns the annotation of a commit: every third has one.
    private static func annotation(of attempt: Int) -> Annotation? {
        attempt % 3 == 1 ? Annotation(author: "writer", note: "attempt \(attempt)") : nil
    }

    /// Checks that each commit that is kept has the annotation that it was made with.
    private func checkAnnotations(_ store: Store) throws {
        let snapshot = try store.snapshot()
        let rows = try contents(of: snapshot)
        let frames: [Frame]
        do throws(StoreError) {
            frames = try store.frames(after: LSN(Ledger.firstLSN), through: snapshot.version)
        } catch {
            // A full disk costs the history.
            guard error.code == .versionGone else { throw error }
            return
        }
        for frame in frames {
            let row = UInt64(Ledger.firstRowCount) + frame.lsn.rawValue - Ledger.firstLSN - 1
            guard case .int(let key)? = rows[row]?.first,
                try frame.operations.annotation == Ledger.annotation(of: Int(key))
            else { throw TestFailure("version \(frame.lsn) has another annotation") }
        }
    }

    /// The same, for an attempt that may fail.
    ///
    /// Unless the error says that the outcome is unknown, no reader may ever see that attempt.
    func tryCommit(
        _ attempt: Int, _ kind: Kind, to store: Store,
        also body: (WriteTransaction) throws -> Void = { _ in }
    ) throws {
        do {
            try commit(attempt, kind, to: store, also: body)
        } catch let error as StoreError {
            if !error.detail.contains("unknown") {
                state.withLock { _ = $0.refused.insert(attempt) }
            }
            throw error
        }
    }

    private func acknowledge(_ attempt: Int, _ lsn: LSN) throws {
        let other = state.withLock { state in
            state.newestAcknowledged = max(state.newestAcknowledged, lsn)
            return state.acknowledged.updateValue(attempt, forKey: lsn)
        }
        if let other { throw TestFailure("\(other) and \(attempt) are both version \(lsn)") }
    }

    /// The version that every reader must see from now on.
    var newestPromised: LSN { state.withLock { max($0.newestAcknowledged, $0.newestSeen) } }

    var acknowledgedCount: Int { state.withLock { $0.acknowledged.count } }

    // MARK: Looking

    /// Takes a snapshot and checks it against all guarantees given before.
    @discardableResult
    func look(_ store: Store, notBefore last: LSN = .zero) throws -> LSN {
        let promised = max(state.withLock { $0.newestAcknowledged }, last)
        let snapshot = try store.snapshot()
        guard snapshot.version >= promised else {
            throw TestFailure("a reader sees \(snapshot.version) after \(promised)")
        }
        _ = try check(snapshot)
        // A version that any reader saw must never be lost again.
        state.withLock { $0.newestSeen = max($0.newestSeen, snapshot.version) }
        return snapshot.version
    }

    /// Checks that a version contains exactly the commits before it.
    ///
    /// - Returns: the number of its commits.
    @discardableResult
    func check(_ snapshot: Snapshot) throws -> Double {
        let rows = try contents(of: snapshot)
        let version = snapshot.version.rawValue
        guard version >= Ledger.firstLSN else { throw TestFailure("version \(version)") }
        let count = version - Ledger.firstLSN
        guard rows.count == Ledger.firstRowCount + Int(count) else {
            throw TestFailure("version \(version) has \(rows.count) objects")
        }
        for row in UInt64(0)..<2 where rows[row]?[2] != .double(Double(count)) {
            throw TestFailure("version \(version) has \(rows[row].map { "\($0)" } ?? "no") counter")
        }
        let (acknowledged, attempts) = state.withLock {
            ($0.acknowledged, $0.attempts.subtracting($0.refused))
        }
        var seen: Set<Int> = []
        for number in 0..<count {
            let row = UInt64(Ledger.firstRowCount) + number
            guard case .int(let key)? = rows[row]?.first, let attempt = Int(exactly: key),
                rows[row] == Sample.values(attempt), seen.insert(attempt).inserted,
                attempts.contains(attempt)
            else { throw TestFailure("version \(version) has a wrong object \(row)") }
            let expected = acknowledged[LSN(Ledger.firstLSN + 1 + number)]
            guard expected ?? attempt == attempt else {
                throw TestFailure("\(attempt) stands where \(expected ?? 0) was acknowledged")
            }
        }
        return Double(count)
    }

    // MARK: The end

    /// Checks the file that is left after all processes end, and that it can be used again.
    ///
    /// - Parameter isAtRest: whether it must be alone in its folder already.
    func checkEnd(_ disk: SimulatedFileSystem, isAtRest: Bool) throws {
        if isAtRest { try Ledger.checkAlone(disk) }
        let promised = newestPromised
        let reader = try Ledger.open(disk.services(entropySeed: 71), readOnly: true)
        guard try look(reader) >= promised else { throw TestFailure("\(promised) is lost") }
        try checkAnnotations(reader)
        let writer = try Ledger.open(disk.services(entropySeed: 72))
        try commit(90, to: writer)
        try look(reader)
        try commit(91, .pages, to: writer)
        try look(reader)
        try writer.checkpoint()
        try commit(92, to: writer)
        try writer.close()
        try look(reader)
        try checkAnnotations(reader)
        try Ledger.checkAlone(disk)
        try expectSound(Ledger.open(disk.services(entropySeed: 73), readOnly: true))
    }

    private static func checkAlone(_ disk: SimulatedFileSystem) throws {
        guard disk.fileNames == [path] else {
            throw TestFailure("what stays beside the database: \(disk.fileNames)")
        }
    }

    private static func required<Part>(_ part: Part?) throws -> Part {
        guard let part else { throw TestFailure("the class of the ledger is not there") }
        return part
    }
}
