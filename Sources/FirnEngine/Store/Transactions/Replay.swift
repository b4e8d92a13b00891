import FirnValues

/// Does again what commits did: the same operations on the same content give the same content, on
/// whatever root and overlay it stands.
///
/// The operations are checked by the rules of the data like those of a caller. One that is refused
/// was never committed on this content, so that the log or the history is damaged.
enum Replay {
    /// The version after one commit.
    static func apply(
        _ operations: RecordedOperations, to snapshot: Snapshot, version: LSN
    ) throws(StoreError) -> Snapshot {
        let transaction = WriteTransaction(replayingOnto: snapshot)
        try apply(operations, of: version, with: transaction)
        return try transaction.replayed(version)
    }

    /// The version after several commits, in their order.
    ///
    /// - Complexity: O(operations), however many commits they are
    static func apply(_ frames: [Frame], to snapshot: Snapshot) throws(StoreError) -> Snapshot {
        guard let last = frames.last else { return snapshot }
        let transaction = WriteTransaction(replayingOnto: snapshot)
        for frame in frames {
            guard frame.kind == .operations else {
                throw .corrupt(
                    snapshot.path, "commit \(frame.lsn.rawValue) has no operations to do again")
            }
            try apply(frame.operations, of: frame.lsn, with: transaction)
        }
        return try transaction.replayed(last.lsn)
    }

    private static func apply(
        _ operations: RecordedOperations, of version: LSN, with transaction: WriteTransaction
    ) throws(StoreError) {
        var position = 0
        do throws(StoreError) {
            try operations.forEach(in: transaction.store.path) { operation throws(StoreError) in
                try transaction.apply(operation)
                position += 1
            }
            try transaction.checkOrphans()
        } catch {
            guard error.isRefusal else { throw error }
            throw .corrupt(
                transaction.store.path,
                "operation \(position + 1) of commit \(version.rawValue) cannot be done again: "
                    + error.detail)
        }
    }
}

extension WriteTransaction {
    /// What a replay made.
    fileprivate func replayed(_ version: LSN) throws(StoreError) -> Snapshot {
        try sealAll()
        return base.with(overlay, version: version)
    }
}

extension StoreError {
    /// Whether the rules of the data forbid an operation, rather than that something failed.
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
