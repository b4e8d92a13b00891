import FirnEngine
import FirnValues

/// A transaction of the file that the server refused, or values that it replaced.
///
/// The contents stay in the file until a person has decided.
struct RejectedTransaction {
    /// The number by which a person chooses the transaction; it stays the same.
    let number: UInt64
    let reason: String
    private(set) var changes: [Outgoing]
    /// The keys of its objects in ``InternalTable/rejected``.
    var ids: [Int64] { changes.map(\.id) }

    /// Reads all transactions of a version, in the order in which they were refused.
    static func all(in snapshot: Snapshot) throws(StoreError) -> [RejectedTransaction] {
        var all: [RejectedTransaction] = []
        try InternalTable.rejected.forEachRow(in: snapshot) { row, values throws(StoreError) in
            guard let (change, reason) = try rejected(values, in: snapshot) else { return }
            // The changes of a transaction follow each other, and may have reasons of their own.
            let isNext =
                all.last?.changes.last.map { last in
                    last.sequence == change.sequence && last.kind.isState == change.kind.isState
                        && last.time.client == change.time.client
                } ?? false
            if isNext {
                all[all.count - 1].changes.append(change)
            } else {
                all.append(
                    RejectedTransaction(number: row.rawValue, reason: reason, changes: [change]))
            }
        }
        return all
    }

    private static func rejected(
        _ values: [Value], in snapshot: Snapshot
    ) throws(StoreError) -> (Outgoing, String)? {
        guard values.count == 7, case .int(let id) = values[0],
            case .int(let sequence) = values[1], case .string(let className) = values[2],
            case .string(let key) = values[3], case .int(let number) = values[4],
            let kind = Outgoing.Kind(rawValue: number), case .data(let bytes) = values[5],
            case .string(let reason) = values[6],
            let properties = try PropertyStorage.rejected.properties(bytes, of: id, in: snapshot)
        else { return nil }
        let change = Outgoing(
            id: id, sequence: sequence, className: className, key: key, kind: kind,
            time: HybridTime(id), properties: properties)
        return (change, reason)
    }

    /// Removes the transaction.
    func remove(in transaction: WriteTransaction, path: String) throws(StoreError) {
        for id in ids {
            try PropertyStorage.rejected.remove(of: id, in: transaction, path: path)
            try InternalTable.rejected.delete(key: .int(id), in: transaction, path: path)
        }
    }
}
