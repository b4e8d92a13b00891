import FirnFormats
import FirnPlatform
import FirnQuery
import FirnTools
import FirnValues

/// The queries whose changes are shown in the background.
final class Observers {
    /// The maximum number of observers, each of which has a thread.
    private static let countMax = 16

    private struct Running {
        let number: Int
        let query: String
        let flag: Flag
        let thread: WorkerThread
    }

    /// The flag shared by the thread of an observer and the session.
    private final class Flag: Sendable {
        private let state = Guarded((isStopped: false, hasEnded: false))

        var isStopped: Bool { state.withLock { $0.isStopped } }
        var hasEnded: Bool { state.withLock { $0.hasEnded } }
        func stop() { state.withLock { $0.isStopped = true } }
        func end() { state.withLock { $0.hasEnded = true } }
    }

    private let notices: NotificationQueue
    private let environment: CommandEnvironment
    private var running: [Running] = []
    private var lastNumber = 0

    init(_ notices: NotificationQueue, _ environment: CommandEnvironment) {
        self.notices = notices
        self.environment = environment
    }

    deinit { stopAll() }

    private var live: [Running] { running.filter { !$0.flag.hasEnded } }

    var count: Int { live.count }

    var list: [(number: Int, query: String)] { live.map { ($0.number, $0.query) } }

    /// Starts observing a query.
    ///
    /// - Returns: the number of the observer.
    func start(
        _ query: ShellQuery, _ arguments: QueryArguments, in file: String
    ) throws(CommandFailure) -> Int {
        guard count < Observers.countMax else {
            throw .diagnostic(
                Diagnostic(
                    .limitExceeded, "there are already \(count) observers; end one with .stop"))
        }
        lastNumber += 1
        let number = lastNumber
        let flag = Flag()
        let prefix = "[\(number)] "
        let order = BackgroundObservation(
            file: file, query: query.text, className: query.defaultClass, arguments: arguments,
            environment, behind: prefix)
        let notices = notices
        let services = environment.services
        let thread: WorkerThread
        do {
            thread = try WorkerThread {
                let end = order.run(services, isStopped: { flag.isStopped }) { line in
                    notices.post(prefix + line)
                }
                flag.end()
                if let end { notices.post(prefix + end) }
            }
        } catch { throw .diagnostic(Diagnostic(error, "cannot start an observer")) }
        running.append(Running(number: number, query: query.text, flag: flag, thread: thread))
        return number
    }

    /// - Returns: whether there was such an observer.
    func stop(_ number: Int) -> Bool {
        guard let index = running.firstIndex(where: { $0.number == number }) else { return false }
        let stopped = running.remove(at: index)
        let wasRunning = !stopped.flag.hasEnded
        stopped.flag.stop()
        stopped.thread.join()
        return wasRunning
    }

    func stopAll() {
        for each in running { each.flag.stop() }
        for each in running { each.thread.join() }
        running = []
    }
}
