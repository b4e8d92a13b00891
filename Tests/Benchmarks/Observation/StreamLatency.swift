import FirnEngine
import FirnPlatform
import FirnTesting
import FirnValues

/// The time between a commit in one process and its notification in another.
///
///     limit       a word of shared memory is changed: until its waiter runs, and until this
///                 process can read the line that the waiter writes; immediately, and after the sync
///                 of a record, with which every commit begins: while the disk works the waiter's
///                 core goes to sleep, and needs time to wake up
///     callback    until a notification block of the object API begins
///     stream      until this process can read a line of `firn observe`
///
/// The clock, which is the same for all processes, starts when the commit has returned. The end of
/// a step in the other process is the time stamp in the line that it writes.
struct StreamLatency {
    private let folder: TemporaryFolder
    let firn: String
    let samples: Int

    init(firn: String, samples: Int) {
        folder = TemporaryFolder()
        self.firn = firn
        self.samples = samples
    }

    func table() throws -> String {
        let ways: [(String, () throws -> Statistics)] = [
            ("a futex alone has woken another process", { try limit(.begin) }),
            ("the same behind a sync", { try limit(.begin, behindSync: true) }),
            ("a block of the API begins there", callback),
            ("a futex and a pipe alone have brought a line back", { try limit(.line) }),
            ("the same behind a sync", { try limit(.line, behindSync: true) }),
            ("a line of firn observe can be read", { try stream("index") }),
            ("the same with the object", { try stream("events") }),
        ]
        return try LatencyTable.text("from the commit's return until", ways)
    }

    /// The event that stops the clock.
    private enum Stop {
        /// The other process begins its work, by the time stamp in its line.
        case begin
        /// This process has the line.
        case line
    }

    private func limit(_ stop: Stop, behindSync: Bool = false) throws -> Statistics {
        let path = folder("word \(stop) \(behindSync)")
        let record = behindSync ? try RawAppend(path + " record") : nil
        let region = try SystemServices.real.files.sharedRegion(path, .createNew, words: 64)
        let process = try PipedProcess(
            builtExecutable(named: "firn-bench"), ["worker", path, "--watch", "word"])
        _ = try process.line()
        return try measure(process, stop) {
            try record?.append()
            region.add(1, at: 0)
            region.wake(0)
        }
    }

    private func callback() throws -> Statistics {
        let (path, commit, close) = try database("callback.firn")
        defer { close() }
        let process = try PipedProcess(
            builtExecutable(named: "firn-bench"), ["worker", path, "--watch", "objects"])
        _ = try process.line()
        return try measure(process, .begin, commit)
    }

    /// - Parameter shape: positions only, or with objects.
    private func stream(_ shape: String) throws -> Statistics {
        let (path, commit, close) = try database("stream \(shape).firn")
        defer { close() }
        let process = try PipedProcess(
            firn, ["observe", path, "Person", "--shape", shape, "--initial", "none"])
        _ = try process.line()
        return try measure(process, .line, commit)
    }

    /// A database with some people, of which each commit changes one.
    func database(_ name: String) throws -> (String, () throws -> Void, () -> Void) {
        let path = folder(name)
        let creation = try Store.create(path)
        let transaction = try creation.store.beginWrite()
        let schema = try transaction.addClass(People.definition)
        for number in 0..<1_000 { try transaction.create(in: schema.id, People.values(number)) }
        _ = try transaction.commit()
        try creation.publish()
        var options = StoreOptions()
        options.logging = .always
        let store = try Store.open(path, readOnly: false, options: options)
        var number: Int64 = 0
        let commit = {
            number += 1
            let transaction = try store.beginWrite()
            try transaction.set(
                schema.properties[People.ageIndex].id, of: RowID(UInt64(number % 1_000)),
                in: schema.id, to: .int(1_000 + number))
            _ = try transaction.commit()
        }
        try commit()
        return (path, commit, { try? store.close() })
    }

    /// Repeats an action, and waits for the line that it causes.
    private func measure(
        _ process: PipedProcess, _ stop: Stop, _ work: () throws -> Void
    ) throws -> Statistics {
        let clock = SystemClock()
        var times: [UInt64] = []
        for round in 0..<samples + 20 {
            try work()
            let start = clock.monotonicNanoseconds()
            let line = try process.line()
            var end = clock.monotonicNanoseconds()
            if stop == .begin {
                guard let begun = UInt64(line) else {
                    throw ProgramError("no time, but \"\(line)\"")
                }
                // The other process may be faster than the return of the commit.
                end = max(start, begun)
            }
            if round >= 20 { times.append(end - start) }
        }
        process.kill()
        _ = process.finish()
        return Statistics(times) ?? Statistics(constant: 0)
    }
}
