import FirnEngine
import FirnPlatform
import FirnQuery
import FirnValues

extension Upstream {
    /// The interval at which the file is checked while waiting, in milliseconds.
    private static let lookMilliseconds: Int32 = 50

    /// Runs cycles until the caller asks for an end.
    ///
    /// A change of the file begins a cycle at once, and so does the hint of another file that sent
    /// some. Without both, ``PollSchedule`` has the time of the next one. While the server cannot be
    /// reached, the changes of the file are collected.
    ///
    /// - Parameters:
    ///   - willBegin: Called before each cycle.
    ///   - onCycle: Receives the result of each cycle.
    /// - Throws: The first error that is not only a matter of time.
    package func follow(
        willBegin: () -> Void = {}, _ onCycle: (Result<Report, UpstreamError>) -> Void
    ) throws(UpstreamError) {
        var schedule = PollSchedule()
        while !isStopped() {
            do throws(UpstreamError) {
                willBegin()
                let report = try synchronize()
                schedule.succeeded(isEmpty: report.isEmpty)
                onCycle(.success(report))
                if report.pushed > 0 { hint() }
            } catch {
                if error.code == .stopped { return }
                guard error.isTransient else { throw error }
                onCycle(.failure(error))
                schedule.failed(random: store.services.entropy.random64())
            }
            try wait(milliseconds: schedule.pause, forHints: schedule.failures == 0)
        }
    }

    /// Tells the other files that there are changes; nothing depends on their receiving it.
    private func hint() {
        try? connection?.execute("NOTIFY firn")
    }

    /// Waits until the file or the server may have changed, or the time limit expires.
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
