import FirnEngine
import FirnQuery
import FirnText
import FirnValues

/// Composes the lines of a stream; the caller delivers them and empties the buffer.
final class StreamLines {
    var buffer = TextBuffer()
    let shape: StreamShape
    /// Whether all previous values of changed objects are written.
    let writesWholeBefore: Bool
    /// The format of objects, if it is not JSON; other lines are not written then.
    let dialect: RowDialect?
    var beginning = Beginning()
    /// The database of the tokens.
    var database: UUID

    init(_ options: ObserveOptions, _ database: UUID, _ dialect: RowDialect?) {
        self.dialect = dialect
        shape = options.shape
        writesWholeBefore = options.writesWholeBefore
        self.database = database
    }

    /// The state before lines without member names.
    struct Beginning {
        /// The names of the columns that have been written.
        var header: [String] = []
        /// The version of a reset to report once the names of the columns are known.
        var pendingReset: LSN?
    }

    func text(_ token: StreamToken) -> String { token.text(in: database) }

    // MARK: Members

    /// Begins a line with its type.
    func begin(_ type: StaticString, _ version: LSN) {
        buffer.append("{\"v\":1,\"type\":\"")
        buffer.append(type)
        buffer.append("\",\"version\":")
        buffer.append(unsigned: version.rawValue)
    }

    func add(_ name: StaticString, _ value: UInt64) {
        addName(name)
        buffer.append(unsigned: value)
    }

    func add(_ name: StaticString, _ value: Int) { add(name, UInt64(clamping: value)) }

    func add(_ name: StaticString, _ value: String) {
        addName(name)
        buffer.append(jsonString: value)
    }

    func add(_ name: StaticString, _ value: Bool) {
        addName(name)
        value ? buffer.append("true") : buffer.append("false")
    }

    func add(_ name: StaticString, _ values: [Int]) {
        addArray(name, values) { buffer.append(int: Int64($0)) }
    }

    func addArray<Element>(_ name: StaticString, _ values: [Element], _ append: (Element) -> Void) {
        addName(name)
        buffer.append(UInt8(ascii: "["))
        for (index, value) in values.enumerated() {
            if index > 0 { buffer.append(UInt8(ascii: ",")) }
            append(value)
        }
        buffer.append(UInt8(ascii: "]"))
    }

    func addName(_ name: StaticString) {
        buffer.append(",\"")
        buffer.append(name)
        buffer.append("\":")
    }

    /// Adds a time in nanoseconds since 1970.
    func add(time: Int64) {
        var (seconds, nanoseconds) = time.quotientAndRemainder(dividingBy: 1_000_000_000)
        if nanoseconds < 0 { (seconds, nanoseconds) = (seconds - 1, nanoseconds + 1_000_000_000) }
        addName("time")
        buffer.append(UInt8(ascii: "\""))
        buffer.append(seconds: seconds, nanoseconds: Int32(nanoseconds))
        buffer.append(UInt8(ascii: "\""))
    }

    /// Adds the time, the author and the note of a commit.
    func add(_ commit: CommitMetadata?) {
        guard let commit else { return }
        add(time: commit.time)
        guard let annotation = commit.annotation else { return }
        if !annotation.author.isEmpty { add("author", annotation.author) }
        if !annotation.note.isEmpty { add("note", annotation.note) }
    }

    func end() { buffer.append("}\n") }

    // MARK: Control events

    func heartbeat(_ position: StreamToken, time: Int64, lag: UInt64) {
        guard dialect == nil else { return }
        begin("heartbeat", position.version)
        add("token", text(position))
        add(time: time)
        add("lag", lag)
        end()
    }

    /// - Parameters:
    ///   - position: the position at which to resume without missing the following lines.
    ///   - gap: the version that is no longer kept, and the oldest version that is kept.
    func reset(
        _ reason: StreamReset, _ version: LSN, position: StreamToken,
        gap: (requested: LSN, oldest: LSN)?
    ) {
        guard dialect == nil else { return delimitedReset(version) }
        begin("reset", version)
        add("reason", reason.rawValue)
        if let gap {
            add("requested", gap.requested.rawValue)
            add("oldest", gap.oldest.rawValue)
        }
        add("token", text(position))
        end()
    }

    /// - Parameter position: the position at which to resume; `nil` before all objects were
    ///   delivered.
    func end(_ reason: StreamEnd, _ version: LSN, position: StreamToken?, events: UInt64) {
        guard dialect == nil else { return }
        begin("end", version)
        add("reason", reason.rawValue)
        if let position { add("token", text(position)) }
        add("events", events)
        end()
    }

    /// Resumes an earlier run.
    func resume(_ subject: any ObservedSubject, _ position: StreamToken, count: Int) {
        guard dialect == nil else { return }
        begin("resume", position.version)
        add("token", text(position))
        addSubject(subject)
        add("count", count)
        end()
    }

    /// Adds the class, the query and the key of a query.
    func addSubject(_ subject: any ObservedSubject) {
        guard let query = subject.queryText, let shape = subject.shapes.first else { return }
        // Rows of values belong to no class.
        if shape.values == nil { add("class", shape.classSchema.name) }
        add("query", query)
        if let key = shape.keyName { add("key", key) }
        guard let keys = shape.values?.keys, let key = keys.first else { return }
        guard keys.count > 1 else { return add("key", key.name) }
        addArray("key", keys) { buffer.append(jsonString: $0.name) }
    }
}
