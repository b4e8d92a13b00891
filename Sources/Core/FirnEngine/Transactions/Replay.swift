import FirnCodec
import FirnValues

/// A replay of commits: the same operations on the same content give the same content, whatever its
/// root and overlay are.
///
/// The operations are validated, because the source of the bytes is unknown. An operation that the
/// rules of the data reject was never committed on this content, so the log or the history is
/// damaged. The whole replay is then unusable.
///
///     set      gathered by property, and applied to each row group once; see ``ReplayBatch``
///     create   decoded directly into columns
///     others   executed like the original call, after all gathered changes
final class Replay {
    /// The position of an operation in the log.
    struct Origin {
        let version: LSN
        /// The number of operations before it in its commit.
        let position: UInt32
    }

    private let base: Snapshot
    private let transaction: WriteTransaction
    // Exclusivity is not checked at run time: no code called while these change accesses them, and
    // every operation passes here.
    @exclusivity(unchecked) private var changes = ReplayBatch()
    @exclusivity(unchecked) private var version: LSN
    /// The hash of the last commit.
    private var chain: ChainHash

    init(onto base: Snapshot) {
        self.base = base
        version = base.version
        chain = base.chain
        transaction = WriteTransaction(replayingOnto: base)
    }

    /// Returns the version after one commit.
    static func apply(
        _ operations: RecordedOperations, to snapshot: Snapshot, version: LSN
    ) throws(StoreError) -> Snapshot {
        let replay = Replay(onto: snapshot)
        try replay.apply(operations, of: version)
        return try replay.finish()
    }

    /// Returns the version after several commits, in their order.
    ///
    /// - Complexity: O(operations), independent of the number of commits
    static func apply(_ frames: [Frame], to snapshot: Snapshot) throws(StoreError) -> Snapshot {
        guard !frames.isEmpty else { return snapshot }
        let replay = Replay(onto: snapshot)
        for frame in frames {
            guard frame.kind == .operations else {
                throw hasNoOperations(frame.lsn, in: snapshot.path)
            }
            try replay.apply(frame.operations, of: frame.lsn)
            replay.chain = frame.hash(fileID: snapshot.pages.fileID)
        }
        return try replay.finish()
    }

    static func hasNoOperations(_ version: LSN, in path: String) -> StoreError {
        .corrupt(path, "commit \(version.rawValue) has no operations to do again")
    }

    private func apply(_ operations: RecordedOperations, of version: LSN) throws(StoreError) {
        let chain = chain
        try operations.bytes.withBytes { bytes throws(StoreError) in
            try apply(bytes, count: operations.count, of: version, chain: chain)
        }
    }

    /// Replays one more commit.
    ///
    /// - Parameters:
    ///   - bytes: Its operations, needed only during the call.
    ///   - count: The expected number of operations.
    ///   - chain: The hash of the commit.
    func apply(
        _ bytes: UnsafeRawBufferPointer, count: Int, of version: LSN, chain: ChainHash
    ) throws(StoreError) {
        var reader = OperationReader(bytes, count: count)
        self.version = version
        self.chain = chain
        var position: UInt32 = 0
        do throws(StoreError) {
            while !reader.isAtEnd {
                try applyNext(&reader, Origin(version: version, position: position))
                position &+= 1
            }
            try finish(&reader)
            if !transaction.orphans.isEmpty { try transaction.checkOrphans() }
        } catch {
            throw refused(error, Origin(version: version, position: position))
        }
    }

    /// Returns the version after all replayed commits.
    func finish() throws(StoreError) -> Snapshot {
        try applyGathered()
        try transaction.sealAll()
        return base.with(transaction.overlay, version: version, chain: chain)
    }

    private func finish(_ reader: inout OperationReader) throws(StoreError) {
        do throws(CodecError) {
            try reader.reader.finish()
        } catch {
            throw reader.damage(error, in: base.path)
        }
    }

