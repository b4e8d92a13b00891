import CPostgres
import FirnPlatform
import FirnValues

/// A connection to a PostgreSQL server.
///
/// Every value is a parameter in text form; `nil` is NULL. Waiting ends when the caller asks for
/// it, and when the operating system reports the connection as dead, after at most 16 seconds.
final class PostgresConnection {
    private let handle: OpaquePointer
    private let isStopped: () -> Bool
    private var isListening = false
    /// Whether a statement was abandoned, so that the connection is still in the middle of it.
    ///
    /// The server is told at once, however long this object lives: its transaction holds locks that
    /// the next connection would wait for.
    private(set) var isBroken = false {
        didSet { if isBroken { SocketEnd.shutDown(PQsocket(handle)) } }
    }
    /// A hook with which tests interrupt the connection before or after a statement.
    var interruption: ((_ sql: String, _ isDone: Bool) -> Bool)?

    /// The settings of every connection.
    ///
    /// A cut link would otherwise stay unnoticed for minutes.
    private static let settings = [
        ("fallback_application_name", "firn"), ("connect_timeout", "5"), ("keepalives", "1"),
        ("keepalives_idle", "10"), ("keepalives_interval", "3"), ("keepalives_count", "2"),
        ("tcp_user_timeout", "15000"), ("client_encoding", "UTF8"),
        ("target_session_attrs", "read-write"),
    ]

    /// The time without an answer after which the connection counts as lost, in milliseconds.
    ///
    /// It is longer than the server's own limit of a statement, which takes effect on a server that
    /// still works.
    var answerTimeoutMilliseconds: Int64 = 660_000

    /// The interval at which the connection checks whether the caller asks for an end, in
    /// milliseconds.
    private static let checkMilliseconds: Int32 = 100

    /// Connects to a server.
    ///
    /// - Parameters:
    ///   - address: A connection string or URL of libpq without a password.
    ///   - isStopped: Returns whether to give up; called about ten times a second.
    init(
        _ address: String, isStopped: @escaping () -> Bool = { false }
    ) throws(UpstreamError) {
        self.isStopped = isStopped
        try PostgresConnection.check(address)
        // The connection string comes last, so that its settings override the ones before it.
        var names = PostgresConnection.settings.map(\.0)
        var values = PostgresConnection.settings.map(\.1)
        names.append("dbname")
        values.append(address)
        let connected = PostgresConnection.withCStrings(names.map { $0 }) { names in
            PostgresConnection.withCStrings(values.map { $0 }) { values in
                PQconnectdbParams(names, values, 1)
            }
        }
        guard let connected else {
            throw UpstreamError(.unreachable, "no memory for a connection")
        }
        handle = connected
        guard PQstatus(connected) == CONNECTION_OK else {
            throw PostgresConnection.failure(connecting: connected)
        }
        _ = PQsetNoticeProcessor(connected, { _, _ in }, nil)
        // Sending to a server that reads nothing must end as well.
        guard PQsetnonblocking(connected, 1) == 0 else { throw lost() }
        try execute(
            "SET timezone = 'UTC'; SET datestyle = 'ISO'; SET bytea_output = 'hex'; "
                + "SET lock_timeout = '3s'; SET statement_timeout = '10min'; "
                + "SET idle_in_transaction_session_timeout = '60s'; "
                + "SET standard_conforming_strings = on")
    }

    deinit { PQfinish(handle) }

    /// Checks a connection string: it must be valid and contain no password, because it is stored.
    static func check(_ address: String) throws(UpstreamError) {
        var message: UnsafeMutablePointer<CChar>?
        guard let options = PQconninfoParse(address, &message) else {
            let text = message.map { String(cString: $0) } ?? ""
            PQfreemem(message)
            throw UpstreamError(
                .address, "the connection string is invalid: \(PostgresError.line(text))",
                remedy: "write it as postgresql://USER@HOST/DATABASE or \"host=... dbname=...\"")
        }
        defer { PQconninfoFree(options) }
        var option = options
        while let keyword = option.pointee.keyword {
            let hasValue = option.pointee.val.map { $0.pointee != 0 } ?? false
            if hasValue, ["password", "sslpassword"].contains(String(cString: keyword)) {
                throw UpstreamError(
                    .address, "the connection string contains a password, which would be stored",
                    remedy: "give it by ~/.pgpass, PGPASSFILE, PGPASSWORD or a service file")
            }
            option += 1
        }
    }

