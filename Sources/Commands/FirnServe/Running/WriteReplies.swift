import FirnCodec
import FirnPlatform
import FirnTools
import FirnValues
import NIOHTTP1

/// The responses to writes that have an idempotency key, so that a client can repeat a request whose
/// response it did not receive.
///
/// They live as long as the server, the newest ones.
final class WriteReplies: @unchecked Sendable {
    private static let countMaximum = 10_000

    private enum State {
        case running
        case done(Response)
    }

    private struct Entry {
        let bodyHash: UInt64
        var state: State
    }

    private let lock = Lock()
    private let changed = Condition()
    /// These are protected by the lock.
    private var entries: TextMap<Entry> = [:]
    private var order: [String] = []

    /// Returns the response to a request, which is done at most once.
    ///
    /// - Throws: ``Problem`` if the key was used with another body.
    func reply(
        to identity: String, body: [UInt8], _ write: () -> Response
    ) throws(Problem) -> Response {
        let hash = body.withUnsafeBytes { Checksum.xxh64($0, seed: 0) }
        if let known = try known(identity, hash) { return known }
        let response = write()
        lock.withLock {
            // A failed write has changed nothing, and may be tried again.
            if response.status.code < 300 {
                entries[identity]?.state = .done(response)
                order.append(identity)
            } else {
                entries[identity] = nil
            }
            if order.count > WriteReplies.countMaximum { entries[order.removeFirst()] = nil }
        }
        changed.wakeAll()
        return response
    }

    /// Returns the response that is known, after waiting for one that is being made; `nil` if the
    /// caller must make it.
    private func known(_ identity: String, _ hash: UInt64) throws(Problem) -> Response? {
        let found = lock.withLock { () -> Result<Response?, Problem> in
            while let entry = entries[identity] {
                guard entry.bodyHash == hash else {
                    return .failure(
                        Problem(
                            .unprocessableEntity, .usageArguments,
                            "the idempotency key was used for another body",
                            remedy: "choose a new key for each request"))
                }
                if case .done(let response) = entry.state { return .success(response) }
                changed.wait(lock)
            }
            entries[identity] = Entry(bodyHash: hash, state: .running)
            return .success(nil)
        }
        return try found.get()
    }
}
