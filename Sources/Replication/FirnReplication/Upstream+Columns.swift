import FirnEngine
import FirnQuery
import FirnValues

extension Upstream {
    /// Finds the tables and columns of the subset, and records new ones in the file.
    ///
    /// A property that the file had before the server had its column is sent for all objects.
    ///
    /// - Parameter isForced: Whether the server is asked although the file knows all columns.
    func findColumns(
        _ subset: Subset, _ connection: PostgresConnection, isForced: Bool = false
    ) throws(UpstreamError) {
        let record = try record()
        guard isForced || !record.columns.covers(subset.readClasses) else { return }
        let state = try ServerState(connection, client: record.client)
        try state.check(record)
        // A batch that the server has must be known before others get their place.
        _ = try confirm(state, record, in: try snapshot().snapshot)
        _ = try record.columns.resolve(subset.readClasses, in: state.layout)
        try update { transaction throws(UpstreamError) in
            var new = try Upstream.record(in: transaction)
            guard new.client == record.client else { return nil }
            // Each update begins the capture at its own version.
            try collect(&new, subset, in: transaction)
            let former = new.columns
            new.columns = former.updated(with: subset.readClasses, in: state.layout)
            let kept = try UpstreamError.converting(try KeptState(transaction.base))
            let pending = try UpstreamError.converting(
                try Outgoing.all(in: try transaction.snapshot())
            ).filter { $0.sequence > new.lastAcknowledged }
            // The rows of a column or table that was made again changed without a trace.
            for part in subset.parts
            where subset.reads(of: part, changedSince: former, state.layout) {
                new.queries.beginCapture(of: part.type.name)
            }
            for type in subset.classes {
                let added = former.newColumns(of: type, in: state.layout)
                guard !added.isEmpty else { continue }
                // The server may have values of its own: the class is read completely.
                new.queries.beginCapture(of: type.name)
                let fills = try ColumnFill(added, of: type, before: pending)
                    .fills(in: transaction.base, kept, &new)
                for fill in fills {
                    try UpstreamError.converting(try fill.write(in: transaction, path: path))
                }
            }
            return new
        }
    }

    /// Moves what is stored under former names to the names that the file has now.
    func renameStored(
        _ record: inout UpstreamRecord, in transaction: WriteTransaction
    ) throws(UpstreamError) {
        let schema = transaction.base.schema
        let renaming = record.columns.renaming(to: schema)
        guard !renaming.isEmpty else { return }
        try UpstreamError.converting { () throws(StoreError) in
            for change in try Outgoing.all(in: transaction.base) {
                guard let renamed = renaming.renamed(change) else {
                    try change.rejectWithoutClass(in: transaction, path: path)
                    continue
                }
                if renamed != change { try renamed.write(in: transaction, path: path) }
            }
        }
        record.queries.rename(renaming.classNames)
        record.columns.setNames(of: schema)
    }

    /// Rejects waiting changes to classes that the file had before the server knew them.
    ///
    /// - Returns: The other changes.
    func rejectingOrphans(
        among changes: [Outgoing], in snapshot: Snapshot
    ) throws(UpstreamError) -> [Outgoing] {
        let orphans = changes.filter { snapshot.schema.classNamed($0.className) == nil }
        guard !orphans.isEmpty else { return changes }
        try UpstreamError.converting { () throws(StoreError) in
            try store.write { transaction throws(StoreError) in
                for change in orphans {
                    try change.rejectWithoutClass(in: transaction, path: path)
                }
            }
        }
        return changes.filter { snapshot.schema.classNamed($0.className) != nil }
    }
}

extension Outgoing {
    fileprivate func rejectWithoutClass(
        in transaction: WriteTransaction, path: String
    ) throws(StoreError) {
        try reject(
            "the file has no class \(className) any more", hasKey: false, in: transaction,
            path: path)
    }
}