    private func applyNext(
        _ reader: inout OperationReader, _ origin: Origin
    ) throws(StoreError) {
        let step: OperationReader.Step
        do throws(CodecError) {
            if let (classID, property) = changes.recentIDs, transaction.created.isEmpty,
                let (row, value) = try reader.set(property, of: classID, changes.takes)
            {
                return changes.append(
                    ReplayBatch.Change(row: row, value: value, origin: origin))
            }
            step = try reader.step()
        } catch {
            throw reader.damage(error, in: base.path)
        }
        switch step {
        case .end: break
        case .set(let classID, let row, let property, let value):
            try set(property, of: row, in: classID, to: value, origin)
        case .create(let classID, let row, let valueCount):
            try create(row, in: classID, valueCount, &reader)
        case .other(let operation):
            try applyGathered()
            try transaction.apply(operation)
        }
    }

    // MARK: Values

    private func set(
        _ propertyID: PropertyID, of row: RowID, in classID: ClassID, to value: Value,
        _ origin: Origin
    ) throws(StoreError) {
        let plan = try transaction.plan(of: classID)
        guard let column = plan.schema.index(of: propertyID), column != plan.keyColumn,
            !plan.schema.properties[column].mayLink,
            transaction.created[classID]?.holds(row) != true
        else {
            try applyGathered()
            return try transaction.set(propertyID, of: row, in: classID, to: value)
        }
        let value =
            plan.rules[column].admits(value)
            ? value
            : try transaction.checked(value, for: plan.schema.properties[column], of: plan.schema)
        changes.select(column, plan)
        changes.append(ReplayBatch.Change(row: row, value: value, origin: origin))
    }

    private func applyGathered() throws(StoreError) {
        guard !changes.isEmpty else { return }
        for column in changes.removeAll() {
            var blamed = 0
            do throws(StoreError) {
                try transaction.apply(column, blamed: &blamed)
            } catch {
                throw refused(error, column.changes[blamed].origin)
            }
        }
    }

    // MARK: Objects

    private func create(
        _ row: RowID, in classID: ClassID, _ valueCount: Int, _ reader: inout OperationReader
    ) throws(StoreError) {
        let plan = try transaction.plan(of: classID)
        guard plan.linkColumns.isEmpty, !plan.schema.isEmbedded, valueCount == plan.rules.count
        else {
            var values: [Value] = []
            for _ in 0..<valueCount { values.append(try value(&reader)) }
            try transaction.create(in: classID, values, at: row)
            return
        }
        try transaction.checkedIdentity(row, plan)
        let rows = transaction.createdRows(plan)
        var column = try appendPlain(from: 0, plan, to: rows, &reader)
        while column < valueCount {
            var value = try value(&reader)
            if !plan.rules[column].admits(value) {
                value = try transaction.checked(
                    value, for: plan.schema.properties[column], of: plan.schema)
            }
            if column == plan.keyColumn {
                // The row is not part of the class yet.
                try transaction.claimKey(value, for: row, in: plan.schema)
            }
            rows.append(column, value)
            column = try appendPlain(from: column + 1, plan, to: rows, &reader)
        }
        rows.endRow(row)
        try transaction.sealIfFull(rows)
    }

    /// - Returns: The index of the next value, which needs further checks.
    private func appendPlain(
        from column: Int, _ plan: ClassWriteCache, to rows: InsertBuffer,
        _ reader: inout OperationReader
    ) throws(StoreError) -> Int {
        do throws(CodecError) {
            return try rows.append(from: column, plan, taggedFrom: &reader.reader)
        } catch {
            throw reader.damage(error, in: base.path)
        }
    }

    private func value(_ reader: inout OperationReader) throws(StoreError) -> Value {
        do throws(CodecError) {
            return try Operation.value(from: &reader.reader)
        } catch {
            throw reader.damage(error, in: base.path)
        }
    }

    // MARK: Rejection

    private func refused(_ error: StoreError, _ origin: Origin) -> StoreError {
        guard error.isRefusal else { return error }
        return .corrupt(
            base.path,
            "operation \(origin.position + 1) of commit \(origin.version.rawValue) cannot be done "
                + "again: " + error.detail)
    }
}

extension StoreError {
    /// Whether the rules of the data reject an operation, as opposed to a failure.
    fileprivate var isRefusal: Bool {
        switch code {
        case .duplicateKey, .missingValue, .typeMismatch, .invalidValue, .danglingLink,
            .embeddedParent, .unknownClass, .unknownProperty, .invalidSchema, .unknownObject,
            .freezeExists, .freezeMissing, .limitExceeded:
            true
        default: false
        }
    }
}
