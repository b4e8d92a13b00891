import FirnEngine
import FirnValues

/// The objects that the file keeps although the server has refused them.
///
/// The server never had them, so that no pull removes them. A change of such an object sends it
/// again as a whole.
struct KeptState {
    /// The objects of ``InternalTable/rejected`` with these refusals.
    private var refusals: [ObjectName: [[Value]]] = [:]

    /// Reads the objects of a version.
    init(_ snapshot: Snapshot) throws(StoreError) {
        var refusals: [ObjectName: [[Value]]] = [:]
        try InternalTable.rejected.forEach(in: snapshot) { values in
            guard values.count > 4, case .string(let className) = values[2],
                case .string(let key) = values[3], case .int(let number) = values[4],
                Outgoing.Kind(rawValue: number)?.isState == true
            else { return }
            refusals[ObjectName(className: className, key: key), default: []].append(values)
        }
        self.refusals = refusals
    }

    func contains(_ object: ObjectName) -> Bool { refusals[object] != nil }

    /// Records that the server has an object now.
    ///
    /// - Parameter isSent: Whether it has it from this file, so that the refusals are of no use. The
    ///   values of others stay among the rejected changes.
    func release(
        _ object: ObjectName, isSent: Bool, in transaction: WriteTransaction, path: String
    ) throws(StoreError) {
        for var values in refusals[object] ?? [] {
            if isSent, case .int(let id) = values[0] {
                try PropertyStorage.rejected.remove(of: id, in: transaction, path: path)
                try InternalTable.rejected.delete(key: values[0], in: transaction, path: path)
            } else {
                values[4] = .int(Outgoing.Kind.create.rawValue)
                try InternalTable.rejected.put(values, in: transaction, path: path)
            }
        }
    }
}
