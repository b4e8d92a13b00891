import Firn
import FirnPlatform
import FirnReplication
import Foundation

extension SyncSession {
    /// The time after which a session tries again after an error, in seconds.
    private static let pauseSeconds = 30.0

    /// The time between two looks at what the program wants, in seconds.
    private static let lookSeconds = 0.02

    /// Starts the thread of the session.
    func start() {
        let thread = Thread { [self] in run() }
        thread.name = "firn.sync"
        thread.start()
    }

    private var hasEnded: Bool { state.withLock { $0.hasEnded } }

    private func run() {
        let upstream = Upstream(database) { [state] in
            state.withLock { $0.hasEnded || $0.isSuspended }
        }
        upstream.isUrgent = { [state] in
            state.withLock { $0.wanted > $0.begun || !$0.resets.isEmpty }
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
        while state.withLock({ $0.isSuspended && !$0.hasEnded }) {
            state.withLock { $0.connection = .disconnected }
            Thread.sleep(forTimeInterval: SyncSession.lookSeconds)
        }
    }

    private func attach(_ upstream: Upstream) throws(UpstreamError) {
        beginCycle()
        if try upstream.isAttached() {
            try upstream.move(to: options.address)
        } else {
            try upstream.attach(options.address, client: upstream.newIdentity())
        }
    }

    private func follow(_ upstream: Upstream) throws(UpstreamError) {
        try upstream.follow(willBegin: beginCycle) { result in
            switch result {
            case .success(let report):
                completeCycle()
                for refusal in report.refused {
                    options.refusalHandler?(
                        RefusedWrite(objects: refusal.objects, reason: refusal.reason))
                }
            case .failure: state.withLock { $0.connection = .disconnected }
            }
        }
    }

    /// Handles an error that ended ``follow(_:)``.
    private func recover(from error: UpstreamError, _ upstream: Upstream) {
        if error.code == .stopped { return }
        upstream.disconnect()
        if error.isTransient {
            state.withLock { $0.connection = .disconnected }
            return pause(seconds: 1)
        }
        if error.code == .resetNeeded, !options.clientResetMode.attempts.isEmpty {
            do throws(UpstreamError) {
                return try reset(upstream, options.clientResetMode.attempts)
            } catch {
                return stopAndPause(error)
            }
        }
        stopAndPause(error)
    }

    private func stopAndPause(_ error: UpstreamError) {
        stop(Realm.Error(error, configuration))
        pause(seconds: SyncSession.pauseSeconds)
    }

    /// Waits until the time is over, or the program wants something.
    private func pause(seconds: Double) {
        let end = ProcessInfo.processInfo.systemUptime + seconds
        while ProcessInfo.processInfo.systemUptime < end {
            let goesOn = state.withLock { state in
                state.hasEnded || state.wanted > state.begun || !state.resets.isEmpty
            }
            if goesOn { return }
            Thread.sleep(forTimeInterval: SyncSession.lookSeconds)
        }
    }

    // MARK: Resets

    private func resetIfWanted(_ upstream: Upstream) throws(UpstreamError) {
        let attempts = state.withLock { state in
            defer { state.resets = [] }
            return state.resets
        }
        if !attempts.isEmpty { try reset(upstream, attempts) }
    }

    /// Begins again, and reads the subset completely.
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
        _ = try upstream.synchronize()
        completeCycle()
        guard let before, let didReset, let after = currentRealm() else { return }
        didReset(before, after)
    }

    private func frozenRealm() -> Realm? {
        guard
            options.clientResetMode.callbacks.before != nil
                || options.clientResetMode.callbacks.after != nil
        else { return nil }
        return currentRealm()?.freeze()
    }

    /// The realm of this thread; `nil` if no realm of the file is in use any more.
    private func currentRealm() -> Realm? {
        guard let realm = try? Realm(opened: configuration) else { return nil }
        realm.refresh()
        return realm
    }
}
