import FirnEngine
import FirnValues

/// A change to one object of this file.
struct Outgoing: Hashable, Sendable {
    enum Kind: Int64, Sendable {
        case create = 0
        case update = 1
        case delete = 2
        /// The object of a file whose server was restored from a backup.
        case restore = 3
        /// An object that the file had before its class was replicated.
        case existing = 4
        /// The values of properties that the file had before the server had their columns.
        case fill = 5

        var isCreation: Bool { self == .create || isState }
        /// Whether the change is a state of the file that no transaction has created.
        ///
        /// A row of the server prevails, and an object that the server refuses stays in the file.
        var isState: Bool { self == .restore || self == .existing }
    }

    /// The order of all changes.
    var id: Int64
    /// The number of the transaction.
    ///
    /// Numbers up to that of the last acknowledged transaction mean that the server has the change,
    /// which stays until a pull has shown the result. The number 0 marks an object that is only
    /// read again, because a change of it was refused.
    var sequence: Int64
    var className: String
    /// The text of the key.
    var key: String
    var kind: Kind
    var time: HybridTime
    var properties: [PropertyText]

    /// The values for people, as JSON: the text of each property, or both texts if the change
    /// replaced a known one.
    var content: String {
        func node(_ texts: [String?]) -> JSONNode {
            texts.first.flatMap { $0 }.map { .string($0.replacing("\0", with: "\u{FFFD}")) }
                ?? .null
        }
        let members = properties.map { property in
            let value = node(property.texts)
            let members = property.base.map { ["file": value, "server": node($0)] as TextMap }
            return (property.name, members.map { JSONNode.object($0) } ?? value)
        }
        return JSONNode.object(TextMap(members, uniquingKeysWith: { $1 })).text
    }

    var object: ObjectName { ObjectName(className: className, key: key) }
}

/// An object on both sides: its class, and the text of its key.
struct ObjectName: Hashable, Sendable {
    private let classKey: TextKey
    private let keyText: TextKey

    init(className: String, key: String) {
        classKey = TextKey(className)
        keyText = TextKey(key)
    }

    var className: String { classKey.text }
    var key: String { keyText.text }
}

extension Outgoing {
    /// Reads all changes of a version, in order.
    static func all(in snapshot: Snapshot) throws(StoreError) -> [Outgoing] {
        var result: [Outgoing] = []
        try InternalTable.outgoing.forEach(in: snapshot) { values throws(StoreError) in
            guard let change = try Outgoing(values, in: snapshot) else {
                throw StoreError(
                    .corrupt, path: snapshot.path, detail: "a change to replicate is not readable")
            }
            result.append(change)
        }
        // A transaction is acknowledged if its number is at most that of the last one.
        return result.sorted { ($0.sequence, $0.id) < ($1.sequence, $1.id) }
    }

    private init?(_ values: [Value], in snapshot: Snapshot) throws(StoreError) {
        guard values.count == 7, case .int(let id) = values[0],
            case .int(let sequence) = values[1], case .string(let className) = values[2],
            case .string(let key) = values[3], case .int(let number) = values[4],
            let kind = Kind(rawValue: number), case .int(let time) = values[5],
            case .data(let bytes) = values[6],
            let properties = try PropertyStorage.outgoing.properties(bytes, of: id, in: snapshot)
        else { return nil }
        self.init(
            id: id, sequence: sequence, className: className, key: key, kind: kind,
            time: HybridTime(time), properties: properties)
    }

    func write(in transaction: WriteTransaction, path: String) throws(StoreError) {
        let stored = try PropertyStorage.outgoing.store(
            properties, of: id, in: transaction, path: path)
        try InternalTable.outgoing.put(
            [
                .int(id), .int(sequence), .string(className), .string(key), .int(kind.rawValue),
                .int(time.rawValue), stored,
            ], in: transaction, path: path)
    }

    func delete(in transaction: WriteTransaction, path: String) throws(StoreError) {
        try PropertyStorage.outgoing.remove(of: id, in: transaction, path: path)
        try InternalTable.outgoing.delete(key: .int(id), in: transaction, path: path)
    }

    /// Moves the change to the rejected ones.
    ///
    /// The next pull reads the object again, which undoes the change. A state of the file is not
    /// undone: the server never had the object.
    func reject(
        _ reason: String, hasKey: Bool = true, in transaction: WriteTransaction, path: String
    ) throws(StoreError) {
        var marker = self
        marker.sequence = 0
        marker.properties = []
        if hasKey, !kind.isState {
            try marker.write(in: transaction, path: path)
        } else {
            try delete(in: transaction, path: path)
        }
        try keep(reason, in: transaction, path: path)
    }

    /// Adds the change to the rejected ones.
    func keep(
        _ reason: String, in transaction: WriteTransaction, path: String
    ) throws(StoreError) {
        let stored = try PropertyStorage.rejected.store(
            properties, of: id, in: transaction, path: path)
        try InternalTable.rejected.put(
            [
                .int(id), .int(sequence), .string(className), .string(key), .int(kind.rawValue),
                stored, .string(reason),
            ], in: transaction, path: path)
    }
}
