import FirnEngine
package import FirnValues

/// The state of the attachment of a file to a server, as stored in the file.
package struct UpstreamRecord: Hashable, Sendable {
    /// The connection string, without a password.
    package var address: String
    /// The identity of this file on the server.
    package var client: FirnValues.UUID
    /// The history of the server when the subset was last complete; empty before.
    var history = ""
    /// The first transaction whose changes are missing; empty before the first pull.
    package var token = ""
    /// The time at which the token was set, in milliseconds since 1970.
    ///
    /// Each pull that changes the file has a time of its own, by which another process knows that
    /// what it has read meanwhile may be older. The server has the time before the file: if it has an
    /// older one, it has lost transactions that the file has seen.
    var tokenTime: Int64 = 0
    /// The version up to which changes of this file are in ``InternalTable/outgoing``.
    var captured: LSN
    /// The latest time that this file gave to a change, or saw.
    var clock = HybridTime(0)
    /// The number of the last transaction that was captured.
    package var lastSequence: Int64 = 0
    /// The number of the last transaction that the server has.
    package var lastAcknowledged: Int64 = 0
    /// The queries whose results the file holds.
    var queries = SubscribedQueries()
    /// Whether objects that the file had before their class was replicated prevail over objects of
    /// the server.
    var prefersFile = false
    /// The tables and columns of the server.
    var columns = ColumnMap()

    /// The name of the freeze that keeps the captured version readable.
    static let freezeName = "firn.upstream"

    /// Reads the state; `nil` if the file is not attached.
    init?(_ snapshot: Snapshot) throws(StoreError) {
        var found: [Value] = []
        try InternalTable.upstream.forEach(in: snapshot) { values in found = values }
        guard found.count == InternalTable.upstream.definition.properties.count,
            case .string(let address) = found[1], case .uuid(let client) = found[2],
            case .string(let history) = found[3], case .string(let token) = found[4],
            case .int(let tokenTime) = found[5], case .int(let captured) = found[6],
            case .int(let clock) = found[7], case .int(let lastSequence) = found[8],
            case .int(let acknowledged) = found[9], case .string(let queries) = found[10]
        else { return nil }
        self.address = address
        self.client = client
        self.history = history
        self.token = token
        // Computing with it must not overflow, whatever the file says.
        self.tokenTime = min(max(tokenTime, 0), 9_000_000_000_000)
        self.captured = LSN(UInt64(clamping: captured))
        self.clock = HybridTime(clock)
        self.lastSequence = lastSequence
        lastAcknowledged = acknowledged
        self.queries = SubscribedQueries(text: queries)
        prefersFile = found[11] == .bool(true)
        if case .string(let columns) = found[12] { self.columns = ColumnMap(text: columns) }
    }

    init(address: String, client: FirnValues.UUID, captured: LSN, prefersFile: Bool) {
        self.address = address
        self.client = client
        self.captured = captured
        self.prefersFile = prefersFile
    }

    func write(in transaction: WriteTransaction, path: String) throws(StoreError) {
        try InternalTable.upstream.put(
            [
                .int(0), .string(address), .uuid(client), .string(history), .string(token),
                .int(tokenTime), .int(Int64(clamping: captured.rawValue)), .int(clock.rawValue),
                .int(lastSequence), .int(lastAcknowledged), .string(queries.text),
                .bool(prefersFile), .string(columns.text),
            ], in: transaction, path: path)
    }
}

/// The subscribed queries of each class, in canonical form.
struct SubscribedQueries: Hashable, Sendable {
    private(set) var classes: TextMap<TextSet> = [:]

    init() {}

    /// Records that the changes of a class are captured, although its subset is not complete.
    mutating func beginCapture(of className: String) { classes[className] = [""] }

    /// Renames classes, and removes those without a new name.
    mutating func rename(_ names: TextMap<String?>) {
        var renamed: TextMap<TextSet> = [:]
        for (name, queries) in classes {
            guard let new = names[name] else {
                renamed[name] = queries
                continue
            }
            if let new { renamed[new] = queries }
        }
        classes = renamed
    }

    mutating func add(_ query: String, of className: String) {
        classes[className, default: []].insert(query)
    }

    /// Parses lines of a class, a tab and a query with escaped line ends.
    init(text: String) {
        for line in text.split(separator: "\n") {
            guard let (name, query) = line.cut(at: "\t") else { continue }
            add(RecordText.unescaped(query), of: String(name))
        }
    }

    var text: String {
        classes.sorted { $0.key < $1.key }.flatMap { name, queries in
            queries.sorted().map { query in
                name + "\t" + RecordText.escaped(query)
            }
        }.joined(separator: "\n")
    }
}