    private static func failure(connecting handle: OpaquePointer) -> UpstreamError {
        let text = PostgresError.line(String(cString: PQerrorMessage(handle)))
        if text.contains("database \""), text.contains("does not exist") {
            return UpstreamError(
                .address, text, remedy: "create it with: createdb NAME; or correct the URL")
        }
        // Trying again would not help either, and must not look as if the machine were offline.
        if ["certificate", "does not support SSL", "SSL error"]
            .contains(where: { text.contains($0) })
        {
            return UpstreamError(
                .authentication, text,
                remedy: "check sslmode, sslrootcert and the host of the address, and the "
                    + "certificate of the server: its host, its authority and its dates")
        }
        let isRefusal =
            PQconnectionNeedsPassword(handle) == 1 || PQconnectionUsedPassword(handle) == 1
            || ["authentication failed", "role \"", "pg_hba.conf"].contains { text.contains($0) }
        guard isRefusal else { return UpstreamError(.unreachable, text) }
        return UpstreamError(
            .authentication, text,
            remedy: "give the password by ~/.pgpass, PGPASSFILE, PGPASSWORD or a service file")
    }

    // MARK: Statements

    /// Executes statements without parameters or results, separated by semicolons.
    func execute(_ sql: String) throws(UpstreamError) {
        try interrupt(sql, isDone: false)
        guard PQsendQuery(handle, sql) == 1 else { throw lost() }
        _ = try finish()
        try interrupt(sql, isDone: true)
    }

    /// Executes one statement and returns its rows.
    @discardableResult
    func query(
        _ sql: String, _ parameters: [String?] = []
    ) throws(UpstreamError) -> PostgresRows {
        try interrupt(sql, isDone: false)
        let sent = PostgresConnection.withCStrings(parameters) { values in
            PQsendQueryParams(
                handle, sql, Int32(parameters.count), nil, values, nil, nil, 0)
        }
        guard sent == 1 else { throw lost() }
        let rows = try finish()
        try interrupt(sql, isDone: true)
        return rows
    }

    // MARK: Notifications

    /// Starts receiving the hints of other clients.
    func listen() throws(UpstreamError) {
        guard !isListening else { return }
        try execute("LISTEN firn")
        isListening = true
    }

    /// Returns whether a hint of another client has arrived, after waiting for at most some time.
    func hasNotification(waitingMilliseconds milliseconds: Int32) -> Bool {
        if takeNotification() { return true }
        _ = DescriptorWait.readable([PQsocket(handle)], milliseconds: milliseconds)
        // A lost connection is noticed by the next statement.
        return PQconsumeInput(handle) == 1 && takeNotification()
    }

    /// Removes all hints, and returns whether one of them came from another connection.
    private func takeNotification() -> Bool {
        var isForeign = false
        while let notification = PQnotifies(handle) {
            if notification.pointee.be_pid != PQbackendPID(handle) { isForeign = true }
            PQfreemem(notification)
        }
        return isForeign
    }

    private func interrupt(_ sql: String, isDone: Bool) throws(UpstreamError) {
        guard let interruption, interruption(sql, isDone) else { return }
        // Every later statement fails as on a lost connection.
        self.interruption = { _, _ in true }
        throw UpstreamError(.unreachable, "the connection was interrupted")
    }

    /// Runs steps in a transaction, which is rolled back if one of them fails.
    func transaction<Result>(
        _ mode: String = "", _ body: () throws(UpstreamError) -> Result
    ) throws(UpstreamError) -> Result {
        try execute("BEGIN \(mode)")
        let result: Result
        do {
            result = try body()
        } catch {
            // Without the connection, the server ends the transaction.
            if !isBroken { try? execute("ROLLBACK") }
            throw error
        }
        try execute("COMMIT")
        return result
    }

