import FirnEngine
import FirnValues

/// The properties of a change in the file.
///
/// A value of the file has a limit, which several large texts together may exceed: they are stored in
/// parts then, and the change itself has no bytes.
struct PropertyStorage {
    /// The class of the changes; the same change may be in both.
    let table: InternalTable

    static let outgoing = PropertyStorage(table: .outgoing)
    static let rejected = PropertyStorage(table: .rejected)

    /// The size of a part in bytes, half of the maximum size of a value.
    private static let partMaximum = 32 << 20

    /// Returns the value of the change, and writes the parts if it needs some.
    func store(
        _ properties: [PropertyText], of id: Int64, in transaction: WriteTransaction, path: String
    ) throws(StoreError) -> Value {
        let bytes = PropertyCoding.bytes(properties)
        guard bytes.count > PropertyStorage.partMaximum else { return .data(bytes) }
        var start = 0
        var number = 0
        while start < bytes.count {
            let end = min(start + PropertyStorage.partMaximum, bytes.count)
            try InternalTable.parts.put(
                [.string(key(id, number)), .data(Array(bytes[start..<end]))], in: transaction,
                path: path)
            (start, number) = (end, number + 1)
        }
        return .data([])
    }

    /// Returns the properties; `nil` if they are not readable.
    func properties(
        _ bytes: [UInt8], of id: Int64, in snapshot: Snapshot
    ) throws(StoreError) -> [PropertyText]? {
        guard bytes.isEmpty else { return PropertyCoding.properties(bytes) }
        var whole: [UInt8] = []
        var number = 0
        while case .data(let part)? = try InternalTable.parts.values(
            forKey: .string(key(id, number)), in: snapshot)?.last
        {
            whole += part
            number += 1
        }
        return PropertyCoding.properties(whole)
    }

    /// Removes the parts.
    func remove(
        of id: Int64, in transaction: WriteTransaction, path: String
    ) throws(StoreError) {
        var number = 0
        while try InternalTable.parts.delete(
            key: .string(key(id, number)), in: transaction, path: path)
        {
            number += 1
        }
    }

    private func key(_ id: Int64, _ number: Int) -> String {
        "\(table.definition.name) \(id) \(number)"
    }
}
