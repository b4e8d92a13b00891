import FirnPlatform
import FirnValues

/// Waiting for locks, and identification of the process that holds them.
extension Store {
    /// The longest sleep before the lock is tried again.
    private static let longestBackoffNanoseconds: UInt64 = 2_000_000
    /// The shortest sleep before the lock is tried again.
    private static let shortestBackoffNanoseconds: UInt64 = 50_000

    /// Takes a lock, or fails after a timeout.
    ///
    /// - Parameters:
    ///   - work: The activity of the lock holder, for the error: `writing to the database`.
    ///   - outlastsOwn: Whether to wait longer for another thread of this process. A checkpoint of large
    ///     texts can take longer than the wait for another process.
    /// - Throws: ``StoreError`` with `lockHeld` that names the holder.
    func take(
        _ lock: FileLock, _ range: LockRange, waitNanoseconds: UInt64, work: String,
        outlastsOwn: Bool = false
    ) throws(StoreError) {
        let start = services.clock.monotonicNanoseconds()
        var backoff = Store.shortestBackoffNanoseconds
        while true {
            let region = state.withLock { $0.attachment?.region }
            let turn = region?.turnCount
            let releaseCount = lock.releaseCount
            do throws(PlatformError) {
                if try lock.tryTake() { return }
            } catch {
                throw StoreError(error, doing: "lock the database")
            }
            let waited = services.clock.monotonicNanoseconds() &- start
            guard waited < waitNanoseconds || outlastsOwn && lock.wasTakenHere(since: releaseCount)
            else {
                throw held(lock, range, work: work)
            }
            let rest = waited < waitNanoseconds ? min(backoff, waitNanoseconds - waited) : backoff
            if let region, let turn {
                region.waitForTurn(since: turn, nanoseconds: rest)
            } else {
                services.clock.sleep(nanoseconds: rest)
            }
            backoff = min(backoff * 2, Store.longestBackoffNanoseconds)
        }
    }

    /// Releases a lock and wakes the threads that wait for it.
    func giveBack(_ lock: FileLock) {
        lock.release()
        // A handle that has not joined the log maps its memory read-only; waiting threads then try
        // again after their timeout.
        if let attachment = state.withLock({ $0.attachment }), attachment.isWriter {
            attachment.region.signalWriterRelease()
        }
    }

    func held(
        _ lock: FileLock, _ range: LockRange, work: String
    ) -> StoreError {
        let remedy = "try again, or wait longer"
        if !lock.isTakenHere, let holder = holder(of: range) {
            return StoreError(
                .lockHeld, path: path, detail: "locked by \(holder.sentence)", remedy: remedy)
        }
        let who = lock.isTakenHere ? "this process" : "another process"
        return StoreError(
            .lockHeld, path: path, detail: "locked by \(who), which is \(work)", remedy: remedy)
    }

    /// Returns the process that holds a lock, or `nil` if the system does not report it.
    private func holder(of range: LockRange) -> LockHolder? {
        guard let identity = try? file.status().identity else { return nil }
        return services.files.lockHolders(of: identity).first { holder in
            holder.kind == .exclusive && !holder.isThisProcess
                && holder.range.intersection(start: range.start, length: range.length) != nil
        }
    }
}

extension LockHolder {
    /// A description such as `pid 4121 (firn write app.firn feed.ndjson) for 38 s`.
    var sentence: String {
        let shown = command.unicodeScalars.map { scalar in
            scalar.properties.generalCategory == .control ? " " : String(scalar)
        }
        let name = String(shown.joined().prefix(200))
        let stopped = isStopped ? ", which is stopped (SIGCONT it: kill -CONT \(pid))" : ""
        return "pid \(pid) (\(name)) for \(ageSeconds) s" + stopped
    }
}