    /// Sends the rest of a statement, waits for its results, and returns the last one.
    private func finish() throws(UpstreamError) -> PostgresRows {
        do {
            try flush()
            return try results()
        } catch {
            if error.code == .unreachable || error.code == .stopped { isBroken = true }
            throw error
        }
    }

    private func results() throws(UpstreamError) -> PostgresRows {
        var rows = PostgresRows(nil)
        var failure: UpstreamError?
        while true {
            var silence: Int64 = 0
            while PQisBusy(handle) == 1 { try receive(&silence) }
            guard let result = PQgetResult(handle) else { break }
            let next = PostgresRows(result)
            switch PQresultStatus(result) {
            case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY: rows = next
            default: failure = failure ?? PostgresError.error(of: result, handle)
            }
        }
        if let failure { throw failure }
        return rows
    }

    /// Sends what is still in the buffer, and takes what the server sends meanwhile.
    private func flush() throws(UpstreamError) {
        var silence: Int64 = 0
        while true {
            switch PQflush(handle) {
            case 0: return
            case 1:
                if DescriptorWait.readyToExchange(
                    PQsocket(handle), milliseconds: PostgresConnection.checkMilliseconds)
                {
                    silence = 0
                    // A server that cannot send its answer reads no more.
                    guard PQconsumeInput(handle) == 1 else { throw lost() }
                } else {
                    try giveUpIfWanted(&silence)
                }
            default: throw lost()
            }
        }
    }

    private func receive(_ silence: inout Int64) throws(UpstreamError) {
        let answers = DescriptorWait.readable(
            [PQsocket(handle)], milliseconds: PostgresConnection.checkMilliseconds)
        if answers == [false] {
            try giveUpIfWanted(&silence)
        } else {
            silence = 0
            if isStopped() { try giveUp() }
        }
        guard PQconsumeInput(handle) == 1 else { throw lost() }
    }

    /// Counts the time without any progress; throws if it is too long, or if the caller asks for an
    /// end.
    private func giveUpIfWanted(_ silence: inout Int64) throws(UpstreamError) {
        silence += Int64(PostgresConnection.checkMilliseconds)
        if silence > answerTimeoutMilliseconds {
            throw UpstreamError(.unreachable, "the server has not answered for too long")
        }
        if isStopped() { try giveUp() }
    }

    private func giveUp() throws(UpstreamError) -> Never {
        cancel()
        throw UpstreamError(.stopped, "cancelled")
    }

    /// Asks the server to end the statement, without waiting: the request needs a separate
    /// connection, which an unresponsive server would block.
    private func cancel() {
        guard let request = PQgetCancel(handle).map(CancelRequest.init) else { return }
        _ = try? WorkerThread { request.send() }
    }

    private func lost() -> UpstreamError {
        isBroken = true
        return UpstreamError(
            .unreachable,
            "the connection was lost: "
                + PostgresError.line(String(cString: PQerrorMessage(handle))))
    }

    /// Passes texts as C strings, followed by a null pointer.
    private static func withCStrings<Result>(
        _ texts: [String?], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Result
    ) -> Result {
        // One buffer for all texts: a pointer into it per text.
        var bytes: [CChar] = []
        var offsets: [Int?] = []
        for text in texts {
            guard let text else {
                offsets.append(nil)
                continue
            }
            offsets.append(bytes.count)
            bytes.append(contentsOf: text.utf8CString)
        }
        return bytes.withUnsafeBufferPointer { buffer in
            var pointers = offsets.map { offset in
                offset.flatMap { offset in buffer.baseAddress.map { $0 + offset } }
            }
            pointers.append(nil)
            return pointers.withUnsafeBufferPointer { body($0.baseAddress) }
        }
    }
}

/// A request to end a statement; it no longer needs the connection.
private final class CancelRequest: @unchecked Sendable {
    private let request: OpaquePointer

    init(_ request: OpaquePointer) { self.request = request }

    deinit { PQfreeCancel(request) }

    func send() {
        var reason = [CChar](repeating: 0, count: 256)
        _ = PQcancel(request, &reason, Int32(reason.count))
    }
}
