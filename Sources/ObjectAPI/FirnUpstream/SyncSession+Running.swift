import Firn
import FirnEngine
import FirnPlatform
import FirnQuery
import FirnReplication
import FirnValues

extension SyncSession {
    /// The time after which a session tries again after an error, in seconds.
    private static let pauseSeconds: UInt64 = 30

    /// The interval between checks of what the program requests, in milliseconds.
    private static let lookMilliseconds: Int32 = 20

    /// Starts the thread of the session.
    func start() {
        do throws(PlatformError) { _ = try WorkerThread { [self] in run() } } catch {
            stop(Realm.Error(StoreError(error, doing: "start the thread of the replication")))
        }
    }

    private var hasEnded: Bool { shared.withLock { $0.hasEnded } }

    private func run() {
        let upstream = Upstream(database) { [shared] in
            shared.withLock { $0.hasEnded || $0.isSuspended }
        }
        upstream.isUrgent = { [shared] in
            shared.withLock { $0.wanted > $0.begun || !$0.resets.isEmpty }
        }
        while !hasEnded {
            pauseWhileSuspended()
            do throws(UpstreamError) {
                try attach(upstream)
                try resetIfWanted(upstream)
                try follow(upstream)
            } catch {
                recover(from: error, upstream)
            }
        }
    }

    private func pauseWhileSuspended() {
        while shared.withLock({ $0.isSuspended && !$0.hasEnded }) {
            shared.withLock { $0.connection = .disconnected }
            _ = DescriptorWait.readable([], milliseconds: SyncSession.lookMilliseconds)
        }
    }

    private func attach(_ upstream: Upstream) throws(UpstreamError) {
        beginCycle()
        if try upstream.isAttached() {
            try upstream.move(to: options.address)
        } else {
            try upstream.attach(
                options.address, client: upstream.newIdentity(), prefersFile: options.prefersFile)
        }
    }

    private func follow(_ upstream: Upstream) throws(UpstreamError) {
        try upstream.follow(willBegin: beginCycle) { result in
            switch result {
            case .success(let report):
                tellProgram(of: report)
                completeCycle()
            case .failure: shared.withLock { $0.connection = .disconnected }
            }
        }
    }

    /// Reports the outcome of the changes to the program.
    private func tellProgram(of report: Upstream.Report) {
        report.logRemoved(database.store.path)
        for refusal in report.refused {
            options.refusalHandler?(
                RefusedWrite(
                    objects: refusal.objects, reason: refusal.reason, isKept: refusal.isKept))
        }
        for object in report.collisions {
            options.refusalHandler?(
                RefusedWrite(
                    objects: [object], reason: Upstream.collisionReason, isKept: false))
        }
        for item in report.skipped {
            Logger.log(
                .warn, "\(item.object) is left out until it changes on the server: \(item.reason)")
        }
        for item in report.replaced {
            options.refusalHandler?(
                RefusedWrite(objects: [item.object], reason: item.reason, isKept: false))
        }
    }

    /// Handles an error that ended ``follow(_:)``.
    private func recover(from error: UpstreamError, _ upstream: Upstream) {
        if error.code == .stopped { return }
        upstream.disconnect()
        if error.isTransient {
            shared.withLock { $0.connection = .disconnected }
            return pause(seconds: 1)
        }
        guard error.code == .resetNeeded, !options.clientResetMode.attempts.isEmpty else {
            return stopAndPause(error)
        }
        do throws(UpstreamError) {
            try reset(upstream, options.clientResetMode.attempts)
        } catch {
            // An error that passes is not a reason to stop: the next cycle tries again.
            guard error.isTransient || error.code == .stopped else { return stopAndPause(error) }
            pause(seconds: 1)
        }
    }

    private func stopAndPause(_ error: UpstreamError) {
        stop(Realm.Error(error, configuration))
        pause(seconds: SyncSession.pauseSeconds)
    }

    /// Waits until the time limit expires or the program requests something.
    private func pause(seconds: UInt64) {
        let clock = database.store.services.clock
        let start = clock.monotonicNanoseconds()
        while clock.monotonicNanoseconds() &- start < seconds * 1_000_000_000 {
            let goesOn = shared.withLock { $0.hasEnded || $0.wanted > $0.begun }
            if goesOn { return }
            _ = DescriptorWait.readable([], milliseconds: SyncSession.lookMilliseconds)
        }
    }

    // MARK: Resets

    private func resetIfWanted(_ upstream: Upstream) throws(UpstreamError) {
        let attempts = shared.withLock { state in
            defer { state.resets = [] }
            return state.resets
        }
        guard !attempts.isEmpty else { return }
        do throws(UpstreamError) { try reset(upstream, attempts) } catch {
            // A reset that the program asked for is not forgotten while the server is unreachable.
            if error.isTransient || error.code == .stopped {
                shared.withLock { state in
                    if state.resets.isEmpty { state.resets = attempts }
                }
            }
            throw error
        }
    }

    /// Starts again, and reads the complete subset.
    private func reset(
        _ upstream: Upstream, _ attempts: [Upstream.ResetMode]
    ) throws(UpstreamError) {
        let (willReset, didReset) = options.clientResetMode.callbacks
        let before = frozenRealm()
        if let before { willReset?(before) }
        var remaining = attempts[...]
        while let mode = remaining.popFirst() {
            do throws(UpstreamError) {
                try upstream.reset(mode, client: upstream.newIdentity())
                break
            } catch {
                if error.isTransient || error.code == .stopped || remaining.isEmpty { throw error }
            }
        }
        beginCycle()
        tellProgram(of: try upstream.synchronize())
        if let before, let didReset, let after = currentRealm() { didReset(before, after) }
        // Last, so that a program that waits for the cycle finds the reset handled.
        completeCycle()
    }

    private func frozenRealm() -> Realm? {
        guard
            options.clientResetMode.callbacks.before != nil
                || options.clientResetMode.callbacks.after != nil
        else { return nil }
        return currentRealm()?.freeze()
    }

    /// The realm of this thread; `nil` if no realm of the file is in use any longer.
    private func currentRealm() -> Realm? {
        guard let realm = try? Realm(opened: configuration) else { return nil }
        realm.refresh()
        return realm
    }
}

extension Upstream.Report {
    /// Logs which new objects of the file are only on the server.
    fileprivate func logRemoved(_ path: String) {
        guard !removed.isEmpty else { return }
        Logger.log(
            .warn,
            "\(removed.count) new objects are on the server and no longer in \(path), because no "
                + "subscription selects them: \(removed.prefix(5).joined(separator: ", "))")
    }
}
