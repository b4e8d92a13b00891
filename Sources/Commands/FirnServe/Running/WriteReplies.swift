import FirnCodec
import FirnFormats
import FirnPlatform
import FirnTools
import FirnValues
import NIOHTTP1

/// The responses to writes with an idempotency key, so that a client can repeat a request whose
/// response it did not receive.
///
/// They live as long as the server, the newest ones.
final class WriteReplies: @unchecked Sendable {
    private static let countMaximum = 10_000
    private static let byteCountMaximum = 64 << 20

    /// The response to a write, and whether the write must not be repeated.
    struct Outcome {
        let response: Response
        let hasCommitted: Bool
    }

    private struct Entry {
        let requestHash: UInt64
        /// `nil` while the write is running.
        var response: Response?
    }

    private let lock = Lock()
    private let changed = Condition()
    /// The following fields are protected by the lock.
    private var entries: TextMap<Entry> = [:]
    private var order: [String] = []
    private var byteCount = 0

    /// Returns the response to a request, which is executed at most once.
    ///
    /// - Parameters:
    ///   - key: The key, and the file that it is for.
    ///   - requestHash: A hash of everything that the request says.
    /// - Throws: ``Problem`` if the key was used for another request.
    func reply(
        to key: String, _ requestHash: UInt64, _ write: () -> Outcome
    ) throws(Problem) -> Response {
        if let known = try known(key, requestHash) { return known }
        let outcome = write()
        lock.withLock {
            // A write that changed nothing may be tried again.
            if outcome.hasCommitted || outcome.response.status.code < 300 {
                entries[key]?.response = outcome.response
                order.append(key)
                byteCount += outcome.response.body.count
            } else {
                entries[key] = nil
            }
            while order.count > WriteReplies.countMaximum
                || byteCount > WriteReplies.byteCountMaximum && order.count > 1
            {
                let oldest = entries.removeValue(forKey: order.removeFirst())
                byteCount -= oldest?.response?.body.count ?? 0
            }
        }
        changed.wakeAll()
        return outcome.response
    }

    /// Returns the known response, after waiting for one in progress; `nil` if the caller must
    /// produce it.
    private func known(_ key: String, _ requestHash: UInt64) throws(Problem) -> Response? {
        let found = lock.withLock { () -> Result<Response?, Problem> in
            while let entry = entries[key] {
                guard entry.requestHash == requestHash else {
                    return .failure(
                        Problem(
                            .unprocessableEntity, .usageArguments,
                            "the idempotency key was used for another request",
                            remedy: "choose a new key for each request"))
                }
                if let response = entry.response { return .success(response) }
                changed.wait(lock)
            }
            entries[key] = Entry(requestHash: requestHash, response: nil)
            return .success(nil)
        }
        return try found.get()
    }
}
