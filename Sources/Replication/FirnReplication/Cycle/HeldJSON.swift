import FirnEngine
import FirnValues

/// The JSON of values in the file, for comparison with the JSON of the server.
///
/// Values are compared before they are set, because setting creates their embedded objects.
struct HeldJSON {
    private let transaction: WriteTransaction
    private let encoding: JSONEncoding
    private let scratch = ScratchObjects()
    private let decoding: JSONDecoding

    init(
        _ transaction: WriteTransaction,
        _ find: @escaping (ClassSchema, Value) throws(StoreError) -> RowID?
    ) {
        self.transaction = transaction
        let scratch = self.scratch
        encoding = JSONEncoding(schema: transaction.schema) { object throws(StoreError) in
            if let values = scratch[object] { return values }
            return try transaction.values(of: object.rowID, in: object.classID)
        }
        decoding = JSONDecoding(schema: transaction.schema, find: find) { classID, values in
            scratch.create(classID, values)
        }
    }

    /// Returns whether an object of the file already has the value that the server has.
    func isEqual(
        _ text: String?, _ column: SyncedColumn, _ type: SyncedClass, key: String
    ) throws(UpstreamError) -> Bool {
        guard let keyValue = type.keyValue(key),
            let index = type.schema.index(of: column.property.id)
        else { return false }
        let values = try UpstreamError.converting { () throws(StoreError) in
            try transaction.row(forKey: keyValue, in: type.schema.id)
                .flatMap { row throws(StoreError) in
                    try transaction.values(of: row, in: type.schema.id)
                }
        }
        guard let values, index < values.count else { return false }
        guard let text else { return values[index].isNull }
        defer { scratch.removeAll() }
        // A text that does not fit becomes the error of setting it.
        guard let node = JSONNode(parsing: text),
            let value = try decoding.value(node, column.type)
        else { return false }
        // The embedded objects of the server's value are in the scratch, those of the file not.
        let theirs = try encoding.node(value, column.type)
        scratch.removeAll()
        return try encoding.node(values[index], column.type) == theirs
    }
}
