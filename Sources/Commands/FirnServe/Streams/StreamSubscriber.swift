import FirnPlatform
import FirnValues
import NIOCore

/// A client that receives a stream.
///
///     catching up   a run of its own delivers what has happened after its position, all commits in
///                   one line, and waits while the client reads slowly
///     following     the hub of its query delivers each commit, without waiting
///
/// A client begins by catching up, and does so again when it has fallen behind.
final class StreamSubscriber: Sendable {
    private struct State {
        var token: String?
        var version: UInt64 = 0
        /// The version of the last line that was sent.
        var sent: UInt64?
    }

    let query: StreamQuery
    let exchange: Exchange
    /// The content of the first event; `nil` for all objects.
    let initial: String?
    private let state: Guarded<State>

    /// - Parameter token: The position after which the stream begins; `nil` for all objects.
    init(
        _ query: StreamQuery, _ exchange: Exchange, after token: String?, initial: String? = nil
    ) {
        self.initial = initial
        self.query = query
        self.exchange = exchange
        state = Guarded(State(token: token))
    }

    /// The position up to which the client has received everything.
    var token: String? { state.withLock { $0.token } }
    /// The version of that position.
    var version: UInt64 { state.withLock { $0.version } }

    /// Records a line that is not sent.
    func skip(_ line: StreamLine) { state.withLock { StreamSubscriber.move(&$0, to: line) } }

    /// Records a line that is sent.
    ///
    /// - Returns: The event, if it differs for this client.
    func take(_ line: StreamLine) -> [UInt8]? {
        state.withLock { state in
            let own = state.sent.flatMap { line.bytes(after: $0) }
            StreamSubscriber.move(&state, to: line)
            if line.token != nil { state.sent = line.version }
            return own
        }
    }

    /// Moves the position to the token of a line, if it has one.
    private static func move(_ state: inout State, to line: StreamLine) {
        guard let token = line.token, let position = line.position else { return }
        state.token = token
        state.version = position
    }
}
