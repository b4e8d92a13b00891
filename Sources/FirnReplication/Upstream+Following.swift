import FirnEngine
import FirnPlatform
import FirnQuery

extension Upstream {
    /// The times between two cycles, in milliseconds: after a change, and at most.
    package static let pollMilliseconds: ClosedRange<Int> = 200...5000

    /// The time between two looks at the file while waiting, in milliseconds.
    private static let lookMilliseconds: Int32 = 50

    /// Runs cycles until the caller asks for an end.
    ///
    /// A change of the file begins a cycle at once, and so does the hint of another file that sent
    /// some. Without both, the time between two cycles doubles. An unreachable server is tried
    /// again after 1 to 30 seconds, at random within a quarter of that; the changes of the file are
    /// collected meanwhile.
    ///
    /// - Parameters:
    ///   - willBegin: Called before each cycle.
    ///   - onCycle: Receives the result of each cycle.
    /// - Throws: The first error that is not only a matter of time.
    package func follow(
        willBegin: () -> Void = {}, _ onCycle: (Result<Report, UpstreamError>) -> Void
    ) throws(UpstreamError) {
        var pause = Upstream.pollMilliseconds.lowerBound
        var failures = 0
        while !isStopped() {
            do throws(UpstreamError) {
                willBegin()
                let report = try synchronize()
                failures = 0
                onCycle(.success(report))
                if report.isEmpty {
                    pause = min(pause * 2, Upstream.pollMilliseconds.upperBound)
                } else {
                    pause = Upstream.pollMilliseconds.lowerBound
                    if report.pushed > 0 { hint() }
                }
            } catch {
                if error.code == .stopped { return }
                guard error.isTransient else { throw error }
                onCycle(.failure(error))
                failures = min(failures + 1, 6)
                let seconds = min(30, 1 << (failures - 1))
                let jitter = Int(store.services.entropy.random64() % UInt64(seconds * 250))
                pause = seconds * 1000 - jitter
            }
            try wait(milliseconds: pause, forHints: failures == 0)
        }
    }

    /// Tells the other files that there are changes; nothing depends on their receiving it.
    private func hint() {
        try? connection?.execute("NOTIFY firn")
    }

    /// Waits until the file or the server may have changed, or the time is over.
    private func wait(milliseconds: Int, forHints: Bool) throws(UpstreamError) {
        if forHints { try? connection?.listen() }
        let version = try snapshot().snapshot.version
        var rest = milliseconds
        while rest > 0, !isStopped() {
            if isUrgent() { return }
            if try snapshot().snapshot.version != version { return }
            let look = min(Upstream.lookMilliseconds, Int32(rest))
            if let connection, forHints {
                if connection.hasNotification(waitingMilliseconds: look) { return }
            } else {
                _ = DescriptorWait.readable([], milliseconds: look)
            }
            rest -= Int(look)
        }
    }
}
